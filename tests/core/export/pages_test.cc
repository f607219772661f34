// SPDX-License-Identifier: Apache-2.0
// Pages and pictures: their totals are etlens's, hostile names stay text, and nothing comes from
// elsewhere.
#include <map>

#include "core/base/text.h"
#include "core/export/graph_html.h"
#include "core/export/markup.h"
#include "core/export/report_page.h"
#include "core/export/report_tables.h"
#include "core/facts/headline.h"
#include "core/render/format.h"
#include "core/render/summary.h"
#include "tests/core/export/exported.h"
#include "tests/core/export/programs.h"
#include "tests/support/unseen.h"

namespace etlens::pages_test {

using namespace etlens::test;

namespace {

// Tags are opened and closed as XML has it; names of the tags that there are.
std::map<std::string, size_t> check_tags(std::string_view text) {
  std::map<std::string, size_t> counts;
  std::vector<std::string> open;
  for (size_t at = 0; (at = text.find('<', at)) != text.npos;) {
    const size_t end = text.find('>', at);
    REQUIRE(end != text.npos);
    std::string_view tag = text.substr(at + 1, end - at - 1);
    at = end + 1;
    if (tag.starts_with('!')) continue;
    const bool is_end = tag.starts_with('/');
    const bool is_empty = tag.ends_with('/');
    if (is_end) tag.remove_prefix(1);
    const std::string name(tag.substr(0, tag.find_first_of(" /\n")));
    if (is_end) {
      CAPTURE(std::string(text.substr(at > 200 ? at - 200 : 0, 200)));
      REQUIRE(!open.empty());
      REQUIRE(open.back() == name);
      open.pop_back();
      continue;
    }
    ++counts[name];
    if (!is_empty && name != "meta") open.push_back(name);
  }
  CHECK(open.empty());
  return counts;
}

int64_t ticks_of(std::string_view svg, size_t at) {
  const size_t begin = svg.find("data-ticks=\"", at) + 12;
  return *parse_int(svg.substr(begin, svg.find('"', begin) - begin));
}

}  // namespace

TEST_CASE("markup: text stays text", "[export]") {
  CHECK(escape_markup("a < b && \"c\" > 'd'") ==
        "a &lt; b &amp;&amp; &quot;c&quot; &gt; &#39;d&#39;");
  CHECK(escape_markup("\x1b[31m\x01\x7f") == "\xEF\xBF\xBD[31m\xEF\xBF\xBD\xEF\xBF\xBD");
  CHECK(escape_markup("tab\there\nline") == "tab\there\nline");
  CHECK(escape_markup("\xE2\x80\xAE\xE2\x81\xA6\xC2\x85\xEF\xBF\xBE") ==
        "&lt;U+202E&gt;&lt;U+2066&gt;\xEF\xBF\xBD\xEF\xBF\xBD");
  CHECK(escape_markup("\xFF\xC3") == "\xEF\xBF\xBD\xEF\xBF\xBD");
  CHECK(escape_markup("µ … Σ 漢 🔺") == "µ … Σ 漢 🔺");
}

TEST_CASE("the section of a program's graph: pictures that are folded, or why there are none",
          "[export]") {
  const auto section_of = [](uint32_t kernels) {
    ProgramGraph graph;
    graph.method = "<forward>";
    graph.code = std::make_shared<const Code>();
    for (uint32_t k = 0; k < kernels; ++k) {
      GraphNode node;
      node.kind = GraphNodeKind::Kernel;
      node.instruction = k;
      node.op = "aten::<b>.out";
      graph.nodes.push_back(std::move(node));
    }
    std::string text;
    Sink sink([&](std::string_view piece) {
      text += piece;
      return true;
    });
    write_graph_section(graph, "program-graph", sink);
    REQUIRE(sink.finish());
    return text;
  };
  const std::string small = section_of(3);
  const auto tags = check_tags(small);
  CHECK(tags.at("details") == 1);
  CHECK(tags.at("rect") == 3);
  CHECK(tags.count("b") == 0);
  CHECK(small.find("<details><summary>") != small.npos);
  const std::string large = section_of(2000);
  CHECK(check_tags(large).count("svg") == 0);
  CHECK(large.find("they have 2000 boxes, and a report has at most 600") != large.npos);
}

TEST_CASE("svg: the whole is the total, and lines have their own time", "[export]") {
  for_each_example([](const Exported& exported) {
    const Facts& facts = exported.facts;
    const std::string svg = exported.to("svg");
    const auto tags = check_tags(svg);
    CHECK(tags.count("script") == 0);
    CHECK(ticks_of(svg, 0) == headline(facts).total.amount.value);
    if (facts.line_count() == 0) return;
    // The frames of the hottest line, in all modules, add up to its own time.
    const LineFacts hottest = facts.line(facts.hot_lines().front());
    const std::string name =
        ":" + std::to_string(hottest.number) + " " + escape_markup(hottest.text) + "\n";
    int64_t sum = 0;
    for (size_t at = 0; (at = svg.find(name, at)) != std::string::npos; ++at)
      sum += ticks_of(svg, svg.rfind("<g ", at));
    CHECK(sum == hottest.self.amount.value);
  });
}

TEST_CASE("html: one file, whose numbers are the commands'", "[export]") {
  for_each_example([](const Exported& exported) {
    const Facts& facts = exported.facts;
    const std::string html = exported.to("html");
    const auto tags = check_tags(html);
    for (const char* tag : {"script", "link", "img", "iframe", "object", "form"})
      CHECK(tags.count(tag) == 0);
    CHECK(html.find("default-src 'none'") != std::string::npos);
    // Nothing is fetched: the only addresses are the name of SVG and places on the page.
    for (size_t at = 0; (at = html.find("http", at)) != std::string::npos; ++at) {
      const std::string_view rest = std::string_view(html).substr(at);
      CHECK((rest.starts_with("http://www.w3.org/2000/svg\"") || rest.starts_with("http-equiv")));
    }
    for (size_t at = 0; (at = html.find("href=\"", at)) != std::string::npos; ++at)
      CHECK(html[at + 6] == '#');
    CHECK(html.find(escape_markup(headline_text(headline(facts), facts, std::nullopt))) !=
          std::string::npos);
    const ExportInput input = exported.input();
    for (const std::vector<std::string>& row : ReportTables(input).lines().rows) {
      std::string cells;
      for (const std::string& cell : row) cells += ">" + escape_markup(cell) + "</td>";
      const std::string first = cells.substr(0, cells.find("</td>"));
      CAPTURE(first);
      CHECK(html.find(first) != std::string::npos);
    }
  });
}

TEST_CASE("html: what to do comes first, then lines, executions, delegation, memory and modules",
          "[export]") {
  size_t looked_at = 0;
  for_each_example([&](const Exported& exported) {
    const std::string html = exported.to("html");
    size_t last = 0;
    for (const char* id : {"summary", "advice", "lines", "executions", "partitions", "fallbacks",
                           "reasons", "memory", "modules", "events", "graph"}) {
      const size_t at = html.find(" id=\"" + std::string(id) + "\">");
      if (at == html.npos) continue;
      CAPTURE(id);
      CHECK(at > last);
      last = at;
      ++looked_at;
    }
  });
  CHECK(looked_at > 10);
}

TEST_CASE("html: links of a file lead to places on it, and name no path of this machine",
          "[export]") {
  size_t links = 0;
  for_each_example([&](const Exported& exported) {
    const std::string html = exported.to("html");
    CHECK(html.find("data-path") == html.npos);
    for (size_t at = 0; (at = html.find("<a href=\"#", at)) != html.npos; ++at) {
      const size_t begin = at + 10;
      const std::string id = html.substr(begin, html.find('"', begin) - begin);
      CAPTURE(id);
      CHECK(html.find(" id=\"" + id + "\"") != html.npos);
      ++links;
    }
    for (const SourceLocation& source : exported.facts.sources())
      if (!source.path.empty()) CHECK(html.find(source.path) == html.npos);
  });
  CHECK(links > 20);
}

TEST_CASE("html: live, each line that is found is a link, and nothing is around the body",
          "[export]") {
  size_t links = 0;
  const auto live = [](const ExportInput& input) {
    std::string text;
    Sink sink([&](std::string_view piece) {
      text += piece;
      return true;
    });
    write_report(input, PageKind::Live, sink);
    REQUIRE(sink.finish());
    return text;
  };
  for_each_example([&](const Exported& exported) {
    ExportInput input = exported.input();
    input.since = "−43% <since> run 1";
    const std::string html = live(input);
    const auto tags = check_tags(html);
    for (const char* tag : {"html", "head", "style", "script"}) CHECK(tags.count(tag) == 0);
    CHECK(html.find("−43% &lt;since&gt; run 1") != html.npos);
    for (size_t at = 0; (at = html.find("data-path=\"", at)) != html.npos; ++at) {
      CHECK(html.substr(html.find('"', at + 11), 13) == "\" data-line=\"");
      ++links;
    }
  });
  CHECK(links > 0);
  const std::string hostile = live(Exported(hostile_study()).input());
  CHECK(check_tags(hostile).count("script") == 0);
}

TEST_CASE("html: hostile names stay text", "[export]") {
  const Exported exported(hostile_study());
  for (const std::string form : {"html", "svg"}) {
    CAPTURE(form);
    const std::string page = exported.to(form);
    const auto tags = check_tags(page);
    for (const char* tag : {"script", "img", "b"}) CHECK(tags.count(tag) == 0);
    CHECK(page.find('\x1b') == std::string::npos);
    CHECK(page.find("\xE2\x80\xAE") == std::string::npos);
    CHECK(is_valid_utf8(page));
    CHECK(page.find("&lt;script&gt;alert(") != std::string::npos);
  }
}

TEST_CASE("exports: nothing that nobody sees is in any form", "[export]") {
  const Exported exported(hostile_study());
  for (const ExportForm& form : export_forms()) {
    CAPTURE(form.name);
    const std::string bytes = exported.to(form.name);
    const std::string content = form.name == "pprof" ? gunzip(bytes) : bytes;
    CHECK_FALSE(holds_unseen(content));
    // They are said by their number.
    const bool is_data = form.name == "ndjson";
    CHECK(content.find(is_data                   ? "\\u200b\\u200d"
                       : form.name == "html"     ? "&lt;U+200B&gt;"
                       : form.name == "svg"      ? "&lt;U+200B&gt;"
                       : form.name == "markdown" ? "U+200B"
                                                 : "<U+200B><U+200D>") != std::string::npos);
  }
}

TEST_CASE("markdown: short first, the rest folded, and text stays text", "[export]") {
  for_each_example([](const Exported& exported) {
    const Facts& facts = exported.facts;
    const std::string text = exported.to("markdown");
    CHECK(text.starts_with("**"));
    CHECK(text.find(headline_text(headline(facts), facts, std::nullopt)) != std::string::npos);
    const std::string_view shown = std::string_view(text).substr(0, text.find("<details>"));
    size_t rows = 0;
    for (const std::string_view line : split_lines(shown)) rows += line.starts_with("| ") ? 1 : 0;
    CHECK(rows <= 12);  // header, its rule, ten rows
  });
  const std::string text = Exported(hostile_study()).to("markdown");
  for (const std::string_view tag : {"<script", "<b>", "<img"}) {
    for (size_t at = text.find(tag); at != std::string::npos; at = text.find(tag, at + 1))
      CHECK(text[at - 1] == '\\');  // Markdown's own escape: a letter like any other
  }
  CHECK(text.find("\\<script") != std::string::npos);
  CHECK(text.find('\x1b') == std::string::npos);
}

TEST_CASE("sink: what cannot be written is an error at the end", "[export]") {
  size_t calls = 0;
  Sink sink([&](std::string_view) { return ++calls < 2; });
  for (int i = 0; i < 100; ++i) sink << std::string(10'000, 'x');
  const Result<void> written = sink.finish();
  REQUIRE(!written);
  CHECK(written.error().code == ErrorCode::Io);
  CHECK(calls == 2);
}

}  // namespace etlens::pages_test
