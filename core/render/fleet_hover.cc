// SPDX-License-Identifier: Apache-2.0
#include "core/render/fleet_hover.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/text.h"
#include "core/render/fleet_table.h"
#include "core/render/format.h"
#include "core/render/hover_words.h"

namespace etlens {
namespace {

constexpr size_t kMaxShownGroups = 12;
constexpr size_t kMaxFactColumns = 2;  // a hover's table has five columns
constexpr size_t kNamedInHover = 3;

TimeStyle time_style(const Fleet& fleet, std::optional<TimeScale> unit) {
  return {*parse_time_scale(fleet.tick), unit};
}

std::string range_text(const FleetCell& cell, const TimeStyle& style) {
  return fmt::format("p50 {} · p99 {}", format_time(cell.quantiles.front(), style),
                     format_time(cell.quantiles.back(), style));
}

// Facts that some dump has.
std::vector<size_t> known_facts(const Fleet& fleet) {
  std::vector<size_t> known;
  for (size_t f = 0; f < fleet.group_by.size() && known.size() < kMaxFactColumns; ++f) {
    if (std::any_of(fleet.groups.begin(), fleet.groups.end(),
                    [&](const auto& group) { return !group[f].empty(); }))
      known.push_back(f);
  }
  return known;
}

// The slowest first.
std::vector<size_t> ranked_groups(const FleetPlace& place) {
  std::vector<size_t> groups;
  for (size_t g = 0; g < place.groups.size(); ++g) {
    if (place.groups[g].dumps > 0) groups.push_back(g);
  }
  std::stable_sort(groups.begin(), groups.end(), [&](size_t a, size_t b) {
    return place.groups[a].quantiles.front() > place.groups[b].quantiles.front();
  });
  return groups;
}

void add_groups(const Fleet& fleet, const FleetPlace& place, const TimeStyle& style,
                HoverInfo& info) {
  const std::vector<size_t> facts = known_facts(fleet);
  std::vector<size_t> groups = ranked_groups(place);
  if (facts.empty() || groups.size() < 2) return;
  for (const size_t f : facts) info.operators.columns.push_back({fleet.group_by[f]});
  for (const char* name : {"dumps", "p50", "p99"})
    info.operators.columns.push_back({name, Align::Right});
  info.name_columns = facts.size();
  info.more_operators = groups.size() - std::min(groups.size(), kMaxShownGroups);
  groups.resize(groups.size() - info.more_operators);
  for (const size_t g : groups) {
    std::vector<std::string>& row = info.operators.rows.emplace_back();
    for (const size_t f : facts) row.push_back(group_name({fleet.groups[g][f]}));
    const FleetCell& cell = place.groups[g];
    row.push_back(std::to_string(cell.dumps));
    row.push_back(format_time(cell.quantiles.front(), style));
    row.push_back(format_time(cell.quantiles.back(), style));
  }
}

void add_named(const std::vector<NamedValue>& named, std::string word, const TimeStyle& style,
               HoverInfo& info) {
  if (named.empty()) return;
  std::vector<HoverWords> dumps;
  for (const NamedValue& value : named) {
    HoverWords dump;
    dumps.push_back(dump.name(value.dump).say(" " + format_time(value.value, style)));
  }
  HoverWords words(std::move(word));
  info.notes.push_back(words.list(dumps, kNamedInHover).take());
}

}  // namespace

std::string fleet_hint(const Fleet& fleet, const FleetPlace& place, HintStyle style,
                       std::optional<TimeScale> unit) {
  const std::string share = format_share(fleet.share(place.all.quantiles.front()));
  if (style == HintStyle::Share) return "p50 " + share;
  std::string text = range_text(place.all, time_style(fleet, unit));
  return style == HintStyle::Time ? text : text + " " + share;
}

HoverInfo fleet_hover(const Fleet& fleet, const FleetPlace& place, const HoverOptions& options) {
  const TimeStyle style = time_style(fleet, options.unit);
  HoverInfo info;
  const FleetCell& all = place.all;
  info.time = range_text(all, style);
  const auto fact = [&](std::string words) {
    info.facts.push_back(HoverWords(std::move(words)).take());
  };
  fact("self, in a fleet of " + counted(fleet.dumps, "dump"));
  if (all.dumps != fleet.dumps) fact(fmt::format("{} of them have the line", all.dumps));
  fact(format_share(fleet.share(all.quantiles.front())) + " of the median dump");
  if (all.hottest > 0) {
    fact(fmt::format("the hottest line in {}", format_share(static_cast<double>(all.hottest) /
                                                            static_cast<double>(all.dumps))));
  }
  if (fleet.quantile_error > 0)
    fact(fmt::format("quantiles within {}", format_share(fleet.quantile_error)));
  if (fleet.quantile_error < 0) fact("quantiles are an engine's estimates");
  add_groups(fleet, place, style, info);
  if (all.outliers > 0)
    info.notes.push_back(HoverWords(counted(all.outliers, "dump") + " far from the others").take());
  add_named(all.slow, "slow: ", style, info);
  add_named(all.fast, "fast: ", style, info);
  return info;
}

std::string fleet_summary(const Fleet& fleet, std::optional<TimeScale> unit) {
  std::string text = "fleet of " + counted(fleet.dumps, "dump");
  if (const FleetPlace* total = fleet.total())
    text += ", " + range_text(total->all, time_style(fleet, unit));
  if (fleet.broken_count() > 0)
    text += fmt::format("; {} left out", counted(fleet.broken_count(), "file"));
  if (fleet.records_left_out.count > 0)
    text += fmt::format("; {} left out", counted(fleet.records_left_out.count, "record"));
  if (fleet.lines_left_out.count > 0) text += "; " + lines_left_out_text(fleet);
  return text;
}

}  // namespace etlens
