// SPDX-License-Identifier: Apache-2.0
#include "server/load/study_loader.h"

#include <algorithm>
#include <chrono>

#include "core/base/budget.h"
#include "core/base/path.h"
#include "server/load/load_job.h"

namespace etlens {
namespace {

constexpr size_t kMaxWatchedFolders = 256;
constexpr size_t kMaxChangedPaths = 256;       // more at once are a walk
constexpr int64_t kExportNs = 60'000'000'000;  // between the files of one export, at most

bool is_in_skipped_folder(const std::vector<std::string>& roots, std::string_view path) {
  for (const std::string& root : roots) {
    if (!is_below(root, path)) continue;
    const std::vector<std::string_view> parts =
        path_components(relative_path(root, parent_path(path)));
    return parent_path(path) != root &&
           std::any_of(parts.begin(), parts.end(),
                       [](std::string_view part) { return is_skipped_folder(part); });
  }
  return false;
}

int64_t quiet_limit(const Timing& timing) {
  return wall_clock_ns() - std::chrono::nanoseconds(timing.quiet_before_start).count();
}

bool is_older(const std::optional<FileStamp>& stamp, int64_t limit) {
  return !stamp || stamp->modified_ns < limit;
}

// All but what is shown.
bool are_others_settled(const LoadKey& key, const Timing& timing) {
  const int64_t limit = quiet_limit(timing);
  const auto is_settled = [&](const auto& row) {
    return row.first == key.name() || is_older(row.second, limit);
  };
  return std::all_of(key.stamps.begin(), key.stamps.end(), is_settled) &&
         std::all_of(key.baseline.stamps.begin(), key.baseline.stamps.end(), is_settled);
}

}  // namespace

StudyLoader::StudyLoader(uv::Loop& loop, const FileSystem& files, const Timing& timing, Log& log,
                         Watching watching, Handlers handlers)
    : loop_(loop),
      files_(files),
      timing_(timing),
      log_(log),
      handlers_(std::move(handlers)),
      artifacts_(files),
      around_baseline_(files),
      worker_(loop) {
  if (watching == Watching::Folders) {
    watch_ =
        std::make_unique<uv::FolderWatch>(loop, [this](const std::string& path) { changed(path); });
  }
}

void StudyLoader::shut() {
  state_ = Off();
  worker_.shut();
  for (Timer* timer : {&check_timer_, &walk_timer_, &poll_timer_, &hang_timer_}) timer->cancel();
}

void StudyLoader::configure(std::vector<std::string> roots, LoadSettings settings) {
  if (!worker_.is_alive()) return;
  const bool is_first = std::holds_alternative<Off>(state_);
  const bool search = is_first || roots != roots_ ||
                      settings.artifact_globs != settings_.artifact_globs ||
                      settings.baseline.paths != settings_.baseline.paths;
  const bool differs = search || settings != settings_;
  roots_ = std::move(roots);
  settings_ = std::move(settings);
  if (is_first) state_ = Idle();
  given_up_.reset();
  if (search) start_walk({Cause::Question});
  else if (differs) load_if_needed(Cause::Question);
}

void StudyLoader::reload() {
  if (std::holds_alternative<Off>(state_)) return;
  reads_again_ = true;
  given_up_.reset();
  start_walk({Cause::Question});
}

void StudyLoader::cancel() {
  if (loading() == nullptr) return;
  given_up_ = *loading();
  worker_.cancel();
}

void StudyLoader::changed(const std::string& path) {
  if (std::holds_alternative<Off>(state_)) return;
  if (is_in_skipped_folder(roots_, path) && !is_around_baseline(path)) return;
  handlers_.changed(path);
  // The first look is now, so that the second one decides a settle time from now.
  changed_.insert(path);
  if (auto* walking = std::get_if<Walking>(&state_)) walking->changed.insert(path);
  if (!check_timer_.pending()) check_changes();
}

void StudyLoader::check_changes_later() {
  if (!check_timer_.pending())
    check_timer_ = loop_.after(looks_soon_ ? timing_.settle_dump : timing_.settle,
                               [this] { check_changes(); });
}

bool StudyLoader::is_around_baseline(std::string_view path) const {
  return std::any_of(baseline_folders_.begin(), baseline_folders_.end(),
                     [&](const std::string& folder) { return is_below(folder, path); });
}

// What lies around the baseline only is no artifact of the workspace; the workspace may lie there.
bool StudyLoader::update(const std::string& path) {
  if (!is_around_baseline(path)) return artifacts_.update(path);
  bool matters = around_baseline_.update(path);
  if (is_in_workspace(roots_, path)) matters |= artifacts_.update(path);
  return matters;
}

std::vector<FoundArtifact> StudyLoader::baseline_found() const {
  std::vector<FoundArtifact> found = artifacts_.found();
  const std::vector<FoundArtifact>& around = around_baseline_.found();
  found.insert(found.end(), around.begin(), around.end());
  return found;
}

LoadKey StudyLoader::key_now() const {
  if (settings_.baseline.paths.empty()) return artifacts_.key(roots_, settings_);
  BaselineKey baseline = name_baseline(files_, roots_, settings_.baseline);
  // What lies on disk where a revision has its baseline is no part of it.
  const bool is_on_disk = baseline.commit.empty();
  LoadKey key =
      artifacts_.key(roots_, settings_, is_on_disk ? baseline.paths : std::vector<std::string>());
  if (!key.settings.etdump.empty())
    key.baseline = find_baseline(files_, roots_, settings_.baseline, std::move(baseline),
                                 baseline_found(), key.settings.etdump);
  return key;
}

// What is left is the export of the dump that is shown: its last numbers stay.
bool StudyLoader::lost_its_dump(const LoadKey& key) const {
  if (shown_ == nullptr || shown_->study().is_of_export() || !key.settings.etdump.empty())
    return false;
  const auto before = shown_->used.stamps.find(key.name());
  const auto now = key.stamps.find(key.name());
  return before != shown_->used.stamps.end() && now != key.stamps.end() &&
         before->second == now->second;
}

// Takes note of what changed. What matters is looked at again later, until it stands still.
void StudyLoader::check_changes() {
  if (changed_.size() > kMaxChangedPaths ||
      (!changed_.empty() && !settings_.artifact_globs.empty())) {
    changed_.clear();
    start_walk({Cause::Change});
  }
  bool matters = false;
  for (const std::string& path : std::exchange(changed_, {})) {
    matters |= update(path);
    const Result<FileStamp> stamp = files_.stat(path);
    if (stamp && stamp->is_directory) matters |= adopt_folder(path);
  }
  if (matters || settling_) load_if_needed(Cause::Change);
}

// A folder that appeared: what it has already, and what will be written there.
bool StudyLoader::adopt_folder(const std::string& path) {
  if (new_folders_.size() >= kMaxWatchedFolders || !new_folders_.insert(path).second) return false;
  watch_folders();
  bool matters = false;
  const Result<std::vector<DirectoryEntry>> entries = files_.list(path);
  if (!entries) return false;
  for (size_t i = 0; i < std::min(entries->size(), kMaxChangedPaths); ++i) {
    const DirectoryEntry& entry = (*entries)[i];
    const std::string inside = join_path(path, entry.name);
    if (!entry.is_directory) matters |= update(inside);
    else if (!is_skipped_folder(entry.name)) matters |= adopt_folder(inside);
  }
  return matters;
}

// Loads what the settings ask for now, if it is not what is shown.
void StudyLoader::load_if_needed(Cause cause) {
  if (!has_walked_) return;
  LoadKey key = key_now();
  const bool is_news = reads_again_ || (key != loaded_ && key != given_up_);
  if (!is_news) {
    settling_.reset();
    is_unsteady_ = false;
    tell_abandoned();
    return;
  }
  const bool is_loading = loading() != nullptr && *loading() == key;
  if (loading() != nullptr && !is_loading) worker_.cancel();
  if (key.is_empty() || lost_its_dump(key)) {
    settling_.reset();
    loaded_ = std::move(key);
    reads_again_ = is_abandoned_ = false;
    handlers_.nothing_found();
    return;
  }
  const bool is_old = cause == Cause::Question && is_settled(key);
  const bool is_whole = settling_ == key || is_old;
  if (is_whole && is_loading) settling_.reset();
  else if (is_whole && !worker_.is_running()) start_load(std::move(key), looks_soon_ && !is_old);
  else settle(std::move(key));
}

// Another look decides; while a job is running, one after its end.
void StudyLoader::settle(LoadKey key) {
  is_unsteady_ |= settling_.has_value();
  const bool is_soon =
      !is_unsteady_ && !reads_again_ && !worker_.is_running() && is_dump_alone(key);
  if (std::exchange(looks_soon_, is_soon) && !is_soon) check_timer_.cancel();
  settling_ = std::move(key);
  check_changes_later();
}

// No load follows one that gave nothing.
void StudyLoader::tell_abandoned() {
  if (loading() == nullptr && std::exchange(is_abandoned_, false)) handlers_.abandoned();
}

bool StudyLoader::is_settled(const LoadKey& key) const {
  const auto at = key.stamps.find(key.name());
  return are_others_settled(key, timing_) &&
         (at == key.stamps.end() || is_older(at->second, quiet_limit(timing_)));
}

// A run of what was exported before: a record is there and older than a moment, as is all else. If a
// program is newer than the record by more than an export takes, another record is to come.
bool StudyLoader::is_dump_alone(const LoadKey& key) const {
  if (key.settings.etdump.empty() || !are_others_settled(key, timing_)) return false;
  const FoundArtifact* record = newest_of(artifacts_.found(), FileKind::EtRecord);
  const FoundArtifact* program = newest_of(artifacts_.found(), FileKind::Program);
  if (record == nullptr) return false;
  return program == nullptr || program->stamp.modified_ns < record->stamp.modified_ns + kExportNs;
}

struct StudyLoader::Walk {
  DiscoveryOptions options;
  std::vector<std::string> baseline_folders;
  CancelToken cancel;
  std::vector<FoundArtifact> found;
  std::vector<FoundArtifact> around_baseline;
  Delay took{0};

  void run(const FileSystem& files) {
    const auto begin = std::chrono::steady_clock::now();
    found = find_artifacts(files, options, cancel);
    if (!baseline_folders.empty())
      around_baseline = find_artifacts(files, {baseline_folders, {}}, cancel);
    took = std::chrono::duration_cast<Delay>(std::chrono::steady_clock::now() - begin);
  }
};

void StudyLoader::start_walk(Walking walking) {
  if (worker_.is_running()) {
    next_walk_ = std::max(next_walk_, std::optional(walking.cause));
    return;
  }
  walking.cause =
      std::max(walking.cause, std::exchange(next_walk_, std::nullopt).value_or(Cause::Change));
  state_ = std::move(walking);
  baseline_folders_ = baseline_folders(files_, roots_, settings_.baseline);
  const auto next = std::make_shared<Walk>();
  next->options.roots = roots_;
  next->options.globs = settings_.artifact_globs;
  next->baseline_folders = baseline_folders_;
  worker_.start(
      next, [&files = files_](Walk& walk) { walk.run(files); },
      [this](Walk& walk) { finish_walk(walk); });
}

void StudyLoader::finish_walk(Walk& walk) {
  around_baseline_.replace(std::move(walk.around_baseline));
  Walking walked = std::get<Walking>(std::exchange(state_, Idle()));
  // The roots or globs changed meanwhile.
  if (next_walk_) return start_walk(std::move(walked));
  const bool is_first = !std::exchange(has_walked_, true);
  bool differs = artifacts_.replace(std::move(walk.found));
  // The walk may have passed by before they appeared.
  for (const std::string& path : walked.changed) differs |= update(path);
  new_folders_.clear();
  watch_folders();
  const Delay pause =
      std::clamp(walk.took * timing_.scan_share, timing_.scan_min, timing_.scan_max);
  if (timing_.scan_min.count() > 0)
    walk_timer_ = loop_.after(pause, [this] { start_walk({Cause::Change}); });
  arm_poll();
  if (is_first) log_.info("found " + std::to_string(artifacts_.found().size()) + " artifacts");
  if (walked.cause == Cause::Question || differs || settling_ || loaded_ != key_now())
    load_if_needed(walked.cause);
}

void StudyLoader::watch_folders() {
  if (!watch_) return;
  std::vector<std::string> folders = artifacts_.folders(roots_, kMaxWatchedFolders);
  folders.insert(folders.end(), new_folders_.begin(), new_folders_.end());
  folders.insert(folders.end(), baseline_folders_.begin(), baseline_folders_.end());
  watch_->watch(folders);
}

// For file systems that report no changes: a look at the few files that matter now and then.
void StudyLoader::arm_poll() {
  if (timing_.stamp_poll.count() == 0) return;
  poll_timer_ = loop_.after(timing_.stamp_poll, [this] {
    arm_poll();
    const LoadKey* key = loading();
    if (key == nullptr && loaded_) key = &*loaded_;
    if (key == nullptr || check_timer_.pending()) return;
    for (const auto* stamps : {&key->stamps, &key->baseline.stamps}) {
      for (const auto& [path, stamp] : *stamps) {
        if (stamp_of(files_, path) != stamp) changed_.insert(path);
      }
    }
    if (!changed_.empty()) check_changes();
  });
}

void StudyLoader::start_load(LoadKey key, bool is_try) {
  settling_.reset();
  is_abandoned_ = false;
  state_ = Loading{key};
  handlers_.started(key.name());
  const auto next = std::make_shared<LoadJob>();
  next->reads_again = std::exchange(reads_again_, false);
  next->is_try = is_try;
  next->shown = shown_;
  if (!next->reads_again) next->baseline = baseline_;
  if (key.baseline.is_wanted()) next->baseline_found = baseline_found();
  next->key = std::move(key);
  next->found = artifacts_.found();
  next->result = Error{ErrorCode::Unsupported,
                       next->key.name() +
                           " was given up: reading it does not end, so the file is damaged; write "
                           "it again"};
  expect_progress(next->cancel);
  worker_.start(
      next, [&files = files_](LoadJob& job) { job.run(files); },
      [this](LoadJob& job) { finish_load(job); });
}

// The job is ended by its budget as long as it asks whether it may go on. In a loop that somebody
// forgot to ask in it is given up by the loop; in a read that does not return it is waited for.
void StudyLoader::expect_progress(const CancelToken& cancel) {
  uint64_t bytes = 0;
  for (const auto& [path, stamp] : loading()->stamps) bytes += stamp ? stamp->size : 0;
  const Delay for_bytes(static_cast<int64_t>(bytes) / timing_.load_hangs_bytes_per_ms);
  hang_timer_ = loop_.after(timing_.load_hangs + for_bytes, [this, cancel, looks = cancel.looks()] {
    if (loading() == nullptr) return;
    if (cancel.looks() != looks) return expect_progress(cancel);
    handlers_.failed(
        {ErrorCode::Io,
         loading()->name() +
             " is still being read: its disk does not answer; etlens waits for it and "
             "reads nothing else meanwhile; copy the file to another disk, or start the "
             "server again"});
  });
}

void StudyLoader::finish_load(LoadJob& job) {
  state_ = Idle();
  hang_timer_.cancel();
  const bool is_cancelled = job.cancel.cancelled();
  // What changed while it was read may be torn: better the old numbers for a moment.
  const bool is_current = key_now() == job.key && (!job.is_try || job.is_whole());
  is_abandoned_ = is_cancelled || !is_current;
  is_unsteady_ = is_abandoned_;
  if (!is_abandoned_) {
    loaded_ = job.key;
    if (!job.result) {
      handlers_.failed(job.result.error());
    } else if (*job.result == nullptr) {
      handlers_.unchanged();
    } else {
      shown_ = *job.result;
      baseline_ = std::move(job.baseline);
      handlers_.loaded(*std::move(job.result));
    }
  }
  handlers_.finished();
  if (next_walk_) start_walk({Cause::Change});
  else if (!is_cancelled || given_up_ != job.key) load_if_needed(Cause::Change);
  else tell_abandoned();
}

}  // namespace etlens
