// SPDX-License-Identifier: Apache-2.0
// What limits everything that a run can tell: a clock that stands, noise, backends that report no
// operators. Every surface says it with its headline.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/facts/facts.h"

namespace etlens {

// Calls of a backend from inside which no operator was reported.
struct SilentBackend {
  std::string label;  // "" if nothing names it
  size_t calls = 0;   // in one execution of the method
  Cost total;
};

// The ones whose time is worth a word, in the order of their first call. Only of events.
std::vector<SilentBackend> silent_backends(const Facts& facts);

// Executions that took most of what all had beyond the typical; empty if it is spread over all.
// `executions` are the samples that are far from the others.
std::vector<uint32_t> noisy_executions(const Facts& facts, const std::vector<uint32_t>& executions);

}  // namespace etlens
