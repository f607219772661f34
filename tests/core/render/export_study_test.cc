// SPDX-License-Identifier: Apache-2.0
// Studies of exports that have not run: a record, a program, both, and what does not fit or cannot be
// read.
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>

#include "core/facts/advice.h"
#include "core/facts/export_facts.h"
#include "core/facts/hints.h"
#include "core/facts/reasons.h"
#include "core/render/hint_text.h"
#include "core/render/summary.h"
#include "core/workspace/discovery.h"
#include "core/workspace/resolve.h"
#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/memory_file_system.h"

namespace etlens::export_study_test {

using Catch::Matchers::Contains;
using test::MemoryFileSystem;
using test::read_file;

namespace {

const std::string kCases = ETLENS_TEST_DATA "/delegation/own.gated-";

MemoryFileSystem files_of(const std::string& name, bool with_record, bool with_program) {
  MemoryFileSystem files;
  if (with_record) files.put("/w/model.etrecord", read_file(kCases + name + "/model.etrecord"));
  if (with_program) files.put("/w/model.pte", read_file(kCases + name + "/model.pte"));
  return files;
}

Result<std::shared_ptr<const Study>> open(const FileSystem& files, const StudyWish& wish = {}) {
  DiscoveryOptions search;
  search.roots = {"/w"};
  Result<ResolvedStudy> resolved = resolve(files, find_artifacts(files, search), wish);
  if (!resolved) return resolved.error();
  return load_study(files, resolved->request);
}

std::shared_ptr<const Study> opened(const FileSystem& files, const StudyWish& wish = {}) {
  const auto study = open(files, wish);
  if (!study) FAIL(study.error().message);
  return *study;
}

// The texts of all hints, by recorded line.
std::map<uint32_t, std::string> hints_of(const std::shared_ptr<const Study>& study) {
  const Facts facts(study);
  std::map<uint32_t, std::string> texts;
  for (size_t f = 0; f < facts.code().files.size(); ++f) {
    for (const PlacedHint& row : recorded_hints(facts, FileId(f), {}))
      texts[row.line] = hint_text(facts, row.hint, {}).text;
  }
  return texts;
}

}  // namespace

TEST_CASE("an export: every operator is counted once, inside or outside", "[export_study]") {
  const auto [name, has_program] = GENERATE(table<std::string, bool>({{"xnnpack", true},
                                                                      {"xnnpack", false},
                                                                      {"vulkan", true},
                                                                      {"coreml", false},
                                                                      {"native", false},
                                                                      {"openvino", false},
                                                                      {"portable", false},
                                                                      {"webgpu", false},
                                                                      {"ethosu-arm", true}}));
  CAPTURE(name, has_program);
  const auto study = opened(files_of(name, true, has_program));
  const nlohmann::json truth = nlohmann::json::parse(read_file(kCases + name + "/delegation.json"));
  int64_t delegated = 0;
  int64_t outside = 0;
  for (const nlohmann::json& row : truth["operators"]) {
    if (row["op_type"] == "getitem" || row["op_type"] == "Total") continue;
    delegated += row["occurrences_in_delegated_graphs"].get<int64_t>();
    outside += row["occurrences_in_non_delegated_graphs"].get<int64_t>();
  }
  const ExportSummary summary = export_summary(*study);
  CHECK(study->is_of_export());
  CHECK(summary.delegate_calls == truth["subgraphs"].get<size_t>());
  // Partitioners copy quantize and dequantize nodes: their count is another.
  if (name != "ethosu-arm") {
    CHECK(summary.operators.delegated == delegated);
    CHECK(summary.operators.on_cpu() == outside);
  }
  CHECK(summary.peak.has_value() == has_program);
  const Facts facts(study);
  CHECK(facts.has_operators());
  CHECK(facts.measure().total[Part::Line] + facts.measure().total[Part::Unattributed] ==
        Amount(summary.operators.all));
}

TEST_CASE("an export: hints say where operators run, and their bytes", "[export_study]") {
  const std::map<uint32_t, std::string> with_program{{60, "XNNPACK · 1.79 kB"},
                                                     {61, "XNNPACK · 2.82 kB"},
                                                     {62, "XNNPACK+CPU"},
                                                     {63, "CPU"},
                                                     {64, "CPU"},
                                                     {65, "CPU"},
                                                     {66, "XNNPACK+CPU · 1.32 kB"}};
  CHECK(hints_of(opened(files_of("xnnpack", true, true))) == with_program);
  const std::map<uint32_t, std::string> alone{
      {60, "XNNPACK"}, {61, "XNNPACK"}, {62, "XNNPACK+CPU"}, {63, "CPU"},
      {64, "CPU"},     {65, "CPU"},     {66, "XNNPACK+CPU"}};
  CHECK(hints_of(opened(files_of("xnnpack", true, false))) == alone);
  for (const auto& [line, text] : hints_of(opened(files_of("portable", true, false))))
    CHECK(text == "CPU");
}

TEST_CASE("an export: what is said of it", "[export_study]") {
  const auto words = [](const std::shared_ptr<const Study>& study) {
    const Facts facts(study, study->first_measure());
    return summary_text(headline(facts), facts, std::nullopt);
  };
  CHECK(words(opened(files_of("xnnpack", true, true))) ==
        "forward: not run yet · 9 of 17 operators delegated · 3 delegate calls · peak 426 kB\n");
  CHECK(words(opened(files_of("portable", true, false))) ==
        "forward: not run yet · 18 operators, none delegated: exported without a partitioner\n");
  CHECK_THAT(words(opened(files_of("xnnpack", false, true))),
             Contains("not run yet · no ETRecord, so no lines · 3 delegate calls · peak 426 kB"));
}

TEST_CASE("an export: why each operator outside is outside", "[export_study]") {
  const auto study = opened(files_of("xnnpack", true, true));
  const Facts facts(study);
  size_t outside = 0;
  for (size_t c = 0; c < facts.contribution_count(); ++c) {
    const ContributionFacts row = facts.contribution(ContributionId(c));
    const DelegationReason* reason = reason_of(facts, row.id);
    CHECK((reason == nullptr) == row.partition.valid());
    CHECK(row.remark.empty() == row.partition.valid());
    outside += reason == nullptr ? 0 : 1;
  }
  CHECK(outside == 8);
  const std::vector<Advice> advice = advise(facts, headline(facts));
  REQUIRE(advice.size() == 3);
  CHECK(advice[0].count == 6);
  for (const Advice& row : advice) CHECK(row.kind == AdviceKind::NotDelegated);
}

TEST_CASE("an export: a program alone names its calls", "[export_study]") {
  const auto study = opened(files_of("xnnpack", false, true));
  CHECK(study->pte_path == "/w/model.pte");
  CHECK(study->etrecord_path.empty());
  REQUIRE(study->code().partitions.size() == 3);
  for (const Partition& call : study->code().partitions)
    CHECK(study->code().text(call.backend) == "XnnpackBackend");
  CHECK(study->measures[study->first_measure()].quantity.id == "memory");
}

TEST_CASE("an export: the newest is shown, with what fits it", "[export_study]") {
  MemoryFileSystem files = files_of("xnnpack", true, true);
  const std::string other = read_file(kCases + "vulkan/model.pte");
  files.put("/w/model.pte", other);  // the newer file, of another export
  const auto program = opened(files);
  CHECK(program->pte_path == "/w/model.pte");
  CHECK(program->etrecord_path.empty());
  CHECK(program->report.find(Oddity::RecordLeftOut) != nullptr);
  files.put("/w/model.etrecord", read_file(kCases + "xnnpack/model.etrecord"));
  const auto record = opened(files);
  CHECK(record->etrecord_path == "/w/model.etrecord");
  CHECK(record->pte_path.empty());
  CHECK(record->report.find(Oddity::ProgramDiffers) != nullptr);
  // Of both, named, it is said that they do not belong together.
  StudyWish both;
  both.etrecord = "/w/model.etrecord";
  both.pte = "/w/model.pte";
  const auto refused = open(files, both);
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().message, Contains("do not belong together"));
}

TEST_CASE("an export: what cannot be read is a sentence, and the rest is shown", "[export_study]") {
  MemoryFileSystem files = files_of("xnnpack", true, true);
  const std::string record_bytes = read_file(kCases + "xnnpack/model.etrecord");
  files.put("/w/model.etrecord", record_bytes.substr(0, record_bytes.size() * 3 / 4));
  const auto alone = opened(files);
  CHECK(alone->pte_path == "/w/model.pte");
  CHECK(alone->report.find(Oddity::RecordLeftOut) != nullptr);
  files.put("/w/model.etrecord", record_bytes);
  const std::string program = read_file(kCases + "xnnpack/model.pte");
  files.put("/w/model.pte", program.substr(0, program.size() / 2));
  StudyWish wish;
  wish.etrecord = "/w/model.etrecord";
  const auto record = opened(files, wish);
  CHECK(record->etrecord_path == "/w/model.etrecord");
  CHECK(record->report.find(Oddity::ProgramUnreadable) != nullptr);
  MemoryFileSystem broken;
  broken.put("/w/model.pte", program.substr(0, 4096));
  const auto refused = open(broken);
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().message, Contains("/w/model.pte"));
  StudyWish method;
  method.selection.method = "encode";
  const auto unknown = open(files_of("xnnpack", true, false), method);
  REQUIRE_FALSE(unknown);
  CHECK_THAT(unknown.error().message, Contains("has no method encode; it has forward"));
}

TEST_CASE("an export: the same lines have the same numbers once a dump is there",
          "[export_study]") {
  const std::string folder = ETLENS_EXAMPLES "/pricer/";
  MemoryFileSystem files;
  for (const char* name : {"model.etrecord", "model.pte", "model.py", "features.py"})
    files.put("/w/" + std::string(name), read_file(folder + name));
  const auto before = opened(files);
  CHECK(before->is_of_export());
  files.put("/w/model.etdp", read_file(folder + "model.etdp"));
  const auto after = opened(files);
  CHECK_FALSE(after->is_of_export());
  CHECK(before->code().lines.size() == after->code().lines.size());
  for (size_t l = 0; l < before->code().lines.size(); ++l)
    CHECK(before->code().key_of(LineId(l)) == after->code().key_of(LineId(l)));
  CHECK(before->sources.size() == after->sources.size());
}

}  // namespace etlens::export_study_test
