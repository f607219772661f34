// SPDX-License-Identifier: Apache-2.0
// The structures of LSP 3.18 that we use, spelled as the specification spells them. Fields that we
// neither read nor write are left out. The base: positions, documents, lifecycle, the window.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/fields.h"
#include "protocol/json.h"
#include "protocol/uri.h"

namespace etlens::lsp {

// character: in units of the negotiated position encoding.
struct Position {
  uint32_t line = 0;
  uint32_t character = 0;

  friend auto operator<=>(const Position&, const Position&) = default;
};
FIELDS(Position, line, character)

struct Range {
  Position start;
  Position end;  // exclusive

  friend bool operator==(const Range&, const Range&) = default;
};
FIELDS(Range, start, end)

struct Location {
  DocumentUri uri;
  Range range;
};
FIELDS(Location, uri, range)

struct TextDocumentIdentifier {
  DocumentUri uri;
};
FIELDS(TextDocumentIdentifier, uri)

// Of requests that are about one document, or one place in it.
struct DocumentParams {
  TextDocumentIdentifier textDocument;
};
FIELDS(DocumentParams, textDocument)

struct TextDocumentPositionParams {
  TextDocumentIdentifier textDocument;
  Position position;
};
FIELDS(TextDocumentPositionParams, textDocument, position)

// --- Lifecycle ---

struct WorkspaceFolder {
  DocumentUri uri;
  std::string name;
};
FIELDS(WorkspaceFolder, uri, name)

struct ClientInfo {
  std::string name;
  std::optional<std::string> version;
};
FIELDS(ClientInfo, name, version)

using ProgressToken = std::variant<int32_t, std::string>;

struct InitializeParams {
  std::optional<int64_t> processId;
  std::optional<ClientInfo> clientInfo;
  std::optional<std::string> rootPath;
  std::optional<DocumentUri> rootUri;
  std::optional<Json> initializationOptions;
  Json capabilities;
  std::optional<std::string> trace;
  std::optional<std::vector<WorkspaceFolder>> workspaceFolders;
};
FIELDS(InitializeParams, processId, clientInfo, rootPath, rootUri, initializationOptions,
       capabilities, trace, workspaceFolders)

struct ServerInfo {
  std::string name;
  std::string version;
};
FIELDS(ServerInfo, name, version)

struct InitializeResult {
  Json capabilities;
  ServerInfo serverInfo;
};
FIELDS(InitializeResult, capabilities, serverInfo)

struct EmptyParams {};
FIELDS(EmptyParams)

struct SetTraceParams {
  std::string value;  // off, messages, verbose
};
FIELDS(SetTraceParams, value)

struct LogTraceParams {
  std::string message;
  std::optional<std::string> verbose;
};
FIELDS(LogTraceParams, message, verbose)

struct Registration {
  std::string id;
  std::string method;
  std::optional<Json> registerOptions;
};
FIELDS(Registration, id, method, registerOptions)

struct RegistrationParams {
  std::vector<Registration> registrations;
};
FIELDS(RegistrationParams, registrations)

// --- Documents ---

struct TextDocumentItem {
  DocumentUri uri;
  std::string languageId;
  int32_t version = 0;
  std::string text;
};
FIELDS(TextDocumentItem, uri, languageId, version, text)

struct DidOpenTextDocumentParams {
  TextDocumentItem textDocument;
};
FIELDS(DidOpenTextDocumentParams, textDocument)

struct VersionedTextDocumentIdentifier {
  DocumentUri uri;
  int32_t version = 0;
};
FIELDS(VersionedTextDocumentIdentifier, uri, version)

struct TextDocumentContentChangeEvent {
  std::optional<Range> range;  // absent: `text` is the whole document
  std::string text;
};
FIELDS(TextDocumentContentChangeEvent, range, text)

struct DidChangeTextDocumentParams {
  VersionedTextDocumentIdentifier textDocument;
  std::vector<TextDocumentContentChangeEvent> contentChanges;
};
FIELDS(DidChangeTextDocumentParams, textDocument, contentChanges)

// --- Workspace ---

struct WorkspaceFoldersChangeEvent {
  std::vector<WorkspaceFolder> added;
  std::vector<WorkspaceFolder> removed;
};
FIELDS(WorkspaceFoldersChangeEvent, added, removed)

struct DidChangeWorkspaceFoldersParams {
  WorkspaceFoldersChangeEvent event;
};
FIELDS(DidChangeWorkspaceFoldersParams, event)

struct DidChangeConfigurationParams {
  std::optional<Json> settings;
};
FIELDS(DidChangeConfigurationParams, settings)

struct ConfigurationItem {
  std::string section;
};
FIELDS(ConfigurationItem, section)

struct ConfigurationParams {
  std::vector<ConfigurationItem> items;
};
FIELDS(ConfigurationParams, items)

struct FileEvent {
  DocumentUri uri;
  int32_t type = 0;  // 1 created, 2 changed, 3 deleted
};
FIELDS(FileEvent, uri, type)

struct DidChangeWatchedFilesParams {
  std::vector<FileEvent> changes;
};
FIELDS(DidChangeWatchedFilesParams, changes)

struct ExecuteCommandParams {
  std::string command;
  std::optional<std::vector<Json>> arguments;
};
FIELDS(ExecuteCommandParams, command, arguments)

// --- Window ---

enum class MessageType { Error = 1, Warning = 2, Info = 3, Log = 4 };

struct MessageParams {
  MessageType type = MessageType::Info;
  std::string message;
};
FIELDS(MessageParams, type, message)

struct MessageActionItem {
  std::string title;
};
FIELDS(MessageActionItem, title)

struct ShowMessageRequestParams {
  MessageType type = MessageType::Info;
  std::string message;
  std::vector<MessageActionItem> actions;
};
FIELDS(ShowMessageRequestParams, type, message, actions)

struct ShowDocumentParams {
  DocumentUri uri;
  bool takeFocus = true;
  std::optional<Range> selection;
};
FIELDS(ShowDocumentParams, uri, takeFocus, selection)

struct ShowDocumentResult {
  bool success = false;
};
FIELDS(ShowDocumentResult, success)

struct WorkDoneProgressParams {
  ProgressToken token;
};
FIELDS(WorkDoneProgressParams, token)

struct WorkDoneProgressBegin {
  std::string kind = "begin";
  std::string title;
  bool cancellable = false;
  std::optional<std::string> message;
  std::optional<uint32_t> percentage;
};
FIELDS(WorkDoneProgressBegin, kind, title, cancellable, message, percentage)

struct WorkDoneProgressReport {
  std::string kind = "report";
  std::optional<uint32_t> percentage;
};
FIELDS(WorkDoneProgressReport, kind, percentage)

struct WorkDoneProgressEnd {
  std::string kind = "end";
  std::optional<std::string> message;
};
FIELDS(WorkDoneProgressEnd, kind, message)

struct ProgressParams {
  ProgressToken token;
  std::variant<WorkDoneProgressBegin, WorkDoneProgressReport, WorkDoneProgressEnd> value;
};
FIELDS(ProgressParams, token, value)

}  // namespace etlens::lsp
