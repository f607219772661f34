// SPDX-License-Identifier: Apache-2.0
#include "server/load/study_loader.h"

#include <algorithm>
#include <chrono>

#include "core/base/budget.h"
#include "core/base/path.h"
#include "core/workspace/load.h"
#include "server/load/load_job.h"

namespace etlens {
namespace {

constexpr size_t kMaxWatchedFolders = 256;
constexpr size_t kMaxChangedPaths = 256;  // more at once are a walk

int64_t wall_clock_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

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
      alive_(std::make_shared<bool>(true)) {
  if (watching == Watching::Folders) {
    watch_ =
        std::make_unique<uv::FolderWatch>(loop, [this](const std::string& path) { changed(path); });
  }
}

StudyLoader::~StudyLoader() { shut(); }

void StudyLoader::shut() {
  *alive_ = false;
  configured_ = false;
  cancel_.cancel();
  look_timer_.cancel();
  scan_timer_.cancel();
  poll_timer_.cancel();
}

bool StudyLoader::is_busy() const { return job_running_ || look_timer_.pending(); }

void StudyLoader::configure(std::vector<std::string> roots, LoadSettings settings) {
  if (!*alive_) return;
  const bool search = !configured_ || roots != roots_ ||
                      settings.artifact_globs != settings_.artifact_globs ||
                      settings.baseline.paths != settings_.baseline.paths;
  const bool differs = search || settings != settings_;
  roots_ = std::move(roots);
  settings_ = std::move(settings);
  configured_ = true;
  given_up_.reset();
  if (search) start_scan(true);
  else if (differs) decide(true);
}

void StudyLoader::reload() {
  if (!configured_) return;
  reload_wanted_ = true;
  given_up_.reset();
  start_scan(true);
}

void StudyLoader::cancel() {
  if (!loading_) return;
  given_up_ = loading_;
  cancel_.cancel();
}

void StudyLoader::changed(const std::string& path) {
  if (!configured_ || (is_in_skipped_folder(roots_, path) && !is_around_baseline(path))) return;
  // The first look is now, so that the second one decides a settle time from now.
  changed_.insert(path);
  if (scanning_) changed_while_scanning_.insert(path);
  if (!look_timer_.pending()) look();
}

void StudyLoader::look_later() {
  if (!look_timer_.pending()) look_timer_ = loop_.after(timing_.settle, [this] { look(); });
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

// Takes note of what changed. What matters is looked at again later, until it stands still.
void StudyLoader::look() {
  if (changed_.size() > kMaxChangedPaths ||
      (!changed_.empty() && !settings_.artifact_globs.empty())) {
    changed_.clear();
    start_scan(false);
  }
  bool matters = false;
  for (const std::string& path : std::exchange(changed_, {})) {
    matters |= update(path);
    const Result<FileStamp> stamp = files_.stat(path);
    if (stamp && stamp->is_directory) matters |= take_folder(path);
  }
  if (matters || seen_) decide(false);
}

// A folder that appeared: what it has already, and what will be written there.
bool StudyLoader::take_folder(const std::string& path) {
  if (new_folders_.size() >= kMaxWatchedFolders || !new_folders_.insert(path).second) return false;
  watch_folders();
  bool matters = false;
  const Result<std::vector<DirectoryEntry>> entries = files_.list(path);
  if (!entries) return false;
  for (size_t i = 0; i < std::min(entries->size(), kMaxChangedPaths); ++i) {
    const DirectoryEntry& entry = (*entries)[i];
    const std::string inside = join_path(path, entry.name);
    if (!entry.is_directory) matters |= update(inside);
    else if (!is_skipped_folder(entry.name)) matters |= take_folder(inside);
  }
  return matters;
}

// Loads what the settings ask for now, if it is not what is shown. `is_quiet`: nothing changed
// under our eyes, so that files of some age are whole.
void StudyLoader::decide(bool is_quiet) {
  if (!scanned_) return;
  LoadKey key = key_now();
  const bool is_news = reload_wanted_ || (key != loaded_ && key != given_up_);
  if (!is_news) {
    seen_.reset();
    tell_abandoned();
    return;
  }
  if (loading_ && key != *loading_) cancel_.cancel();
  if (key.is_empty()) {
    seen_.reset();
    loaded_ = std::move(key);
    reload_wanted_ = is_abandoned_ = false;
    handlers_.nothing_found();
    return;
  }
  if (seen_ == key || (is_quiet && is_old(key))) {
    seen_.reset();
    if (loading_ != key) start_load(std::move(key));
    return;
  }
  seen_ = std::move(key);
  look_later();
}

// No load follows one that gave nothing.
void StudyLoader::tell_abandoned() {
  if (!loading_ && std::exchange(is_abandoned_, false)) handlers_.abandoned();
}

bool StudyLoader::is_old(const LoadKey& key) const {
  const int64_t limit =
      wall_clock_ns() -
      std::chrono::duration_cast<std::chrono::nanoseconds>(timing_.quiet_before_start).count();
  const auto is_older = [&](const auto& row) {
    return !row.second || row.second->modified_ns < limit;
  };
  return std::all_of(key.stamps.begin(), key.stamps.end(), is_older) &&
         std::all_of(key.baseline.stamps.begin(), key.baseline.stamps.end(), is_older);
}

void StudyLoader::start_scan(bool is_quiet) {
  scan_wanted_ = true;
  scan_is_quiet_ |= is_quiet;
  if (job_running_) return;
  scan_wanted_ = false;
  job_running_ = scanning_ = true;
  cancel_ = CancelToken();
  struct Scan {
    DiscoveryOptions options;
    std::vector<FoundArtifact> found;
    std::vector<FoundArtifact> around_baseline;
    Delay took{0};
  };
  baseline_folders_ = baseline_folders(files_, roots_, settings_.baseline);
  auto scan = std::make_shared<Scan>();
  scan->options.roots = roots_;
  scan->options.globs = settings_.artifact_globs;
  loop_.run_in_background(
      [scan, &files = files_, cancel = cancel_, folders = baseline_folders_] {
        const auto begin = std::chrono::steady_clock::now();
        scan->found = find_artifacts(files, scan->options, cancel);
        if (!folders.empty()) scan->around_baseline = find_artifacts(files, {folders, {}}, cancel);
        scan->took = std::chrono::duration_cast<Delay>(std::chrono::steady_clock::now() - begin);
      },
      [this, scan, alive = alive_] {
        if (!*alive) return;
        around_baseline_.replace(std::move(scan->around_baseline));
        finish_scan(std::move(scan->found), scan->took);
      });
}

void StudyLoader::finish_scan(std::vector<FoundArtifact> found, Delay took) {
  job_running_ = scanning_ = false;
  if (scan_wanted_) {  // the roots or globs changed meanwhile
    start_scan(false);
    return;
  }
  const bool is_first = !std::exchange(scanned_, true);
  bool differs = artifacts_.replace(std::move(found));
  // The walk may have passed by before they appeared.
  for (const std::string& path : std::exchange(changed_while_scanning_, {}))
    differs |= update(path);
  new_folders_.clear();
  watch_folders();
  const Delay pause = std::clamp(took * timing_.scan_share, timing_.scan_min, timing_.scan_max);
  if (timing_.scan_min.count() > 0) scan_timer_ = loop_.after(pause, [this] { start_scan(false); });
  arm_poll();
  if (is_first) log_.info("found " + std::to_string(artifacts_.found().size()) + " artifacts");
  if (std::exchange(scan_is_quiet_, false)) decide(true);
  else if (differs || seen_ || loaded_ != key_now()) decide(false);
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
    const std::optional<LoadKey>& shown = loading_ ? loading_ : loaded_;
    if (!shown || look_timer_.pending()) return;
    for (const auto* stamps : {&shown->stamps, &shown->baseline.stamps}) {
      for (const auto& [path, stamp] : *stamps) {
        if (stamp_of(files_, path) != stamp) changed_.insert(path);
      }
    }
    if (!changed_.empty()) look();
  });
}

void StudyLoader::start_load(LoadKey key) {
  if (job_running_) {
    // Its end decides anew.
    seen_ = std::move(key);
    look_later();
    return;
  }
  job_running_ = true;
  is_abandoned_ = false;
  loading_ = key;
  cancel_ = CancelToken();
  handlers_.started(key.name());
  auto job = std::make_shared<LoadJob>();
  job->reads_again = std::exchange(reload_wanted_, false);
  job->shown = shown_;
  if (!job->reads_again) job->baseline = baseline_;
  if (key.baseline.is_wanted()) job->baseline_found = baseline_found();
  job->key = std::move(key);
  job->found = artifacts_.found();
  job->cancel = cancel_;
  job->result = Error{ErrorCode::Unsupported,
                      job->key.name() +
                          " was given up: reading it does not end, so the file is damaged; write "
                          "it again"};
  expect_look();
  loop_.run_in_background([job, &files = files_] { job->run(files); },
                          [this, job, alive = alive_] {
                            if (*alive) finish_load(*job);
                          });
}

// The job is ended by its budget as long as it asks whether it may go on. In a loop that somebody
// forgot to ask in it is given up by the loop; in a read that does not return it is waited for.
void StudyLoader::expect_look() {
  uint64_t bytes = 0;
  for (const auto& [path, stamp] : loading_->stamps) bytes += stamp ? stamp->size : 0;
  const Delay for_bytes(static_cast<int64_t>(bytes) / timing_.load_hangs_bytes_per_ms);
  hang_timer_ = loop_.after(timing_.load_hangs + for_bytes, [this, looks = cancel_.looks()] {
    if (!loading_) return;
    if (cancel_.looks() != looks) return expect_look();
    handlers_.failed(
        {ErrorCode::Io,
         loading_->name() +
             " is still being read: its disk does not answer; etlens waits for it and "
             "reads nothing else meanwhile; copy the file to another disk, or start the "
             "server again"});
  });
}

void StudyLoader::finish_load(LoadJob& job) {
  job_running_ = false;
  hang_timer_.cancel();
  loading_.reset();
  const bool is_cancelled = job.cancel.cancelled();
  // What changed while it was read may be torn: better the old numbers for a moment.
  const bool is_current = key_now() == job.key;
  is_abandoned_ = is_cancelled || !is_current;
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
  if (scan_wanted_) start_scan(false);
  else if (!is_cancelled || given_up_ != job.key) decide(false);
  else tell_abandoned();
}

}  // namespace etlens
