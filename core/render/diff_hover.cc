// SPDX-License-Identifier: Apache-2.0
#include "core/render/diff_hover.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/compare/both_histograms.h"
#include "core/render/diff_text.h"
#include "core/render/format.h"
#include "core/render/histogram_picture.h"
#include "core/render/hover_words.h"

namespace etlens {
namespace {

void add(std::vector<HoverText>& row, std::string words) {
  if (!words.empty()) row.push_back(HoverWords(std::move(words)).take());
}

// Both histograms: in words for everybody, as a picture for clients that show pictures.
void add_histograms(const Comparison& comparison, const BothHistograms& both, HoverInfo& info,
                    const HoverOptions& options) {
  const TimeStyle style(comparison.scale, options.unit);
  const auto range = [&](const BothHistograms::Side& side) {
    return fmt::format("{} … {}", format_time(side.least, style), format_time(side.most, style));
  };
  info.picture_words =
      fmt::format("executions: before {}, now {}", range(both.before), range(both.after));
  if (options.pictures)
    info.picture = picture_of(both, {format_time(both.min, style), format_time(both.max, style)});
  else add(info.notes, info.picture_words);
}

// Where the baseline has its sources beside ours: in our own the line is gone.
std::string base_address(const Comparison& comparison, const CodeLine& line,
                         const HoverOptions& options) {
  const std::string& path = comparison.before->sources[line.file.value].path;
  const std::vector<SourceLocation>& ours = comparison.after->sources;
  const bool is_other =
      !path.empty() &&
      std::none_of(ours.begin(), ours.end(), [&](const auto& file) { return file.path == path; });
  return options.address && is_other ? options.address(path, line.number) : "";
}

}  // namespace

HoverInfo change_hover(const Comparison& comparison, const Change& change,
                       const HoverOptions& options) {
  HoverInfo info;
  if (change.before.ticks == Amount() && change.after.ticks == Amount()) return info;
  const TimeStyle style(comparison.scale, options.unit);
  const auto time = [&](const SideCost& cost) {
    return cost.ticks == Amount() ? std::string("–") : format_time(cost.value, style);
  };
  const Judged& judged = change.judged;
  const std::string short_change = change_text(judged);
  info.time = short_change.empty() ? verdict_text(judged)
                                   : fmt::format("{} {} {}", short_change, change_mark(judged),
                                                 verdict_text(judged));
  add(info.facts, "since the baseline");
  add(info.facts, fmt::format("{} → {}", time(change.before), time(change.after)));
  add(info.facts, interval_text(judged));
  add(info.facts, dumps_text(comparison));
  std::string reason = reason_text(judged);
  if (judged.is_likely && !reason.empty()) reason = "likely, because " + reason;
  add(info.notes, std::move(reason));
  return info;
}

HoverInfo line_change_hover(const Comparison& comparison, const LineChange& line, bool is_inclusive,
                            const HoverOptions& options) {
  const Change& change = is_inclusive ? line.inclusive : line.change;
  HoverInfo info = change_hover(comparison, change, options);
  if (info.time.empty()) return info;
  if (is_inclusive) add(info.facts, "with what it calls");
  if (std::string kernels = kernel_text(line.kernels_before, line.kernels_after);
      !kernels.empty()) {
    HoverWords words;
    info.notes.push_back(words.say("kernels: ").name(kernels).take());
  }
  const bool is_one = line.before.size() <= 1 && line.after.size() <= 1;
  if (!is_one) {
    HoverWords words("compared together: ");
    info.notes.push_back(words.name(place_text(comparison, line)).take());
  }
  if (const auto both = histograms_of(comparison, line, is_inclusive))
    add_histograms(comparison, *both, info, options);
  return info;
}

HoverText gone_words(const Comparison& comparison, const LineChange& line,
                     const HoverOptions& options) {
  const TimeStyle style(comparison.scale, options.unit);
  const Code& code = *comparison.before->code;
  const CodeLine& first = code.lines[line.before.front().value];
  HoverWords place;
  place.name(place_text(comparison, line)).lead_to(base_address(comparison, first, options));
  HoverWords words("gone since the baseline: " + format_time(line.change.before.value, style) +
                   ", ");
  return words.append(place).say(" ").name(code.text(first.text)).take();
}

}  // namespace etlens
