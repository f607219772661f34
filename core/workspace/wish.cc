// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/wish.h"

namespace etlens {

Result<void> make_absolute(StudyWish& wish, const PathResolver& resolve) {
  std::vector<std::string*> paths{&wish.etdump, &wish.etrecord, &wish.pte, &wish.profile};
  if (wish.values) {
    for (std::string* path :
         {&wish.values->debug_buffer, &wish.values->reference, &wish.values->reference_debug_buffer,
          &wish.values->reference_etrecord})
      paths.push_back(path);
  }
  for (std::string& environment : wish.environments) paths.push_back(&environment);
  for (PathMapping& mapping : wish.path_mappings) paths.push_back(&mapping.to);
  for (std::string* path : paths) {
    if (path->empty()) continue;
    Result<std::string> absolute = resolve(*path);
    if (!absolute) return std::move(absolute).error();
    *path = std::move(*absolute);
  }
  return {};
}

std::optional<PathMapping> parse_path_mapping(std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size())
    return std::nullopt;
  return PathMapping{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

Result<Statistic> read_statistic(const std::string& name) {
  if (const std::optional<Statistic> statistic = parse_statistic(name)) return *statistic;
  return Error{ErrorCode::InvalidParams,
               "there is no statistic " + name + "; there are typical, mean, median, min and max"};
}

StudyWish of_any_dump(StudyWish wish) {
  wish.etdump = wish.etrecord = wish.pte = wish.profile = "";
  wish.values.reset();
  // Executions by number are those of one dump; groups of executions are any dump's.
  const std::string& executions = wish.time.executions;
  const bool is_kind = executions == "slow" || executions == "fast" || executions == "all";
  if (!is_kind) wish.time.executions.clear();
  return wish;
}

StudyWish of_lines(StudyWish wish) {
  wish = of_any_dump(std::move(wish));
  wish.finds_record = true;
  wish.selection = {};
  wish.time_scale = {};
  wish.time = {};
  return wish;
}

SourceSearch source_search_of(const StudyWish& wish) {
  return {wish.roots, wish.path_mappings, {}, wish.environments};
}

std::optional<RecoveryRequest> recovery_of(const StudyWish& wish,
                                           const std::shared_ptr<const FileSystem>& source_files) {
  if (!wish.recovers) return std::nullopt;
  return RecoveryRequest{source_search_of(wish), wish.library_frames, source_files};
}

}  // namespace etlens
