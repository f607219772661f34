// SPDX-License-Identifier: Apache-2.0
// The report for a pull request: one line, the comparison if there is one, at most ten rows, and
// everything else folded away.
#include <fmt/format.h>

#include "core/export/export.h"
#include "core/export/report_tables.h"
#include "core/facts/headline.h"
#include "core/render/diff_markdown.h"
#include "core/render/findings.h"
#include "core/render/format.h"
#include "core/render/summary.h"

namespace etlens {
namespace {

constexpr size_t kMaxMarkdownRows = 10;

void write_folded(std::string_view title, const Table& table, Sink& sink) {
  if (table.rows.empty()) return;
  sink << "\n<details><summary>" << title << "</summary>\n\n"
       << to_markdown(table) << "\n</details>\n";
}

}  // namespace

void write_markdown(const ExportInput& input, Sink& sink) {
  const Facts& facts = input.facts;
  const Headline head = headline(facts);
  sink << fmt::format("**{}** {} ({}): {} of the time on source lines, {} in delegate calls\n",
                      escape_markdown(head.method.empty() ? "Method::execute" : head.method),
                      headline_text(head, facts, input.unit),
                      escape_markdown(describe_selection(head)), format_share(head.on_lines),
                      format_share(head.delegated));
  for (const std::string& finding : finding_texts(head, facts, input.unit))
    sink << "\n" << escape_markdown(finding) << "\n";
  if (input.comparison != nullptr)
    sink << "\n" << diff_markdown(*input.comparison, DiffGrouping::Line, input.unit);
  ReportTables tables(input);
  Table lines = tables.lines();
  const Table rest = split_rows(lines, kMaxMarkdownRows);
  const bool is_folded = input.comparison != nullptr;
  if (is_folded) write_folded("The most costly lines", lines, sink);
  else if (!lines.rows.empty()) sink << "\n" << to_markdown(lines);
  if (const std::string left_out = left_out_sentence(input.left_out); !left_out.empty())
    sink << "\n" << escape_markdown(left_out) << "\n";
  write_folded(fmt::format("{} more lines", rest.rows.size()), rest, sink);
  const ReportTable advice = tables.advice();
  write_folded(advice.title, advice.table, sink);
  for (const ReportTable& table : tables.more()) write_folded(table.title, table.table, sink);
}

}  // namespace etlens
