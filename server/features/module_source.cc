// SPDX-License-Identifier: Apache-2.0
// etlens/moduleSource: from a module to its class; else to the attribute that holds it.
#include <algorithm>

#include "core/facts/scopes.h"
#include "server/convert.h"
#include "server/features/features.h"

namespace etlens {
namespace {

// The views of the files that may define the class of a type, "models.layers.Attention".
std::vector<const SourceView*> views_of_type(Session& session, const Facts& facts,
                                             std::string_view type) {
  constexpr size_t kMaxNested = 64;  // packages and classes inside each other
  std::vector<const SourceView*> views;
  for (size_t f = 0; f < facts.code().files.size(); ++f) {
    bool is_of_file = false;
    size_t dot = type.rfind('.');
    for (size_t depth = 0; depth < kMaxNested && dot != std::string_view::npos && dot > 0;
         ++depth) {
      is_of_file |= is_python_module(facts, FileId(f), type.substr(0, dot));
      dot = type.rfind('.', dot - 1);
    }
    if (!is_of_file) continue;
    const SourceView* view = session.sources_of(facts).view(FileId(f));
    if (view != nullptr) views.push_back(view);
  }
  return views;
}

std::string_view type_of(const Code& code, ModuleId id) {
  const StringId type = code.modules[id.value].type;
  return type.valid() ? code.text(type) : std::string_view();
}

lsp::Location at_line(const Session& session, const SourceView& view, uint32_t line) {
  return {view.uri, line_range(*view.document, line, session.client.encoding)};
}

std::optional<lsp::Location> class_of(Session& session, const Facts& facts, ModuleId id) {
  for (const SourceView* view : views_of_type(session, facts, type_of(facts.code(), id))) {
    const std::span<const PythonScope> scopes = view->scopes();
    for (size_t s = 0; s < std::min(scopes.size(), view->classes.size()); ++s) {
      const ClassRow* row = view->classes[s];
      if (row != nullptr && std::ranges::find(row->instances, id) != row->instances.end())
        return at_line(session, *view, scopes[s].header_line);
    }
  }
  return std::nullopt;
}

std::optional<lsp::Location> attribute_of(Session& session, const Facts& facts, ModuleId id) {
  // What a Sequential or a list holds is where the list is made.
  for (ModuleId at = id; at.valid(); at = facts.code().modules[at.value].parent) {
    const ModuleId owner = facts.code().modules[at.value].parent;
    if (!owner.valid()) break;
    for (const SourceView* view : views_of_type(session, facts, type_of(facts.code(), owner))) {
      // Also those without a cost, which the view leaves out.
      const std::vector<AttributeFacts> attributes =
          view->syntax == nullptr ? view->attributes
                                  : attribute_facts(facts, view->file, *view->syntax, 0);
      for (const AttributeFacts& attribute : attributes) {
        const std::vector<ModuleId>& instances = attribute.row->instances;
        if (std::ranges::find(instances, at) != instances.end())
          return at_line(session, *view, attribute.line);
      }
    }
  }
  return std::nullopt;
}

}  // namespace

Result<extensions::ModuleSourceResult> find_module_source(
    Session& session, const extensions::ModuleSourceParams& params) {
  extensions::ModuleSourceResult result;
  if (session.study() == nullptr) return result;
  const Facts& facts = *session.facts();
  const ModuleId id = facts.code().find_module(params.path);
  if (!id.valid()) return Error{ErrorCode::InvalidParams, "the profile has no such module"};
  if ((result.location = class_of(session, facts, id))) result.kind = "class";
  else if ((result.location = attribute_of(session, facts, id))) result.kind = "attribute";
  else if ((result.location = location_of(session, facts, facts.module(id).line)))
    result.kind = "line";
  return result;
}

}  // namespace etlens
