// SPDX-License-Identifier: Apache-2.0
#include "core/backend/coreml/coreml.h"

namespace etlens {
namespace {

std::optional<BackendEvent> describe_coreml(std::string_view id, bool) {
  BackendEvent event;
  event.unit = DelegateUnit::Nanoseconds;
  event.key = id;
  return event;
}

}  // namespace

Backend coreml_backend() {
  return {.id = "CoreMLBackend",
          .label = "Core ML",
          .describe = describe_coreml,
          .has_estimates = true};
}

}  // namespace etlens
