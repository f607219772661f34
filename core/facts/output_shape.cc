// SPDX-License-Identifier: Apache-2.0
#include "core/facts/output_shape.h"

namespace etlens {

std::string_view output_shape(const Facts& facts, const LineFacts& line) {
  if (line.own.empty()) return {};
  const NodeId node = facts.contribution(line.own.front()).node;
  if (!node.valid()) return {};
  const EtRecord& record = *facts.code().record;
  const StringId shape = record.nodes[node.value].shape;
  return shape.valid() ? record.text(shape) : std::string_view();
}

}  // namespace etlens
