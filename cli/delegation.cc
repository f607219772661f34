// SPDX-License-Identifier: Apache-2.0
// `etlens delegation`: which operators of an export a delegate runs, and why not the others.
#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "cli/program_inputs.h"
#include "cli/sent_sources.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/render/delegation_report.h"
#include "core/workspace/load_delegation.h"

namespace etlens::cli {
namespace {

// A path is a folder, a record or a program.
Result<void> take_paths(const CommonOptions& options, const std::string& here, StudyWish& wish,
                        DiscoveryOptions& search) {
  for (const std::string& path : options.paths) {
    std::string absolute = absolute_path(here, path);
    const Result<FileStamp> stamp = real_file_system().stat(absolute);
    if (!stamp) return stamp.error();
    if (stamp->is_directory) {
      search.roots.push_back(std::move(absolute));
      continue;
    }
    const Result<Bytes> front = real_file_system().read_range(absolute, 0, kKindBytes);
    if (!front) return front.error();
    const FileKind kind = file_kind(front->span());
    const bool is_program = kind == FileKind::Program || kind == FileKind::BundledProgram;
    (is_program ? wish.pte : wish.etrecord) = std::move(absolute);
  }
  for (const std::string* named : {&wish.pte, &wish.etrecord})
    if (search.roots.empty() && !named->empty()) search.roots.emplace_back(parent_path(*named));
  if (search.roots.empty()) search.roots.push_back(here);
  return {};
}

Result<LoadRequest> find_record(const CommonOptions& options) {
  Result<StudyWish> wish = wish_of(options);
  if (!wish) return std::move(wish).error();
  if (Result<void> there = check_named({&wish->pte, &wish->etrecord}); !there)
    return std::move(there).error();
  const std::string here = current_folder();
  DiscoveryOptions search;
  if (Result<void> taken = take_paths(options, here, *wish, search); !taken)
    return std::move(taken).error();
  if (wish->roots.empty()) wish->roots = search.roots;
  const std::vector<FoundArtifact> found = find_artifacts(real_file_system(), search);
  const bool has_record = !wish->etrecord.empty();
  const bool has_found = newest_of(found, FileKind::EtRecord) != nullptr ||
                         newest_of(found, FileKind::Program) != nullptr ||
                         newest_of(found, FileKind::BundledProgram) != nullptr;
  if (!has_record && wish->pte.empty() && !has_found) {
    return Error{ErrorCode::NotFound,
                 "no ETRecord below " + join(search.roots, ", ") +
                     ", and no program; give one with --etrecord or --pte, or export with "
                     "generate_etrecord=True"};
  }
  Result<ResolvedRecord> resolved = resolve_record(real_file_system(), found, *wish);
  if (!resolved) return std::move(resolved).error();
  LoadRequest& request = resolved->request;
  if (!has_record && wish->pte.empty() && resolved->records > 1) {
    say(fmt::format("{} is the newest of {} ETRecords; choose another with --etrecord",
                    relative_path(here, request.etrecord), resolved->records));
  }
  if (request.etrecord.empty() && resolved->programs > 1) {
    say(fmt::format("{} is the newest of {} programs; choose another with --pte",
                    relative_path(here, request.pte), resolved->programs));
  }
  if (is_sent(options) && !request.etrecord.empty()) request.source_files = sent_sources(request);
  return std::move(request);
}

int run_delegation(CommonOptions options) {
  if (options.format == "text") options.format = "table";
  const Result<LoadRequest> request = find_record(options);
  if (!request) return fail(request.error());
  const Result<LoadedDelegation> loaded = load_delegation(real_file_system(), *request);
  if (!loaded) return fail(loaded.error());
  const DelegationView view = delegation_view(*loaded);
  return print_table(options,
                     {.table = [&](TableStyle) { return delegated_operators_table(view); },
                      .json = [&](const RowChoice&) { return delegation_json(view); },
                      .text = [&](TablePrinter& printer) { return delegation_text(view, printer); },
                      .json_is_whole = true,
                      .head = [&] { return delegation_markdown_head(view); }});
}

}  // namespace

void add_delegation(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "delegation",
      "Show which operators a delegate runs, and why the others run on the CPU; needs no dump");
  auto options = std::make_shared<CommonOptions>();
  add_program_options(*command, *options, {"text", "json", "markdown", "csv", "tsv", "table"});
  add_view_options(*command, *options);
  command->callback([options, &status] { status = run_delegation(*options); });
}

}  // namespace etlens::cli
