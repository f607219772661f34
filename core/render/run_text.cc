// SPDX-License-Identifier: Apache-2.0
#include "core/render/run_text.h"

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/render/format.h"

namespace etlens {
namespace {

std::string seconds_text(double seconds) {
  return format_time(seconds, TimeStyle(TimeScale::Seconds));
}

std::string load_text(const RunFacts& run) {
  return fmt::format("load {:.3g} on {}", *run.load, counted(*run.processors, "processor"));
}

}  // namespace

std::string run_text(const RunFacts& run) {
  std::vector<std::string> parts;
  if (run.tracer_cost) {
    const std::string sign = *run.tracer_cost < 0 ? "" : "+";
    parts.push_back(fmt::format("{} traced, {} untraced: {}{}", seconds_text(*run.traced),
                                seconds_text(*run.untraced), sign, format_share(*run.tracer_cost)));
  } else if (run.traced) {
    parts.push_back(seconds_text(*run.traced) + " traced");
  }
  if (run.speed_change) {
    parts.push_back(fmt::format("a fixed calculation {} to {}", seconds_text(*run.pace_low),
                                seconds_text(*run.pace_high)));
  }
  if (run.load && run.processors) parts.push_back(load_text(run));
  return join(parts, "; ");
}

std::vector<std::string> run_finding_texts(const RunFacts& run) {
  std::vector<std::string> texts;
  if (run.is_loaded) {
    texts.push_back("Other programs used the processors before this run (" + load_text(run) +
                    "). Close them and record again.");
  }
  // Where other programs run, they interrupt the calculation, too.
  if (run.is_uneven && !run.is_loaded) {
    texts.push_back(fmt::format(
        "The machine speed changed by {} during this run: a fixed calculation took {} to {}. Close "
        "other programs, let the machine cool down, and record again.",
        format_share(*run.speed_change), seconds_text(*run.pace_low),
        seconds_text(*run.pace_high)));
  }
  if (run.is_slowed) {
    texts.push_back(fmt::format(
        "The event tracer made this program {} slower: {} traced, {} untraced. Operators that run "
        "often and briefly look more costly than they are.",
        format_share(*run.tracer_cost), seconds_text(*run.traced), seconds_text(*run.untraced)));
  }
  return texts;
}

}  // namespace etlens
