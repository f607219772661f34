// SPDX-License-Identifier: Apache-2.0
#include "core/delegation/openvino.h"

#include <fmt/format.h>

namespace etlens {

RuleVerdict judge_openvino(const RuleNode& node, Release, const ExportFacts&) {
  return RuleVerdict::unknown(
      "not_decidable",
      fmt::format("OpenVINO did not take this {}: the installed openvino package decides that at "
                  "export, and the record does not contain the reason.",
                  operator_of(node)),
      "Look for \"Op not supported\" in what the export printed, and check op_types_to_skip.");
}

}  // namespace etlens
