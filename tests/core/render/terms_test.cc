// SPDX-License-Identifier: Apache-2.0
// Every word and sign that a surface shows has an explanation, and docs/terms.md is the table.
#include "core/render/terms.h"

#include <fmt/format.h>

#include <fstream>
#include <optional>
#include <set>
#include <sstream>

#include "core/base/text.h"
#include "core/facts/delegation.h"
#include "core/facts/hints.h"
#include "core/facts/size_facts.h"
#include "core/join/program_code.h"
#include "core/render/advice_text.h"
#include "core/render/arrange.h"
#include "core/render/diff_markdown.h"
#include "core/render/diff_text.h"
#include "core/render/hint_text.h"
#include "core/render/hover.h"
#include "core/render/legend.h"
#include "core/render/memory_report.h"
#include "core/render/size_report.h"
#include "core/render/summary.h"
#include "core/render/tables.h"
#include "core/render/values_hover.h"
#include "core/render/values_report.h"
#include "core/workspace/load.h"
#include "core/workspace/load_program.h"
#include "test_paths.h"
#include "tests/support/txtar.h"

namespace etlens::terms_test {

using namespace etlens::test;

namespace {

// Names of an enumeration, whichever it has: those of numbers beyond it are among them.
template <typename E>
std::set<std::string> names_of() {
  std::set<std::string> names;
  for (uint8_t i = 0; i < 32; ++i) names.emplace(name_of(static_cast<E>(i)));
  return names;
}

void check_words(const std::set<std::string>& words) {
  for (const std::string& word : words) {
    CAPTURE(word);
    const std::vector<const Term*> found = find_terms(word);
    CHECK(std::ranges::any_of(found, [](const Term* term) {
      return term->kind != TermKind::Column && term->kind != TermKind::Sign;
    }));
  }
}

void check_columns(const Table& table) {
  for (const Column& column : table.columns) {
    CAPTURE(column.name, column.key);
    CHECK(find_term(TermKind::Column, column_key(column)) != nullptr);
  }
}

// What stands in words of ours beyond ASCII is a sign, or needs no explanation.
void check_signs(std::string_view text) {
  static const std::set<std::string_view> kPlain{"µ", "·", "−", "│", "\xC2\xA0"};
  while (!text.empty()) {
    const std::string_view character = text.substr(0, utf8_length(text));
    text.remove_prefix(character.size());
    if (character.size() == 1 || kPlain.count(character) > 0) continue;
    CAPTURE(character);
    CHECK(find_term(TermKind::Sign, character) != nullptr);
  }
}

struct Pair {
  std::string folder;
  std::string sources;
  std::string dump = "model.etdp";
};
const std::vector<Pair> kPairs{
    {ETLENS_SOURCE "/examples/storyteller", ETLENS_SOURCE "/examples/storyteller"},
    {ETLENS_SOURCE "/examples/leafnet/int8", ETLENS_SOURCE "/examples/leafnet"},
    {ETLENS_SOURCE "/examples/pricer", ETLENS_SOURCE "/examples/pricer"},
    {ETLENS_SOURCE "/tests/data/release-1.5/mlp-xnnpack-int8", ETLENS_SOURCE "/tests/data/models",
     "run10.etdp"}};

LoadRequest request_of(const Pair& pair) {
  LoadRequest request;
  request.etdump = pair.folder + "/" + pair.dump;
  request.etrecord = pair.folder + "/model.etrecord";
  request.pte = pair.folder + "/model.pte";
  request.roots = {pair.sources};
  return request;
}

void check_study(const std::shared_ptr<const Study>& study, size_t measure) {
  const Facts facts(study, measure);
  const std::vector<AnchoredSource> sources =
      read_and_anchor(real_file_system(), facts.code(), study->sources);
  const Headline head = headline(facts);
  const std::vector<Advice> advice = advise(facts, head);
  for (const TableStyle style : {TableStyle::Human, TableStyle::Data}) {
    const TableOptions options{style};
    check_columns(lines_table(facts, sources, options));
    check_columns(modules_table(facts, "", options));
    if (!facts.has_events()) continue;
    check_columns(events_table(facts, sources, options));
    check_columns(partitions_table(facts, options));
    check_columns(fallbacks_table(facts, options));
    check_columns(advice_table(facts, options));
  }
  check_signs(summary_text(headline(facts), facts, std::nullopt));
  for (const PartFacts& part : head.parts) {
    if (facts.has_events()) check_words({std::string(describe(facts, part.part))});
  }
  HoverOptions hover;
  hover.advice = advice;
  for (size_t l = 0; l < facts.line_count(); ++l) {
    const LineId line(l);
    if (const std::optional<Hint> hint = hint_of(facts, line, true, {}))
      check_signs(hint_text(facts, *hint, {}).text);
    const HoverInfo info = line_hover(facts, line, hover);
    CHECK(info.operators.columns.size() <= 5);
    for (const Column& column : info.operators.columns) {
      const bool is_measured = column.name == facts.quantity().label;
      if (!is_measured) check_columns({{column}, {}});
    }
    check_signs(to_plain_text(info));
  }
}

}  // namespace

TEST_CASE("terms: what enumerations are called", "[terms]") {
  check_words(names_of<Confidence>());
  check_words(names_of<Part>());
  check_words(names_of<AnchorVerdict>());
  check_words(names_of<AdviceKind>());
  check_words(names_of<NodeFate>());
  check_words(names_of<FilePartKind>());
  check_words(names_of<PairVerdict>());
  std::set<std::string> roles = names_of<ValueRole>();
  roles.erase("");
  check_words(roles);
  for (const Statistic statistic : {Statistic::Typical, Statistic::Mean, Statistic::Median,
                                    Statistic::Minimum, Statistic::Maximum})
    check_words({std::string(name_of(statistic))});
  for (const Verdict verdict : {Verdict::CannotTell, Verdict::Same, Verdict::Slower,
                                Verdict::Faster, Verdict::Gone, Verdict::New}) {
    Judged judged;
    judged.verdict = verdict;
    check_words({verdict_text(judged), std::string(name_of(verdict))});
    check_signs(change_mark(judged));
  }
}

TEST_CASE("terms: columns, signs and hovers of real artifacts", "[terms]") {
  for (const Pair& pair : kPairs) {
    CAPTURE(pair.folder);
    const auto study = load_study(real_file_system(), request_of(pair));
    REQUIRE(study);
    for (size_t m = 0; m < (*study)->measures.size(); ++m) check_study(*study, m);
  }
}

TEST_CASE("terms: columns of programs, values and comparisons", "[terms]") {
  const Result<LoadedProgram> loaded =
      load_program(real_file_system(), ETLENS_SOURCE "/examples/pricer/model.pte", "");
  REQUIRE(loaded);
  std::vector<std::shared_ptr<const Code>> codes;
  for (const ProgramMethod& method : loaded->program->methods)
    codes.push_back(code_of_program(nullptr, method, {}));
  const std::vector<MemoryFacts> memory{MemoryFacts(loaded->program, 0, codes.front())};
  const SizeFacts size(real_file_system(), loaded->program, codes);
  for (const TableStyle style : {TableStyle::Human, TableStyle::Data}) {
    check_columns(memory_buffers_table(memory, style));
    check_columns(memory_tensors_table(memory.front(), style));
    check_columns(memory_lines_table(memory.front(), style));
    check_columns(allocators_table({}, style));
    check_columns(size_parts_table(size, style));
    check_columns(size_modules_table(size, style));
    check_columns(size_lines_table(size, style));
  }
  check_columns(gaps_table({}, GapMetric::Mse));
  check_columns(gaps_table({}, GapMetric::L1));
  check_columns(gaps_table({}, GapMetric::Snr));
  for (const DiffGrouping grouping :
       {DiffGrouping::Line, DiffGrouping::Module, DiffGrouping::Operator, DiffGrouping::Partition})
    check_columns(diff_rows_table({}, grouping, TimeScale::Nanoseconds));
}

TEST_CASE("terms: columns of logged values and of their hovers", "[terms]") {
  const std::string folder = ETLENS_SOURCE "/tests/data/values/mlp";
  LoadRequest load;
  load.etdump = folder + "/fault.etdp";
  load.etrecord = folder + "/model.etrecord";
  const auto study = load_study(real_file_system(), load);
  REQUIRE(study);
  ValuesRequest request;
  request.debug_buffer = folder + "/fault.bin";
  request.reference = folder + "/aot.npz";
  auto read = load_values(real_file_system(), **study, load, request);
  REQUIRE(read);
  const ValuesFacts values(std::make_shared<const ValueStudy>(std::move(*read)));
  for (const TableStyle style : {TableStyle::Human, TableStyle::Data}) {
    check_columns(values_table(values, style));
    check_columns(origins_table(values, style));
  }
  size_t hovers = 0;
  for (size_t l = 0; l < values.code().lines.size(); ++l) {
    for (const HoverInfo& info : values_hover(values, LineId(l), {})) {
      CHECK(info.operators.columns.size() <= 5);
      check_columns({info.operators.columns, {}});
      check_signs(to_plain_text(info));
      ++hovers;
    }
  }
  CHECK(hovers > 0);
}

TEST_CASE("terms: each is explained once, and found however it is written", "[terms]") {
  std::set<std::pair<TermKind, std::string_view>> seen;
  for (const Term& term : terms()) {
    CAPTURE(term.names);
    CHECK(term.text.size() > 5);
    CHECK_FALSE(term.text.ends_with('.'));
    for (const std::string_view name : term.all_names()) {
      CHECK_FALSE(name.empty());
      CHECK(seen.emplace(term.kind, name).second);
    }
  }
  REQUIRE(find_terms("Aligned").size() == 1);
  CHECK(find_terms("aligned").front()->kind == TermKind::Confidence);
  CHECK(find_terms("n").front()->name() == "occurrences");
  CHECK(find_terms("nonsense").empty());
  CHECK(similar_terms("align") == std::vector<std::string_view>{"aligned"});
  CHECK(similar_terms("qqq").empty());
}

TEST_CASE("terms: a legend has what was used, and no more", "[terms]") {
  Legend legend;
  legend.add(Table{{{"#", Align::Right, "rank"}, {"where"}, {.name = "text", .is_prose = true}},
                   {{"1–2", "XNNPACK+CPU", "x = a ≈ b  # framework"}, {"3", "CPU", ""}}});
  const std::string text = legend.text();
  for (const char* word : {"rank ", "where ", "XNNPACK ", "CPU ", "– "}) {
    CAPTURE(word, text);
    CHECK(("\n" + text).find("\n" + std::string(word)) != std::string::npos);
  }
  CHECK(text.find("framework ") == std::string::npos);
  CHECK(text.find("≈") == std::string::npos);
  Legend sentence;
  sentence.add("Σ 12.4 ms 61%, likely faster");
  CHECK(sentence.text().find("Σ ") != std::string::npos);
  CHECK(sentence.text().find("faster ") != std::string::npos);
  CHECK(sentence.text().find("\nslower ") == std::string::npos);
  CHECK(Legend().text().empty());
}

TEST_CASE("terms: docs/terms.md is written from the table", "[terms]") {
  const std::string path = ETLENS_SOURCE "/docs/terms.md";
  if (update_golden()) std::ofstream(path, std::ios::binary) << terms_markdown();
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  CHECK(text.str() == terms_markdown());
}

}  // namespace etlens::terms_test
