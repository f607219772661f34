// SPDX-License-Identifier: Apache-2.0
#include "core/export/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "core/export/markup.h"

namespace etlens {
namespace {

// Cells with as many letters are lists, which wrap where there is room for tables, and sentences,
// which do so everywhere.
constexpr size_t kList = 22;
constexpr size_t kSentence = 44;

bool is_code(const Column& column, const HtmlTableOptions& options) {
  return !options.code_column.empty() && column.name == options.code_column;
}

std::string text_of(const Column& column, const HtmlTableOptions& options, std::string_view cell) {
  const bool has_lines =
      options.links != nullptr && (column.name == "line" || column.name == "lines");
  return has_lines ? options.links->linked(cell) : escape_markup(cell);
}

std::string_view class_of(const Column& column, const HtmlTableOptions& options,
                          std::string_view cell) {
  if (column.align == Align::Right) return " class=\"r\"";
  if (is_code(column, options)) return " class=\"c\"";
  if (cell.size() >= kSentence) return " class=\"t\"";
  return cell.size() >= kList ? " class=\"l\"" : "";
}

// Columns that no row of the table has anything in say nothing.
std::vector<bool> filled_columns(const Table& table) {
  std::vector<bool> is_filled(table.columns.size());
  for (const std::vector<std::string>& row : table.rows) {
    for (size_t c = 0; c < row.size(); ++c) is_filled[c] = is_filled[c] || !row[c].empty();
  }
  return is_filled;
}

void write_rows(const Table& table, std::span<const std::vector<std::string>> rows,
                const std::vector<bool>& is_filled, const HtmlTableOptions& options,
                std::string_view caption, Sink& sink) {
  sink << fmt::format(
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">"
      "<table>\n<thead><tr>",
      escape_markup(caption));
  for (size_t c = 0; c < table.columns.size(); ++c) {
    if (!is_filled[c]) continue;
    const Column& column = table.columns[c];
    // A header says what it heads, also where people see it from the cells.
    const std::string_view name = column.name.empty() ? "note" : std::string_view(column.name);
    sink << fmt::format("<th scope=\"col\"{}>{}</th>",
                        column.align == Align::Right ? " class=\"r\"" : "", escape_markup(name));
  }
  sink << "</tr></thead>\n<tbody>\n";
  for (const std::vector<std::string>& row : rows) {
    sink << "<tr>";
    for (size_t c = 0; c < row.size(); ++c) {
      if (!is_filled[c]) continue;
      sink << fmt::format("<td{}>{}</td>", class_of(table.columns[c], options, row[c]),
                          text_of(table.columns[c], options, row[c]));
    }
    sink << "</tr>\n";
  }
  sink << "</tbody></table></div>\n";
}

}  // namespace

void write_table(const Table& table, const HtmlTableOptions& options, Sink& sink) {
  const std::span<const std::vector<std::string>> rows = table.rows;
  const size_t shown = std::min(rows.size(), options.rows_shown);
  const std::vector<bool> is_filled = filled_columns(table);
  write_rows(table, rows.first(shown), is_filled, options, options.caption, sink);
  if (shown == rows.size()) return;
  const std::string more = counted(rows.size() - shown, "more row");
  sink << "<details><summary>" << more << "</summary>\n";
  write_rows(table, rows.subspan(shown), is_filled, options,
             fmt::format("{}, {}", options.caption, more), sink);
  sink << "</details>\n";
}

const std::string_view kPageStyle =
    R"(:root{color-scheme:light dark;--ground:#fff;--ink:#1c1c1c;--soft:#595959;--rule:#d5d5d5;
--band:#f5f5f3;--link:#0b57a4;--h0:#fff;--h1:#fdf1d8;--h2:#fde2b3;--h3:#fbcf9a;--h4:#f9bb99;--bar:#c76a1f;--dim:#a3a9b3}
@media (prefers-color-scheme:dark){:root{--ground:#16181c;--ink:#ececec;--soft:#b0b3b8;--rule:#3a3d42;--band:#1f2227;
--link:#86bdf5;--h0:#16181c;--h1:#33290f;--h2:#46340f;--h3:#573711;--h4:#683020;--bar:#e08a3c;--dim:#676d78}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:76rem;padding:1.5rem 1.25rem 4rem;background:var(--ground);color:var(--ink);
font:15px/1.5 ui-sans-serif,system-ui,"Segoe UI",sans-serif}
h1{font-size:1.7rem;line-height:1.25;margin:0 0 .25rem;overflow-wrap:anywhere}
h2{font-size:1.2rem;margin:2.25rem 0 .5rem;border-bottom:1px solid var(--rule);padding-bottom:.25rem}
h3{font-size:1rem;margin:1.25rem 0 .4rem;overflow-wrap:anywhere}
p{margin:.35rem 0;max-width:60rem}
.soft{color:var(--soft)}
a{color:var(--link)}
a:focus-visible,.scroll:focus-visible,summary:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.total{font-size:1.1rem}
.scroll{overflow-x:auto;margin:.5rem 0}
table{border-collapse:collapse;font-size:.87rem;font-variant-numeric:tabular-nums}
th,td{padding:.22rem .7rem .22rem 0;text-align:left;vertical-align:top;white-space:nowrap}
th{font-weight:600;border-bottom:1px solid var(--rule)}
td{border-bottom:1px solid var(--rule)}
.r{text-align:right}
.c,code,pre{font-family:ui-monospace,"Cascadia Mono",Menlo,Consolas,monospace;font-size:.82rem}
.c{white-space:pre}
td.t{white-space:normal;min-width:min(14rem,80vw)}
@media (min-width:60rem){td.l{white-space:normal}}
summary{cursor:pointer;padding:.2rem 0;color:var(--link)}
nav ul{display:flex;flex-wrap:wrap;gap:.15rem 1.1rem;list-style:none;margin:.75rem 0 0;padding:0}
.bar{display:flex;height:1.1rem;margin:.6rem 0 .2rem;border-radius:3px;overflow:hidden;gap:1px}
.bar span{display:block;min-width:1px;background:var(--dim)}
.bar .on{background:var(--bar)}
.strip{display:block;width:100%;max-width:40rem;height:3.2rem;margin:.5rem 0}
.strip rect{fill:var(--dim)}
.strip .odd{fill:var(--bar)}
.graph{min-width:52rem}
.graph svg{display:block;width:100%;height:auto}
.code{display:table;width:100%;background:var(--band);border-radius:4px;padding:.35rem 0;margin:0}
.code>span{display:table-row}
.code>span>span{display:table-cell;white-space:pre;padding:0 .6rem}
.code .n{color:var(--soft);text-align:right;user-select:none;width:1%}
.code .k{text-align:right;width:1%}
.code .h1{background:var(--h1)}.code .h2{background:var(--h2)}
.code .h3{background:var(--h3)}.code .h4{background:var(--h4)}
.code .n a{color:inherit}
.code .h1 .n,.code .h2 .n,.code .h3 .n,.code .h4 .n{color:inherit}
footer{margin-top:3rem;color:var(--soft);font-size:.87rem}
@media screen and (max-width:40rem){body{padding:1rem .75rem 3rem;font-size:14px}h1{font-size:1.35rem}
.code{display:grid;min-width:max-content}.code>span{display:grid;grid-template-columns:3.2rem 1fr}
.code .n,.code .k{width:auto}
.code .k{grid-column:2;justify-self:start;position:sticky;left:3.2rem;text-align:left;font-weight:600}
.code>span>span:empty{display:none}}
@media (prefers-contrast:more){:root{--soft:var(--ink);--rule:currentColor}}
@media (forced-colors:active){.bar span,.code>span{forced-color-adjust:none}.bar span{background:GrayText}.bar .on{background:Highlight}
.strip rect{fill:GrayText}.strip .odd{fill:Highlight}.code .h1,.code .h2,.code .h3,.code .h4{background:Canvas}.code>span{color:CanvasText}}
@page{margin:14mm}
@media print{:root{--ground:#fff;--ink:#000;--soft:#444;--rule:#bbb;--band:#f5f5f3;--link:#000;
--h0:#fff;--h1:#fdf1d8;--h2:#fde2b3;--h3:#fbcf9a;--h4:#f9bb99;--bar:#c76a1f;--dim:#a3a9b3}
body{max-width:none;padding:0;font-size:10pt}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
nav{display:none}h2,h3{break-after:avoid}tr,.code,.picture{break-inside:avoid}
.scroll{overflow:visible}.graph{min-width:0}
table{font-size:7.5pt;width:100%}th,td{white-space:normal;padding-right:.4rem}td.t{min-width:0}th,.r{white-space:nowrap}
.c,.code>span>span{white-space:pre-wrap;overflow-wrap:anywhere}.c,.code,.code span{font-size:7pt}
.code .n,.code .k{white-space:nowrap;overflow-wrap:normal}
a{text-decoration:none}}
)";

}  // namespace etlens
