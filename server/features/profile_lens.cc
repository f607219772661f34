// SPDX-License-Identifier: Apache-2.0
// textDocument/codeLens, for clients that can run a model: *Profile this model* above the root of
// the shown record; in a file that no record knows, above the modules that no class in it makes.
#include <algorithm>

#include "core/facts/scopes.h"
#include "core/scaffold/model_class.h"
#include "protocol/json_text.h"
#include "server/convert.h"
#include "server/features/features.h"

namespace etlens {
namespace {

constexpr size_t kMaxBytes = 128 << 10;  // it is parsed while somebody waits

using Model = extensions::ModelItem;

// In a file of the shown record: its root, if the file defines that. By indentation, so that the
// lens stays while somebody types.
std::vector<Model> recorded_models(const Facts& facts, const SourceView& view,
                                   const Document& document) {
  constexpr size_t kMaxOutlined = 256 << 10;
  const StringId type_id = facts.code().modules.front().type;
  if (!type_id.valid() || document.text().size() > kMaxOutlined) return {};
  const std::string_view type = facts.code().text(type_id);
  const size_t dot = type.rfind('.');
  if (dot == std::string_view::npos) return {};
  if (!is_python_module(facts, view.file, type.substr(0, dot))) return {};
  std::vector<Model> models;
  for (const PythonScope& scope : outline_by_indentation(document).scopes) {
    if (scope.is_class && scope.parent == kNone && scope.name == type.substr(dot + 1))
      models.push_back({std::string(scope.name), scope.header_line, true});
  }
  return models;
}

// A class without Module in its bases may inherit from one of the file that has it.
bool is_module(std::span<const PythonScope> scopes, const PythonScope& scope) {
  if (scope.bases.find("Module") != std::string_view::npos) return true;
  return std::ranges::any_of(scopes, [&](const PythonScope& other) {
    return other.is_class && !other.name.empty() && &other != &scope &&
           scope.bases.find(other.name) != std::string_view::npos &&
           other.bases.find("Module") != std::string_view::npos;
  });
}

std::vector<Model> models_of_text(const OpenDocument& document) {
  if (document.text->text().size() > kMaxBytes) return {};
  const std::shared_ptr<const PythonSyntax> syntax = PythonSyntax::parse(document.text);
  std::vector<Model> models;
  for (ModelClass& model : model_classes(*syntax)) {
    if (model.is_part) continue;
    const auto scope = std::ranges::find_if(syntax->scopes(), [&](const PythonScope& row) {
      return row.is_class && row.parent == kNone && row.name == model.name;
    });
    if (scope == syntax->scopes().end() || !is_module(syntax->scopes(), *scope)) continue;
    models.push_back({std::move(model.name), scope->header_line, false});
  }
  return models;
}

}  // namespace

extensions::ModelsResult list_models(Session& session, const lsp::DocumentParams& params) {
  const lsp::DocumentUri& uri = params.textDocument.uri;
  const OpenDocument* document = session.documents.find(uri);
  if (document == nullptr || !uri.is_file()) return {};
  const SourceView* view = session.sources.view(uri);
  if (view == nullptr) return {models_of_text(*document)};
  return {recorded_models(*session.facts(), *view, *document->text)};
}

std::vector<lsp::CodeLens> profile_lenses(Session& session, const lsp::DocumentParams& params) {
  constexpr size_t kMaxLenses = 4;  // more are a library's parts
  if (!session.client.profile_model) return {};
  const lsp::DocumentUri& uri = params.textDocument.uri;
  std::vector<lsp::CodeLens> items;
  for (Model& model : list_models(session, params).models) {
    if (items.size() == kMaxLenses) break;
    lsp::CodeLens& item = items.emplace_back();
    const Document& text = *session.documents.find(uri)->text;
    item.range = line_range(text, model.line, session.client.encoding);
    item.command =
        lsp::Command{model.is_root ? "$(run) Run again" : "$(run) Profile this model",
                     model.is_root ? extensions::kRunAgainCommand : extensions::kProfileCommand,
                     {}};
    const extensions::ProfileModelArguments arguments{uri, std::move(model.name)};
    item.command->arguments.emplace().push_back({lsp::to_json_text(arguments)});
  }
  return items;
}

}  // namespace etlens
