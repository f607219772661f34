// SPDX-License-Identifier: Apache-2.0
#include "core/recover/interpreter/changes.h"

#include <algorithm>

#include "core/base/budget.h"
#include "core/recover/interpreter/tree_names.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

bool has_class(const std::unordered_map<std::string_view, std::set<std::string_view>>& attributes,
               std::string_view name, const std::vector<std::string_view>& classes) {
  const auto at = attributes.find(name);
  if (at == attributes.end()) return false;
  return at->second.contains("") || std::ranges::any_of(classes, [&](std::string_view cls) {
           return at->second.contains(cls);
         });
}

}  // namespace

// One walk through a tree.
class ChangesOfFile {
 public:
  ChangesOfFile(Changes& changes, const PythonTree& tree) : changes_(changes), tree_(tree) {}

  void read() {
    find_imports();
    for (uint32_t n = 0; n < tree_.nodes.size(); ++n) {
      go_on();
      while (!open_.empty() && n >= open_.back().end) open_.pop_back();
      read(n);
    }
  }

 private:
  struct Open {  // a function or a class that the walk is in
    uint32_t end;
    uint32_t function;      // kNone: a class
    std::string_view name;  // of a class
    std::set<std::string_view> own;
  };

  uint32_t function() const {
    for (auto open = open_.rbegin(); open != open_.rend(); ++open) {
      if (open->function != kNone) return open->function;
    }
    return kNone;
  }

  void find_imports() {
    for (uint32_t n = 0; n < tree_.nodes.size(); ++n) {
      if (tree_[n].kind != K::ImportStatement && tree_[n].kind != K::ImportFromStatement) continue;
      for (uint32_t c = tree_[n].first_child; c != kNone; c = tree_[c].next) {
        if (tree_[c].field == F::ModuleName) continue;
        const uint32_t alias = tree_.child(c, F::Alias);
        const std::string_view name = imported_name(tree_, c);
        imported_.insert(name);
        if (tree_[n].kind == K::ImportStatement) files_.insert(name);
        if (alias != kNone) changes_.aliases_[name] = tree_.text(tree_.child(c, F::Name));
      }
    }
  }

  void read(uint32_t n) {
    switch (tree_[n].kind) {
      case K::FunctionDefinition:
        return open_function(n, tree_.text(tree_.child(n, F::Name)));
      case K::ClassDefinition:
        open_.push_back({tree_[n].end_child, kNone, tree_.text(tree_.child(n, F::Name)), {}});
        return;
      case K::IfStatement:
        // What runs where the file is the program runs when nobody reads it.
        if (open_.empty() &&
            tree_.text(tree_.child(n, F::Condition)).find("__name__") != std::string_view::npos)
          open_function(n, "");
        return;
      case K::GlobalStatement:
      case K::NonlocalStatement:
        for (uint32_t c = tree_[n].first_child; c != kNone; c = tree_[c].next) {
          note(tree_.text(c), false, false, false);
          for (Open& open : open_) open.own.erase(tree_.text(c));
        }
        return;
      case K::Assignment:
      case K::AugmentedAssignment:
      case K::ForStatement:
        if (tree_[n].kind == K::Assignment && tree_.child(n, F::Right) == kNone) return;
        return read_target(tree_.child(n, F::Left));
      case K::AsPatternTarget:
        return read_target(tree_[n].first_child);
      case K::DeleteStatement:
        return read_target(tree_[n].first_child);
      case K::Call:
        return read_call(n);
      case K::Attribute: {
        const uint32_t name = tree_.child(n, F::Attribute);
        if (name == kNone) return;
        const uint32_t root = root_of(n);
        const bool is_member = root == kNone || !imported_.contains(tree_.text(root));
        changes_.mentions_[tree_.text(name)].push_back({function(), is_member});
        return;
      }
      case K::Identifier:
        return mention(n);
      default:
        return;
    }
  }

  void mention(uint32_t n) {
    const std::string_view name = tree_.text(n);
    if (tree_[n].field == F::Name) return;
    if (tree_[n].field == F::Attribute || is_own(name)) return;
    changes_.mentions_[name].push_back({function(), false});
  }

  void open_function(uint32_t n, std::string_view name) {
    const auto row = static_cast<uint32_t>(changes_.functions_.size());
    const bool is_method = !open_.empty() && open_.back().function == kNone;
    changes_.functions_.push_back(
        {name, is_method ? open_.back().name : std::string_view(), function()});
    std::set<std::string_view> own;
    const uint32_t parameters = tree_.child(n, F::Parameters);
    for (uint32_t p = parameters; parameters != kNone && p < tree_[parameters].end_child; ++p) {
      if (tree_[p].kind == K::Identifier) own.insert(tree_.text(p));
    }
    const uint32_t body = name.empty() ? kNone : tree_.child(n, F::Body);
    for (uint32_t b = body; body != kNone && b < tree_[body].end_child; ++b) {
      if (tree_[b].kind != K::Assignment && tree_[b].kind != K::ForStatement) continue;
      const uint32_t left = tree_.child(b, F::Left);
      if (left == kNone) continue;
      for (uint32_t t = left; t < tree_[left].end_child; ++t) {
        if (tree_[t].kind == K::Attribute || tree_[t].kind == K::Subscript)
          t = tree_[t].end_child - 1;
        else if (tree_[t].kind == K::Identifier) own.insert(tree_.text(t));
      }
    }
    open_.push_back({tree_[n].end_child, row, {}, std::move(own)});
  }

  bool is_own(std::string_view name) const {
    return std::ranges::any_of(open_, [&](const Open& open) { return open.own.contains(name); });
  }

  // a of a.b[c].d
  uint32_t root_of(uint32_t node) const {
    while (node != kNone && (tree_[node].kind == K::Attribute || tree_[node].kind == K::Subscript))
      node = tree_.child(node, tree_[node].kind == K::Attribute ? F::Object : F::Value);
    return node != kNone && tree_[node].kind == K::Identifier ? node : kNone;
  }

  void read_target(uint32_t target) {
    if (target == kNone) return;
    for (uint32_t t = target; t < tree_[target].end_child; ++t) {
      if (tree_[t].kind == K::Attribute) {
        changed(t, false);
      } else if (tree_[t].kind == K::Subscript) {
        filled(t);
      } else {
        continue;
      }
      t = tree_[t].end_child - 1;
    }
  }

  void read_call(uint32_t call) {
    const uint32_t object = filled_by(tree_, call);
    if (object != kNone) filled(object);
    const uint32_t function = tree_.child(call, F::Function);
    const uint32_t list = tree_.child(call, F::Arguments);
    if (function == kNone || list == kNone || tree_.text(function) != "setattr") return;
    const uint32_t object_given = tree_[list].first_child;
    const uint32_t name = object_given == kNone ? kNone : tree_[object_given].next;
    if (name == kNone || tree_[name].kind != K::String || tree_.text(name).size() < 2) return;
    const std::string_view text = tree_.text(name);
    note(text.substr(1, text.size() - 2), true, false, false);
  }

  void filled(uint32_t node) {
    while (node != kNone && tree_[node].kind == K::Subscript) node = tree_.child(node, F::Value);
    if (node == kNone) return;
    if (tree_[node].kind == K::Attribute) return changed(node, true);
    if (tree_[node].kind != K::Identifier || is_own(tree_.text(node))) return;
    if (files_.contains(tree_.text(node))) return;  // torch.add(…)
    note(tree_.text(node), false, false, true);
  }

  // object.name = …, or its content is changed.
  void changed(uint32_t attribute, bool is_fill) {
    const std::string_view name = tree_.text(tree_.child(attribute, F::Attribute));
    const uint32_t object = tree_.child(attribute, F::Object);
    const uint32_t root = root_of(object);
    const bool is_self = root == object && root != kNone && tree_.text(root) == "self";
    note(name, true, is_self, is_fill);
    if (root == kNone || !imported_.contains(tree_.text(root)) || is_own(tree_.text(root))) return;
    // Of another file, whose names these are.
    if (!is_fill || function() != kNone) note(name, false, false, is_fill);
  }

  void note(std::string_view name, bool is_attribute, bool is_self, bool is_fill) {
    if (is_attribute && !is_fill) changes_.assigned_.insert(name);
    changes_.changes_.push_back({name, function(), is_attribute, is_self, is_fill});
  }

  Changes& changes_;
  const PythonTree& tree_;
  std::vector<Open> open_;
  std::set<std::string_view> imported_;
  std::set<std::string_view> files_;
};

void Changes::add(const PythonTree& tree) {
  ChangesOfFile(*this, tree).read();
  is_settled_ = false;
}

// Inside a function of that name.
bool Changes::is_inside(uint32_t function, std::string_view name) const {
  for (; function != kNone; function = functions_[function].outer) {
    if (functions_[function].name == name) return true;
  }
  return false;
}

bool Changes::is_early(const std::set<std::string_view>& early, uint32_t function) const {
  return function != kNone && early.contains(functions_[function].name);
}

// Adds the functions that nobody names but those, and themselves.
void Changes::find_early(std::set<std::string_view>& early) const {
  const bool has_top_level = early.contains("");
  early.erase("");
  for (bool has_more = true; has_more;) {
    has_more = false;
    for (const Function& function : functions_) {
      go_on();
      if (function.name.empty() || early.contains(function.name)) continue;
      if (function.name.starts_with("__") && function.name.ends_with("__")) continue;
      const auto mentions = mentions_.find(function.name);
      if (mentions == mentions_.end()) continue;
      bool is_named = false;
      const bool is_method = !function.cls.empty();
      const bool is_one = std::ranges::all_of(mentions->second, [&](const Mention& mention) {
        go_on();
        const uint32_t where = mention.function;
        if (is_inside(where, function.name) || (mention.is_member && !is_method)) return true;
        is_named = true;
        return where == kNone ? has_top_level : is_early(early, where);
      });
      if (!is_named || !is_one) continue;
      early.insert(function.name);
      has_more = true;
    }
  }
}

void Changes::settle() {
  if (is_settled_) return;
  is_settled_ = true;
  names_.clear();
  of_modules_.clear();
  of_others_.clear();
  std::set<std::string_view> at_import{""};
  find_early(at_import);
  std::set<std::string_view> of_constructor{"__init__", "__post_init__"};
  find_early(of_constructor);
  for (const Change& change : changes_) {
    go_on();
    const bool is_at_import = change.function == kNone || is_early(at_import, change.function);
    if (!change.is_attribute) {
      if (is_at_import && change.is_fill) continue;
      if (is_early(at_import, change.function)) continue;
      names_.insert(change.name);
      if (const auto alias = aliases_.find(change.name); alias != aliases_.end())
        names_.insert(alias->second);
      continue;
    }
    const bool is_constructed = is_early(of_constructor, change.function);
    const std::string_view cls =
        change.is_own && change.function != kNone ? functions_[change.function].cls : "";
    if (!(is_constructed && change.is_own && !change.is_fill)) of_modules_[change.name].insert(cls);
    if (!is_at_import && !(is_constructed && change.is_own)) of_others_[change.name].insert(cls);
  }
}

bool Changes::changes_name(std::string_view name) {
  settle();
  return names_.contains(name);
}

bool Changes::changes_member(std::string_view name, const std::vector<std::string_view>& classes) {
  settle();
  return has_class(of_modules_, name, classes);
}

bool Changes::changes_attribute(std::string_view name,
                                const std::vector<std::string_view>& classes) {
  settle();
  return has_class(of_others_, name, classes);
}

}  // namespace etlens::recover
