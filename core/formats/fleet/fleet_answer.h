// SPDX-License-Identifier: Apache-2.0
// What an engine answers when it was asked for the places of a fleet: a line of NDJSON for each
// place and group (fleet/clickhouse/places.sql).
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/formats/fleet/dump_rows.h"

namespace etlens {

inline constexpr std::string_view kFleetAnswerSchema = "etlens/fleet-places@1";
inline constexpr std::array<double, 4> kFleetQuantiles{0.5, 0.9, 0.95, 0.99};

struct FleetAnswer {
  RowPlace place;
  std::string program;
  std::string statistic;
  std::string tick = "ns";
  std::string group_by;  // a fact's name; "" of all dumps
  std::string group;     // its value
  uint64_t dumps = 0;
  uint64_t hottest = 0;
  std::array<double, kFleetQuantiles.size()> quantiles{};  // ticks of one execution
  bool is_exact = false;
};
Result<FleetAnswer> read_fleet_answer(std::string_view line);

}  // namespace etlens
