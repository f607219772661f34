// SPDX-License-Identifier: Apache-2.0
#include "mcp/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/base/text.h"
#include "core/render/format.h"
#include "core/view/scale.h"

namespace etlens::mcp {

double rounded(double value) {
  constexpr int kDigits = 6;
  if (value == 0 || !std::isfinite(value)) return value;
  return std::strtod(fmt::format("{:.{}g}", value, kDigits).c_str(), nullptr);
}

std::string clipped(std::string_view text, size_t limit) {
  size_t at = 0;
  for (size_t n = 0; n < limit && at < text.size(); ++n) at += utf8_length(text.substr(at));
  if (at >= text.size()) return std::string(text);
  return std::string(text.substr(0, at)) + "…";
}

std::optional<std::string> given(std::string_view text) {
  if (text.empty()) return std::nullopt;
  return clipped(text);
}

Place Sources::reference(LineId id) const {
  const CodeLine& line = code_.lines[id.value];
  Place place;
  const std::string& path = locations_[line.file.value].path;
  const Anchor& found = anchor(id);
  if (!path.empty()) place.path = path;
  if (!path.empty() && found.line > 0) {
    place.line = found.line;
  } else {
    place.recorded_path = clipped(code_.recorded_path(line.file));
    place.recorded_line = line.number;
  }
  return place;
}

Place Sources::place(LineId id) const {
  Place place = reference(id);
  const CodeLine& line = code_.lines[id.value];
  place.function = given(code_.text(line.function));
  place.text = given(code_.text(line.text));
  return place;
}

std::vector<Place> Sources::references(std::span<const LineId> lines, size_t limit) const {
  std::vector<Place> places;
  for (const LineId line : lines.first(std::min(limit, lines.size())))
    places.push_back(reference(line));
  return places;
}

Units::Units(const Facts& facts)
    : factor_(facts.quantity().dimension == Dimension::Time
                  ? scale_factor(facts.quantity().ticks, shown_scale(facts))
                  : 1) {}

TimeScale shown_scale(const Facts& facts) {
  return facts.quantity().ticks == TimeScale::Cycles ? TimeScale::Cycles : TimeScale::Milliseconds;
}

Measured measured(const Facts& facts, const Headline& head) {
  const Study& study = facts.study();
  Measured row;
  row.measure = facts.quantity().id;
  row.unit = unit_of(facts, shown_scale(facts));
  row.method = given(head.method);
  row.block = clipped(head.block);
  row.executions = head.samples;
  row.executions_used = head.used.size();
  row.executions_shown = clipped(head.used_text);
  row.statistic = name_of(head.statistic);
  row.total = Units(facts).of(head.total);
  row.etdump = study.etdump_path;
  row.etrecord = given(study.etrecord_path);
  row.pte = given(study.pte_path);
  return row;
}

void leave_out(std::vector<LeftOut>& rows, const char* list, uint64_t count) {
  const auto at =
      std::find_if(rows.begin(), rows.end(), [&](const LeftOut& row) { return row.list == list; });
  if (at == rows.end()) rows.push_back({list, count});
  else at->count += count;
}

Error Room::too_small(size_t bytes) const {
  return {
      ErrorCode::InvalidParams,
      fmt::format("the answer has {} bytes even without its lists; ask for max_bytes from there "
                  "on, or for fewer rows",
                  bytes)};
}

}  // namespace etlens::mcp
