// SPDX-License-Identifier: Apache-2.0
// XNNPACK's operators: since which release its partitioner takes each, and under what condition.
#pragma once

#include <string_view>

#include "core/delegation/rules.h"

namespace etlens {

struct XnnpackRule {
  std::string_view op;  // without its namespace
  Release since = 1;
  RuleVerdict (*check)(const RuleNode& node, Release release) = nullptr;  // null: no condition
  bool is_only_together = false;  // with its linear or convolution
};

// Null if the release has no such operator.
const XnnpackRule* find_xnnpack_operator(std::string_view op, Release release);

}  // namespace etlens
