// SPDX-License-Identifier: Apache-2.0
// What `etlens gate` prints: each budget with its verdict, and each violation with its line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/gate/gate.h"
#include "core/view/gate_view.h"

namespace etlens {

// Where paths of people's output begin: below it they are relative.
struct GatePaths {
  std::string here;
};

// The document, with its sentences.
GateView worded_gate(const GateResult& result);

// "etlens.toml: 2 of 7 budgets violated, 1 not checked".
std::string gate_headline(const GateView& view, const GatePaths& paths);
// A line for each budget, and below it a line for each cause.
std::string gate_text(const GateView& view, const GatePaths& paths);
// For the summary of a job: headline, a table of budgets, a table of causes.
std::string gate_markdown(const GateView& view, const GatePaths& paths);
// The headline, then workflow commands of GitHub: an error for each cause, on its line, and for
// each violated budget, on the policy's; a warning for each budget that was not checked.
std::string gate_github(const GateView& view, const GatePaths& paths);

// As GitHub wants the text of a workflow command and, more strictly, its properties.
std::string escape_github(std::string_view text);
std::string escape_github_property(std::string_view text);

}  // namespace etlens
