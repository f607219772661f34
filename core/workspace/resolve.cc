// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/resolve.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/formats/debug_buffer/debug_buffer.h"
#include "core/workspace/choose_export.h"
#include "core/workspace/choose_partners.h"
#include "core/workspace/load_program.h"
#include "core/workspace/other_models.h"
#include "core/workspace/run_check.h"

namespace etlens {
namespace {

// The named one, or those of `found` that choose_partners reads.
void look_at_partners(const FileSystem& files, const std::vector<const FoundArtifact*>& likely,
                      const std::string& named, FileStamps& stamps) {
  look_at(files, named, stamps);
  if (!named.empty()) return;
  for (size_t i = 0; i < std::min(likely.size(), kMaxOfRun); ++i)
    look_at(files, likely[i]->path, stamps);
}

// Where the bytes of the values may be, and what they may be compared with.
void look_at_values(const FileSystem& files, const std::vector<FoundArtifact>& found,
                    const ValuesRequest& values, const std::string& etdump, FileStamps& stamps) {
  std::vector<std::string> paths{values.debug_buffer, values.reference,
                                 values.reference_debug_buffer, values.reference_etrecord};
  const auto add = [&](std::vector<std::string> more) {
    paths.insert(paths.end(), more.begin(), more.end());
  };
  if (values.debug_buffer.empty()) add(debug_buffer_paths(etdump));
  if (values.reference.empty()) add(reference_candidates(found, etdump, ""));
  for (const std::string& path : paths) look_at(files, path, stamps);
}

}  // namespace

Result<ResolvedStudy> resolve(const FileSystem& files, const std::vector<FoundArtifact>& found,
                              const StudyWish& wish, const CancelToken& cancel) {
  ResolvedStudy resolved{{wish}, 0, {}};
  LoadRequest& request = resolved.request;
  const std::vector<const FoundArtifact*> dumps = dumps_by_age(found);
  resolved.dumps = dumps.size();
  if (request.etdump.empty() && !dumps.empty()) request.etdump = dumps.front()->path;
  if (request.etdump.empty()) {
    request.values.reset();
    Result<void> chosen = choose_export(files, found, request, cancel);
    if (!chosen && request.profile.empty()) return std::move(chosen).error();
    return resolved;
  }
  if (Result<void> chosen = choose_partners(files, found, request, cancel); !chosen)
    return std::move(chosen).error();
  if (wish.etdump.empty()) {
    resolved.other_models =
        find_other_models(files, found, request.etdump, request.etrecord, cancel);
  }
  if (request.values && request.values->reference.empty())
    request.values->candidates = reference_candidates(found, request.etdump, request.etrecord);
  return resolved;
}

FileStamps looked_at(const FileSystem& files, const std::vector<FoundArtifact>& found,
                     const StudyWish& wish) {
  FileStamps stamps;
  for (const std::string* path : {&wish.profile, &wish.etrecord, &wish.pte})
    look_at(files, *path, stamps);
  const std::vector<const FoundArtifact*> dumps = dumps_by_age(found);
  std::string etdump = wish.etdump;
  if (etdump.empty() && !dumps.empty()) etdump = dumps.front()->path;
  if (etdump.empty()) {
    look_at_export(files, found, wish, stamps);
    return stamps;
  }
  look_at(files, etdump, stamps);
  look_at(files, run_file_path(etdump), stamps);
  look_at_partners(files, partners(found, etdump, FileKind::EtRecord), wish.etrecord, stamps);
  look_at_partners(files, program_partners(found, etdump), wish.pte, stamps);
  if (wish.values) look_at_values(files, found, *wish.values, etdump, stamps);
  return stamps;
}

FileStamps used_by(const LoadRequest& request, FileStamps stamps) {
  const ValuesRequest values = request.values.value_or(ValuesRequest());
  std::vector<std::string> used = debug_buffer_paths(request.etdump);
  used.push_back(run_file_path(request.etdump));
  used.insert(used.end(), values.candidates.begin(), values.candidates.end());
  for (const std::string& path :
       {request.etdump, request.etrecord, request.pte, request.profile, values.debug_buffer,
        values.reference, values.reference_debug_buffer, values.reference_etrecord})
    used.push_back(path);
  std::erase_if(stamps, [&](const auto& row) { return !std::ranges::count(used, row.first); });
  return stamps;
}

Result<ResolvedProgram> resolve_program(const FileSystem& files,
                                        const std::vector<FoundArtifact>& found,
                                        const StudyWish& wish, const CancelToken& cancel) {
  ResolvedProgram resolved{{wish}, 0};
  LoadRequest& request = resolved.request;
  const std::vector<const FoundArtifact*> programs = programs_by_age(found);
  resolved.programs = programs.size();
  if (request.pte.empty()) {
    if (programs.empty()) return Error{ErrorCode::NotFound, "no .pte program was found"};
    request.pte = programs.front()->path;
  }
  if (request.etrecord.empty() && request.finds_record)
    request.etrecord = find_record_of(files, found, request.pte, cancel);
  return resolved;
}

}  // namespace etlens
