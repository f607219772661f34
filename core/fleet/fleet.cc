// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleet.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

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

// Keeps the first few in an order; gives by how many bytes they grew.
template <typename Before>
size_t keep_named(std::vector<NamedValue>& named, std::string_view dump, double value,
                  Before before) {
  if (named.size() == kNamedOutliers && !before(value, named.back().value)) return 0;
  const auto at = std::find_if(named.begin(), named.end(), [&](const NamedValue& other) {
    return before(value, other.value) || (value == other.value && dump < other.dump);
  });
  named.insert(at, {std::string(dump), value});
  size_t bytes = dump.size() + sizeof(NamedValue);
  if (named.size() <= kNamedOutliers) return bytes;
  bytes -= named.back().dump.size() + sizeof(NamedValue);  // may wrap around, as sums of it do
  named.pop_back();
  return bytes;
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

template <typename T>
std::vector<T> in_order(std::vector<T> rows, const std::vector<size_t>& order) {
  std::vector<T> ordered;
  for (const size_t i : order) ordered.push_back(std::move(rows[i]));
  return ordered;
}

// Where each one is in the order.
std::vector<size_t> numbers_now(const std::vector<size_t>& order) {
  std::vector<size_t> now(order.size());
  for (size_t i = 0; i < order.size(); ++i) now[order[i]] = i;
  return now;
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

void Fleet::forget_values() {
  for (FleetPlace& place : places) {
    place.all.values = {};
    for (FleetCell& cell : place.groups) cell.values = {};
  }
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
  if (is_new) {
    fleet_.groups.push_back(values);
    for (const std::string& value : values) bytes_ += 2 * (sizeof(std::string) + value.size());
  }
  return at->second;
}

FleetPlace& FleetBuilder::place_of(const RowPlace& place) {
  const auto [at, is_new] =
      places_.try_emplace(std::pair(place.kind, place.key), fleet_.places.size());
  if (is_new) {
    fleet_.places.emplace_back().place = place;
    bytes_ += sizeof(FleetPlace) + 2 * place.key.size() + place.file.size() +
              place.function.size() + place.text.size();
  }
  return fleet_.places[at->second];
}

FleetCell& FleetBuilder::cell_of(FleetPlace& place, size_t group) {
  if (group >= place.groups.size()) {
    bytes_ += (group + 1 - place.groups.size()) * sizeof(FleetCell);
    place.groups.resize(group + 1);
  }
  return place.groups[group];
}

Result<void> FleetBuilder::check_size() const {
  // In the end every place has a cell for every group.
  const size_t groups = options_.group_by.empty() ? 0 : fleet_.groups.size();
  const size_t cells = fleet_.places.size() * groups * sizeof(FleetCell);
  if (std::max(bytes_, cells) <= options_.most_bytes) return {};
  return Error{ErrorCode::Unsupported,
               fmt::format("{} places in {} groups are more than can be kept; group by facts with "
                           "fewer values",
                           fleet_.places.size(), fleet_.groups.size())};
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
  bytes_ += keep_named(cell.slow, head.name, value, std::greater<>());
  bytes_ += keep_named(cell.fast, head.name, value, std::less<>());
  if (!is_sketched_ && ++values_ > options_.exact_values) make_sketches();
}

Result<void> FleetBuilder::add_value(const DumpHead& head, const DumpRow& row, size_t group) {
  FleetPlace& place = place_of(row.place);
  put(place.all, head, row);
  if (row.place.kind == PlaceKind::Total) ++fleet_.dumps;
  if (!options_.group_by.empty()) put(cell_of(place, group), head, row);
  if (options_.keeps_dumps) {
    const auto number = static_cast<size_t>(&place - fleet_.places.data());
    kept_.add(hash_of({head.id}), group, number, value_of(head, row));
  }
  return check_size();
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
    if (row.execution != 0) continue;
    if (Result<void> added = add_value(rows.head, row, group); !added) return added;
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
  return add_value(read.head, read.row, options_.group_by.empty() ? 0 : group_of(values));
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
  return check_size();
}

void FleetBuilder::add(BrokenDump broken) {
  BrokenDumps& dumps = fleet_.broken[static_cast<size_t>(broken.reason)];
  ++dumps.count;
  if (dumps.named.size() < kNamedBroken) dumps.named.push_back(std::move(broken));
}

void FleetBuilder::leave_out_record(std::string sentence) {
  LeftOutRecords& records = fleet_.records_left_out;
  if (!left_out_.insert(std::hash<std::string>()(sentence)).second) return;
  ++records.count;
  records.named.insert(std::move(sentence));  // the first of all, in whatever order they come
  if (records.named.size() > kNamedBroken) records.named.erase(std::prev(records.named.end()));
}

// Groups by their values, places as they are listed.
void FleetBuilder::put_in_order() {
  std::vector<size_t> groups(fleet_.groups.size());
  std::iota(groups.begin(), groups.end(), size_t{0});
  std::sort(groups.begin(), groups.end(),
            [&](size_t a, size_t b) { return fleet_.groups[a] < fleet_.groups[b]; });
  std::vector<size_t> places(fleet_.places.size());
  std::iota(places.begin(), places.end(), size_t{0});
  std::sort(places.begin(), places.end(), [&](size_t x, size_t y) {
    const FleetPlace& a = fleet_.places[x];
    const FleetPlace& b = fleet_.places[y];
    if (a.place.kind != b.place.kind) return a.place.kind < b.place.kind;
    if (a.all.quantiles[0] != b.all.quantiles[0]) return a.all.quantiles[0] > b.all.quantiles[0];
    return a.place.key < b.place.key;
  });
  fleet_.groups = in_order(std::move(fleet_.groups), groups);
  fleet_.places = in_order(std::move(fleet_.places), places);
  for (FleetPlace& place : fleet_.places) place.groups = in_order(std::move(place.groups), groups);
  fleet_.kept = kept_.take(numbers_now(places), numbers_now(groups));
  fleet_.kept_one_in = kept_.one_in();
}

Fleet FleetBuilder::finish() && {
  fleet_.group_by = options_.group_by;
  if (is_sketched_) fleet_.quantile_error = kSketchError;
  for (FleetPlace& place : fleet_.places) {
    place.groups.resize(fleet_.groups.size());
    finish_cell(place.all);
    for (FleetCell& cell : place.groups) finish_cell(cell);
  }
  put_in_order();
  return std::move(fleet_);
}

}  // namespace etlens
