// SPDX-License-Identifier: Apache-2.0
#include "cli/record_inputs.h"

#include <fmt/format.h>

#include "cli/sent_sources.h"
#include "core/base/path.h"
#include "core/base/text.h"
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

}  // namespace

Result<LoadRequest> find_record(const CommonOptions& options) {
  Result<StudyWish> wish = program_wish_of(options);
  if (!wish) return std::move(wish).error();
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
  const bool is_named = has_record || !wish->pte.empty();
  const bool is_of_record = request.pte.empty() || request.leaves_out_program;
  if (!is_named && is_of_record && resolved->records > 1) {
    say(fmt::format("{} is the newest of {} ETRecords; choose another with --etrecord",
                    relative_path(here, request.etrecord), resolved->records));
  }
  if (!is_named && !is_of_record && resolved->programs > 1) {
    say(fmt::format("{} is the newest of {} programs; choose another with --pte",
                    relative_path(here, request.pte), resolved->programs));
  }
  if (is_sent(options) && !request.etrecord.empty()) request.source_files = sent_sources(request);
  return std::move(request);
}

}  // namespace etlens::cli
