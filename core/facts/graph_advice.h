// SPDX-License-Identifier: Apache-2.0
// Findings that the graph of the method tells: work on constants, products left in floating point,
// quantizing by itself.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/facts/advice.h"

namespace etlens {

// "topk" of an event of aten.topk.default; without a node what the runtime calls it.
std::string operator_name(const Facts& facts, ContributionId id);

// Of the events, each once, in the order of the first.
std::vector<std::string> operator_names(const Facts& facts, std::span<const ContributionId> events);

// What `events` take, with their lines; the work is what could be won at most.
Advice advice_about(const Facts& facts, AdviceKind kind, std::vector<ContributionId> events);

std::vector<Advice> graph_advice(const Facts& facts);

}  // namespace etlens
