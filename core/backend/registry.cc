// SPDX-License-Identifier: Apache-2.0
// The table of all built-in backends. Where an id's form alone must tell whose it is, the first row
// that recognises it counts.
#include "core/backend/arm/arm.h"
#include "core/backend/backend.h"
#include "core/backend/coreml/coreml.h"
#include "core/backend/neutron/neutron.h"
#include "core/backend/qnn/qnn.h"
#include "core/backend/vulkan/vulkan.h"
#include "core/backend/xnnpack/xnnpack.h"

namespace etlens {

const Backends& built_in_backends() {
  static const Backends backends({
      xnnpack_backend(),
      coreml_backend(),
      qnn_backend(),
      vulkan_backend(),
      ethos_u_backend(),
      arm_backend(),
      vgf_backend(),
      neutron_backend(),
      // Known by name only.
      {.id = "NeuropilotBackend", .label = "NeuroPilot"},
      {.id = "OpenvinoBackend", .label = "OpenVINO"},
      {.id = "EnnBackend", .label = "ENN"},
      {.id = "CudaBackend", .label = "CUDA"},
  });
  return backends;
}

}  // namespace etlens
