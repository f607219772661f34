// SPDX-License-Identifier: Apache-2.0
// Bytes -> Vulkan payload reader -> a graph whose every row is there.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/backend/vulkan/payload_operators.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace etlens;
  if (vulkan_operator_bytes({data, size}, size) > size) std::abort();
  const std::optional<PayloadGraph> graph = graph_of_vulkan({data, size});
  if (!graph) return 0;
  for (const PayloadOperator& op : graph->operators) {
    for (const uint32_t row : op.inputs)
      if (row >= graph->values.size()) std::abort();
    for (const uint32_t row : op.outputs)
      if (row >= graph->values.size()) std::abort();
  }
  return 0;
}
