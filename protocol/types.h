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

#include "protocol/fields.h"
#include "protocol/uri.h"

namespace etlens::lsp {

// character: in units of the negotiated position encoding.
struct Position {
  uint32_t line = 0;
  uint32_t character = 0;

  friend auto operator<=>(const Position&, const Position&) = default;
};
LSP_STRUCT(Position, line, character)

struct Range {
  Position start;
  Position end;  // exclusive

  friend bool operator==(const Range&, const Range&) = default;
};
LSP_STRUCT(Range, start, end)

struct Location {
  DocumentUri uri;
  Range range;
};
LSP_STRUCT(Location, uri, range)

struct TextDocumentIdentifier {
  DocumentUri uri;
};
LSP_STRUCT(TextDocumentIdentifier, uri)

// Of requests that are about one document, or one place in it.
struct DocumentParams {
  TextDocumentIdentifier textDocument;
};
LSP_STRUCT(DocumentParams, textDocument)

struct TextDocumentPositionParams {
  TextDocumentIdentifier textDocument;
  Position position;
};
LSP_STRUCT(TextDocumentPositionParams, textDocument, position)

// --- Lifecycle ---

struct WorkspaceFolder {
  DocumentUri uri;
  std::string name;
};
LSP_STRUCT(WorkspaceFolder, uri, name)

struct ClientInfo {
  std::string name;
  std::optional<std::string> version;
};
LSP_STRUCT(ClientInfo, name, version)

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
LSP_STRUCT(InitializeParams, processId, clientInfo, rootPath, rootUri, initializationOptions,
           capabilities, trace, workspaceFolders)

struct ServerInfo {
  std::string name;
  std::string version;
};
LSP_STRUCT(ServerInfo, name, version)

struct InitializeResult {
  Json capabilities;
  ServerInfo serverInfo;
};
LSP_STRUCT(InitializeResult, capabilities, serverInfo)

struct EmptyParams {};
LSP_EMPTY_STRUCT(EmptyParams)

struct SetTraceParams {
  std::string value;  // off, messages, verbose
};
LSP_STRUCT(SetTraceParams, value)

struct LogTraceParams {
  std::string message;
  std::optional<std::string> verbose;
};
LSP_STRUCT(LogTraceParams, message, verbose)

struct Registration {
  std::string id;
  std::string method;
  std::optional<Json> registerOptions;
};
LSP_STRUCT(Registration, id, method, registerOptions)

struct RegistrationParams {
  std::vector<Registration> registrations;
};
LSP_STRUCT(RegistrationParams, registrations)

// --- Documents ---

struct TextDocumentItem {
  DocumentUri uri;
  std::string languageId;
  int32_t version = 0;
  std::string text;
};
LSP_STRUCT(TextDocumentItem, uri, languageId, version, text)

struct DidOpenTextDocumentParams {
  TextDocumentItem textDocument;
};
LSP_STRUCT(DidOpenTextDocumentParams, textDocument)

struct VersionedTextDocumentIdentifier {
  DocumentUri uri;
  int32_t version = 0;
};
LSP_STRUCT(VersionedTextDocumentIdentifier, uri, version)

struct TextDocumentContentChangeEvent {
  std::optional<Range> range;  // absent: `text` is the whole document
  std::string text;
};
LSP_STRUCT(TextDocumentContentChangeEvent, range, text)

struct DidChangeTextDocumentParams {
  VersionedTextDocumentIdentifier textDocument;
  std::vector<TextDocumentContentChangeEvent> contentChanges;
};
LSP_STRUCT(DidChangeTextDocumentParams, textDocument, contentChanges)

// --- Workspace ---

struct WorkspaceFoldersChangeEvent {
  std::vector<WorkspaceFolder> added;
  std::vector<WorkspaceFolder> removed;
};
LSP_STRUCT(WorkspaceFoldersChangeEvent, added, removed)

struct DidChangeWorkspaceFoldersParams {
  WorkspaceFoldersChangeEvent event;
};
LSP_STRUCT(DidChangeWorkspaceFoldersParams, event)

struct DidChangeConfigurationParams {
  std::optional<Json> settings;
};
LSP_STRUCT(DidChangeConfigurationParams, settings)

struct ConfigurationItem {
  std::string section;
};
LSP_STRUCT(ConfigurationItem, section)

struct ConfigurationParams {
  std::vector<ConfigurationItem> items;
};
LSP_STRUCT(ConfigurationParams, items)

struct FileEvent {
  DocumentUri uri;
  int32_t type = 0;  // 1 created, 2 changed, 3 deleted
};
LSP_STRUCT(FileEvent, uri, type)

struct DidChangeWatchedFilesParams {
  std::vector<FileEvent> changes;
};
LSP_STRUCT(DidChangeWatchedFilesParams, changes)

struct ExecuteCommandParams {
  std::string command;
  std::optional<std::vector<Json>> arguments;
};
LSP_STRUCT(ExecuteCommandParams, command, arguments)

// --- Window ---

enum class MessageType { Error = 1, Warning = 2, Info = 3, Log = 4 };

struct MessageParams {
  MessageType type = MessageType::Info;
  std::string message;
};
LSP_STRUCT(MessageParams, type, message)

struct MessageActionItem {
  std::string title;
};
LSP_STRUCT(MessageActionItem, title)

struct ShowMessageRequestParams {
  MessageType type = MessageType::Info;
  std::string message;
  std::vector<MessageActionItem> actions;
};
LSP_STRUCT(ShowMessageRequestParams, type, message, actions)

struct ShowDocumentParams {
  DocumentUri uri;
  bool takeFocus = true;
  std::optional<Range> selection;
};
LSP_STRUCT(ShowDocumentParams, uri, takeFocus, selection)

struct ShowDocumentResult {
  bool success = false;
};
LSP_STRUCT(ShowDocumentResult, success)

struct WorkDoneProgressParams {
  ProgressToken token;
};
LSP_STRUCT(WorkDoneProgressParams, token)

struct WorkDoneProgressBegin {
  std::string kind = "begin";
  std::string title;
  bool cancellable = false;
  std::optional<std::string> message;
  std::optional<uint32_t> percentage;
};
LSP_STRUCT(WorkDoneProgressBegin, kind, title, cancellable, message, percentage)

struct WorkDoneProgressReport {
  std::string kind = "report";
  std::optional<uint32_t> percentage;
};
LSP_STRUCT(WorkDoneProgressReport, kind, percentage)

struct WorkDoneProgressEnd {
  std::string kind = "end";
  std::optional<std::string> message;
};
LSP_STRUCT(WorkDoneProgressEnd, kind, message)

struct ProgressParams {
  ProgressToken token;
  std::variant<WorkDoneProgressBegin, WorkDoneProgressReport, WorkDoneProgressEnd> value;
};
LSP_STRUCT(ProgressParams, token, value)

}  // namespace etlens::lsp
