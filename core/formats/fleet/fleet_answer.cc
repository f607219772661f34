// SPDX-License-Identifier: Apache-2.0
#include "core/formats/fleet/fleet_answer.h"

#include <cmath>

#include "core/base/text.h"
#include "core/base/time_scale.h"
#include "core/formats/fleet/json_line.h"

namespace etlens {
namespace {

bool read_quantiles(const JsonField& field, FleetAnswer& answer) {
  if (field.list.size() != answer.quantiles.size()) return false;
  for (size_t i = 0; i < field.list.size(); ++i) {
    const std::optional<double> number = parse_double(field.list[i]);
    if (!number || !std::isfinite(*number)) return false;
    answer.quantiles[i] = *number;
  }
  return true;
}

bool read_number(const JsonField& field, uint64_t& out) {
  const std::optional<int64_t> number = field.integer();
  if (number && *number >= 0) out = static_cast<uint64_t>(*number);
  return number && *number >= 0;
}

bool read_field(const JsonField& field, FleetAnswer& answer) {
  const std::string_view name = field.name;
  if (name == "quantiles") return read_quantiles(field, answer);
  if (name == "dumps") return read_number(field, answer.dumps);
  if (name == "hottest") return read_number(field, answer.hottest);
  if (name == "exact") answer.is_exact = field.integer().value_or(0) != 0;
  if (name == "program") answer.program = field.text;
  if (name == "statistic") answer.statistic = field.text;
  if (name == "tick") {
    answer.tick = field.text;
    return parse_time_scale(answer.tick).has_value();
  }
  if (name == "group_by") answer.group_by = field.text;
  if (name == "group") answer.group = field.text;
  return read_place_field(field, answer.place);
}

}  // namespace

Result<FleetAnswer> read_fleet_answer(std::string_view line) {
  FleetAnswer answer;
  std::string bad;
  const bool is_sound = for_each_field(line, [&](const JsonField& field) {
    if (!read_field(field, answer)) bad = field.name;
  });
  if (!is_sound) return Error{ErrorCode::Corrupt, "is not a JSON object on a line of its own"};
  if (!bad.empty())
    return Error{ErrorCode::Corrupt, "has a field " + bad + " with an unusable value"};
  if (answer.dumps == 0) return Error{ErrorCode::Corrupt, "has no dumps"};
  return answer;
}

}  // namespace etlens
