// SPDX-License-Identifier: Apache-2.0
// `etlens graph`: a program, or the record of an export, as a graph.
#include <memory>

#include "cli/commands.h"
#include "cli/program_inputs.h"
#include "cli/report_inputs.h"
#include "core/base/fields_json.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/export/graph_dot.h"
#include "core/export/graph_html.h"
#include "core/formats/file_kind.h"
#include "core/render/graph_text.h"
#include "core/view/graph_view.h"
#include "etlens_version.h"

namespace etlens::cli {
namespace {

struct GraphOptions {
  CommonOptions common;
  bool shows_all = false;
};

Result<LoadRequest> request_of_record(const CommonOptions& options, std::string path) {
  Result<StudyWish> wish = wish_of(options);
  if (!wish) return std::move(wish).error();
  wish->etrecord = std::move(path);
  if (wish->roots.empty()) wish->roots.emplace_back(parent_path(wish->etrecord));
  return LoadRequest{std::move(*wish)};
}

// The one that a path names, or "".
Result<std::string> named_record(const CommonOptions& options) {
  for (const std::string& path : options.paths) {
    std::string absolute = absolute_path(current_folder(), path);
    const Result<FileStamp> stamp = real_file_system().stat(absolute);
    if (!stamp) return stamp.error();
    if (stamp->is_directory) continue;
    const Result<Bytes> front = real_file_system().read_range(absolute, 0, kKindBytes);
    if (!front) return front.error();
    if (file_kind(front->span()) == FileKind::EtRecord) return absolute;
  }
  return std::string();
}

// The newest record where there is no program.
Result<LoadRequest> find_record_alone(const CommonOptions& options) {
  if (!options.etrecord.empty())
    return request_of_record(options, absolute_path(current_folder(), options.etrecord));
  DiscoveryOptions search;
  for (const std::string& path : options.paths)
    search.roots.push_back(absolute_path(current_folder(), path));
  if (search.roots.empty()) search.roots.push_back(current_folder());
  const std::vector<FoundArtifact> found = find_artifacts(real_file_system(), search);
  const FoundArtifact* newest = newest_of(found, FileKind::EtRecord);
  if (newest == nullptr) {
    return Error{ErrorCode::NotFound, "no .pte program and no ETRecord below " +
                                          join(search.roots, ", ") +
                                          "; give one with --pte or --etrecord"};
  }
  return request_of_record(options, newest->path);
}

Result<LoadRequest> find_inputs(const CommonOptions& options) {
  Result<std::string> record = named_record(options);
  if (!record) return std::move(record).error();
  if (!record->empty() && options.pte.empty()) return request_of_record(options, *record);
  CommonOptions named = options;
  if (!record->empty()) {
    named.etrecord = *record;
    named.paths.clear();
  }
  const std::vector<const std::string*> files{&options.pte, &options.etrecord};
  if (Result<void> there = check_named(files); !there) return std::move(there).error();
  Result<LoadRequest> program = find_program(named);
  const bool is_missing = !program && program.error().code == ErrorCode::NotFound;
  if (is_missing && options.pte.empty()) return find_record_alone(options);
  return program;
}

int run_graph(const GraphOptions& options) {
  const Result<LoadRequest> request = find_inputs(options.common);
  if (!request) return fail(request.error());
  const Result<LoadedGraph> loaded = load_graph(real_file_system(), *request);
  if (!loaded) return fail(loaded.error());
  say_oddities(loaded->report);
  const GraphFolding folding = options.shows_all ? GraphFolding::None : GraphFolding::Repeats;
  const std::string& format = options.common.format;
  if (format == "json") return write_output(options.common, json_text(graph_view(*loaded)) + "\n");
  if (format == "text") return write_output(options.common, graph_text(loaded->graph, folding));
  ReportOptions report;
  report.common = options.common;
  return write_to(report, [&](Sink& sink) {
    if (format == "dot") return write_graph_dot(loaded->graph, folding, sink);
    write_graph_page(loaded->graph, folding, "etlens " ETLENS_VERSION, sink);
  });
}

}  // namespace

void add_graph(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "graph", "Show a program as a graph: what each instruction reads and makes; needs no dump");
  auto options = std::make_shared<GraphOptions>();
  add_program_options(*command, options->common, {"text", "json", "dot", "html"});
  command->add_flag("--all", options->shows_all,
                    "Show layers that repeat each time, not only the first one");
  command->callback([options, &status] { status = run_graph(*options); });
}

}  // namespace etlens::cli
