// SPDX-License-Identifier: Apache-2.0
// The operators that a delegate's payload serialized, and the values that flow between them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/id.h"
#include "core/formats/runtime_ids.h"

namespace etlens {

struct PayloadValue {
  std::string shape;  // "[1, 64]"; "" if it is not known
  std::string_view dtype;
  bool is_constant = false;
  uint32_t constant = kNone;  // into what Backend::list_constants finds
};

struct PayloadOperator {
  std::string op;
  DebugHandle debug_handle = kNoHandle;  // kNoHandle: the exporter knew none
  std::vector<uint32_t> inputs;          // rows of values
  std::vector<uint32_t> outputs;
};

struct PayloadGraph {
  std::vector<PayloadOperator> operators;  // what makes a value comes before what reads it
  std::vector<PayloadValue> values;
  // Rows of values: the arguments of the delegate call, in their order.
  std::vector<uint32_t> inputs;
  std::vector<uint32_t> outputs;
};

}  // namespace etlens
