// SPDX-License-Identifier: Apache-2.0
#include "bench/fleet/make_fleet.h"

#include <flatbuffers/flatbuffers.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "core/formats/etdump/schema/etdump_generated.h"

namespace etlens::bench {
namespace {

namespace schema = etdump_schema;

constexpr double kMostNoise = 2;      // of one event, either way
constexpr double kSlowestDevice = 3;  // as slow as the fastest
constexpr size_t kDaysOfABuild = 10;

const schema::ETDump* root_of(const std::string& bytes) {
  const auto* data = reinterpret_cast<const uint8_t*>(bytes.data());
  const bool has_identifier = bytes.size() > 8 && bytes.compare(4, 2, "ED") == 0;
  return has_identifier ? flatbuffers::GetRoot<schema::ETDump>(data)
                        : flatbuffers::GetSizePrefixedRoot<schema::ETDump>(data);
}

// A profile event, with its times where they are in the file: null for times that are 0 and so are
// not stored, which stay 0.
struct TimedEvent {
  int32_t instruction = -1;
  bool is_in_instruction = false;
  uint64_t start = 0;
  uint64_t end = 0;
  uint8_t* start_at = nullptr;
  uint8_t* end_at = nullptr;
};

template <typename Table>
uint8_t* address_of(const Table* table, flatbuffers::voffset_t field) {
  const auto* plain = reinterpret_cast<const flatbuffers::Table*>(table);
  return const_cast<uint8_t*>(plain->GetAddressOf(field));
}

std::vector<std::vector<TimedEvent>> events_of(const std::string& bytes) {
  std::vector<std::vector<TimedEvent>> runs;
  const schema::ETDump* dump = root_of(bytes);
  if (dump->run_data() == nullptr) return runs;
  for (const schema::RunData* run : *dump->run_data()) {
    std::vector<TimedEvent>& events = runs.emplace_back();
    if (run->events() == nullptr) continue;
    for (const schema::Event* event : *run->events()) {
      const schema::ProfileEvent* profile = event->profile_event();
      if (profile == nullptr) continue;
      events.push_back({profile->instruction_id(), profile->chain_index() >= 0,
                        profile->start_time(), profile->end_time(),
                        address_of(profile, schema::ProfileEvent::VT_START_TIME),
                        address_of(profile, schema::ProfileEvent::VT_END_TIME)});
    }
  }
  return runs;
}

// By position: the median over the runs that are executions, which are those with most events.
std::vector<double> medians_of(const std::string& bytes) {
  const auto runs = events_of(bytes);
  size_t most = 0;
  for (const auto& run : runs) most = std::max(most, run.size());
  std::vector<double> medians;
  for (size_t e = 0; e < most; ++e) {
    std::vector<double> values;
    for (const auto& run : runs) {
      if (run.size() == most) values.push_back(static_cast<double>(run[e].end - run[e].start));
    }
    std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2),
                     values.end());
    medians.push_back(values[values.size() / 2]);
  }
  return medians;
}

// Time as it passes in a made run: faster or slower within each innermost event, as its factor
// says, and as everything else between them.
class Clock {
 public:
  Clock(uint64_t start, double rate) : rate_(rate) { points_.push_back({start, 0, rate}); }

  // Ascending; what overlaps the one before is that one's.
  void add(uint64_t start, uint64_t end, double factor) {
    start = std::max(start, points_.back().at);
    if (end <= start) return;
    turn(start, factor * rate_);
    turn(end, rate_);
  }

  // From the start of the run.
  uint64_t passed(uint64_t time) const {
    const auto next = std::upper_bound(points_.begin(), points_.end(), time,
                                       [](uint64_t t, const Point& point) { return t < point.at; });
    const Point& point = next == points_.begin() ? *next : *(next - 1);
    const double since = time > point.at ? static_cast<double>(time - point.at) : 0;
    return static_cast<uint64_t>(std::llround(point.passed + since * point.rate));
  }

 private:
  struct Point {
    uint64_t at;
    double passed;
    double rate;  // from here on
  };
  void turn(uint64_t at, double rate) {
    const Point& last = points_.back();
    points_.push_back({at, last.passed + static_cast<double>(at - last.at) * last.rate, rate});
  }

  double rate_;
  std::vector<Point> points_;
};

// Events that contain no other, by their starts.
std::vector<size_t> innermost(const std::vector<TimedEvent>& events) {
  std::vector<size_t> order(events.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    if (events[a].start != events[b].start) return events[a].start < events[b].start;
    return events[a].end > events[b].end;
  });
  std::vector<size_t> leaves;
  for (size_t i = 0; i < order.size(); ++i) {
    const bool holds_next = i + 1 < order.size() &&
                            events[order[i + 1]].end <= events[order[i]].end &&
                            events[order[i + 1]].start < events[order[i]].end;
    if (!holds_next) leaves.push_back(order[i]);
  }
  return leaves;
}

double uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

void store(uint8_t* at, uint64_t value) {
  if (at != nullptr) flatbuffers::WriteScalar(at, value);
}

}  // namespace

FleetMaker::FleetMaker(std::vector<std::string> series, FleetPlan plan) : plan_(std::move(plan)) {
  for (std::string& bytes : series) {
    std::vector<double> medians = medians_of(bytes);
    if (!medians_.empty() && medians.size() != medians_.front().size()) continue;
    medians_.push_back(std::move(medians));
    series_.push_back(std::move(bytes));
  }
}

std::string FleetMaker::dump(size_t i) const {
  std::mt19937_64 random(plan_.seed * 0x9E3779B97F4A7C15u + i);
  for (int warm = 0; warm < 4; ++warm) random();
  std::string bytes = series_[random() % series_.size()];
  const size_t one = random() % medians_.size();
  const size_t other = (one + 1 + random() % (medians_.size() - 1)) % medians_.size();
  const std::vector<double>& a = medians_[one];
  const std::vector<double>& b = medians_[other];
  const double how_far = uniform(random);
  const double device = 1 + (kSlowestDevice - 1) * static_cast<double>(device_of(i)) /
                                static_cast<double>(plan_.devices);
  uint64_t shift = 0;
  for (std::vector<TimedEvent>& run : events_of(bytes)) {
    if (run.empty()) continue;
    uint64_t first = UINT64_MAX;
    uint64_t last = 0;
    for (const TimedEvent& event : run) {
      first = std::min(first, event.start);
      last = std::max(last, event.end);
    }
    Clock clock(first, device);
    for (const size_t e : innermost(run)) {
      double factor = 1;
      if (e < a.size() && a[e] > 0 && b[e] > 0)
        factor = std::clamp(std::pow(a[e] / b[e], how_far), 1 / kMostNoise, kMostNoise);
      for (const PlantedChange& change : plan_.changes) {
        const bool is_it = run[e].is_in_instruction && run[e].instruction == change.instruction;
        if (is_it && build_of(i) >= change.build) factor *= change.factor;
      }
      clock.add(run[e].start, run[e].end, factor);
    }
    for (const TimedEvent& event : run) {
      store(event.start_at, first + shift + clock.passed(event.start));
      store(event.end_at, first + shift + clock.passed(event.end));
    }
    shift += clock.passed(last) - std::min(clock.passed(last), last - first);
  }
  return bytes;
}

std::string FleetMaker::name(size_t i) const {
  return fmt::format("device-{}/build-{}/run-{:06}.etdp", device_of(i) + 1, build_of(i) + 1, i);
}

std::string FleetMaker::sidecar(size_t i) const {
  return fmt::format(
      "{{\"device\": \"device-{}\", \"build\": \"{}\", \"date\": \"2026-{:02}-{:02}\", "
      "\"temperature\": {}, \"lab\": \"{}\"}}\n",
      device_of(i) + 1, build_of(i) + 1, build_of(i) + 1,
      i / (plan_.devices * plan_.builds) % kDaysOfABuild + 1, 25 + i % 20,
      i % 2 == 0 ? "north" : "south");
}

}  // namespace etlens::bench
