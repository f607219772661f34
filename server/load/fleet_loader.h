// SPDX-License-Identifier: Apache-2.0
// FleetLoader: reads the fleet that stands beside the shown dump, a slice of time after the other
// in the background. Between two slices it says how far it is, or gives up what nobody wants any
// more. Apart from the study: thousands of dumps keep no line waiting for its own numbers.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/fleet/fleet.h"
#include "rpc/uv/worker.h"
#include "server/config.h"
#include "server/timing.h"

namespace etlens {

// Equal requests give equal fleets.
struct FleetRequest {
  std::vector<std::string> roots;
  FleetSettings fleet;
  LoadSettings load;     // how dumps are read; which one is shown does not matter
  std::string etrecord;  // of the shown dump: one of those that the fleet's dumps may belong to
  std::string pte;       // likewise

  friend bool operator==(const FleetRequest&, const FleetRequest&) = default;
};

class FleetLoader {
 public:
  using FleetResult = Result<std::shared_ptr<const Fleet>>;  // null: no fleet is wanted
  struct Handlers {
    std::function<void(const std::string& path)> started;
    std::function<void(double part)> progress;  // 0 … 1
    std::function<void(const FleetResult&)> done;
    std::function<void()> finished;  // after `done`, or without it
  };

  FleetLoader(uv::Loop& loop, const FileSystem& files, const Timing& timing, Handlers handlers)
      : files_(files), timing_(timing), handlers_(std::move(handlers)), worker_(loop) {}

  // Reads what is asked for, unless it is what was read.
  void configure(FleetRequest request);
  // Reads it again.
  void reload();
  // The user does not want to wait.
  void cancel();
  // Nothing is read or told any more.
  void shut() { worker_.shut(); }
  bool is_busy() const { return worker_.is_running(); }

 private:
  struct Job;

  void start();
  void read_slice(const std::shared_ptr<Job>& job);
  void finish_slice(const std::shared_ptr<Job>& job);

  const FileSystem& files_;
  const Timing& timing_;
  Handlers handlers_;
  FleetRequest request_;
  uv::Worker worker_;
};

}  // namespace etlens
