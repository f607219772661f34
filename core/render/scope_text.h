// SPDX-License-Identifier: Apache-2.0
// The words of totals on classes, functions and attributes (core/facts/scopes.h).
//
//   class Block(nn.Module):         12.4 ms · 61% of forward · 24 instances
//       self.attn = Attention(dim)  Σ 5.10 ms 25% ×24
//   def forward(self, x):           12.4 ms · 61% of forward
#pragma once

#include <optional>
#include <string>

#include "core/base/time_scale.h"
#include "core/facts/scopes.h"

namespace etlens {

// `unit`: of times; nullopt: chosen for each value.
std::string scope_title(const Facts& facts, const ScopeFacts& scope, std::optional<TimeScale> unit);
std::string attribute_text(const Facts& facts, const AttributeFacts& attribute,
                           std::optional<TimeScale> unit);

}  // namespace etlens
