// SPDX-License-Identifier: Apache-2.0
#include "core/render/diff_markdown.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/render/diff_text.h"
#include "core/render/format.h"
#include "core/render/table.h"

namespace etlens {
namespace {

constexpr size_t kMaxDiffRows = 10;

// A mark that is seen before it is read.
std::string_view mark_of(const Judged& judged) {
  if (judged.verdict == Verdict::Slower) return "🔺 ";
  if (judged.verdict == Verdict::Faster) return "🔽 ";
  return "";
}

}  // namespace

Table diff_rows_table(std::span<const DiffRow> rows, DiffGrouping grouping, TimeStyle style) {
  Table table;
  table.columns = {{std::string(name_of(grouping))}, {"before", Align::Right},
                   {"after", Align::Right},          {"verdict"},
                   {"interval", Align::Right},       {"text"}};
  const auto time = [&](const SideCost& cost) {
    return cost.ticks == Amount() ? std::string("–") : format_time(cost.value, style);
  };
  for (const DiffRow& row : rows) {
    const Judged& judged = row.change->judged;
    const std::string change = change_text(judged);
    const std::string verdict =
        change.empty() ? verdict_text(judged) : change + " " + verdict_text(judged);
    const std::string text = row.kernels.empty() ? row.text : row.text + " (" + row.kernels + ")";
    table.rows.push_back({row.place, time(row.change->before), time(row.change->after), verdict,
                          interval_text(judged), text});
  }
  return table;
}

std::string diff_markdown(const Comparison& comparison, DiffGrouping grouping,
                          std::optional<TimeScale> unit) {
  const TimeStyle style(comparison.scale, unit);
  const std::vector<DiffRow> rows = diff_rows(comparison, grouping);
  const auto first_rest = std::find_if(rows.begin(), rows.end(), [](const DiffRow& row) {
    return !row.has_change() && !row.is_one_sided();
  });
  const auto changed = static_cast<size_t>(first_rest - rows.begin());
  const size_t shown = std::min(changed, kMaxDiffRows);
  std::string text = fmt::format("{}**Method::execute** {}\n", mark_of(comparison.total.judged),
                                 total_text(comparison, unit));
  if (const std::string reason = reason_text(comparison.total.judged); !reason.empty())
    text += "\n" + reason + "\n";
  for (const std::string& sentence : delegation_sentences(comparison))
    text += "\n" + escape_markdown(sentence) + "\n";
  for (const std::string& caveat : caveats(comparison))
    text += "\n" + escape_markdown(caveat) + "\n";
  if (shown > 0)
    text += "\n" + to_markdown(diff_rows_table(std::span(rows).first(shown), grouping, style));
  if (shown < rows.size()) {
    text += fmt::format(
        "\n<details><summary>{}</summary>\n\n{}\n</details>\n", rest_text(rows, shown, grouping),
        to_markdown(diff_rows_table(std::span(rows).subspan(shown), grouping, style)));
  }
  return text;
}

}  // namespace etlens
