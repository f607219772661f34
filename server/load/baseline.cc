// SPDX-License-Identifier: Apache-2.0
#include "server/load/baseline.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/path.h"
#include "core/source/paths/path_mapper.h"
#include "core/workspace/choose_partners.h"
#include "server/load/artifact_set.h"

namespace etlens {
namespace {

constexpr size_t kMaxDumps = 200;

bool is_folder(const FileSystem& files, const std::string& path) {
  const Result<FileStamp> stamp = files.stat(path);
  return stamp && stamp->is_directory;
}

Result<SidePlace> place_of(const FileSystem& files, const std::vector<std::string>& roots,
                           const std::vector<std::string>& named) {
  const std::string here = roots.empty() ? "/" : roots.front();
  std::vector<std::string> paths;
  for (const std::string& path : named) {
    const std::string resolved = resolve_path(files, roots, path);
    paths.push_back(files.stat(resolved) ? resolved : path);
  }
  return find_side_place(files, here, paths);
}

void add_dumps(const FileSystem& files, const std::vector<FoundArtifact>& found,
               const std::string& shown, BaselineKey& key) {
  const std::vector<const FoundArtifact*> dumps = dumps_by_age(found);
  const auto add = [&](const std::string& dump) {
    if (std::find(key.dumps.begin(), key.dumps.end(), dump) == key.dumps.end())
      key.dumps.push_back(dump);
  };
  for (const std::string& path : key.paths) {
    if (!is_glob(path) && !is_folder(files, path)) {
      add(path);
      continue;
    }
    key.is_searched = true;
    for (const FoundArtifact* dump : dumps) {
      if (key.dumps.size() >= kMaxDumps) break;
      if (dump->path != shown && names_dump(path, dump->path)) add(dump->path);
    }
  }
}

bool has_same_dumps(const BaselineKey& a, const BaselineKey& b) {
  return a.paths == b.paths && a.commit == b.commit && a.dumps == b.dumps &&
         std::ranges::all_of(a.dumps, [&](const std::string& dump) {
           return a.stamps.at(dump) == b.stamps.at(dump);
         });
}

class BaselineLoader {
 public:
  BaselineLoader(const FileSystem& files, const BaselineKey& key, const LoadSettings& settings,
                 const CancelToken& cancel)
      : files_(files), key_(key), settings_(settings), cancel_(cancel) {}

  Result<std::shared_ptr<const Side>> run(const std::vector<FoundArtifact>& found,
                                          const LoadRequest& shown, const ChosenGroup& like) {
    if (!key_.problem.empty()) return Error{ErrorCode::NotFound, key_.problem};
    SideRequest request;
    request.load = shown;
    static_cast<StudyWish&>(request.load) = of_any_dump(shown);
    request.dumps = key_.dumps;
    request.keeps_samples = true;
    request.like = like;
    request.leaves_out_others = key_.is_searched;
    request.other = OtherArtifacts{shown.etrecord, shown.pte, {}};
    SidePlace place{key_.paths, std::nullopt, nullptr};
    std::vector<FoundArtifact> artifacts = found;
    if (!key_.commit.empty()) {
      place.revision = GitRevision{key_.root, key_.commit};
      if (Result<void> opened = open(place, request, artifacts); !opened)
        return std::move(opened).error();
    }
    const FileSystem& files = place.files ? *place.files : files_;
    if (Result<void> chosen =
            choose_artifacts(files, artifacts, request.dumps.front(), request.load);
        !chosen) {
      return std::move(chosen).error();
    }
    Result<Side> side = load_side(files, request, {}, cancel_);
    const bool lacks_record = !side && side.error().code == ErrorCode::Mismatch &&
                              !has_record_beside(artifacts, request.dumps.front());
    if (lacks_record) {
      return Error{
          ErrorCode::NotFound,
          fmt::format("the baseline {} has no ETRecord; copy the one of its export next to "
                      "its dumps",
                      key_.paths.front())};
    }
    if (!side) return std::move(side).error();
    return std::shared_ptr<const Side>(std::make_shared<Side>(std::move(*side)));
  }

 private:
  static bool has_record_beside(const std::vector<FoundArtifact>& found, const std::string& dump) {
    return std::ranges::any_of(found, [&](const FoundArtifact& artifact) {
      return artifact.kind == FileKind::EtRecord && parent_path(artifact.path) == parent_path(dump);
    });
  }
  // A revision's dumps, and what lies around them there.
  Result<void> open(SidePlace& place, SideRequest& request,
                    std::vector<FoundArtifact>& artifacts) const {
    if (Result<void> opened = open_side_place(files_, place); !opened) return opened;
    const Result<SideFiles> side = find_side_files(*place.files, place.paths);
    if (!side) return side.error();
    request.dumps = side->dumps;
    request.leaves_out_others = side->is_searched;
    if (request.dumps.empty()) {
      return Error{ErrorCode::NotFound, "the baseline " + place.paths.front() +
                                            " has no ETDump at that git revision; name a folder "
                                            "that holds some"};
    }
    // The sources of that revision are those that its artifacts were exported from.
    request.load.source_files = place.files;
    artifacts = find_artifacts(*place.files,
                               {{std::string(parent_path(request.dumps.front()))}, {}}, cancel_);
    return {};
  }

  Result<void> choose_artifacts(const FileSystem& files, const std::vector<FoundArtifact>& found,
                                const std::string& dump, LoadRequest& load) const {
    const BaselineSettings& named = settings_.baseline;
    const auto resolved = [&](const std::string& path) {
      return path.empty() ? path : resolve_path(files, load.roots, path);
    };
    load.etdump = dump;
    load.etrecord = resolved(named.etrecord);
    load.pte = resolved(named.pte);
    if (Result<void> chosen = choose_partners(files, found, load, cancel_); !chosen) return chosen;
    load.leaves_out_record = false;  // one that does not fit is reported
    for (const std::string& path : {dump, load.etrecord}) {
      const std::string folder(parent_path(path));
      const bool is_known =
          path.empty() || std::any_of(load.roots.begin(), load.roots.end(),
                                      [&](const auto& root) { return is_below(root, folder); });
      if (!is_known) load.roots.push_back(folder);
    }
    return {};
  }

  const FileSystem& files_;
  const BaselineKey& key_;
  const LoadSettings& settings_;
  const CancelToken& cancel_;
};

}  // namespace

bool is_in_workspace(const std::vector<std::string>& roots, std::string_view path) {
  return std::any_of(roots.begin(), roots.end(), [&](const std::string& root) {
    if (!is_below(root, path)) return false;
    const std::vector<std::string_view> parts = path_components(relative_path(root, path));
    return std::none_of(parts.begin(), parts.end(), is_skipped_folder);
  });
}

std::vector<std::string> baseline_folders(const FileSystem& files,
                                          const std::vector<std::string>& roots,
                                          const BaselineSettings& settings) {
  if (settings.paths.empty()) return {};
  const Result<SidePlace> place = place_of(files, roots, settings.paths);
  if (!place || place->revision) return {};
  std::vector<std::string> folders;
  for (const std::string& path : place->paths) {
    // A name that is wrong must not have the folder around it walked.
    if (!is_glob(path) && !files.stat(path)) continue;
    std::string folder = path;
    if (is_glob(path)) folder = glob_folder(path);
    else if (!is_folder(files, path)) folder = parent_path(path);
    const bool is_known = std::find(folders.begin(), folders.end(), folder) != folders.end();
    if (!is_known && !is_in_workspace(roots, folder)) folders.push_back(std::move(folder));
  }
  return folders;
}

BaselineKey name_baseline(const FileSystem& files, const std::vector<std::string>& roots,
                          const BaselineSettings& settings) {
  BaselineKey key;
  if (settings.paths.empty()) return key;
  Result<SidePlace> place = place_of(files, roots, settings.paths);
  if (!place) {
    key.problem = std::move(place).error().message;
    return key;
  }
  key.paths = std::move(place->paths);
  if (place->revision) {
    key.root = place->revision->root;
    key.commit = place->revision->commit;
  }
  return key;
}

BaselineKey find_baseline(const FileSystem& files, const std::vector<std::string>& roots,
                          const BaselineSettings& settings, BaselineKey key,
                          const std::vector<FoundArtifact>& found, const std::string& shown) {
  if (!key.problem.empty() || !key.commit.empty()) return key;
  add_dumps(files, found, shown, key);
  if (key.dumps.empty()) {
    key.problem = "the baseline " + key.paths.front() +
                  " has no ETDump other than the shown one; name a dump, or a folder of dumps";
    return key;
  }
  if (key.dumps == std::vector{shown}) {
    key.problem = "the baseline is the dump that is shown; choose another for either";
    return key;
  }
  StudyWish wish;
  wish.etdump = key.dumps.front();
  wish.etrecord = settings.etrecord;
  wish.pte = settings.pte;
  key.stamps = looked_at(files, found, absolute_wish(files, roots, std::move(wish)));
  for (const std::string& dump : key.dumps) look_at(files, dump, key.stamps);
  return key;
}

std::shared_ptr<const BaselineSide> load_baseline(const FileSystem& files, const BaselineKey& key,
                                                  const LoadSettings& settings,
                                                  const std::vector<FoundArtifact>& found,
                                                  const LoadRequest& shown, const ChosenGroup& like,
                                                  std::shared_ptr<const BaselineSide> before,
                                                  const CancelToken& cancel) {
  // What is shown, and which executions of it, is no matter of the baseline.
  LoadSettings own = settings;
  static_cast<StudyWish&>(own) = of_any_dump(settings);
  const bool is_alike = before != nullptr && before->settings == own && before->like == like;
  if (is_alike && before->key == key) return before;
  Result<std::shared_ptr<const Side>> side =
      BaselineLoader(files, key, settings, cancel).run(found, shown, like);
  // Its record was written over by the next export: what was read of it before is still true.
  if (!side && is_alike && before->side && has_same_dumps(key, before->key)) side = before->side;
  return std::make_shared<const BaselineSide>(
      BaselineSide{key, std::move(own), like, std::move(side)});
}

}  // namespace etlens
