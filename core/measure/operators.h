// SPDX-License-Identifier: Apache-2.0
// The measure of operators: what an export has to run, before it runs. A contribution is an
// operator of the edge program; its amount is 1, so that all of them add up to their number. Those
// inside a delegate call land in its partition.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "core/measure/measure.h"

namespace etlens {

inline constexpr std::string_view kOperatorsId = "operators";

struct PlacedOperator {
  NodeId node;
  PartitionId partition;    // invalid: on the CPU
  std::string remark = {};  // for people: why it is on the CPU; "" for nothing to say
};

// `code` has a record, whose nodes these are.
Measure measure_operators(std::shared_ptr<const Code> code,
                          std::span<const PlacedOperator> operators);

}  // namespace etlens
