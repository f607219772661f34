// SPDX-License-Identifier: Apache-2.0
// Verdicts: every budget kept, violated and not checked; and what real artifacts give as evidence.
#include <fmt/format.h>

#include "core/formats/pte/pte_reader.h"
#include "core/gate/gate.h"
#include "core/gate/write_policy.h"
#include "core/join/program_code.h"
#include "core/workspace/load_program.h"
#include "test_paths.h"
#include "tests/core/compare/sides.h"
#include "tests/support/memory_file_system.h"

namespace etlens::gate_test {

using test::MemoryFileSystem;

namespace {

const std::string kCases = ETLENS_TEST_DATA "/delegation/own.gated-";

CpuOperator cpu_operator(std::string op, std::string target, uint32_t line,
                         bool is_counted = true) {
  return {std::move(op),
          std::move(target),
          {"/home/ci/model.py", line, {}},
          {"unsupported_operator", "XNNPACK has no such operator.", "Write another one."},
          is_counted};
}

// 8 of 10 counted operators delegated, 3 on the CPU, in 2 delegate calls.
Evidence evidence() {
  Evidence all;
  DelegationEvidence delegation;
  delegation.counted = {8, 10};
  delegation.cpu = {cpu_operator("aten_topk_default", "aten.topk.default", 4),
                    cpu_operator("aten_topk_default", "aten.topk.default", 4),
                    cpu_operator("aten_view_copy_default", "aten.view_copy.default", 5, false)};
  all.delegation = std::move(delegation);
  all.calls = std::vector<CallStart>{{"XNNPACK", {"/home/ci/model.py", 1, {}}},
                                     {"XNNPACK", {"/home/ci/model.py", 7, {}}}};
  all.cold_start = 20e6;
  all.memory = MemoryEvidence{1000, {{{"/home/ci/model.py", 3, {}}, 600}}};
  all.size = SizeEvidence{5000, {{{"/home/ci/model.py", 2, {}}, 4000}}};
  TimeEvidence time;
  time.has_lines = true;
  time.total = {.verdict = Verdict::Slower, .change = 0.04};
  time.lines = {{{"/home/ci/model.py", 3, {}}, {.verdict = Verdict::Slower, .change = 0.2}},
                {{"/home/ci/model.py", 4, {}},
                 {.verdict = Verdict::Slower, .is_likely = true, .change = 0.1}},
                {{"/home/ci/model.py", 5, {}},
                 {.verdict = Verdict::CannotTell, .reason = Reason::Spread, .change = 0.5}},
                {{"/home/ci/model.py", 6, {}},
                 {.verdict = Verdict::CannotTell, .reason = Reason::Small, .change = 0.5}},
                {{"/home/ci/model.py", 7, {}}, {.verdict = Verdict::Faster, .change = -0.5}}};
  all.time = std::move(time);
  return all;
}

Policy policy_of(std::string_view budgets) {
  Result<Policy> policy = parse_policy(MemoryFileSystem(), "/w/etlens.toml",
                                       "[budget]\n" + std::string(budgets) + "\n");
  if (!policy) FAIL(policy.error().message);
  return std::move(*policy);
}

GateRow row_of(std::string_view budget, const Evidence& all = evidence()) {
  GateResult result = check_policy(policy_of(budget), all);
  REQUIRE(result.rows.size() == 1);
  return std::move(result.rows.front());
}

GateStatus status_of(std::string_view budget, const Evidence& all = evidence()) {
  return row_of(budget, all).status;
}

constexpr std::string_view kAll =
    "cpu_operators = []\ncpu_nodes = 0\ndelegated = \"100%\"\ndelegate_calls = 0\n"
    "cold_start = \"1 ns\"\npeak_memory = 1\nfile_size = 1\nslower_total = \"0%\"\n"
    "slower_lines = \"0%\"\n";

LoadRequest request_of(const std::string& name) {
  LoadRequest request;
  request.etrecord = kCases + name + "/model.etrecord";
  return request;
}

Known<DelegationEvidence> evidence_of(const std::string& name) {
  const Result<LoadedDelegation> loaded = load_delegation(real_file_system(), request_of(name));
  REQUIRE(loaded);
  return delegation_evidence(loaded->delegation, *loaded->code);
}

}  // namespace

TEST_CASE("gate: limits are kept up to the limit itself", "[gate]") {
  const GateStatus kKept = GateStatus::Kept;
  const GateStatus kViolated = GateStatus::Violated;
  CHECK(status_of("cpu_operators = [\"aten.topk.default\", \"aten_view_copy_default\"]") == kKept);
  CHECK(status_of("cpu_operators = [\"aten.*\"]") == kKept);
  CHECK(status_of("cpu_operators = [\"aten.topk.default\"]") == kViolated);
  CHECK(status_of("cpu_operators = []") == kViolated);
  CHECK(status_of("cpu_nodes = 3") == kKept);
  CHECK(status_of("cpu_nodes = 2") == kViolated);
  CHECK(status_of("delegated = \"80%\"") == kKept);
  CHECK(status_of("delegated = \"80.1%\"") == kViolated);
  CHECK(status_of("delegate_calls = 2") == kKept);
  CHECK(status_of("delegate_calls = 1") == kViolated);
  CHECK(status_of("cold_start = \"20 ms\"") == kKept);
  CHECK(status_of("cold_start = \"19.9 ms\"") == kViolated);
  CHECK(status_of("peak_memory = \"1 kB\"") == kKept);
  CHECK(status_of("peak_memory = 999") == kViolated);
  CHECK(status_of("file_size = 5000") == kKept);
  CHECK(status_of("file_size = 4999") == kViolated);
  CHECK(status_of("slower_total = \"4%\"") == kKept);
  CHECK(status_of("slower_total = \"3%\"") == kViolated);
  CHECK(status_of("slower_lines = \"20%\"") == kKept);
  CHECK(status_of("slower_lines = \"15%\"") == kViolated);
}

TEST_CASE("gate: a violation names its causes", "[gate]") {
  const GateRow operators = row_of("cpu_operators = [\"aten.view_copy.default\"]");
  CHECK(operators.value == 2);
  REQUIRE(operators.findings.size() == 1);
  CHECK(operators.findings[0].op == "aten_topk_default");
  CHECK(operators.findings[0].count == 2);
  CHECK(operators.findings[0].place.line == 4);
  CHECK(operators.findings[0].reason.remedy == "Write another one.");
  CHECK(row_of("cpu_nodes = 0").findings.size() == 2);
  // What does not count is no cause.
  const GateRow share = row_of("delegated = \"100%\"");
  CHECK(share.value == 0.8);
  REQUIRE(share.findings.size() == 1);
  CHECK(share.findings[0].op == "aten_topk_default");
  const GateRow calls = row_of("delegate_calls = 1");
  REQUIRE(calls.findings.size() == 1);
  CHECK(calls.findings[0].count == 2);
  CHECK(calls.findings[0].backend == "XNNPACK");
  CHECK(calls.findings[0].place.line == 7);
  CHECK(row_of("peak_memory = 1").findings.at(0).place.line == 3);
  CHECK(row_of("file_size = 1").findings.at(0).count == 4000);
  const GateRow lines = row_of("slower_lines = \"5%\"");
  REQUIRE(lines.findings.size() == 2);
  CHECK(lines.findings[0].place.line == 3);
  CHECK(lines.value == 0.2);
  CHECK(lines.undecided == 1);
  // Kept budgets have none.
  CHECK(row_of("peak_memory = 1000").findings.empty());
}

TEST_CASE("gate: what is missing is not checked, and violates what is required", "[gate]") {
  Evidence nothing;
  nothing.delegation = Known<DelegationEvidence>::unknown("no ETRecord");
  nothing.calls = Known<std::vector<CallStart>>::unknown("no ETRecord");
  nothing.cold_start = Known<double>::unknown("no ETDump");
  nothing.memory = Known<MemoryEvidence>::unknown("no program");
  nothing.size = Known<SizeEvidence>::unknown("no program");
  nothing.time = Known<TimeEvidence>::unknown("no base");
  const GateResult open = check_policy(policy_of(kAll), nothing);
  CHECK(open.count(GateStatus::NotChecked) == kBudgets);
  CHECK(open.checked() == 0);
  for (const GateRow& row : open.rows) CHECK(row.why_not.starts_with("no "));
  const GateResult required =
      check_policy(policy_of(std::string(kAll) + "required = true\n"), nothing);
  CHECK(required.count(GateStatus::Violated) == kBudgets);
  const GateResult one =
      check_policy(policy_of(std::string(kAll) + "required = [\"file_size\"]\n"), nothing);
  CHECK(one.count(GateStatus::Violated) == 1);
  CHECK(one.count(GateStatus::NotChecked) == kBudgets - 1);
}

TEST_CASE("gate: nothing is concluded from nothing", "[gate]") {
  Evidence all = evidence();
  all.delegation.value->counted = {0, 0};
  CHECK(status_of("delegated = \"50%\"", all) == GateStatus::NotChecked);
  all.time.value->has_lines = false;
  CHECK(status_of("slower_lines = \"5%\"", all) == GateStatus::NotChecked);
  CHECK(status_of("slower_total = \"5%\"", all) == GateStatus::Kept);
  all.time.value->total = {.verdict = Verdict::CannotTell, .reason = Reason::OneProcess};
  const GateRow total = row_of("slower_total = \"1%\"", all);
  CHECK(total.status == GateStatus::Kept);
  CHECK(total.undecided == 1);
}

TEST_CASE("gate: delegation of real records", "[gate]") {
  const Known<DelegationEvidence> xnnpack = evidence_of("xnnpack");
  REQUIRE(xnnpack.value);
  CHECK(xnnpack.value->counted.delegated == 9);
  CHECK(xnnpack.value->counted.all == 17);
  CHECK(xnnpack.value->cpu.size() == 8);
  Evidence all;
  all.delegation = xnnpack;
  const GateRow row = row_of("cpu_operators = [\"aten.*.default\", \"aten.[!m]*\"]", all);
  bool has_mean = false;
  for (const GateFinding& finding : row.findings) {
    CHECK(finding.place.line > 0);
    CHECK(finding.reason.text != "");
    has_mean = has_mean || finding.op == "aten_mean_dim";
  }
  CHECK(has_mean);
  const Known<DelegationEvidence> portable = evidence_of("portable");
  REQUIRE(portable.value);
  CHECK(portable.value->counted.delegated == 0);
  const Result<LoadedDelegation> loaded =
      load_delegation(real_file_system(), request_of("xnnpack"));
  REQUIRE(loaded);
  const Known<std::vector<CallStart>> calls = calls_of_record(loaded->delegation, *loaded->code);
  REQUIRE(calls.value);
  CHECK(calls.value->size() == 3);
  for (const CallStart& call : *calls.value) {
    CHECK(call.backend == "XNNPACK");
    CHECK(call.place.line > 0);
  }
}

TEST_CASE("gate: quantize, dequantize and views do not count", "[gate]") {
  const Result<LoadedDelegation> loaded =
      load_delegation(real_file_system(), request_of("ethosu-arm"));
  REQUIRE(loaded);
  const Delegation& delegation = loaded->delegation;
  const CountedOperators counted = count_operators(delegation);
  CHECK(counted.all < delegation.nodes.size());
  CHECK(counted.all > 0);
  size_t left_out = 0;
  for (const NodeDelegation& row : delegation.nodes) {
    const Node& node = delegation.record->nodes[row.node.value];
    if (is_counted_operator(*delegation.record, node)) continue;
    const std::string_view target = delegation.record->text(node.target);
    INFO(target);
    const bool is_left_out = target.find("quantize_per") != std::string_view::npos ||
                             target.find("view") != std::string_view::npos;
    CHECK(is_left_out);
    ++left_out;
  }
  CHECK(left_out == delegation.nodes.size() - counted.all);
}

TEST_CASE("gate: what is not lowered yet is not known", "[gate]") {
  Result<LoadedDelegation> loaded = load_delegation(real_file_system(), request_of("portable"));
  REQUIRE(loaded);
  loaded->delegation.lowering = Lowering::NotLowered;
  CHECK(delegation_evidence(loaded->delegation, *loaded->code)
            .why_not.find("before the model was lowered") != std::string::npos);
  CHECK_FALSE(calls_of_record(loaded->delegation, *loaded->code).value);
}

TEST_CASE("gate: a program alone gives calls, memory and size", "[gate]") {
  const std::string path = kCases + "xnnpack/model.pte";
  const Result<LoadedProgram> loaded = load_program(real_file_system(), path, "");
  REQUIRE(loaded);
  const auto code = code_of_program(nullptr, loaded->program->methods[0], {});
  const std::vector<CallStart> calls = calls_of_program(loaded->program->methods[0]);
  REQUIRE(calls.size() == 3);
  CHECK(calls[0].backend == "XNNPACK");
  CHECK(memory_evidence(MemoryFacts(loaded->program, 0, code)).peak > 0);
  CHECK(size_evidence(SizeFacts(real_file_system(), loaded->program, {code})).bytes ==
        real_file_system().stat(path)->size);
}

TEST_CASE("gate: time is judged by the comparison alone", "[gate]") {
  const std::shared_ptr<const Side> base = test::side_of_data("base");
  Evidence all;
  all.time = time_evidence(test::compared(base, base));
  CHECK(status_of("slower_total = \"0%\"", all) == GateStatus::Kept);
  CHECK(status_of("slower_lines = \"0%\"", all) == GateStatus::Kept);
  LineId hottest;
  for (const Landing& row : base->landings.rows)
    if (row.line.valid() && !hottest.valid()) hottest = row.line;
  REQUIRE(hottest.valid());
  const Comparison slower = test::compared(base, test::scaled(*base, hottest, 3));
  all.time = time_evidence(slower);
  const GateRow row = row_of("slower_lines = \"10%\"", all);
  REQUIRE(row.status == GateStatus::Violated);
  REQUIRE(row.findings.size() == 1);
  CHECK(row.findings[0].place.line == base->code->lines[hottest.value].number);
  CHECK(row.findings[0].judged->change == Approx(2).epsilon(0.3));
  CHECK(cold_start_evidence(*base).value.has_value() == (base->cold_start().loads > 0));
}

TEST_CASE("gate: cycles are no cold start", "[gate]") {
  Side side;
  side.clock = TimeScale::Cycles;
  side.dumps.resize(1);
  CHECK(cold_start_evidence(side).why_not.find("contains no loading") != std::string::npos);
  side.dumps[0].cold.loads = 1;
  side.dumps[0].cold.load = Amount(1000);
  CHECK(cold_start_evidence(side).why_not.find("counts cycles") != std::string::npos);
  side.clock = TimeScale::Microseconds;
  CHECK(cold_start_evidence(side).value == 1e6);
}

TEST_CASE("gate: a written policy is kept by what it was written from", "[gate]") {
  Evidence all = evidence();
  all.delegation.value->cpu[0].target = "odd\"\\\n\x01.name";
  all.delegation.value->cpu[1].reason.text = "two\nlines\x02";
  PolicyArtifacts artifacts;
  artifacts.folder = "out \"quoted\"";
  artifacts.etdump = {"a.etdp", "b.etdp"};
  artifacts.base = {"baseline"};
  for (const double share : {1.0, 2.0, 3.0}) {
    all.delegation.value->counted = {static_cast<uint64_t>(share), 3};
    const std::string text = policy_text(artifacts, all);
    INFO(text);
    const Result<Policy> policy = parse_policy(MemoryFileSystem(), "/w/etlens.toml", text);
    if (!policy) FAIL(policy.error().message);
    CHECK(policy->artifacts.folder == "/w/out \"quoted\"");
    CHECK(policy->artifacts.etdump.size() == 2);
    const GateResult result = check_policy(*policy, all);
    CHECK(result.count(GateStatus::Kept) == 7);
    CHECK(result.rows.size() == 7);
  }
  const std::string unknown = policy_text({}, Evidence());
  CHECK(unknown.find("\n# cpu_nodes") != std::string::npos);
  CHECK(parse_policy(MemoryFileSystem(), "/w/etlens.toml", unknown)
            .error()
            .message.find("has no budget") != std::string::npos);
}

TEST_CASE("gate: places are those of the sources here", "[gate]") {
  MemoryFileSystem files;
  files.put("/w/src/model.py", "pass\n");
  GateResult result = check_policy(policy_of("cpu_nodes = 0"), evidence());
  find_places(files, {.roots = {"/w"}}, result);
  for (const GateFinding& finding : result.rows[0].findings)
    CHECK(finding.place.path == "/w/src/model.py");
  GateResult elsewhere = check_policy(policy_of("cpu_nodes = 0"), evidence());
  find_places(files, {.roots = {"/v"}}, elsewhere);
  CHECK(elsewhere.rows[0].findings[0].place.path == "");
}

}  // namespace etlens::gate_test
