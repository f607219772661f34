// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleet.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include <fmt/format.h>

namespace etlens {
namespace {

// The number that a place is known by: a module's with what it contains.
double value_of(const DumpHead& head, const DumpRow& row) {
  const int64_t ticks = row.place.kind == PlaceKind::Module ? row.inclusive_ticks : row.self_ticks;
  return static_cast<double>(ticks) / static_cast<double>(row.samples(head));
}

uint64_t hash_of(std::initializer_list<std::string_view> parts) {
  uint64_t hash = 0;
  for (const std::string_view part : parts)
    hash = (hash ^ std::hash<std::string_view>()(part)) * 0x9E3779B97F4A7C15u + (hash >> 29);
  return hash;
}

// Keeps the first few in an order.
template <typename Before>
void keep_named(std::vector<NamedValue>& named, std::string_view dump, double value,
                Before before) {
  if (named.size() == kNamedOutliers && !before(value, named.back().value)) return;
  const auto at = std::find_if(named.begin(), named.end(), [&](const NamedValue& other) {
    return before(value, other.value) || (value == other.value && dump < other.dump);
  });
  named.insert(at, {std::string(dump), value});
  if (named.size() > kNamedOutliers) named.pop_back();
}

uint64_t count_beyond(const Distribution& values, double low, double high) {
  uint64_t count = 0;
  for (const auto& [value, times] : values.counts()) {
    if (value < low || value > high) count += times;
  }
  return count;
}

void finish_cell(FleetCell& cell) {
  if (cell.values.count() == 0) return;
  for (size_t i = 0; i < kFleetQuantiles.size(); ++i)
    cell.quantiles[i] = cell.values.quantile(kFleetQuantiles[i]);
  const double low = cell.values.quantile(0.25);
  const double high = cell.values.quantile(0.75);
  // Of a clock so coarse that all quartiles are one value, the sketch's error is a range still.
  const double range = std::max(high - low, cell.values.quantile(0.5) * 2 * kSketchError);
  const double least = low - kOutlierFence * range;
  const double most = high + kOutlierFence * range;
  const bool is_enough = cell.dumps >= kOutliersFrom;
  std::erase_if(cell.slow, [&](const NamedValue& n) { return !is_enough || n.value <= most; });
  std::erase_if(cell.fast, [&](const NamedValue& n) { return !is_enough || n.value >= least; });
  if (is_enough) cell.outliers = count_beyond(cell.values, least, most);
}

}  // namespace

uint64_t Fleet::broken_count() const {
  return std::accumulate(broken.begin(), broken.end(), uint64_t{0},
                         [](uint64_t sum, const BrokenDumps& b) { return sum + b.count; });
}

const FleetPlace* Fleet::total() const {
  return places.empty() || places.front().place.kind != PlaceKind::Total ? nullptr
                                                                         : &places.front();
}

double Fleet::share(double value) const {
  const FleetPlace* whole = total();
  return whole == nullptr || whole->all.quantiles[0] <= 0 ? 0 : value / whole->all.quantiles[0];
}

// True if the dump is of the program that the first one was of.
Result<bool> FleetBuilder::belongs(const DumpHead& head, bool counts_dump) {
  if (fleet_.program.empty()) {
    fleet_.program = head.program;
    fleet_.statistic = head.statistic;
    fleet_.tick = head.tick;
  }
  if (head.statistic != fleet_.statistic || head.tick != fleet_.tick) {
    return Error{ErrorCode::Unsupported,
                 fmt::format("rows of {} are {} values in {}, those before are {} values in {}; "
                             "make all rows with the same options",
                             head.name, head.statistic, head.tick, fleet_.statistic, fleet_.tick)};
  }
  if (head.program == fleet_.program) return true;
  if (counts_dump) {
    add(BrokenDump{BrokenReason::OtherProgram, head.name,
                   fmt::format("{} is of another program ({}) than those before it ({}); give the "
                               "folder of one program",
                               head.name, head.program, fleet_.program)});
  }
  return false;
}

size_t FleetBuilder::group_of(const std::vector<std::string>& values) {
  const auto [at, is_new] = groups_.try_emplace(values, fleet_.groups.size());
  if (is_new) fleet_.groups.push_back(values);
  return at->second;
}

FleetPlace& FleetBuilder::place_of(const RowPlace& place) {
  const auto [at, is_new] =
      places_.try_emplace(std::pair(place.kind, place.key), fleet_.places.size());
  if (is_new) fleet_.places.emplace_back().place = place;
  return fleet_.places[at->second];
}

FleetCell& FleetBuilder::cell_of(FleetPlace& place, size_t group) {
  if (group >= place.groups.size()) place.groups.resize(group + 1);
  return place.groups[group];
}

void FleetBuilder::make_sketches() {
  is_sketched_ = true;
  for (FleetPlace& place : fleet_.places) {
    place.all.values.make_sketch();
    for (FleetCell& cell : place.groups) cell.values.make_sketch();
  }
}

void FleetBuilder::put(FleetCell& cell, const DumpHead& head, const DumpRow& row) {
  const double value = value_of(head, row);
  if (is_sketched_) cell.values.make_sketch();
  cell.values.add(value);
  ++cell.dumps;
  cell.hottest += row.is_hottest ? 1 : 0;
  keep_named(cell.slow, head.name, value, std::greater<>());
  keep_named(cell.fast, head.name, value, std::less<>());
  if (!is_sketched_ && ++values_ > options_.exact_values) make_sketches();
}

void FleetBuilder::add_value(const DumpHead& head, const DumpRow& row, size_t group) {
  FleetPlace& place = place_of(row.place);
  put(place.all, head, row);
  if (!options_.group_by.empty()) put(cell_of(place, group), head, row);
  if (row.place.kind == PlaceKind::Total) ++fleet_.dumps;
}

Result<void> FleetBuilder::add(const DumpRows& rows) {
  if (!seen_.insert(hash_of({rows.head.id})).second) {
    ++fleet_.repeated;
    return {};
  }
  const Result<bool> is_one = belongs(rows.head, true);
  if (!is_one) return is_one.error();
  if (!*is_one) return {};
  std::vector<std::string> values;
  for (const std::string& name : options_.group_by)
    values.emplace_back(fact_of(rows.head.facts, name));
  const size_t group = options_.group_by.empty() ? 0 : group_of(values);
  for (const DumpRow& row : rows.rows) {
    if (row.execution == 0) add_value(rows.head, row, group);
  }
  return {};
}

Result<void> FleetBuilder::add(const ReadRow& read) {
  if (read.row.execution != 0) return {};
  const RowPlace& place = read.row.place;
  if (!seen_.insert(hash_of({read.head.id, name_of(place.kind), place.key})).second) {
    ++fleet_.repeated;
    return {};
  }
  const Result<bool> is_one = belongs(read.head, place.kind == PlaceKind::Total);
  if (!is_one) return is_one.error();
  if (!*is_one) return {};
  std::vector<std::string> values;
  for (const std::string& name : options_.group_by)
    values.emplace_back(fact_of(read.head.facts, name));
  add_value(read.head, read.row, options_.group_by.empty() ? 0 : group_of(values));
  return {};
}

Result<void> FleetBuilder::add(FleetAnswer answer) {
  DumpHead head;
  head.name = "the answer";
  head.program = answer.program;
  head.statistic = answer.statistic;
  head.tick = answer.tick;
  const Result<bool> is_one = belongs(head, false);
  if (!is_one) return is_one.error();
  if (!*is_one) {
    return Error{ErrorCode::Unsupported,
                 fmt::format("the answer has places of two programs, {} and {}; ask for one",
                             fleet_.program, answer.program)};
  }
  const bool is_all = answer.group_by.empty();
  const bool is_wanted =
      is_all || (options_.group_by.size() == 1 && options_.group_by.front() == answer.group_by);
  if (!is_wanted) return {};
  FleetPlace& place = place_of(answer.place);
  FleetCell& cell = is_all ? place.all : cell_of(place, group_of({answer.group}));
  if (cell.dumps > 0) {
    ++fleet_.repeated;
    return {};
  }
  cell.dumps = answer.dumps;
  cell.hottest = answer.hottest;
  cell.quantiles = answer.quantiles;
  if (!answer.is_exact) fleet_.quantile_error = -1;
  if (is_all && answer.place.kind == PlaceKind::Total) fleet_.dumps = answer.dumps;
  return {};
}

void FleetBuilder::add(BrokenDump broken) {
  BrokenDumps& dumps = fleet_.broken[static_cast<size_t>(broken.reason)];
  ++dumps.count;
  if (dumps.named.size() < kNamedBroken) dumps.named.push_back(std::move(broken));
}

Fleet FleetBuilder::finish() && {
  fleet_.group_by = options_.group_by;
  if (is_sketched_) fleet_.quantile_error = kSketchError;
  std::vector<size_t> order(fleet_.groups.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return fleet_.groups[a] < fleet_.groups[b]; });
  std::vector<std::vector<std::string>> groups;
  for (const size_t g : order) groups.push_back(std::move(fleet_.groups[g]));
  fleet_.groups = std::move(groups);
  for (FleetPlace& place : fleet_.places) {
    place.groups.resize(order.size());
    std::vector<FleetCell> cells;
    for (const size_t g : order) cells.push_back(std::move(place.groups[g]));
    place.groups = std::move(cells);
    finish_cell(place.all);
    for (FleetCell& cell : place.groups) finish_cell(cell);
  }
  std::sort(fleet_.places.begin(), fleet_.places.end(),
            [](const FleetPlace& a, const FleetPlace& b) {
              if (a.place.kind != b.place.kind) return a.place.kind < b.place.kind;
              if (a.all.quantiles[0] != b.all.quantiles[0])
                return a.all.quantiles[0] > b.all.quantiles[0];
              return a.place.key < b.place.key;
            });
  return std::move(fleet_);
}

}  // namespace etlens
