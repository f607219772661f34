// SPDX-License-Identifier: Apache-2.0
// The structures of LSP's language features: what a request of each asks and answers.
#pragma once

#include "protocol/types.h"

namespace etlens::lsp {

struct MarkupContent {
  std::string kind;  // "markdown" or "plaintext"
  std::string value;
};
FIELDS(MarkupContent, kind, value)

struct Command {
  std::string title;
  std::string command;
  std::optional<std::vector<JsonText>> arguments;
};
FIELDS(Command, title, command, arguments)

// --- textDocument/inlayHint ---

struct InlayHintParams {
  TextDocumentIdentifier textDocument;
  Range range;
};
FIELDS(InlayHintParams, textDocument, range)

struct InlayHintLabelPart {
  std::string value;
  std::optional<Location> location;
  std::optional<Command> command;
};
FIELDS(InlayHintLabelPart, value, location, command)

struct InlayHint {
  Position position;
  std::variant<std::string, std::vector<InlayHintLabelPart>> label;
  std::optional<MarkupContent> tooltip;
  bool paddingLeft = true;
};
FIELDS(InlayHint, position, label, tooltip, paddingLeft)

// --- textDocument/hover ---

struct Hover {
  MarkupContent contents;
  std::optional<Range> range;
};
FIELDS(Hover, contents, range)

// --- textDocument/codeLens ---

struct CodeLens {
  Range range;
  std::optional<Command> command;
};
FIELDS(CodeLens, range, command)

// --- textDocument/codeAction ---

struct CodeActionContext {
  std::optional<std::vector<std::string>> only;  // kinds
};
FIELDS(CodeActionContext, only)

struct CodeActionParams {
  TextDocumentIdentifier textDocument;
  Range range;
  CodeActionContext context;
};
FIELDS(CodeActionParams, textDocument, range, context)

struct CodeAction {
  std::string title;
  std::optional<Command> command;
};
FIELDS(CodeAction, title, command)

// --- Symbols ---

enum class SymbolKind {
  Module = 2,
  Class = 5,
  Method = 6,
  Function = 12,
  Event = 24,
  Operator = 25,
};

struct WorkspaceSymbolParams {
  std::string query;
};
FIELDS(WorkspaceSymbolParams, query)

struct WorkspaceSymbol {
  std::string name;
  SymbolKind kind = SymbolKind::Operator;
  std::optional<std::string> containerName;
  Location location;
};
FIELDS(WorkspaceSymbol, name, kind, containerName, location)

// --- Call hierarchy ---

struct CallHierarchyItem {
  std::string name;
  SymbolKind kind = SymbolKind::Module;
  std::optional<std::string> detail;
  DocumentUri uri;
  Range range;
  Range selectionRange;
  std::optional<Json> data;
};
FIELDS(CallHierarchyItem, name, kind, detail, uri, range, selectionRange, data)

struct CallHierarchyCallsParams {
  CallHierarchyItem item;
};
FIELDS(CallHierarchyCallsParams, item)

struct CallHierarchyIncomingCall {
  CallHierarchyItem from;
  std::vector<Range> fromRanges;
};
FIELDS(CallHierarchyIncomingCall, from, fromRanges)

struct CallHierarchyOutgoingCall {
  CallHierarchyItem to;
  std::vector<Range> fromRanges;
};
FIELDS(CallHierarchyOutgoingCall, to, fromRanges)

// --- Diagnostics ---

enum class DiagnosticSeverity { Error = 1, Warning = 2, Information = 3, Hint = 4 };

struct Diagnostic {
  Range range;
  DiagnosticSeverity severity = DiagnosticSeverity::Hint;
  std::string code;
  std::string source;
  std::string message;
};
FIELDS(Diagnostic, range, severity, code, source, message)

struct PublishDiagnosticsParams {
  DocumentUri uri;
  std::optional<int32_t> version;
  std::vector<Diagnostic> diagnostics;
};
FIELDS(PublishDiagnosticsParams, uri, version, diagnostics)

// --- Documents that we provide (3.18) ---

struct TextDocumentContentParams {
  DocumentUri uri;
};
FIELDS(TextDocumentContentParams, uri)

struct TextDocumentContentResult {
  std::string text;
};
FIELDS(TextDocumentContentResult, text)

}  // namespace etlens::lsp
