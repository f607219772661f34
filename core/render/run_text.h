// SPDX-License-Identifier: Apache-2.0
// What the file about a run says, in words.
#pragma once

#include <string>
#include <vector>

#include "core/facts/run_facts.h"

namespace etlens {

// "11.3 ms traced, 10.1 ms untraced: +12%; a fixed calculation 712 µs to 731 µs; load 0.42 on 2
// processors"; "" if the file has none of it.
std::string run_text(const RunFacts& run);

// What limits the numbers: a sentence each, with what to do. Empty if nothing does.
std::vector<std::string> run_finding_texts(const RunFacts& run);

}  // namespace etlens
