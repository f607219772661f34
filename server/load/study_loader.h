// SPDX-License-Identifier: Apache-2.0
// StudyLoader: keeps the shown study up to date with what lies on disk.
//
//   something changed ──► check the stamps ──► settling: still the same? ──► load ──► publish
//                              ▲                        │ no          │ changed meanwhile: cancel
//                              └────────────────────────┴─────────────┘
//
// Where a dump alone changed, the second look is soon, and the load is a try: what it reads is shown
// if it is whole and belongs to its record. If not, nobody hears of it, and the file settles longer.
//
// One background job at a time, which is the state: a walk through the workspace or a load. What
// changes meanwhile settles beside it. All else is on the loop thread. The last good study stays with the session until the next one is ready.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "rpc/log.h"
#include "rpc/uv/folder_watch.h"
#include "rpc/uv/worker.h"
#include "server/load/load_job.h"
#include "server/load/open_study.h"
#include "server/timing.h"

namespace etlens {

class StudyLoader {
 public:
  struct Handlers {
    std::function<void(const std::string& etdump)> started;  // of a load
    std::function<void(std::shared_ptr<const OpenStudy>)> loaded;
    std::function<void()> unchanged;  // what is shown is what would be loaded
    std::function<void(const Error&)> failed;
    std::function<void()> finished;  // of a load, after one of the three above or none
    std::function<void()> nothing_found;
    std::function<void()> abandoned;  // a load gave nothing, and no other follows
    std::function<void(const std::string& path)> changed;  // what a client or the watch reports
  };
  enum class Watching { Folders, ByClientOnly };

  StudyLoader(uv::Loop& loop, const FileSystem& files, const Timing& timing, Log& log,
              Watching watching, Handlers handlers);
  ~StudyLoader() { shut(); }

  // The first call starts the search.
  void configure(std::vector<std::string> roots, LoadSettings settings);
  // Somebody says that a file or folder changed.
  void changed(const std::string& path);
  // Walks the workspace and reads everything again, changed or not.
  void reload();
  // The user does not want to wait for the load that is running.
  void cancel();
  // Nothing is looked for or published any more.
  void shut();

  const std::vector<FoundArtifact>& found() const { return artifacts_.found(); }
  const LoadSettings& settings() const { return settings_; }
  bool is_busy() const { return worker_.is_running() || check_timer_.pending(); }

 private:
  // Why something is looked for. Question: somebody wants to know and nothing is known to have
  // changed, so that files of some age are whole.
  enum class Cause { Change, Question };
  struct Off {};  // not configured yet, or shut
  struct Idle {};
  struct Walking {
    Cause cause;
    std::set<std::string> changed = {};  // paths, meanwhile
  };
  struct Loading {
    LoadKey key;
  };
  struct Walk;

  void check_changes();
  void check_changes_later();
  void load_if_needed(Cause cause);
  void settle(LoadKey key);
  void start_walk(Walking walking);
  void finish_walk(Walk& walk);
  void start_load(LoadKey key, bool is_try);
  void finish_load(LoadJob& job);
  void expect_progress(const CancelToken& cancel);
  void arm_poll();
  void watch_folders();
  bool adopt_folder(const std::string& path);
  bool update(const std::string& path);
  bool is_around_baseline(std::string_view path) const;
  std::vector<FoundArtifact> baseline_found() const;
  LoadKey key_now() const;
  // Null while none is loaded.
  const LoadKey* loading() const {
    const auto* load = std::get_if<Loading>(&state_);
    return load == nullptr ? nullptr : &load->key;
  }
  bool is_settled(const LoadKey& key) const;
  bool is_dump_alone(const LoadKey& key) const;
  bool lost_its_dump(const LoadKey& key) const;
  void tell_abandoned();

  uv::Loop& loop_;
  const FileSystem& files_;
  const Timing& timing_;
  Log& log_;
  Handlers handlers_;
  ArtifactSet artifacts_;
  ArtifactSet around_baseline_;  // in baseline_folders_
  std::unique_ptr<uv::FolderWatch> watch_;

  std::vector<std::string> roots_;
  std::vector<std::string> baseline_folders_;  // that no walk through the workspace enters
  LoadSettings settings_;

  std::variant<Off, Idle, Walking, Loading> state_;
  uv::Worker worker_;
  std::optional<LoadKey> settling_;  // at the last look, if the next one decides
  bool looks_soon_ = false;          // the next look is after settle_dump
  bool is_unsteady_ = false;         // a try gave nothing, or a file changed between two looks
  std::optional<Cause> next_walk_;   // after the job that is running
  bool reads_again_ = false;         // the next load does, changed or not
  bool has_walked_ = false;
  bool is_abandoned_ = false;          // the last load gave nothing
  std::optional<LoadKey> loaded_;      // what the shown study (or the last failure) was made of
  std::optional<LoadKey> given_up_;    // by the user
  std::set<std::string> changed_;      // paths to look at
  std::set<std::string> new_folders_;  // since the last walk: the next run may write there
  std::shared_ptr<const OpenStudy> shown_;
  std::shared_ptr<const BaselineSide> baseline_;
  Timer check_timer_;
  Timer walk_timer_;
  Timer poll_timer_;
  Timer hang_timer_;
};

}  // namespace etlens
