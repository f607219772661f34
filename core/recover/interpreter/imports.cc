// SPDX-License-Identifier: Apache-2.0
// Files and imports.
#include <algorithm>
#include <array>
#include <unordered_map>

#include "core/recover/interpreter/definitions.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/scopes.h"
#include "core/recover/interpreter/statements.h"
#include "core/recover/interpreter/tree_names.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

Value import_dotted(Evaluator& run, std::string_view dotted, bool wants_top) {
  SourceFile* file = run.sources.find_module(dotted);
  if (file == nullptr) {
    const std::string_view top = first_part(dotted);
    if (wants_top && top != dotted && run.sources.find_module(top) != nullptr)
      return import_dotted(run, top, false);
    if (run.sources.is_project(dotted)) return run.arena.unknown();
    return run.arena.external(wants_top ? top : dotted);
  }
  run_file(run, file);
  if (!wants_top || dotted.find('.') == std::string_view::npos) return file->value;
  if (SourceFile* top = run.sources.find_module(first_part(dotted))) {
    run_file(run, top);
    return top->value;
  }
  return run.arena.external(first_part(dotted));
}

// from . import a, where the package has no __init__.py: its files are found one by one.
void import_from_package(Evaluator& run, uint32_t node, uint32_t from, size_t dots) {
  const PythonTree& tree = run.tree();
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (c == from) continue;
    const uint32_t name = tree[c].kind == K::AliasedImport ? tree.child(c, F::Name) : c;
    const uint32_t alias = tree[c].kind == K::AliasedImport ? tree.child(c, F::Alias) : c;
    if (name == kNone || alias == kNone) continue;
    SourceFile* one = run.sources.find_relative(*run.scope()->file, dots, tree.text(name));
    run_file(run, one);
    assign_name(run, tree.text(alias), one != nullptr ? one->value : run.arena.unknown());
  }
}

constexpr std::string_view kAllNames = "*";

// Functions of Python itself that packages also import: without the import, the name is still a function.
constexpr auto kOwnFunctions = std::to_array<std::string_view>(
    {"abs",   "all",   "any",    "bool", "dict",  "enumerate", "filter", "float",
     "hash",  "input", "int",    "iter", "len",   "list",      "map",    "max",
     "min",   "next",  "open",   "pow",  "print", "property",  "range",  "reversed",
     "round", "set",   "sorted", "str",  "sum",   "super",     "tuple",  "zip"});

// The one that has the name, as far as it is known, is Python's own.
bool is_python_own(std::string_view name) {
  return std::ranges::find(kOwnFunctions, name) != kOwnFunctions.end() || name.ends_with("Error") ||
         name.ends_with("Warning");
}

// How often names stand below a node, but for those of modules that are imported from.
std::unordered_map<std::string_view, size_t> names_below(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  std::unordered_map<std::string_view, size_t> counts;
  for (uint32_t n = node; n < tree[node].end_child; ++n) {
    run.step();
    if (tree[n].field == F::ModuleName) n = tree[n].end_child - 1;
    else if (tree[n].kind == K::Identifier) ++counts[tree.text(n)];
  }
  return counts;
}

void leave_open(Evaluator& run, const OpenImport& open) {
  if (open.name == kAllNames) return run.scope()->open_imports.push_back(open);
  std::erase_if(run.scope()->names, [&](const auto& row) { return row.first == open.name; });
  std::erase_if(run.scope()->open_imports,
                [&](const OpenImport& other) { return other.name == open.name; });
  run.scope()->open_imports.push_back(open);
}

// from file import *
void import_names(Evaluator& run, const SourceFile& file) {
  for (const auto& [name, value] : file.globals->names) {
    run.step();
    if (!name.starts_with('_')) assign_name(run, name, value);
  }
  if (!run.arena.is_shared()) return;
  for (const OpenImport& open : file.globals->open_imports) {
    run.step();
    if (!open.name.starts_with('_') && open.name != kAllNames)
      leave_open(run, {.name = open.name, .from = &file});
  }
}

// What `from …` names.
struct ImportOrigin {
  SourceFile* file = nullptr;
  std::string_view dotted;  // behind the dots
  size_t dots = 0;
};

ImportOrigin origin_of_import(Evaluator& run, uint32_t from) {
  ImportOrigin origin;
  const PythonTree& tree = run.tree();
  origin.dotted = tree.text(from);
  if (tree[from].kind == K::RelativeImport) {
    origin.dots = std::min(origin.dotted.find_first_not_of('.'), origin.dotted.size());
    origin.dotted = origin.dotted.substr(origin.dots);
    origin.file = run.sources.find_relative(*run.scope()->file, origin.dots, origin.dotted);
  } else {
    origin.file = run.sources.find_module(origin.dotted);
  }
  return origin;
}

// from origin import item
void import_item(Evaluator& run, uint32_t from, const ImportOrigin& origin, uint32_t item) {
  const PythonTree& tree = run.tree();
  const uint32_t name = tree[item].kind == K::AliasedImport ? tree.child(item, F::Name) : item;
  const uint32_t alias = tree[item].kind == K::AliasedImport ? tree.child(item, F::Alias) : item;
  if (name == kNone || alias == kNone) return;
  Value value = nullptr;
  if (origin.file != nullptr) {
    value = member_of_file(run, *origin.file, tree.text(name));
  } else if (tree[from].kind != K::RelativeImport && !run.sources.is_project(tree.text(from))) {
    value = run.arena.external(std::string(origin.dotted) + "." + std::string(tree.text(name)));
  }  // else a helper whose source is not here
  assign_name(run, tree.text(alias), value != nullptr ? value : run.arena.unknown());
}

// import a.b, import a.b as c
void import_file(Evaluator& run, uint32_t item) {
  const PythonTree& tree = run.tree();
  if (tree[item].kind == K::AliasedImport) {
    const uint32_t name = tree.child(item, F::Name);
    const uint32_t alias = tree.child(item, F::Alias);
    if (name != kNone && alias != kNone)
      assign_name(run, tree.text(alias), import_dotted(run, tree.text(name), false));
  } else if (tree[item].kind == K::DottedName) {
    const std::string_view dotted = tree.text(item);
    assign_name(run, first_part(dotted), import_dotted(run, dotted, true));
  }
}

// The top level of a file, whose project is too large to open all that it imports.
bool waits_for_names(const Evaluator& run) {
  return run.runs_file() && run.scope() == run.scope()->file->globals &&
         !run.sources.opens_unasked();
}

}  // namespace

std::string_view first_part(std::string_view dotted) { return dotted.substr(0, dotted.find('.')); }

void run_file(Evaluator& run, SourceFile* file) {
  if (file == nullptr || file->is_run) return;
  file->is_run = true;
  if (!run.sources.may_run_file()) return;
  // What files define outlives the run: it is made by an evaluator of its own arena.
  Evaluator top(run.sources, run.caches, run.sources.arena(), nullptr, nullptr);
  top.begin_file(file->globals, run.depth_of());
  const PythonTree& tree = *file->tree;
  for (uint32_t c = tree[0].first_child; c != kNone; c = tree[c].next) {
    top.resume(false);
    run_statement(top, c);
  }
  run.sources.add_file_steps(top.steps());
}

namespace {

// What the last `from … import *` of a package gives that has the name.
Value asked_of_all(Evaluator& run, Environment& scope, std::string_view name) {
  if (name.starts_with('_') || !run.goes_deeper()) return nullptr;
  Evaluator top(run.sources, run.caches, run.sources.arena(), nullptr, nullptr);
  top.begin_file(&scope, run.depth_of());
  // They are not asked again by what they ask for.
  std::vector<OpenImport> open;
  std::ranges::copy_if(scope.open_imports, std::back_inserter(open),
                       [](const OpenImport& one) { return one.name == kAllNames; });
  std::erase_if(scope.open_imports, [](const OpenImport& one) { return one.name == kAllNames; });
  Value found = nullptr;
  for (auto at = open.rbegin(); at != open.rend() && found == nullptr; ++at) {
    const ImportOrigin origin =
        origin_of_import(top, top.tree().child(at->statement, F::ModuleName));
    if (origin.file == nullptr) continue;
    run_file(top, origin.file);
    found = find_name(top, *origin.file->globals, name);
  }
  if (found != nullptr) assign_name(top, name, found);
  scope.open_imports.insert(scope.open_imports.end(), open.begin(), open.end());
  run.sources.add_file_steps(top.steps());
  run.comes_back();
  return found;
}

}  // namespace

Value asked_import(Evaluator& run, Environment& scope, std::string_view name) {
  std::vector<OpenImport>& open = scope.open_imports;
  const auto at = std::ranges::find(open, name, &OpenImport::name);
  if (at == open.end()) {
    const bool has_all = std::ranges::find(open, kAllNames, &OpenImport::name) != open.end();
    return has_all ? asked_of_all(run, scope, name) : nullptr;
  }
  if (!run.goes_deeper()) return nullptr;
  const OpenImport import = *at;
  open.erase(at);  // files may import each other
  Evaluator top(run.sources, run.caches, run.sources.arena(), nullptr, nullptr);
  top.begin_file(&scope, run.depth_of());
  const uint32_t from =
      import.from == nullptr ? top.tree().child(import.statement, F::ModuleName) : kNone;
  if (import.from != nullptr) {
    const Value value = member_of_file(top, *import.from, import.name);
    assign_name(top, import.name, value != nullptr ? value : top.arena.unknown());
  } else if (from == kNone) {
    import_file(top, import.item);
  } else {
    const ImportOrigin origin = origin_of_import(top, from);
    run_file(top, origin.file);
    import_item(top, from, origin, import.item);
  }
  run.sources.add_file_steps(top.steps());
  run.comes_back();
  return scope.find(name);
}

bool run_packages(Evaluator& run) {
  constexpr size_t kMaxBytes = 256 << 10;  // a package may import all that there is
  const size_t before = run.sources.opened_count();
  run.sources.open_unasked(kMaxBytes);
  for (const SourceFile* file : run.sources.opened()) {
    if (file->is_package) continue;
    run_file(run, run.sources.find_relative(*file, 1, ""));
  }
  run.sources.open_unasked(0);
  const bool opens_more = run.sources.opened_count() > before;
  if (opens_more) {
    // More callers may give more.
    run.caches.candidates.clear();
    run.caches.constructions.clear();
    run.caches.holders.clear();
  }
  return opens_more;
}

void run_import(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (waits_for_names(run)) leave_open(run, {imported_name(tree, c), nullptr, node, c});
    else import_file(run, c);
  }
}

Value member_of_file(Evaluator& run, const SourceFile& file, std::string_view name) {
  if (const Value value = find_name(run, *file.globals, name))
    return name_of_file(run, *file.globals, name, value);
  if (!file.is_package) return nullptr;
  SourceFile* const inner = run.sources.find_relative(file, 1, name);
  if (inner == nullptr) return nullptr;
  run_file(run, inner);
  return inner->value;
}

void run_import_from(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  const uint32_t from = tree.child(node, F::ModuleName);
  if (from == kNone) return;
  bool waits = waits_for_names(run);
  // Names may be among all that a file gives; a package is asked for few of them.
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next)
    waits = waits && (tree[c].kind != K::WildcardImport || run.scope()->file->is_package);
  const ImportOrigin origin = waits ? ImportOrigin() : origin_of_import(run, from);
  if (!waits && origin.file == nullptr && origin.dots > 0 && origin.dotted.empty())
    return import_from_package(run, node, from, origin.dots);
  run_file(run, origin.file);
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (c == from) continue;
    if (waits) {
      const bool is_all = tree[c].kind == K::WildcardImport;
      leave_open(run, {is_all ? kAllNames : imported_name(tree, c), nullptr, node, c});
    } else if (tree[c].kind == K::WildcardImport) {
      if (origin.file != nullptr) import_names(run, *origin.file);
    } else {
      import_item(run, from, origin, c);
    }
  }
}

std::vector<OpenImport> sole_imports(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  std::vector<OpenImport> found;
  const Environment& scope = *run.scope();
  if (!run.runs_file() || &scope != scope.file->globals) return found;
  const auto is_given = [&](std::string_view name) {
    return scope.find(name) != nullptr ||
           std::ranges::any_of(scope.open_imports, [&](const OpenImport& open) {
             run.step();  // a file may have very many
             return open.name == name || open.name == kAllNames;
           });
  };
  const std::unordered_map<std::string_view, size_t> counts = names_below(run, node);
  for (uint32_t n = node; n < tree[node].end_child; ++n) {
    run.step();
    const K kind = tree[n].kind;
    if (kind == K::WildcardImport) return {};
    if (kind == K::FunctionDefinition || kind == K::ClassDefinition) {
      n = tree[n].end_child - 1;
    } else if (kind == K::ImportStatement || kind == K::ImportFromStatement) {
      for (uint32_t c = tree[n].first_child; c != kNone; c = tree[c].next) {
        if (tree[c].field == F::ModuleName || tree[c].kind == K::WildcardImport) continue;
        const std::string_view name = imported_name(tree, c);
        const auto count = counts.find(name);
        const bool is_sole = count != counts.end() && count->second == 1;
        if (is_sole && !is_given(name) && !is_python_own(name))
          found.push_back({name, nullptr, n, c});
      }
    }
  }
  return found;
}

void leave_imports_open(Evaluator& run, const std::vector<OpenImport>& imports) {
  for (const OpenImport& open : imports) leave_open(run, open);
}

void forget_missing_imports(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  const uint32_t body = tree.child(node, F::Body);
  bool has_except = false;
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next)
    has_except |= tree[c].kind == K::ExceptClause;
  if (!has_except || body == kNone) return;
  for (uint32_t i = tree[body].first_child; i != kNone; i = tree[i].next) {
    if (tree[i].kind != K::ImportStatement && tree[i].kind != K::ImportFromStatement) continue;
    for (uint32_t c = tree[i].first_child; c != kNone; c = tree[c].next) {
      run.step();
      if (tree[c].field == F::ModuleName) continue;
      const uint32_t alias = tree[c].kind == K::AliasedImport ? tree.child(c, F::Alias) : c;
      if (alias == kNone) continue;
      const std::string_view name = first_part(tree.text(alias));
      const Value value = find_name(run, *run.scope(), name);
      if (value != nullptr && value->is(ValueKind::External) &&
          first_part(value->name()) != "torch")
        assign_name(run, name, run.arena.unknown());
    }
  }
}

}  // namespace etlens::recover
