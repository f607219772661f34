// SPDX-License-Identifier: Apache-2.0
// The report as HTML: the total and its change, what to do first, the most costly lines; then executions, delegation, memory and
// modules. As one file it needs no network (its own policy forbids it) and no script, and has one style sheet for light, dark,
// high contrast, narrow screens and paper. An editor shows the same.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/optional_part.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/export/export.h"
#include "core/export/flame_graph.h"
#include "core/export/graph_html.h"
#include "core/export/graph_picture.h"
#include "core/export/html.h"
#include "core/export/markup.h"
#include "core/export/memory_chart.h"
#include "core/export/page_links.h"
#include "core/export/report_page.h"
#include "core/export/report_source.h"
#include "core/export/report_tables.h"
#include "core/facts/headline.h"
#include "core/render/diff_markdown.h"
#include "core/render/diff_text.h"
#include "core/render/findings.h"
#include "core/render/format.h"
#include "core/render/summary.h"

namespace etlens {
namespace {

constexpr size_t kLinesShown = 12;
constexpr size_t kRowsShown = 15;
constexpr size_t kMaxBars = 400;  // of the executions; more share one

class HtmlReport {
 public:
  HtmlReport(const ExportInput& input, PageKind kind, Sink& sink)
      : input_(input),
        facts_(input.facts),
        kind_(kind),
        sink_(sink),
        head_(headline(facts_)),
        links_(input, kind),
        tables_(input),
        advice_(tables_.advice()),
        more_(tables_.more()) {}

  void run() {
    if (kind_ == PageKind::File) write_head();
    write_header();
    write_summary();
    if (!advice_.table.rows.empty()) write_more(advice_);
    write_lines();
    if (input_.comparison != nullptr) write_comparison(*input_.comparison);
    if (has_executions()) write_executions();
    for (const ReportTable& table : more_) write_more(table);
    write_graph();
    if (input_.graph != nullptr) write_graph_section(*input_.graph, "program-graph", sink_);
    write_footer();
    if (kind_ == PageKind::File) sink_ << "</body></html>\n";
  }

 private:
  std::string time(double value) const { return format_value(facts_, value, input_.unit); }

  bool has_executions() const { return !facts_.study().is_of_export(); }

  void write_head() {
    sink_ << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
             "style-src 'unsafe-inline'\">\n<title>"
          << escape_markup(report_title(input_)) << "</title>\n<style>" << report_style()
          << "</style></head>\n<body>\n";
  }

  void write_header() {
    sink_ << "<header><h1>" << escape_markup(report_title(input_)) << "</h1>\n<p class=\"soft\">"
          << escape_markup(describe_selection(head_)) << "</p>\n<nav aria-label=\"Sections\"><ul>";
    const auto link = [&](std::string_view id, std::string_view name) {
      sink_ << fmt::format("<li><a href=\"#{}\">{}</a></li>", id, escape_markup(name));
    };
    if (!advice_.table.rows.empty()) link(advice_.id, advice_.title);
    if (facts_.line_count() > 0) link("lines", "Lines");
    if (input_.comparison != nullptr) link("comparison", "Comparison");
    if (has_executions()) link("executions", "Executions");
    for (const ReportTable& table : more_) link(table.id, table.title);
    link("graph", "Flame graph");
    if (input_.graph != nullptr) link("program-graph", "Program graph");
    sink_ << "</ul></nav></header>\n<main>\n";
  }

  void write_footer() {
    sink_ << "</main>\n<footer><p>Written by " << escape_markup(input_.generator) << " from "
          << escape_markup(base_name(facts_.study().shown_path()));
    for (const std::string& path : {facts_.study().etrecord_path, facts_.study().pte_path}) {
      if (!path.empty() && path != facts_.study().shown_path())
        sink_ << ", " << escape_markup(base_name(path));
    }
    sink_ << ". Numbers are those of the typical execution unless a table names another; the "
             "time beyond it is noise.</p></footer>\n";
  }

  // The total, what changed, and what limits all numbers.
  void write_summary() {
    sink_ << "<section><h2 id=\"summary\">Summary</h2>\n<p class=\"total\">"
          << escape_markup(headline_text(head_, facts_, input_.unit)) << "</p>\n";
    if (!input_.since.empty())
      sink_ << "<p class=\"total\">" << escape_markup(input_.since) << "</p>\n";
    if (input_.comparison != nullptr)
      sink_ << "<p class=\"total\"><a href=\"#comparison\">Comparison</a>: "
            << escape_markup(total_text(*input_.comparison, input_.unit)) << "</p>\n";
    for (const std::string& finding : finding_texts(head_, facts_, input_.unit))
      sink_ << "<p>" << escape_markup(finding) << "</p>\n";
    sink_ << "</section>\n";
  }

  void write_executions() {
    sink_ << "<section><h2 id=\"executions\">Executions</h2>\n";
    if (const std::string kinds = groups_text(head_, facts_, input_.unit); !kinds.empty())
      sink_ << "<p>" << escape_markup(kinds) << "</p>\n";
    write_strip();
    for (const OddSample& odd : head_.odd) {
      const std::string reason = odd_reason(odd, facts_, input_.unit);
      sink_ << "<p class=\"soft\">Execution " << std::to_string(odd.sample + 1) << " took "
            << escape_markup(time(odd.total)) << (reason.empty() ? "" : ": ")
            << escape_markup(reason) << "</p>\n";
      if (&odd == &head_.odd[std::min<size_t>(2, head_.odd.size() - 1)]) break;
    }
    write_parts();
    sink_ << "</section>\n";
  }

  // Every execution as a bar; where there are very many, the slowest of some.
  void write_strip() {
    if (head_.totals.size() < 2) return;
    const size_t step = (head_.totals.size() + kMaxBars - 1) / kMaxBars;
    const double most = *std::max_element(head_.totals.begin(), head_.totals.end());
    std::vector<bool> is_odd(head_.totals.size());
    for (const OddSample& odd : head_.odd) is_odd[odd.sample] = true;
    const size_t bars = (head_.totals.size() + step - 1) / step;
    sink_ << fmt::format(
        "<svg class=\"strip\" viewBox=\"0 0 {} 100\" preserveAspectRatio=\"none\" role=\"img\" "
        "aria-label=\"{} executions, the slowest took {}\">",
        bars, head_.totals.size(), escape_markup(time(most)));
    for (size_t bar = 0; bar < bars; ++bar) {
      double slowest = 0;
      bool odd = false;
      for (size_t s = bar * step; s < std::min((bar + 1) * step, head_.totals.size()); ++s) {
        slowest = std::max(slowest, head_.totals[s]);
        odd = odd || is_odd[s];
      }
      const double height = most > 0 ? std::max(2.0, 100 * slowest / most) : 2;
      sink_ << fmt::format("<rect{} x=\"{}\" y=\"{:.2f}\" width=\"0.82\" height=\"{:.2f}\"/>",
                           odd ? " class=\"odd\"" : "", bar, 100 - height, height);
    }
    sink_ << "</svg>\n";
  }

  void write_parts() {
    sink_ << "<div class=\"bar\" aria-hidden=\"true\">";
    for (const PartFacts& part : head_.parts) {
      if (part.cost.share > 0)
        sink_ << fmt::format("<span{} style=\"flex:{:.4f}\"></span>",
                             part.part == Part::Line ? " class=\"on\"" : "", part.cost.share);
    }
    sink_ << "</div>\n";
    Table table;
    table.columns = {
        {"where the time is"}, {"time", Align::Right}, {"share", Align::Right}, {"note"}};
    for (const PartFacts& part : head_.parts) {
      table.rows.push_back(
          {std::string(describe(facts_, part.part)), format_cost(facts_, part.cost, input_.unit),
           format_share(part.cost.share),
           part.rounding > 0 ? fmt::format("up to {} of it is rounding", time(part.rounding))
                             : ""});
    }
    table.rows.push_back({"noise", time(head_.disturbance), "",
                          fmt::format("{} of the mean", format_share(head_.disturbance_share))});
    table.rows.push_back({"= Method::execute", time(head_.mean), "", "the mean"});
    write_table(table, {"Parts of the time"}, sink_);
    if (const std::string also = also_text(facts_.study(), input_.unit); !also.empty())
      sink_ << "<p class=\"soft\">In the same dump, " << escape_markup(also) << "</p>\n";
    if (head_.cold.loads > 0)
      sink_ << "<p class=\"soft\">Not part of it: "
            << escape_markup(
                   cold_start_text(head_.cold, TimeStyle(facts_.study().clock(), input_.unit)))
            << "</p>\n";
  }

  void write_comparison(const Comparison& comparison) {
    const std::vector<DiffRow> rows = diff_rows(comparison, DiffGrouping::Line);
    sink_ << "<section><h2 id=\"comparison\">Comparison</h2>\n<p "
             "class=\"total\">"
          << escape_markup(total_text(comparison, input_.unit)) << "</p>\n";
    if (const std::string reason = reason_text(comparison.total.judged); !reason.empty())
      sink_ << "<p>" << escape_markup(reason) << "</p>\n";
    for (const std::string& sentence : delegation_sentences(comparison))
      sink_ << "<p>" << escape_markup(sentence) << "</p>\n";
    for (const std::string& caveat : caveats(comparison))
      sink_ << "<p class=\"soft\">" << escape_markup(caveat) << "</p>\n";
    const Table table =
        diff_rows_table(rows, DiffGrouping::Line, TimeStyle(comparison.scale, input_.unit));
    if (!table.rows.empty())
      write_table(table, {"Changes by line", kRowsShown, "", &links_}, sink_);
    sink_ << "</section>\n";
  }

  void write_lines() {
    const Table table = tables_.lines();
    if (table.rows.empty()) return;
    sink_ << "<section><h2 id=\"lines\">Lines</h2>\n"
             "<p class=\"soft\">The most costly first. Self: the line's own time; inclusive: with "
             "what it calls. Lines whose times cannot be distinguished share a rank.</p>\n";
    write_table(table, {"Lines, the most costly first", kLinesShown, "text", &links_}, sink_);
    write_sources(input_, links_, sink_);
    sink_ << "</section>\n";
  }

  void write_graph() {
    sink_ << "<section><h2 id=\"graph\">Flame graph</h2>\n"
             "<p class=\"soft\">Modules, the lines that carry their time, and the events of each. "
             "The tables below list the same numbers.</p>\n"
             "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Flame graph of "
             "modules\"><div class=\"graph\">\n";
    write_flame_graph(facts_, {input_.unit, PictureKind::Element}, sink_);
    sink_ << "</div></div></section>\n";
  }

  std::string memory_chart() const {
    std::string text;
    Sink sink([&](std::string_view piece) {
      text += piece;
      return true;
    });
    const EtProgram& program = input_.memory->program();
    grant_reading(program.path, program.table_bytes, program.table_bytes);
    write_memory_chart(*input_.memory, PictureKind::Element, sink);
    (void)sink.finish();
    return text;
  }

  void write_more(const ReportTable& table) {
    sink_ << fmt::format("<section><h2 id=\"{0}\">{1}</h2>\n", table.id,
                         escape_markup(table.title));
    if (!table.about.empty())
      sink_ << "<p class=\"soft\">" << escape_markup(table.about) << "</p>\n";
    if (table.id == "memory") {
      // The table beside it says why a chart is missing that costs too much.
      const std::optional<std::string> chart =
          optional_part(nullptr, Oddity::MemoryUnreadable, {}, [&] { return memory_chart(); });
      if (chart)
        sink_ << "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Chart of "
                 "planned memory\"><div class=\"graph\">\n"
              << *chart << "</div></div>\n";
    }
    write_table(table.table,
                {table.title, kRowsShown, table.id == "modules" ? "module" : "text", &links_},
                sink_);
    sink_ << "</section>\n";
  }

  const ExportInput& input_;
  const Facts& facts_;
  PageKind kind_;
  Sink& sink_;
  Headline head_;
  PageLinks links_;
  ReportTables tables_;
  ReportTable advice_;
  std::vector<ReportTable> more_;
};

}  // namespace

std::string report_title(const ExportInput& input) {
  const Headline head = headline(input.facts);
  return fmt::format("{}: {}", head.method.empty() ? "Method::execute" : head.method,
                     input.facts.study().is_of_export()
                         ? "not run yet"
                         : format_cost(input.facts, head.total, input.unit));
}

std::string report_style() {
  return std::string(kPageStyle) + std::string(kPictureStyle) + std::string(kGraphStyle);
}

void write_report(const ExportInput& input, PageKind kind, Sink& sink) {
  HtmlReport(input, kind, sink).run();
}

void write_html(const ExportInput& input, Sink& sink) { write_report(input, PageKind::File, sink); }

}  // namespace etlens
