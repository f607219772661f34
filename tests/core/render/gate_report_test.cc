// SPDX-License-Identifier: Apache-2.0
// Sentences of a gate, and what GitHub takes for a workflow command.
#include "core/render/gate_report.h"

#include "core/base/text.h"

namespace etlens::gate_report_test {

namespace {

BudgetRow budget(Budget kind, double limit) { return {kind, 7, limit, {}, false}; }

GateRow row(Budget kind, GateStatus status, double limit, double value) {
  GateRow made{budget(kind, limit), status, {}, value, {}, 0, {}};
  return made;
}

std::string text_of(GateRow made) {
  const GateResult result{"/w/etlens.toml", {std::move(made)}};
  return worded_gate(result).budgets.front().text;
}

}  // namespace

TEST_CASE("gate: what is over its limit never looks like it") {
  CHECK(text_of(row(Budget::PeakMemory, GateStatus::Violated, 2e6, 3e6)) ==
        "the peak is 3.00 MB; the policy allows 2.00 MB");
  CHECK(text_of(row(Budget::FileSize, GateStatus::Violated, 2'000'000, 2'000'001)) ==
        "the file has 2000001 bytes; the policy allows 2000000 bytes");
  CHECK(text_of(row(Budget::ColdStart, GateStatus::Violated, 20e6, 30e6)) ==
        "the cold start is 30.0 ms; the policy allows 20.0 ms");
  CHECK(text_of(row(Budget::CpuNodes, GateStatus::Kept, 3, 1)) ==
        "1 operator on the CPU; the policy allows 3");
  GateRow lines = row(Budget::SlowerLines, GateStatus::Kept, 0.05, 0);
  lines.undecided = 2;
  CHECK(text_of(lines) ==
        "no line is slower by more than 5%; 2 lines are without a verdict: take more dumps of each "
        "side");
}

TEST_CASE("gate: the reason of a whole program stands once") {
  GateRow made = row(Budget::CpuNodes, GateStatus::Violated, 0, 1);
  made.findings.push_back({{"/ci/a.py", 3, ""},
                           "op",
                           {},
                           1,
                           {"no_delegate", "The program calls no delegate.", "Lower it."},
                           std::nullopt});
  const GateResult result{"/w/etlens.toml", {made}};
  CHECK(gate_text(worded_gate(result), {"/w"}) ==
        "etlens.toml: 1 of 1 budget violated\n\n"
        "violated     cpu_nodes: 1 operator on the CPU; the policy allows 0. The program calls no "
        "delegate. Lower it. (etlens.toml:7)\n"
        "  /ci/a.py:3: op runs on the CPU\n");
}

TEST_CASE("gate: workflow commands of GitHub stay what they are") {
  CHECK(escape_github("50% of\r\nit: a, b") == "50%25 of%0D%0Ait: a, b");
  CHECK(escape_github_property("a,b:c%\n") == "a%2Cb%3Ac%25%0A");
  GateRow made = row(Budget::CpuOperators, GateStatus::Violated, 0, 1);
  made.findings.push_back({{"/ci/a.py", 3, "/w/x,y:z\n::error::.py"},
                           "op\n::set-output name=x::y",
                           {},
                           1,
                           {"id", "Too slow\n::error::no", ""},
                           std::nullopt});
  made.findings.push_back(
      {{"::error::gone.py", 3, ""}, "op", {}, 1, {"id", "A reason.", ""}, std::nullopt});
  const GateResult result{"/w/etlens.toml", {made}};
  const std::string text = gate_github(worded_gate(result), {"/w"});
  INFO(text);
  const auto printed = split_lines(text);
  REQUIRE(printed.size() == 4);
  CHECK(printed[0] == "etlens.toml: 1 of 1 budget violated");
  CHECK(printed[1] ==
        "::error file=etlens.toml,line=7,title=etlens gate%3A cpu_operators::1 "
        "operator on the CPU is not in the list");
  CHECK(printed[2].starts_with(
      "::error file=x%2Cy%3Az%0A%3A%3Aerror%3A%3A.py,line=3,title=etlens gate%3A "
      "cpu_operators::op%0A::set-output"));
  CHECK(printed[3].starts_with("::error file=etlens.toml,line=7,"));
  CHECK(printed[3].find("::::error::gone.py:3: op runs on the CPU: A reason.") !=
        std::string_view::npos);
}

TEST_CASE("gate: Markdown escapes what artifacts are called") {
  GateRow made = row(Budget::CpuOperators, GateStatus::Violated, 0, 1);
  made.findings.push_back(
      {{"/ci/a|b.py", 3, ""}, "op_<b>", {}, 2, {"id", "A *reason*.", ""}, std::nullopt});
  const GateResult result{"/w/etlens.toml", {made}};
  const std::string text = gate_markdown(worded_gate(result), {"/w"});
  INFO(text);
  CHECK(text.find("<b>") == std::string::npos);
  CHECK(text.find("*reason*") == std::string::npos);
  CHECK(text.find("2 × op") != std::string::npos);
}

}  // namespace etlens::gate_report_test
