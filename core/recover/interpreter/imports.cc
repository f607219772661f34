// SPDX-License-Identifier: Apache-2.0
// Files and imports.
#include <algorithm>

#include "core/recover/interpreter/definitions.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/scopes.h"
#include "core/recover/interpreter/statements.h"

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

// from file import *
void import_names(Evaluator& run, const SourceFile& file) {
  for (const auto& [name, value] : file.globals->names) {
    run.step();
    if (!name.starts_with('_')) assign_name(run, name, value);
  }
}

}  // namespace

std::string_view first_part(std::string_view dotted) { return dotted.substr(0, dotted.find('.')); }

void run_file(Evaluator& run, SourceFile* file) {
  if (file == nullptr || file->is_run) return;
  file->is_run = true;
  // What files define outlives the run: it is made by an evaluator of its own arena.
  Evaluator top(run.sources, run.caches, run.sources.arena(), nullptr, nullptr);
  top.begin_file(file->globals, run.depth_of());
  const PythonTree& tree = *file->tree;
  for (uint32_t c = tree[0].first_child; c != kNone; c = tree[c].next) {
    top.resume(false);
    run_statement(top, c);
  }
  run.add_steps(top.steps());
}

bool run_packages(Evaluator& run) {
  constexpr size_t kMaxBytes = 256 << 10;  // a package may import all that there is
  const size_t before = run.sources.opened().size();
  run.sources.open_at_most(kMaxBytes);
  for (const SourceFile* file : run.sources.opened()) {
    if (file->is_package) continue;
    run_file(run, run.sources.find_relative(*file, 1, ""));
  }
  run.sources.open_at_most(SIZE_MAX);
  const bool opens_more = run.sources.opened().size() > before;
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
    if (tree[c].kind == K::AliasedImport) {
      const uint32_t name = tree.child(c, F::Name);
      const uint32_t alias = tree.child(c, F::Alias);
      if (name != kNone && alias != kNone)
        assign_name(run, tree.text(alias), import_dotted(run, tree.text(name), false));
    } else if (tree[c].kind == K::DottedName) {
      const std::string_view dotted = tree.text(c);
      assign_name(run, first_part(dotted), import_dotted(run, dotted, true));
    }
  }
}

Value member_of_file(Evaluator& run, const SourceFile& file, std::string_view name) {
  if (const Value value = file.globals->find(name))
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
  SourceFile* file = nullptr;
  std::string_view dotted = tree.text(from);
  if (tree[from].kind == K::RelativeImport) {
    const size_t dots = std::min(dotted.find_first_not_of('.'), dotted.size());
    dotted = dotted.substr(dots);
    file = run.sources.find_relative(*run.scope()->file, dots, dotted);
    if (file == nullptr && dotted.empty()) return import_from_package(run, node, from, dots);
  } else {
    file = run.sources.find_module(dotted);
  }
  // A helper whose source is not here.
  const bool is_missing = file == nullptr && (tree[from].kind == K::RelativeImport ||
                                              run.sources.is_project(tree.text(from)));
  run_file(run, file);
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (c == from) continue;
    if (tree[c].kind == K::WildcardImport) {
      if (file != nullptr) import_names(run, *file);
      continue;
    }
    const uint32_t name = tree[c].kind == K::AliasedImport ? tree.child(c, F::Name) : c;
    const uint32_t alias = tree[c].kind == K::AliasedImport ? tree.child(c, F::Alias) : c;
    if (name == kNone || alias == kNone) continue;
    Value value = nullptr;
    if (file != nullptr) {
      value = member_of_file(run, *file, tree.text(name));
    } else if (!is_missing) {
      value = run.arena.external(std::string(dotted) + "." + std::string(tree.text(name)));
    }
    assign_name(run, tree.text(alias), value != nullptr ? value : run.arena.unknown());
  }
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
      const Value value = run.scope()->find(name);
      if (value != nullptr && value->is(ValueKind::External) &&
          first_part(value->name()) != "torch")
        assign_name(run, name, run.arena.unknown());
    }
  }
}

}  // namespace etlens::recover
