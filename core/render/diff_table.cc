// SPDX-License-Identifier: Apache-2.0
#include "core/render/diff_table.h"

#include <algorithm>

#include "core/render/diff_text.h"
#include "core/render/format.h"

namespace etlens {
namespace {

// Of places that nobody can tell anything about, so many are listed.
constexpr size_t kMaxOpen = 10;

std::vector<std::string> cells_of(std::string place, std::string text, const Change& change,
                                  TimeStyle style) {
  const auto time = [&](const SideCost& cost) {
    return cost.ticks == Amount() ? std::string("–") : format_time(cost.value, style);
  };
  return {std::move(place),
          time(change.before),
          time(change.after),
          change_text(change.judged),
          interval_text(change.judged),
          verdict_text(change.judged),
          std::move(text)};
}

// How many rows are worth a look.
size_t rows_to_show(const std::vector<DiffRow>& rows, bool all) {
  if (all) return rows.size();
  size_t open = 0;
  size_t count = 0;
  for (const DiffRow& row : rows) {
    const bool is_open = row.change->judged.verdict == Verdict::CannotTell &&
                         row.change->judged.reason != Reason::Small &&
                         row.change->judged.reason != Reason::Nothing;
    if (!row.has_change() && !row.is_one_sided() && !(is_open && open < kMaxOpen)) break;
    open += is_open ? 1 : 0;
    ++count;
  }
  return count;
}

}  // namespace

std::string diff_table(const Comparison& comparison, const DiffTableOptions& options,
                       TablePrinter& printer) {
  const TimeStyle style(comparison.scale, options.unit);
  const std::vector<DiffRow> rows = diff_rows(comparison, options.grouping);
  const size_t shown = rows_to_show(rows, options.all);
  Table table;
  table.columns = {{std::string(name_of(options.grouping))},
                   {"before", Align::Right},
                   {"after", Align::Right},
                   {"change", Align::Right},
                   {"interval", Align::Right},
                   {"verdict"},
                   {.name = "text", .is_prose = true}};
  table.sums = 1;
  table.rows.push_back(cells_of("Method::execute", "", comparison.total, style));
  for (size_t i = 0; i < shown; ++i) {
    const DiffRow& row = rows[i];
    const std::string text = row.kernels.empty() ? row.text : row.kernels + "  " + row.text;
    table.rows.push_back(cells_of(row.place, text, *row.change, style));
  }
  for (const PartChange& part : comparison.parts) {
    const bool is_shown = options.all || part.change.judged.verdict == Verdict::Slower ||
                          part.change.judged.verdict == Verdict::Faster;
    if (is_shown) {
      table.rows.push_back(
          cells_of("(" + std::string(name_of(part.part)) + ")", "", part.change, style));
    }
  }
  std::string text = printer.ranked(table);
  if (const std::string rest = rest_text(rows, shown, options.grouping); !rest.empty())
    text += rest + "\n";
  text += "\n" + printer.words(total_text(comparison, options.unit)) + "\n";
  if (const std::string cold = cold_start_change_text(comparison, options.unit); !cold.empty())
    text += cold + "\n";
  if (const std::string reason = reason_text(comparison.total.judged); !reason.empty())
    text += "Method::execute: " + reason + "\n";
  for (const std::string& sentence : delegation_sentences(comparison)) text += sentence + "\n";
  for (const std::string& caveat : caveats(comparison)) text += caveat + "\n";
  return text;
}

}  // namespace etlens
