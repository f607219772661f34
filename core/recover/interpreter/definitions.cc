// SPDX-License-Identifier: Apache-2.0
// Files, imports, functions and classes.
#include <algorithm>

#include "core/recover/interpreter/interpreter.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

std::string_view first_part(std::string_view dotted) { return dotted.substr(0, dotted.find('.')); }

}  // namespace

void Interpreter::run_file(SourceFile* file) {
  if (file == nullptr || file->is_run) return;
  file->is_run = true;
  Environment* const outer = scope_;
  const bool was_stopped = stopped_;
  std::vector<Frame> frames;
  frames.swap(frames_);
  // What files define outlives the run: it is made by an interpreter of its own arena.
  Interpreter top(sources_, caches_, sources_.arena(), nullptr, nullptr);
  top.quiet_ = 1;
  top.runs_file_ = true;
  top.depth_ = depth_;
  top.scope_ = file->globals;
  const PythonTree& tree = *file->tree;
  for (uint32_t c = tree[0].first_child; c != kNone; c = tree[c].next) {
    top.stopped_ = false;
    top.run_statement(c);
  }
  steps_ += top.steps_;
  frames_.swap(frames);
  scope_ = outer;
  stopped_ = was_stopped;
}

bool Interpreter::run_packages() {
  constexpr size_t kMaxBytes = 256 << 10;  // a package may import all that there is
  const size_t before = sources_.opened().size();
  sources_.open_at_most(kMaxBytes);
  for (const SourceFile* file : sources_.opened()) {
    if (file->is_package) continue;
    run_file(sources_.find_relative(*file, 1, ""));
  }
  sources_.open_at_most(SIZE_MAX);
  const bool opens_more = sources_.opened().size() > before;
  if (opens_more) {
    // More callers may give more.
    caches_.candidates.clear();
    caches_.constructions.clear();
    caches_.holders.clear();
  }
  return opens_more;
}

Value Interpreter::import_dotted(std::string_view dotted, bool wants_top) {
  SourceFile* file = sources_.find_module(dotted);
  if (file == nullptr) {
    const std::string_view top = first_part(dotted);
    if (wants_top && top != dotted && sources_.find_module(top) != nullptr)
      return import_dotted(top, false);
    if (sources_.is_project(dotted)) return arena_.unknown();
    return arena_.external(wants_top ? top : dotted);
  }
  run_file(file);
  if (!wants_top || dotted.find('.') == std::string_view::npos) return file->value;
  if (SourceFile* top = sources_.find_module(first_part(dotted))) {
    run_file(top);
    return top->value;
  }
  return arena_.external(first_part(dotted));
}

void Interpreter::run_import(uint32_t node) {
  const PythonTree& tree = this->tree();
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (tree[c].kind == K::AliasedImport) {
      const uint32_t name = tree.child(c, F::Name);
      const uint32_t alias = tree.child(c, F::Alias);
      if (name != kNone && alias != kNone)
        assign_name(tree.text(alias), import_dotted(tree.text(name), false));
    } else if (tree[c].kind == K::DottedName) {
      const std::string_view dotted = tree.text(c);
      assign_name(first_part(dotted), import_dotted(dotted, true));
    }
  }
}

void Interpreter::run_import_from(uint32_t node) {
  const PythonTree& tree = this->tree();
  const uint32_t from = tree.child(node, F::ModuleName);
  if (from == kNone) return;
  SourceFile* file = nullptr;
  std::string_view dotted = tree.text(from);
  if (tree[from].kind == K::RelativeImport) {
    const size_t dots = std::min(dotted.find_first_not_of('.'), dotted.size());
    file = sources_.find_relative(*scope_->file, dots, dotted.substr(dots));
    dotted = dotted.substr(dots);
    if (file == nullptr && dotted.empty()) {
      // A package without __init__.py: its files are found one by one.
      for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
        if (c == from) continue;
        const uint32_t name = tree[c].kind == K::AliasedImport ? tree.child(c, F::Name) : c;
        const uint32_t alias = tree[c].kind == K::AliasedImport ? tree.child(c, F::Alias) : c;
        if (name == kNone || alias == kNone) continue;
        SourceFile* one = sources_.find_relative(*scope_->file, dots, tree.text(name));
        run_file(one);
        assign_name(tree.text(alias), one != nullptr ? one->value : arena_.unknown());
      }
      return;
    }
  } else {
    file = sources_.find_module(dotted);
  }
  const bool is_missing = file == nullptr && (tree[from].kind == K::RelativeImport ||
                                              sources_.is_project(tree.text(from)));
  run_file(file);
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (c == from) continue;
    if (tree[c].kind == K::WildcardImport) {
      if (file == nullptr) continue;
      for (const auto& [name, value] : file->globals->names) {
        step();
        if (!name.starts_with('_')) assign_name(name, value);
      }
      continue;
    }
    const uint32_t name = tree[c].kind == K::AliasedImport ? tree.child(c, F::Name) : c;
    const uint32_t alias = tree[c].kind == K::AliasedImport ? tree.child(c, F::Alias) : c;
    if (name == kNone || alias == kNone) continue;
    Value value = nullptr;
    if (file != nullptr) {
      value = file->globals->find(tree.text(name));
      if (value != nullptr) value = name_of_file(*file->globals, tree.text(name), value);
      if (value == nullptr && file->is_package) {
        SourceFile* inner = sources_.find_relative(*file, 1, tree.text(name));
        if (inner != nullptr) {
          run_file(inner);
          value = inner->value;
        }
      }
      if (value == nullptr) value = arena_.unknown();
    } else if (is_missing) {
      value = arena_.unknown();  // a helper that nobody can see
    } else {
      value = arena_.external(std::string(dotted) + "." + std::string(tree.text(name)));
    }
    assign_name(tree.text(alias), value);
  }
}

// What is imported in a try may not have been there: nobody knows what its names stand for then.
void Interpreter::forget_missing_imports(uint32_t node) {
  const PythonTree& tree = this->tree();
  const uint32_t body = tree.child(node, F::Body);
  bool has_except = false;
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next)
    has_except |= tree[c].kind == K::ExceptClause;
  if (!has_except || body == kNone) return;
  for (uint32_t i = tree[body].first_child; i != kNone; i = tree[i].next) {
    if (tree[i].kind != K::ImportStatement && tree[i].kind != K::ImportFromStatement) continue;
    for (uint32_t c = tree[i].first_child; c != kNone; c = tree[c].next) {
      step();
      if (tree[c].field == F::ModuleName) continue;
      const uint32_t alias = tree[c].kind == K::AliasedImport ? tree.child(c, F::Alias) : c;
      if (alias == kNone) continue;
      const std::string_view name = first_part(tree.text(alias));
      const Value value = scope_->find(name);
      if (value != nullptr && value->is(ValueKind::External) &&
          first_part(value->name()) != "torch")
        assign_name(name, arena_.unknown());
    }
  }
}

Value Interpreter::make_function(uint32_t node, std::string_view name) {
  const PythonTree& tree = this->tree();
  const Value function = arena_.make(
      payload::Function{.file = scope_->file, .node = node, .environment = scope_, .name = name});
  const uint32_t parameters = tree.child(node, F::Parameters);
  if (parameters == kNone) return function;
  for (uint32_t p = tree[parameters].first_child; p != kNone; p = tree[p].next) {
    const bool has_default =
        tree[p].kind == K::DefaultParameter || tree[p].kind == K::TypedDefaultParameter;
    function->function().defaults.push_back(has_default ? eval(tree.child(p, F::Value)) : nullptr);
  }
  return function;
}

Value Interpreter::make_class(uint32_t node) {
  const PythonTree& tree = this->tree();
  const uint32_t name = tree.child(node, F::Name);
  const Value made =
      arena_.make(payload::Class{.file = scope_->file,
                                 .node = node,
                                 .name = name == kNone ? std::string_view() : tree.text(name)});
  const uint32_t bases = tree.child(node, F::Superclasses);
  if (bases != kNone) {
    for (uint32_t c = tree[bases].first_child; c != kNone; c = tree[c].next) {
      if (tree[c].kind != K::KeywordArgument) made->cls().bases.push_back(eval(c));
    }
  }
  Environment* const outer = scope_;
  scope_ = arena_.environment(outer, outer->file);
  scope_->is_class_body = true;
  const uint32_t body = tree.child(node, F::Body);
  const bool was_stopped = stopped_;
  ++quiet_;
  for (uint32_t c = body == kNone ? kNone : tree[body].first_child; c != kNone; c = tree[c].next) {
    run_statement(c);
    stopped_ = was_stopped;
    // `name: type` of a dataclass or a named tuple is a field without a value.
    if (tree[c].kind != K::ExpressionStatement || tree[c].first_child == kNone) continue;
    const uint32_t assignment = tree[c].first_child;
    if (tree[assignment].kind != K::Assignment || tree.child(assignment, F::Type) == kNone)
      continue;
    const uint32_t left = tree.child(assignment, F::Left);
    if (left == kNone || tree[left].kind != K::Identifier) continue;
    made->cls().fields.push_back(tree.text(left));
    if (tree.child(assignment, F::Right) == kNone) {
      std::erase_if(scope_->names, [&](const auto& row) { return row.first == tree.text(left); });
    }
  }
  --quiet_;
  made->attributes.assign(scope_->names.begin(), scope_->names.end());
  for (auto& [member, value] : made->attributes) {
    step();
    if (!value->is(ValueKind::Function)) continue;
    payload::Function& function = value->function();
    if (function.owner == nullptr) function.owner = made;
    if (!made->is_shared) continue;
    if (function.is_property && !is_module_class(made)) caches_.has_properties = true;
    std::vector<Value>& owners = caches_.methods[std::string(member)];
    if (function.owner == made) owners.push_back(made);
  }
  scope_ = outer;
  if (is_enumeration(made)) number_members(made);
  return made;
}

// a of a.b(c): a name that nothing defines, or that comes from a file that is not used.
bool Interpreter::is_unknown_name(uint32_t expression) {
  const PythonTree& tree = this->tree();
  uint32_t root = expression;
  while (root != kNone && tree[root].kind != K::Identifier) {
    if (tree[root].kind != K::Call && tree[root].kind != K::Attribute) return false;
    root = tree.child(root, tree[root].kind == K::Call ? F::Function : F::Object);
  }
  return root != kNone && eval(root)->is(ValueKind::Unknown);
}

Value Interpreter::decorated(uint32_t node) {
  const PythonTree& tree = this->tree();
  const uint32_t definition = tree.child(node, F::Definition);
  if (definition == kNone) return arena_.unknown();
  Value value = nullptr;
  const uint32_t name_node = tree.child(definition, F::Name);
  const std::string_view name = name_node == kNone ? std::string_view() : tree.text(name_node);
  std::vector<std::pair<uint32_t, Value>> decorators;
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (tree[c].kind == K::Decorator && tree[c].first_child != kNone)
      decorators.emplace_back(c, eval(tree[c].first_child));
  }
  value = tree[definition].kind == K::ClassDefinition ? make_class(definition)
                                                      : make_function(definition, name);
  if (name == "__init__" && !decorators.empty()) {
    decorators.clear();  // what it assigns stands in its own text, what they may set is not known
    if (value->is(ValueKind::Function)) value->function().is_wrapped = true;
  }
  for (auto row = decorators.rbegin(); row != decorators.rend(); ++row) {
    const Value decorator = row->second;
    if (decorator->is(ValueKind::External)) {
      const std::string& text = decorator->name();
      if (value->is(ValueKind::Function)) {
        payload::Function& function = value->function();
        if (text == "builtins.property" || text == "functools.cached_property")
          function.is_property = true;
        if (text == "builtins.staticmethod") function.is_static = true;
        if (text == "builtins.classmethod") function.is_class_method = true;
        // A name that nothing defines.
        function.is_wrapped |= text.starts_with("builtins.") && !function.is_property &&
                               !function.is_static && !function.is_class_method;
      }
      // Its constructor comes from its fields.
      if (value->is(ValueKind::Class) &&
          (text == "dataclasses.dataclass" || text == "attr.s" || text == "attrs.define")) {
        value->cls().is_dataclass = true;
      }
      continue;
    }
    if (decorator->is(ValueKind::Instance) || decorator->is(ValueKind::Unknown)) {
      const uint32_t expression = tree[row->first].first_child;
      if (tree.text(expression).find("dataclass") != std::string_view::npos &&
          value->is(ValueKind::Class)) {
        value->cls().is_dataclass = true;
      }
      // A library's leaves no frame of the project.
      if (value->is(ValueKind::Function) && is_unknown_name(expression))
        value->function().is_wrapped = true;
      continue;
    }
    if (decorator->is(ValueKind::Function) || decorator->is(ValueKind::Method) ||
        decorator->is(ValueKind::Partial)) {
      Arguments arguments{{value}, {}, false};
      const Value made = call(decorator, arguments, row->first);
      if (made->is(ValueKind::Function) || made->is(ValueKind::Method) ||
          made->is(ValueKind::Partial) || made->is(ValueKind::Class)) {
        value = made;
      } else if (value->is(ValueKind::Function)) {
        value->function().is_wrapped = true;
      }
    }
  }
  return value;
}

void Interpreter::define(uint32_t node) {
  const PythonTree& tree = this->tree();
  uint32_t definition = node;
  if (tree[node].kind == K::DecoratedDefinition) definition = tree.child(node, F::Definition);
  if (definition == kNone) return;
  const uint32_t name_node = tree.child(definition, F::Name);
  if (name_node == kNone) return;
  const std::string_view name = tree.text(name_node);
  Value value = nullptr;
  if (tree[node].kind == K::DecoratedDefinition) {
    value = decorated(node);
  } else if (tree[node].kind == K::ClassDefinition) {
    value = make_class(node);
  } else {
    value = make_function(node, name);
  }
  assign_name(name, value);
}

std::vector<Value> Interpreter::bases_in_order(Value cls) {
  // As Python's order where bases share no base, and where they do, the shared one stands last.
  std::vector<Value> order;
  std::vector<Value> open{cls};
  while (!open.empty() && order.size() < 64) {
    step();
    const Value next = open.front();
    open.erase(open.begin());
    std::erase(order, next);
    order.push_back(next);
    if (next->is(ValueKind::Class))
      open.insert(open.begin(), next->cls().bases.begin(), next->cls().bases.end());
    if (open.size() > 64) break;
  }
  return order;
}

Value Interpreter::find_member(Value cls, std::string_view name, Value* owner) {
  if (cls == nullptr || !cls->is(ValueKind::Class)) return nullptr;
  for (const Value base : bases_in_order(cls)) {
    if (!base->is(ValueKind::Class)) continue;
    for (const auto& [member, value] : base->attributes) {
      if (member != name) continue;
      if (owner != nullptr) *owner = base;
      return value;
    }
  }
  return nullptr;
}

Value Interpreter::class_of_type(std::string_view type) {
  const auto [at, is_new] = caches_.classes.try_emplace(std::string(type), nullptr);
  if (!is_new) return at->second;
  // The longest prefix that is a file; the rest is the qualified name.
  for (size_t dot = type.rfind('.'); dot != std::string_view::npos && dot > 0;
       dot = type.rfind('.', dot - 1)) {
    SourceFile* file = sources_.find_module(type.substr(0, dot));
    if (file == nullptr) continue;
    run_file(file);
    std::string_view rest = type.substr(dot + 1);
    Value value = file->globals->find(first_part(rest));
    while (value != nullptr && rest.find('.') != std::string_view::npos) {
      rest.remove_prefix(rest.find('.') + 1);
      value = find_member(value, first_part(rest));
    }
    if (value != nullptr && value->is(ValueKind::Class)) at->second = value;
    break;
  }
  return at->second;
}

}  // namespace etlens::recover
