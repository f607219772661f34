// SPDX-License-Identifier: Apache-2.0
// A fleet: what many dumps of one program say of each place. A value is what one dump shows there,
// read from its measure; what is made of values here is their distribution over dumps and nothing
// else: no amount of one dump is added to another's.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/base/result.h"
#include "core/fleet/broken_dump.h"
#include "core/fleet/distribution.h"
#include "core/fleet/kept_dumps.h"
#include "core/formats/fleet/dump_rows.h"
#include "core/formats/fleet/fleet_answer.h"

namespace etlens {

struct FleetOptions {
  std::vector<std::string> group_by;  // names of facts
  // Values that are kept for exact quantiles; when there are more, all become sketches.
  size_t exact_values = 4'000'000;
  // That places, groups and names may take, beside the values: beyond it the fleet is an error.
  size_t most_bytes = 1'000'000'000;
  bool keeps_dumps = false;  // for a trend
};

struct NamedValue {
  std::string dump;
  double value = 0;
};

inline constexpr size_t kNamedOutliers = 5;   // on either side
inline constexpr size_t kNamedBroken = 20;    // of each reason, and of records left out
inline constexpr uint64_t kOutliersFrom = 8;  // dumps, for there to be any
inline constexpr double kOutlierFence = 3;    // quartile ranges beyond the quartiles

// One place, in all dumps or in those of one group. Values are ticks of one execution.
struct FleetCell {
  uint64_t dumps = 0;  // that have the place
  uint64_t hottest = 0;
  std::array<double, kFleetQuantiles.size()> quantiles{};
  // Far from the others: beyond a quartile by more than kOutlierFence quartile ranges.
  uint64_t outliers = 0;
  std::vector<NamedValue> slow;  // of these, the farthest first
  std::vector<NamedValue> fast;
  Distribution values;  // empty where an engine answered
};

struct FleetPlace {
  RowPlace place;
  FleetCell all;
  std::vector<FleetCell> groups;  // one per Fleet::groups; without dumps where the place is not
};

struct BrokenDumps {
  uint64_t count = 0;
  std::vector<BrokenDump> named;
};

// Records that nobody named and that could not be used: dumps were read without them.
struct LeftOutRecords {
  uint64_t count = 0;
  std::set<std::string> named;  // a sentence each: which file, what is wrong, what to do
};

// Of a file of rows: lines that are none.
struct LeftOutLines {
  uint64_t count = 0;
  std::string first;  // a sentence: which line, what is wrong; "" for none
};

struct Fleet {
  std::string program;
  std::string statistic;
  std::string tick = "ns";
  uint64_t dumps = 0;
  uint64_t repeated = 0;  // dumps, or rows, that were there before and count once
  std::vector<std::string> group_by;
  std::vector<std::vector<std::string>> groups;  // values of group_by, sorted; "" is not known
  std::vector<FleetPlace> places;                // by kind, then the highest median first
  std::array<BrokenDumps, kBrokenReasons> broken;
  LeftOutRecords records_left_out;
  LeftOutLines lines_left_out;
  // Where they were asked for: dumps with what they say of each of the places, or a sample of them.
  std::vector<KeptDump> kept;
  uint64_t kept_one_in = 1;   // dumps
  double quantile_error = 0;  // relative; 0: exact. Negative: not known

  uint64_t broken_count() const;
  const FleetPlace* total() const;  // null in a fleet without dumps
  // Of the median of the total.
  double share(double value) const;
  // Quantiles stay; for who asks nothing else.
  void forget_values();
};

class FleetBuilder {
 public:
  explicit FleetBuilder(FleetOptions options)
      : options_(std::move(options)), kept_(options_.exact_values) {}

  // A dump with the content of one before is not counted again.
  Result<void> add(const DumpRows& rows);
  // The same row again is not counted; rows of single executions are passed over.
  Result<void> add(const ReadRow& read);
  // What an engine made of rows: a place in one group, or in all dumps.
  Result<void> add(FleetAnswer answer);
  void add(BrokenDump broken);
  // The same sentence again is not counted.
  void leave_out_record(std::string sentence);
  void leave_out_lines(LeftOutLines lines) { fleet_.lines_left_out = std::move(lines); }

  Fleet finish() &&;

 private:
  Result<bool> belongs(const DumpHead& head, bool counts_dump);
  size_t group_of(const std::vector<std::string>& values);
  FleetPlace& place_of(const RowPlace& place);
  FleetCell& cell_of(FleetPlace& place, size_t group);
  Result<void> check_size() const;
  Result<void> add_value(const DumpHead& head, const DumpRow& row, size_t group);
  void put(FleetCell& cell, const DumpHead& head, const DumpRow& row);
  void make_sketches();
  void put_in_order();

  FleetOptions options_;
  Fleet fleet_;
  std::map<std::vector<std::string>, size_t> groups_;
  std::map<std::pair<PlaceKind, std::string>, size_t> places_;
  std::unordered_set<uint64_t> seen_;    // hashes of dumps, or of rows
  std::unordered_set<size_t> left_out_;  // hashes of sentences
  size_t values_ = 0;                    // that are kept
  size_t bytes_ = 0;                     // that places, groups and names take
  bool is_sketched_ = false;
  KeptDumps kept_;
};

}  // namespace etlens
