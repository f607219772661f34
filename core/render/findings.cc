// SPDX-License-Identifier: Apache-2.0
#include "core/render/findings.h"

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/render/display_width.h"
#include "core/render/format.h"
#include "core/render/run_text.h"

namespace etlens {
namespace {

constexpr size_t kMaxNamedExecutions = 3;  // executions

std::string noise_text(const Headline& head) {
  std::string text = fmt::format("Noise is {} of the mean", format_share(head.disturbance_share));
  if (head.noisy.empty()) {
    return text +
           ": other programs probably used the processor "
           "during this run. Close them and record again.";
  }
  std::vector<std::string> numbers;
  for (size_t i = 0; i < std::min(head.noisy.size(), kMaxNamedExecutions); ++i)
    numbers.push_back(std::to_string(head.noisy[i] + 1));
  const bool is_one = head.noisy.size() == 1;
  text += head.noisy.size() > kMaxNamedExecutions
              ? fmt::format(", most of it in {} executions", head.noisy.size())
              : fmt::format(", most of it in {} {}", is_one ? "execution" : "executions",
                            join(numbers, ", "));
  return text +
         ": warm-up, other work, or other programs. Close "
         "other programs and record more executions.";
}

std::string silence_text(const SilentBackend& backend, const Facts& facts,
                         std::optional<TimeScale> unit) {
  return fmt::format("{} reports no operators, so no line has the {} ({}) inside its {}.",
                     backend.label.empty() ? "The backend" : printable(backend.label),
                     format_cost(facts, backend.total, unit), format_share(backend.total.share),
                     counted(backend.calls, "delegate call"));
}

}  // namespace

std::vector<std::string> finding_texts(const Headline& head, const Facts& facts,
                                       std::optional<TimeScale> unit) {
  if (head.clock_stands) {
    return {
        "The clock stands: every execution begins and ends at the same tick, so nothing has a "
        "time. Implement et_pal_current_ticks for the board and record again."};
  }
  std::vector<std::string> texts;
  if (head.is_noisy) texts.push_back(noise_text(head));
  if (head.run) {
    for (std::string& text : run_finding_texts(*head.run)) texts.push_back(std::move(text));
  }
  for (std::string& text : silence_texts(head, facts, unit)) texts.push_back(std::move(text));
  return texts;
}

std::vector<std::string> silence_texts(const Headline& head, const Facts& facts,
                                       std::optional<TimeScale> unit) {
  std::vector<std::string> texts;
  for (const SilentBackend& backend : head.silent)
    texts.push_back(silence_text(backend, facts, unit));
  return texts;
}

}  // namespace etlens
