// SPDX-License-Identifier: Apache-2.0
#include "server/load/fleet_loader.h"

#include <new>
#include <optional>

#include "core/base/budget.h"
#include "core/base/path.h"
#include "core/fleet/fleet_reading.h"
#include "server/load/artifact_set.h"

namespace etlens {
namespace {

constexpr size_t kExactValues = 1'000'000;
constexpr size_t kMostBytes = 128 << 20;

// What is shown, and what stands next to it, does not matter to a fleet.
LoadSettings without_choice(LoadSettings load) {
  static_cast<StudyWish&>(load) = of_any_dump(load);
  load.baseline = {};
  return load;
}

FleetSource source_of(const FileSystem& files, const FleetRequest& request) {
  FleetSource source;
  for (const std::string& path : request.fleet.paths)
    source.paths.push_back(resolve_path(files, request.roots, path));
  for (const std::string& text : request.fleet.facts)
    source.facts.push_back(text.ends_with(".csv") ? resolve_path(files, request.roots, text)
                                                  : text);
  source.here = request.roots.empty() ? "/" : request.roots.front();
  source.load = {absolute_wish(files, request.roots, request.load)};
  const auto add_partner = [&](const std::string& path, FileKind kind) {
    if (!path.empty())
      source.partners.push_back({path, kind, files.stat(path).value_or(FileStamp{})});
  };
  add_partner(request.etrecord, FileKind::EtRecord);
  add_partner(request.pte, FileKind::Program);
  source.fleet = {request.fleet.group_by, kExactValues, kMostBytes};
  return source;
}

}  // namespace

struct FleetLoader::Job {
  Job(const FileSystem& files, FleetSource source)
      : cancel(source.cancel), reading(files, std::move(source)) {}

  // In the background; nobody else looks at the job meanwhile.
  void run(Delay slice) {
    try {
      const Result<bool> is_over = reading.read_for(slice);
      if (!is_over) result = is_over.error();
      else if (*is_over) finish();
    } catch (const std::bad_alloc&) {
      result = out_of_memory("the fleet");
    }
  }

  void finish() {
    Result<Fleet> fleet = std::move(reading).finish();
    if (fleet) fleet->forget_values();
    if (fleet) result = std::make_shared<const Fleet>(std::move(*fleet));
    else result = std::move(fleet).error();
  }

  CancelToken cancel;
  FleetReading reading;
  std::optional<FleetResult> result;  // when it is over
};

FleetLoader::FleetLoader(uv::Loop& loop, const FileSystem& files, const Timing& timing,
                         Handlers handlers)
    : loop_(loop),
      files_(files),
      timing_(timing),
      handlers_(std::move(handlers)),
      alive_(std::make_shared<bool>(true)) {}

void FleetLoader::configure(FleetRequest request) {
  request.load = without_choice(std::move(request.load));
  if (request == request_) return;
  const bool was_wanted = !request_.fleet.paths.empty();
  request_ = std::move(request);
  cancel();
  if (!request_.fleet.paths.empty()) start();
  else if (was_wanted) handlers_.done(std::shared_ptr<const Fleet>());
}

void FleetLoader::reload() {
  cancel();
  if (!request_.fleet.paths.empty()) start();
}

// A slice that runs ends soon, and nobody hears of it.
void FleetLoader::cancel() {
  if (job_ == nullptr) return;
  job_->cancel.cancel();
  job_.reset();
  handlers_.finished();
}

void FleetLoader::shut() {
  *alive_ = false;
  if (job_ != nullptr) job_->cancel.cancel();
  job_.reset();
}

void FleetLoader::start() {
  if (!*alive_) return;
  FleetSource source = source_of(files_, request_);
  const std::string path = source.paths.front();
  job_ = std::make_shared<Job>(files_, std::move(source));
  handlers_.started(path);
  go_on_with(job_);
}

void FleetLoader::go_on_with(const std::shared_ptr<Job>& job) {
  loop_.run_in_background([job, slice = timing_.fleet_slice] { job->run(slice); },
                          [this, job, alive = alive_] {
                            if (*alive && job == job_) finish_slice(*job);
                          });
}

void FleetLoader::finish_slice(Job& job) {
  if (!job.result) {
    handlers_.progress(job.reading.progress());
    go_on_with(job_);
    return;
  }
  const std::shared_ptr<Job> over = std::exchange(job_, nullptr);
  handlers_.done(*over->result);
  handlers_.finished();
}

}  // namespace etlens
