// SPDX-License-Identifier: Apache-2.0
// Makes dumps of a fleet that nobody has: as many as one likes, from the few real ones of a series
// in which nothing changed from one process to the next. What differs between two of them is what
// differed between two real processes, a device's speed, and what was planted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace etlens::bench {

// From a build on, an instruction takes longer (or, below 1, shorter).
struct PlantedChange {
  size_t build = 0;
  int32_t instruction = 0;
  double factor = 1;
};

struct FleetPlan {
  size_t devices = 8;
  size_t builds = 3;
  std::vector<PlantedChange> changes;
  uint64_t seed = 1;
};

class FleetMaker {
 public:
  // `series`: contents of dumps of one program whose runs all have the same events; two or more.
  // Dumps that are otherwise are left out.
  FleetMaker(std::vector<std::string> series, FleetPlan plan);

  size_t series_size() const { return series_.size(); }
  // The i-th dump: any number of them, and the same one each time.
  std::string dump(size_t i) const;
  // "device-3/build-2/run-000017.etdp".
  std::string name(size_t i) const;
  // {"device": …, "build": …, "date": …}
  std::string sidecar(size_t i) const;

 private:
  size_t device_of(size_t i) const { return i % plan_.devices; }
  size_t build_of(size_t i) const { return i / plan_.devices % plan_.builds; }

  FleetPlan plan_;
  std::vector<std::string> series_;
  std::vector<std::vector<double>> medians_;  // of each, by position: ticks of the event
};

}  // namespace etlens::bench
