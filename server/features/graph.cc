// SPDX-License-Identifier: Apache-2.0
// etlens/graph: a method as a graph, and where the lines of its nodes are now.
#include <unordered_set>

#include "core/program_graph/program_graph.h"
#include "core/render/graph_text.h"
#include "server/features/features.h"
#include "server/features/program_places.h"

namespace etlens {
namespace {

// Of a record alone the lines are those of the study, if that is still the one that was asked.
std::vector<extensions::SourceLine> study_places(Session& session, const ProgramGraph& graph) {
  std::vector<extensions::SourceLine> places;
  const Facts* facts = session.time_facts();
  if (facts == nullptr || &facts->code() != graph.code.get()) return places;
  std::unordered_set<uint32_t> known;
  for (const GraphNode& node : graph.nodes) {
    if (node.line.valid() && known.insert(node.line.value).second)
      places.push_back(source_line(session, *facts, node.line));
  }
  return places;
}

std::vector<extensions::SourceLine> program_places(Session& session, const OpenGraph& open) {
  ProgramPlaces places(session, *open.program);
  for (const GraphNode& node : open.loaded.graph.nodes) places.add(open.method, node.line);
  return places.take();
}

}  // namespace

Result<GraphRequest> graph_of_program(const Session& session, const ProgramLoader::Program& program,
                                      const extensions::GraphParams& params) {
  if (!program) return program.error();
  const OpenProgram& open = **program;
  const std::optional<size_t> method = chosen_method(session, open.program(), params.method);
  if (!method) {
    return Error{ErrorCode::NotFound,
                 open.pte + " has no method" + (params.method ? " " + *params.method : "")};
  }
  return GraphRequest{*program, *method, "", open.codes[*method]};
}

std::optional<GraphRequest> graph_of_study(const Session& session,
                                           const extensions::GraphParams& params) {
  const Facts* facts = session.time_facts();
  if (facts == nullptr || !facts->study().pte_path.empty()) return std::nullopt;
  const std::shared_ptr<const Code>& code = facts->measure().landings->code;
  if (!code->record || !code->method) return std::nullopt;
  if (params.method && *params.method != code->method_name()) return std::nullopt;
  return GraphRequest{nullptr, 0, facts->study().etrecord_path, code};
}

extensions::GraphResult show_graph(Session& session, const GraphLoader::Graph& graph) {
  extensions::GraphResult result;
  result.generation = session.generation();
  if (!graph) {
    result.why = graph.error().message;
    return result;
  }
  const OpenGraph& open = **graph;
  result.headline = graph_headline(open.loaded.graph);
  result.graph = graph_view(open.loaded);
  for (const GraphNode& node : open.loaded.graph.nodes)
    result.titles.push_back(graph_node_title(node));
  if (open.program) {
    const std::vector<ProgramMethod>& methods = open.program->program().methods;
    for (size_t m = 0; m < methods.size(); ++m)
      result.methods.push_back({methods[m].name, m == open.method});
  } else {
    result.methods.push_back({open.loaded.graph.method, true});
  }
  result.places =
      open.program ? program_places(session, open) : study_places(session, open.loaded.graph);
  return result;
}

}  // namespace etlens
