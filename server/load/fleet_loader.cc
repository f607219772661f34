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
  if (!is_busy()) return;
  worker_.drop();
  handlers_.finished();
}

void FleetLoader::start() {
  if (!worker_.is_alive()) return;
  FleetSource source = source_of(files_, request_);
  const std::string path = source.paths.front();
  handlers_.started(path);
  read_slice(std::make_shared<Job>(files_, std::move(source)));
}

void FleetLoader::read_slice(const std::shared_ptr<Job>& job) {
  worker_.start(
      job, [slice = timing_.fleet_slice](Job& slices) { slices.run(slice); },
      [this, job](const Job&) { finish_slice(job); });
}

void FleetLoader::finish_slice(const std::shared_ptr<Job>& job) {
  if (!job->result) {
    handlers_.progress(job->reading.progress());
    return read_slice(job);
  }
  handlers_.done(*job->result);
  handlers_.finished();
}

}  // namespace etlens
