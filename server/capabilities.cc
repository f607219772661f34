// SPDX-License-Identifier: Apache-2.0
#include "server/capabilities.h"

#include <algorithm>
#include <initializer_list>

#include "server/extensions/methods.h"
#include "server/features/code_action.h"

namespace etlens {
namespace {

using lsp::Json;

// The value at a path of keys; null if any of them is missing.
const Json& at_path(const Json& json, std::initializer_list<const char*> keys) {
  static const Json kNull;
  const Json* at = &json;
  for (const char* key : keys) {
    const auto next = at->is_object() ? at->find(key) : at->end();
    if (!at->is_object() || next == at->end()) return kNull;
    at = &*next;
  }
  return *at;
}

bool is_set(const Json& json, std::initializer_list<const char*> keys) {
  const Json& value = at_path(json, keys);
  return value.is_boolean() && value.get<bool>();
}

bool lists(const Json& json, std::initializer_list<const char*> keys, std::string_view wanted) {
  const Json& values = at_path(json, keys);
  if (!values.is_array()) return false;
  return std::any_of(values.begin(), values.end(), [&](const Json& value) {
    return value.is_string() && value.get_ref<const std::string&>() == wanted;
  });
}

// UTF-8 is what we have; UTF-16 is what every client must know, and the default of those that say
// nothing.
lsp::PositionEncoding agree_on_encoding(const Json& capabilities) {
  for (const auto encoding :
       {lsp::PositionEncoding::Utf8, lsp::PositionEncoding::Utf16, lsp::PositionEncoding::Utf32}) {
    if (lists(capabilities, {"general", "positionEncodings"}, lsp::name_of(encoding)))
      return encoding;
  }
  return lsp::PositionEncoding::Utf16;
}

// No capability says whether label parts are more than their text; a client that resolves their
// locations or commands uses them.
bool uses_label_parts(const Json& capabilities) {
  for (const char* property : {"label.location", "label.command", "location", "command"}) {
    if (lists(capabilities, {"textDocument", "inlayHint", "resolveSupport", "properties"},
              property))
      return true;
  }
  return false;
}

}  // namespace

ClientCapabilities resolve_capabilities(const Json& json) {
  ClientCapabilities client;
  client.encoding = agree_on_encoding(json);
  client.markdown_hover = lists(json, {"textDocument", "hover", "contentFormat"}, "markdown");
  client.label_parts = uses_label_parts(json);
  client.hint_refresh = is_set(json, {"workspace", "inlayHint", "refreshSupport"});
  client.lens_refresh = is_set(json, {"workspace", "codeLens", "refreshSupport"});
  client.diagnostics_version =
      is_set(json, {"textDocument", "publishDiagnostics", "versionSupport"});
  client.configuration = is_set(json, {"workspace", "configuration"});
  client.register_configuration =
      is_set(json, {"workspace", "didChangeConfiguration", "dynamicRegistration"});
  client.register_definition = is_set(json, {"textDocument", "definition", "dynamicRegistration"});
  client.watch_files = is_set(json, {"workspace", "didChangeWatchedFiles", "dynamicRegistration"});
  client.show_document = is_set(json, {"window", "showDocument", "support"});
  client.progress = is_set(json, {"window", "workDoneProgress"});
  client.provided_documents = at_path(json, {"workspace", "textDocumentContent"}).is_object();
  client.profile_changed = is_set(json, {"experimental", "etlens", "profileChanged"});
  client.code_actions =
      !client.profile_changed &&
      at_path(json, {"textDocument", "codeAction", "codeActionLiteralSupport"}).is_object();
  client.reveal_events = is_set(json, {"experimental", "etlens", "revealEvents"});
  client.hover_images = is_set(json, {"experimental", "etlens", "hoverImages"});
  client.hover_links = is_set(json, {"experimental", "etlens", "hoverLinks"});
  client.profile_model = is_set(json, {"experimental", "etlens", "profileModel"});
  client.call_hierarchy = is_set(json, {"experimental", "etlens", "callHierarchy"});
  return client;
}

// Only what clients ask every server for, or what no other server of Python has: we add to what the
// others say and never stand in their place. So no documentHighlightProvider (with it, VS Code no
// longer looks for the word itself), no callHierarchyProvider but where the client asks all or us
// alone, and no definitionProvider (Server::register_capabilities has one for our own documents).
Json server_capabilities(const ClientCapabilities& client) {
  Json capabilities{
      {"positionEncoding", lsp::name_of(client.encoding)},
      // 2: incremental.
      {"textDocumentSync",
       {{"openClose", true}, {"change", 2}, {"save", {{"includeText", false}}}}},
      {"inlayHintProvider", {{"resolveProvider", false}}},
      {"hoverProvider", true},
      {"codeLensProvider", {{"resolveProvider", false}}},
      {"workspaceSymbolProvider", true},
      {"executeCommandProvider", {{"commands", extensions::kCommands}}},
      {"workspace", {{"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}}}},
  };
  if (client.provided_documents) {
    capabilities["workspace"]["textDocumentContent"] = {
        {"schemes", Json::array({extensions::kProvidedScheme})}};
  }
  if (client.code_actions) {
    capabilities["codeActionProvider"] = true;
    for (const char* command : kActionCommands)
      capabilities["executeCommandProvider"]["commands"].push_back(command);
  }
  if (client.call_hierarchy) capabilities["callHierarchyProvider"] = true;
  return capabilities;
}

}  // namespace etlens
