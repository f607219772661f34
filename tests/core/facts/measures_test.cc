// SPDX-License-Identifier: Apache-2.0
// Facts of measures whose contributions are no events, on real artifacts and on a code of their
// own.
#include <filesystem>

#include "core/facts/fallbacks.h"
#include "core/facts/headline.h"
#include "core/facts/hints.h"
#include "core/measure/size.h"
#include "test_paths.h"
#include "tests/core/measure/sample/count.h"
#include "tests/support/corpus.h"
#include "tests/support/studies.h"
#include "tests/support/times.h"

namespace etlens::measures_test {

using namespace etlens::test;

namespace {

namespace fs = std::filesystem;

std::shared_ptr<const Study> study_of_folder(const std::string& folder) {
  LoadRequest request;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".etdp") request.etdump = entry.path();
  }
  request.etrecord = folder + "/model.etrecord";
  request.pte = folder + "/model.pte";
  if (request.etdump.empty() || !fs::exists(request.pte) || !fs::exists(request.etrecord))
    return nullptr;
  const auto study = load_study(real_file_system(), request);
  return study ? *study : nullptr;
}

// What lands on lines is in Part::Line, each contribution once.
void check_sums(const Facts& facts) {
  Amount lines;
  for (size_t l = 0; l < facts.line_count(); ++l) lines += facts.line(LineId(l)).self.amount;
  CHECK(lines == facts.measure().total[Part::Line]);
  Amount all;
  for (size_t c = 0; c < facts.contribution_count(); ++c) {
    const ContributionFacts row = facts.contribution(ContributionId(c));
    CHECK_FALSE(row.name.empty());
    all += row.self.amount;
  }
  CHECK(all == facts.measure().total.typical());
  double shares = 0;
  for (const PartFacts& part : headline(facts).parts) shares += part.cost.share;
  CHECK(shares == Approx(1));
}

// Nothing that only events have.
void check_no_events(const Facts& facts) {
  CHECK_FALSE(facts.has_events());
  CHECK(facts.symbols().empty());
  CHECK(facts.fallback_gaps().empty());
  for (const LineId line : facts.hot_lines()) {
    const LineFacts row = facts.line(line);
    CHECK(row.where.empty());
    CHECK(facts.handles_of(row).empty());
    CHECK(facts.metadata(row.own.front()).empty());
    CHECK_FALSE(facts.interval(row.own));
  }
}

// One function of an own code, as a profile of the exporter has it.
std::optional<Measure> measure_export(const MeasureInput&) {
  auto strings = std::make_shared<StringPool>();
  auto code = std::make_shared<Code>();
  code->files.push_back({strings->intern("/work/export.py"), 0, 1});
  code->lines.push_back(
      {FileId(0), 7, strings->intern("export"), strings->intern("lower(model)"), 1, {}});
  code->modules.push_back({});
  Place place;
  place.line = LineId(0);
  place.stack = {LineId(0)};
  place.module = ModuleId(0);
  place.owners = {ModuleId(0)};
  code->places.push_back(place);
  code->strings = std::move(strings);
  auto landings = std::make_shared<Landings>();
  landings->code = std::move(code);
  Landing row;
  row.part = Part::Line;
  row.line = LineId(0);
  row.place = PlaceId(0);
  row.module = ModuleId(0);
  landings->rows.push_back(row);
  index_landings(*landings, {false});
  Quantity quantity;
  quantity.id = "export";
  quantity.label = "export";
  quantity.whole = "the export";
  quantity.over_samples = OverSamples::Last;
  Measure measure = measure_once(quantity, std::move(landings), std::vector<int64_t>{5000});
  measure.labels = {{"export", "called once"}};
  return measure;
}

}  // namespace

TEST_CASE("facts: measures of real programs add up, and know no events", "[measure]") {
  std::map<std::string, size_t> checked;
  size_t hinted = 0;
  for (const std::string& folder : case_folders()) {
    CAPTURE(folder);
    const auto study = study_of_folder(folder);
    if (study == nullptr) continue;
    for (size_t m = 1; m < study->measures.size(); ++m) {
      const Facts facts(study, m);
      CAPTURE(facts.quantity().id);
      ++checked[std::string(facts.quantity().id)];
      check_sums(facts);
      check_no_events(facts);
      CHECK(facts.line_count() == Facts(study).line_count());
      if (facts.quantity().id == kSizeId)
        CHECK(headline(facts).total.value ==
              static_cast<double>(fs::file_size(folder + "/model.pte")));
      for (size_t f = 0; f < facts.code().files.size(); ++f) {
        for (const PlacedHint& hint : recorded_hints(facts, FileId(f), {0})) {
          CHECK(hint.hint.where.empty());
          CHECK(hint.hint.runs == 0);
          if (hint.hint.kind != HintKind::Cost) continue;
          CHECK(hint.hint.cost.amount > Amount());
          ++hinted;
        }
      }
    }
  }
  CHECK(checked["memory"] > 3);
  CHECK(checked["size"] > 3);
  CHECK(hinted > 40);
}

TEST_CASE("facts: a measure with a code of its own has its own sources", "[measure]") {
  RecordBuilder record;
  record.node({"a", "aten.add.Tensor", 1, trace_at(3), "", {}}).map(0, {1});
  DumpBuilder dump;
  dump.block("Execute")
      .operator_call("add.out", 0, 100, 120, 5)
      .framework("Method::execute", 0, 200);
  LoadRequest request;
  request.measures = {count_measure(), {"export", "export", measure_export}};
  const auto study = study_of(dump, record, request);
  REQUIRE(study->measures.size() == 3);  // without a program
  REQUIRE(study->more_sources.size() == 1);

  const Facts time(study);
  const Facts counts(study, 1);
  const Facts exports(study, 2);
  CHECK(time.has_events());
  CHECK(counts.has_events());
  CHECK_FALSE(exports.has_events());
  CHECK(&counts.code() == &time.code());
  CHECK(&exports.code() != &time.code());
  CHECK(&counts.sources() == &study->sources);
  REQUIRE(exports.sources().size() == 1);
  CHECK(&exports.sources() == &study->more_sources[0].files);

  CHECK(exports.line(LineId(0)).self.value == 5000);
  CHECK(exports.contribution(ContributionId(0)).remark == "called once");
  CHECK(headline(exports).total.value == 5000);
  CHECK(headline(exports).odd.empty());
}

}  // namespace etlens::measures_test
