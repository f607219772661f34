// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/choose_export.h"

#include <algorithm>
#include <string>

#include "core/workspace/load_program.h"

namespace etlens {
namespace {

bool is_program(FileKind kind) {
  return kind == FileKind::Program || kind == FileKind::BundledProgram;
}

// What may belong to the one that the wish names, the likeliest first; empty if it names both.
std::vector<const FoundArtifact*> candidates(const std::vector<FoundArtifact>& found,
                                             const StudyWish& wish) {
  std::vector<const FoundArtifact*> likely;
  if (wish.pte.empty()) likely = program_partners(found, wish.etrecord);
  else if (wish.etrecord.empty() && wish.finds_record)
    likely = partners(found, wish.pte, FileKind::EtRecord);
  if (likely.size() > kMaxScored) likely.resize(kMaxScored);
  return likely;
}

// Of several programs the likeliest that is of the record's export; "" if none is.
std::string fitting_program(const FileSystem& files,
                            const std::vector<const FoundArtifact*>& likely,
                            const std::string& etrecord, const CancelToken& cancel) {
  for (const FoundArtifact* program : likely)
    if (load_program(files, program->path, etrecord, cancel)) return program->path;
  return "";
}

}  // namespace

void name_newest_export(const std::vector<FoundArtifact>& found, StudyWish& wish) {
  if (!wish.etrecord.empty() || !wish.pte.empty()) return;
  const FoundArtifact* newest = nullptr;
  for (const FoundArtifact& artifact : found) {
    const bool is_record = artifact.kind == FileKind::EtRecord && wish.finds_record;
    if (!is_record && !is_program(artifact.kind)) continue;
    if (newest == nullptr || artifact.stamp.modified_ns > newest->stamp.modified_ns)
      newest = &artifact;
  }
  if (newest != nullptr) (is_program(newest->kind) ? wish.pte : wish.etrecord) = newest->path;
}

Result<void> choose_export(const FileSystem& files, const std::vector<FoundArtifact>& found,
                           LoadRequest& request, const CancelToken& cancel) {
  const bool is_named = !request.etrecord.empty();
  name_newest_export(found, request);
  if (request.pte.empty() && request.etrecord.empty())
    return Error{ErrorCode::NotFound, "neither an ETDump nor an export was found"};
  const std::vector<const FoundArtifact*> likely = candidates(found, request);
  if (likely.empty()) return {};
  if (request.pte.empty()) {
    request.leaves_out_record = !is_named;
    request.pte = likely.size() == 1 ? likely.front()->path
                                     : fitting_program(files, likely, request.etrecord, cancel);
    if (request.pte.empty()) request.leaves_out_record = false;
    request.leaves_out_program = true;
  } else {
    request.etrecord = likely.size() == 1 ? likely.front()->path
                                          : find_record_of(files, found, request.pte, cancel);
    request.leaves_out_record = !request.etrecord.empty();
  }
  return {};
}

void look_at_export(const FileSystem& files, const std::vector<FoundArtifact>& found,
                    StudyWish wish, FileStamps& stamps) {
  name_newest_export(found, wish);
  for (const std::string* path : {&wish.etrecord, &wish.pte}) look_at(files, *path, stamps);
  if (wish.etrecord.empty() && wish.pte.empty()) return;
  for (const FoundArtifact* artifact : candidates(found, wish))
    look_at(files, artifact->path, stamps);
}

}  // namespace etlens
