// SPDX-License-Identifier: Apache-2.0
// The edge program as a document of our own: workspace/textDocumentContent gives its text, and
// textDocument/definition leads from a node in it to the source line.
#include "core/render/edge_program.h"

#include "core/render/format.h"
#include "protocol/uri.h"
#include "server/features/features.h"

namespace etlens {
namespace {

constexpr std::string_view kPrefix = "etlens:/edge-program/";

lsp::DocumentUri uri_of(const Session& session) {
  const std::string_view method = session.time_facts()->code().method_name();
  std::string text(kPrefix);
  // A method is a Python name; anything else would not be a path.
  for (const char c : method) text += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return lsp::DocumentUri::from_string(text + ".txt");
}

// "XNNPACK"; of a delegate that nothing names "delegate call".
std::string where_of(const Facts& facts, PartitionId id) {
  const PartitionFacts partition = facts.partition(id);
  return partition.backend.empty() ? "delegate call" : partition.label;
}

}  // namespace

Result<lsp::TextDocumentContentResult> provided_document(
    Session& session, const lsp::TextDocumentContentParams& params) {
  if (!params.uri.string().starts_with(kPrefix)) {
    return Error{ErrorCode::InvalidParams, "etlens provides no document " + params.uri.string()};
  }
  if (session.study() == nullptr)
    return lsp::TextDocumentContentResult{"# " + session.message + "\n"};
  return lsp::TextDocumentContentResult{session.edge_program().text()};
}

std::optional<lsp::Location> definition(Session& session,
                                        const lsp::TextDocumentPositionParams& params) {
  if (!params.textDocument.uri.string().starts_with(kPrefix) || session.study() == nullptr)
    return std::nullopt;
  const std::vector<EdgeProgramLine>& lines = session.edge_program().lines;
  if (params.position.line >= lines.size()) return std::nullopt;
  return location_of(session, *session.time_facts(), lines[params.position.line].line);
}

extensions::EdgeProgramResult show_edge_program(Session& session) {
  extensions::EdgeProgramResult result;
  result.generation = session.generation();
  if (session.study() == nullptr) {
    result.text = "# " + session.message + "\n";
    result.uri = lsp::DocumentUri::from_string(std::string(kPrefix) + "none.txt");
    return result;
  }
  result.uri = uri_of(session);
  const EdgeProgram& program = session.edge_program();
  result.text = program.text();
  const Facts& facts = *session.time_facts();
  const EtRecord* record = facts.join().record.get();
  for (size_t l = 0; l < program.lines.size(); ++l) {
    const EdgeProgramLine& line = program.lines[l];
    if (!line.node.valid()) continue;
    extensions::EdgeProgramNode node;
    node.line = static_cast<uint32_t>(l);
    node.name = record->text(record->nodes[line.node.value].name);
    if (line.line.valid()) node.source = source_line(session, facts, line.line);
    node.self = amount_value(session, facts, line.cost.value);
    node.heat = static_cast<uint32_t>(heat_of(facts, line.cost));
    if (line.module.valid()) node.module = facts.module(line.module).path;
    if (line.partition.valid()) node.where = where_of(facts, line.partition);
    result.nodes.push_back(std::move(node));
  }
  return result;
}

}  // namespace etlens
