// SPDX-License-Identifier: Apache-2.0
#include "core/backend/neutron/neutron.h"

namespace etlens {
namespace {

std::optional<BackendEvent> describe_neutron(std::string_view id, bool id_is_integer) {
  if (!id_is_integer) return std::nullopt;
  BackendEvent event;
  event.unit = DelegateUnit::Counter;
  event.key = id;
  return event;
}

std::optional<MetadataFields> read_function_code(std::string_view bytes) {
  if (bytes.size() != 1) return std::nullopt;
  return MetadataFields{{"function code", std::to_string(static_cast<uint8_t>(bytes[0]))}};
}

}  // namespace

Backend neutron_backend() {
  return {.id = "NeutronBackend",
          .label = "Neutron",
          .describe = describe_neutron,
          .has_host_tail = true,
          .read_metadata = read_function_code};
}

}  // namespace etlens
