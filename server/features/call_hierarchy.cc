// SPDX-License-Identifier: Apache-2.0
// textDocument/prepareCallHierarchy and callHierarchy/*: the tree of modules with their times, from
// a class or its forward. A class with several instances has these as its calls; a module has the
// modules that it holds. An item carries its module path or type, so no state is kept. Of a measure
// whose contributions call each other: these, see call_items.h.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "core/base/text.h"
#include "core/facts/scopes.h"
#include "core/render/format.h"
#include "server/convert.h"
#include "server/features/call_items.h"
#include "server/features/features.h"

namespace etlens {
namespace {

constexpr const char* kModulePath = "module";
constexpr const char* kTypeName = "type";

struct ClassPlace {
  const SourceView* view = nullptr;
  uint32_t scope = kNone;
};

class ModuleTree {
 public:
  explicit ModuleTree(Session& session)
      : session_(session), facts_(*session.facts()), code_(facts_.code()) {
    for (size_t f = 0; f < code_.files.size(); ++f) {
      const SourceView* view = session.sources.view(FileId(f));
      if (view == nullptr) continue;
      for (uint32_t s = 0; s < view->classes.size(); ++s) {
        if (const ClassRow* row = view->classes[s])
          places_.try_emplace(row->type, ClassPlace{view, s});
      }
    }
  }

  std::optional<lsp::CallHierarchyItem> class_item(const ClassRow& row) const {
    if (row.instances.size() == 1) return module_item(row.instances.front());
    const auto place = places_.find(row.type);
    if (place == places_.end()) return std::nullopt;
    const std::string_view type = code_.text(row.type);
    lsp::CallHierarchyItem item;
    item.name = type.substr(type.rfind('.') + 1);
    item.kind = lsp::SymbolKind::Class;
    item.detail = fmt::format("{} · {}", words_of(facts_.cost(row.inclusive)),
                              counted(row.instances.size(), "instance"));
    item.data = lsp::Json{{kTypeName, type}};
    set_place(item, place->second);
    return item;
  }

  // nullopt for a module that has no place in any source.
  std::optional<lsp::CallHierarchyItem> module_item(ModuleId id) const {
    const ModuleFacts module = facts_.module(id);
    lsp::CallHierarchyItem item;
    const std::string_view short_type = module.type.substr(module.type.rfind('.') + 1);
    item.name = !module.path.empty() ? module.path : !short_type.empty() ? short_type : "(model)";
    item.kind = lsp::SymbolKind::Module;
    item.detail = words_of(module.inclusive);
    if (!short_type.empty() && !module.path.empty())
      item.detail = fmt::format("{} · {}", short_type, *item.detail);
    item.data = lsp::Json{{kModulePath, module.path}};
    const auto place = places_.find(code_.modules[id.value].type);
    if (place != places_.end()) {
      set_place(item, place->second);
      return item;
    }
    const std::optional<lsp::Location> line = location_of(session_, facts_, module.line);
    if (!line) return std::nullopt;
    item.uri = line->uri;
    item.range = item.selectionRange = line->range;
    return item;
  }

  // The modules that an item stands for.
  std::vector<ModuleId> modules_of(const lsp::CallHierarchyItem& item) const {
    const lsp::Json data = item.data.value_or(lsp::Json());
    if (!data.is_object()) return {};
    const auto path = data.find(kModulePath);
    if (path != data.end() && path->is_string()) {
      const ModuleId module = code_.find_module(path->get_ref<const std::string&>());
      return module.valid() ? std::vector{module} : std::vector<ModuleId>();
    }
    const ClassRow* row = class_of(data);
    return row == nullptr ? std::vector<ModuleId>() : row->instances;
  }

  bool is_class(const lsp::CallHierarchyItem& item) const {
    return item.data && item.data->is_object() && class_of(*item.data) != nullptr;
  }

  // The most costly first.
  std::vector<ModuleId> children_of(ModuleId parent) const {
    std::vector<ModuleId> children;
    for (size_t m = 0; m < code_.modules.size(); ++m) {
      if (code_.modules[m].parent == parent) children.emplace_back(m);
    }
    return by_cost(std::move(children));
  }

  std::vector<ModuleId> by_cost(std::vector<ModuleId> modules) const {
    std::vector<std::pair<Amount, ModuleId>> rows;
    for (const ModuleId module : modules)
      rows.emplace_back(facts_.module(module).inclusive.amount, module);
    std::ranges::stable_sort(rows, std::greater<>(), &std::pair<Amount, ModuleId>::first);
    std::ranges::transform(rows, modules.begin(), &std::pair<Amount, ModuleId>::second);
    return modules;
  }

  ModuleId parent_of(ModuleId module) const { return code_.modules[module.value].parent; }

  // Where `caller` runs `callee`, if that is a line of the caller's file.
  std::vector<lsp::Range> call_ranges(const lsp::CallHierarchyItem& caller, ModuleId callee) const {
    const std::optional<lsp::Location> line =
        location_of(session_, facts_, facts_.module(callee).line);
    if (line && line->uri == caller.uri) return {line->range};
    return {caller.selectionRange};
  }

 private:
  const ClassRow* class_of(const lsp::Json& data) const {
    const auto type = data.find(kTypeName);
    if (type == data.end() || !type->is_string()) return nullptr;
    const std::vector<ClassRow>& classes = facts_.classes().classes;
    const auto row = std::find_if(classes.begin(), classes.end(), [&](const ClassRow& candidate) {
      return code_.text(candidate.type) == type->get_ref<const std::string&>();
    });
    return row == classes.end() ? nullptr : &*row;
  }

  std::string words_of(const Cost& cost) const {
    return format_cost_share(facts_, cost, session_.config.show.unit);
  }

  void set_place(lsp::CallHierarchyItem& item, const ClassPlace& place) const {
    const Document& document = *place.view->document;
    const PythonScope& scope = place.view->syntax->scopes()[place.scope];
    const lsp::PositionEncoding encoding = session_.client.encoding;
    item.uri = place.view->uri;
    item.selectionRange = line_range(document, scope.header_line, encoding);
    item.range = {{scope.header_line, 0}, end_of_line(document, scope.last_line, encoding)};
  }

  Session& session_;
  const Facts& facts_;
  const Code& code_;
  std::map<StringId, ClassPlace> places_;
};

}  // namespace

std::vector<lsp::CallHierarchyItem> prepare_call_hierarchy(
    Session& session, const lsp::TextDocumentPositionParams& params) {
  const SourceView* view = session.sources.view(params.textDocument.uri);
  if (view == nullptr) return {};
  if (session.facts()->has_calls()) return prepare_calls(session, *view, params.position.line);
  const ClassRow* row = nullptr;
  const std::span<const PythonScope> scopes = view->scopes();
  for (uint32_t s = 0; s < scopes.size(); ++s) {
    const bool holds =
        scopes[s].first_line <= params.position.line && params.position.line <= scopes[s].last_line;
    if (!scopes[s].is_class || !holds) continue;
    if (view->classes[s] != nullptr) row = view->classes[s];
  }
  if (row == nullptr) return {};
  const std::optional<lsp::CallHierarchyItem> item = ModuleTree(session).class_item(*row);
  return item ? std::vector{*item} : std::vector<lsp::CallHierarchyItem>();
}

std::vector<lsp::CallHierarchyIncomingCall> incoming_calls(
    Session& session, const lsp::CallHierarchyCallsParams& params) {
  std::vector<lsp::CallHierarchyIncomingCall> calls;
  if (session.study() == nullptr) return calls;
  if (session.facts()->has_calls()) return callers_of(session, params.item);
  const ModuleTree tree(session);
  std::set<ModuleId> seen;
  for (const ModuleId module : tree.modules_of(params.item)) {
    const ModuleId parent = tree.parent_of(module);
    if (!parent.valid() || !seen.insert(parent).second) continue;
    if (const auto item = tree.module_item(parent))
      calls.push_back({*item, tree.call_ranges(*item, module)});
  }
  return calls;
}

std::vector<lsp::CallHierarchyOutgoingCall> outgoing_calls(
    Session& session, const lsp::CallHierarchyCallsParams& params) {
  std::vector<lsp::CallHierarchyOutgoingCall> calls;
  if (session.study() == nullptr) return calls;
  if (session.facts()->has_calls()) return callees_of(session, params.item);
  const ModuleTree tree(session);
  const std::vector<ModuleId> modules = tree.modules_of(params.item);
  if (tree.is_class(params.item)) {
    for (const ModuleId instance : tree.by_cost(modules)) {
      if (const auto item = tree.module_item(instance))
        calls.push_back({*item, {params.item.selectionRange}});
    }
    return calls;
  }
  for (const ModuleId module : modules) {
    for (const ModuleId child : tree.children_of(module)) {
      if (const auto item = tree.module_item(child))
        calls.push_back({*item, tree.call_ranges(params.item, child)});
    }
  }
  return calls;
}

}  // namespace etlens
