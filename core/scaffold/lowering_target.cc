// SPDX-License-Identifier: Apache-2.0
#include "core/scaffold/lowering_target.h"

#include <algorithm>

namespace etlens {
namespace {

constexpr LoweringTarget kLoweringTargets[]{
    {"xnnpack", "XnnpackBackend",
     "from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner\n",
     "XnnpackPartitioner()"},
    {"portable", "", "", ""},
    {"openvino", "OpenvinoBackend",
     "from executorch.backends.openvino.partitioner import OpenvinoPartitioner\n"
     "from executorch.exir.backend.backend_details import CompileSpec\n",
     "OpenvinoPartitioner([CompileSpec(\"device\", b\"CPU\")])"},
    {"vulkan", "VulkanBackend",
     "from executorch.backends.vulkan.partitioner.vulkan_partitioner import VulkanPartitioner\n",
     "VulkanPartitioner()"},
    {"coreml", "CoreMLBackend",
     "from executorch.backends.apple.coreml.partition import CoreMLPartitioner\n",
     "CoreMLPartitioner()"},
};

}  // namespace

std::span<const LoweringTarget> lowering_targets() { return kLoweringTargets; }

const LoweringTarget* find_lowering_target(std::string_view name) {
  const auto found = std::ranges::find(kLoweringTargets, name, &LoweringTarget::name);
  return found == std::end(kLoweringTargets) ? nullptr : &*found;
}

}  // namespace etlens
