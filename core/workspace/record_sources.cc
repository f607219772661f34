// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/record_sources.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/budget.h"
#include "core/base/path.h"
#include "core/source/anchor/same_lines.h"
#include "core/source/git/git_blob.h"
#include "core/workspace/sibling_places.h"
#include "core/workspace/source_file.h"

namespace etlens {
RecordSources::RecordSources(const FileSystem& files, const SourceSearch& search,
                             const EtRecord& record, const std::vector<bool>& is_project_file,
                             const CancelToken& cancel)
    : files_(files), search_(search), cancel_(cancel) {
  std::vector<std::string> wanted;
  std::unordered_map<StringId, std::vector<RecordedLine>*> of_file;
  for (const Frame& frame : record.frames) {
    go_on();
    if (!is_project_file[frame.file.value]) continue;
    std::vector<RecordedLine>*& lines = of_file[frame.file];
    if (lines == nullptr) lines = &named_[with_slashes(record.text(frame.file))];
    lines->push_back({frame.line, record.text(frame.function), record.text(frame.text)});
  }
  for (const auto& [recorded, lines] : named_) wanted.emplace_back(base_name(recorded));
  if (wanted.empty()) return;
  const WorkspaceFiles workspace =
      WorkspaceFiles::find(files, search.roots, wanted, cancel, search.environments);
  std::vector<PlacedFile> places;
  for (const auto& [recorded, lines] : named_)
    places.push_back({recorded, map_path(files, recorded, search.path_mappings, workspace), ""});
  settle_by_siblings(places);
  for (PlacedFile& file : places) {
    found_any_ |= !file.place.path.empty();
    paths_.emplace(std::move(file.recorded), std::move(file.place.path));
  }
}

std::shared_ptr<const PythonSyntax> RecordSources::read(std::string_view recorded) {
  const std::string name = with_slashes(recorded);
  const auto [at, is_new] = read_.try_emplace(name);
  if (!is_new) return at->second;
  const auto named = named_.find(name);
  const bool is_named = named != named_.end();
  const std::string path = is_named ? paths_[name] : place_beside(name);
  std::shared_ptr<const Document> document;
  if (!path.empty()) {
    stamp_of(path);
    document = is_named ? read_named(path, named->second) : read_source(files_, path);
  }
  if (document == nullptr) {
    is_whole_ &= !is_named;
    return nullptr;
  }
  at->second = PythonSyntax::parse(std::move(document));
  known_.emplace(name, path);
  return at->second;
}

const std::optional<FileStamp>& RecordSources::stamp_of(const std::string& path) {
  look_at(files_, path, stamps_);
  return stamps_.at(path);
}

ParsedSources RecordSources::parsed() const {
  ParsedSources parsed;
  for (const auto& [name, path] : known_) parsed.emplace(path, read_.at(name));
  return parsed;
}

std::shared_ptr<const Document> RecordSources::read_named(
    const std::string& path, const std::vector<RecordedLine>& lines) const {
  std::shared_ptr<const Document> now = read_source(files_, path);
  if (now == nullptr || all_lines_unchanged(*now, lines)) return now;
  return find_recorded_version(files_, path, lines, cancel_);
}

bool RecordSources::is_inside(const std::string& path) const {
  const auto holds = [&](const std::string& folder) { return is_below(folder, path); };
  return std::any_of(search_.roots.begin(), search_.roots.end(), holds) ||
         std::any_of(search_.path_mappings.begin(), search_.path_mappings.end(),
                     [&](const PathMapping& mapping) { return holds(mapping.to); });
}

// As files that the record names lie here; "" if they do not agree.
std::string RecordSources::place_beside(const std::string& recorded) {
  std::string place;
  for (const auto& [like, mapped] : paths_) {
    go_on();
    std::string path = mapped.empty() ? mapped : moved_like(recorded, like, mapped);
    if (path.empty() || path == place || !is_inside(path)) continue;
    const std::optional<FileStamp>& stamp = stamp_of(path);
    if (!stamp || stamp->is_directory) continue;
    if (!place.empty()) return "";
    place = std::move(path);
  }
  return place;
}

}  // namespace etlens
