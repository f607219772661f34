// SPDX-License-Identifier: Apache-2.0
// Placing the events of one large XNNPACK call, against loading the artifacts that it is part of.
//
//   etlens_alignment_bench           up to 10,000 operators, 20 executions
//   etlens_alignment_bench --full    10,000 operators with 1,000 executions as well (writes 1 GB)
//
// Columns: place = payload, nodes and alignment of all events, and its share of loading; the others
// align calls that do not come out as predicted. The last lines say how the times grow with the
// operators: 1 is linear.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>

#include "bench/synthetic.h"
#include "core/backend/xnnpack/alignment.h"
#include "core/join/delegate_placement.h"
#include "core/workspace/load.h"

namespace {

using namespace etlens;
constexpr int kRepeats = 5;

// Of the processor, because other programs run too.
double best_seconds(const std::function<void()>& work) {
  double best = 1e9;
  for (int i = 0; i < kRepeats; ++i) {
    const std::clock_t start = std::clock();
    work();
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

struct Row {
  double operators = 0;
  double load = 0;  // seconds, all of them
  double place = 0;
  double dropped = 0;  // one event missing
  double renamed = 0;  // four events under other names
  double foreign = 0;  // all events in reverse: nothing fits
};

// All that placing a call's events takes, from the payload's bytes on.
double place_seconds(const Join& join, size_t& placed) {
  const EventLog& log = *join.log;
  std::vector<EventKey> events;
  for (const EventKey& key : log.sequence(join.selected().sequences.front()).events) {
    if (key.has_delegate_id()) events.push_back(key);
  }
  return best_seconds([&] {
    LoadReport report;
    const ProjectFrames frames(*join.record, {});
    const MethodContext context(*join.record, *join.code().method, frames);
    const OperatorPlacer operators(context, {});
    BackendEvents backends(log, &context);
    DelegatePlacer placer(context, operators, log, backends, {}, report);
    const std::span<const NodePlacement> placements = placer.place(0, events);
    placed = static_cast<size_t>(
        std::count_if(placements.begin(), placements.end(), [](const NodePlacement& p) {
          return p.confidence == Confidence::Aligned && p.frame.valid();
        }));
  });
}

double align_seconds(const XnnpackPayload& payload, const std::vector<std::string>& names) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  return best_seconds([&] { align_xnnpack(payload, views); });
}

Row measure(const bench::SyntheticSize& size) {
  const bench::SyntheticFiles files = bench::make_artifacts(size);
  LoadRequest request;
  request.etdump = files.etdump;
  request.etrecord = files.etrecord;
  std::shared_ptr<const Study> study;
  Row row;
  row.operators = size.nodes;
  row.load = best_seconds([&] {
    auto loaded = load_study(real_file_system(), request);
    if (loaded) study = std::move(*loaded);
    else fmt::print(stderr, "{}\n", loaded.error().message);
  });
  if (study == nullptr) std::exit(1);
  size_t placed = 0;
  row.place = place_seconds(*study->join, placed);
  if (placed != size.nodes) {
    fmt::print(stderr, "only {} of {} events were aligned\n", placed, size.nodes);
    std::exit(1);
  }
  const Result<XnnpackPayload> payload =
      read_xnnpack_payload(study->join->record->lowered.front().payload);
  const std::vector<std::string> names = bench::delegate_event_names(size.nodes);
  std::vector<std::string> dropped = names;
  dropped.erase(dropped.begin() + static_cast<ptrdiff_t>(names.size() / 2));
  std::vector<std::string> renamed = names;
  for (size_t i = 1; i < 5; ++i)
    renamed[i * names.size() / 5] = fmt::format("Fused Kernel (NC) #{}", i);
  std::vector<std::string> foreign(names.rbegin(), names.rend());
  row.dropped = align_seconds(*payload, dropped);
  row.renamed = align_seconds(*payload, renamed);
  row.foreign = align_seconds(*payload, foreign);
  fmt::print("{:>9} {:>10} {:>10} {:>10.1f} {:>9.2f} {:>7.4f} {:>11.2f} {:>11.2f} {:>11.2f}\n",
             size.nodes, size.executions, size.events(), row.load * 1e3, row.place * 1e3,
             row.place / row.load, row.dropped * 1e3, row.renamed * 1e3, row.foreign * 1e3);
  std::fflush(stdout);
  return row;
}

// Slope of log(time) over log(operators), least squares.
double growth(const std::vector<Row>& rows, double Row::*time) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const Row& row : rows) {
    const double x = std::log(row.operators), y = std::log(row.*time);
    n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace

int main(int argc, char** argv) {
  const bool full = argc > 1 && std::strcmp(argv[1], "--full") == 0;
  fmt::print("{:>9} {:>10} {:>10} {:>10} {:>9} {:>7} {:>11} {:>11} {:>11}\n", "operators",
             "executions", "events", "load ms", "place ms", "ratio", "dropped ms", "renamed ms",
             "foreign ms");
  std::vector<Row> rows;
  for (const uint32_t nodes : {625u, 1250u, 2500u, 5000u, 10'000u})
    rows.push_back(measure({nodes, 20, 32, true}));
  fmt::print("growth: load {:.2f}, place {:.2f}, dropped {:.2f}, renamed {:.2f}, foreign {:.2f}\n",
             growth(rows, &Row::load), growth(rows, &Row::place), growth(rows, &Row::dropped),
             growth(rows, &Row::renamed), growth(rows, &Row::foreign));
  if (full) measure({10'000, 1000, 32, true});
  return 0;
}
