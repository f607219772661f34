// SPDX-License-Identifier: Apache-2.0
// The rules of backends: which nodes each takes. A backend is a file of its own beside this one and
// a row in rules.cc.
#pragma once

#include <string>
#include <string_view>

#include "core/delegation/reason.h"
#include "core/delegation/rule_graph.h"

namespace etlens {

// What else is known of an export.
struct ExportFacts {
  Releases releases;
  std::string_view profile;  // of the compile specs, "TOSA-1.0+INT+int16+u55"; "" if not known
};

struct BackendRules {
  std::string_view id;     // as records and programs write it
  std::string_view label;  // what a person calls it
  // By one release's rules. Never Taken for what it does not know.
  RuleVerdict (*judge)(const RuleNode& node, Release release, const ExportFacts& facts) = nullptr;
};

// Null if there are no rules for the backend.
const BackendRules* find_rules(std::string_view backend);

// The strictest of all releases that may have written the record, the newest first: of a node that
// was not delegated.
RuleVerdict judge_left_out(const BackendRules& rules, const RuleNode& node,
                           const ExportFacts& facts);
// The mildest: Refused if every one of these releases refuses.
RuleVerdict judge_at_best(const BackendRules& rules, const RuleNode& node,
                          const ExportFacts& facts);

Releases releases_of(const EtRecord& record);

// The operator as people write it: "mean", "native_layer_norm".
std::string operator_of(const RuleNode& node);

}  // namespace etlens
