// SPDX-License-Identifier: Apache-2.0
#include "core/backend/vulkan/vulkan.h"

#include <simdjson.h>

#include <array>

#include "core/backend/vulkan/payload_operators.h"
#include "core/base/bytes.h"

namespace etlens {
namespace {

constexpr std::array<std::string_view, 1> kHostPhases{"ETVK_"};

// The parts of a dispatch's id that matter here.
struct DispatchId {
  std::string operator_name;
  std::string kernel_name;
  std::optional<int64_t> node_id;
};

std::optional<DispatchId> parse_dispatch_id(std::string_view id) {
  if (!id.starts_with('{')) return std::nullopt;
  const Bytes text = Bytes::copy_of(id);
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  const auto document = parser.parse(reinterpret_cast<const char*>(text.data()), text.size(),
                                     /*realloc_if_needed=*/false);
  if (document.get_object().get(object) != simdjson::SUCCESS) return std::nullopt;
  DispatchId parsed;
  std::string_view name;
  int64_t number = 0;
  if (object["kernel_name"].get_string().get(name) == simdjson::SUCCESS) parsed.kernel_name = name;
  if (object["operator"]["name"].get_string().get(name) == simdjson::SUCCESS)
    parsed.operator_name = name;
  if (object["operator"]["delegate_node_id"].get_int64().get(number) == simdjson::SUCCESS) {
    parsed.node_id = number;
  }
  if (parsed.kernel_name.empty() && parsed.operator_name.empty()) return std::nullopt;
  return parsed;
}

// "aten.linear.default (linear_naive_texture)".
std::string title_of(const DispatchId& id) {
  if (id.operator_name.empty()) return id.kernel_name;
  if (id.kernel_name.empty()) return id.operator_name;
  return id.operator_name + " (" + id.kernel_name + ")";
}

std::optional<BackendEvent> recognise_vulkan(std::string_view id) {
  const std::optional<DispatchId> dispatch = parse_dispatch_id(id);
  if (!dispatch) return std::nullopt;
  BackendEvent event;
  event.unit = DelegateUnit::Nanoseconds;
  event.key = dispatch->node_id ? std::to_string(*dispatch->node_id) : std::string(id);
  event.title = title_of(*dispatch);
  return event;
}

std::optional<BackendEvent> describe_vulkan(std::string_view id, bool) {
  if (std::optional<BackendEvent> event = recognise_vulkan(id)) return event;
  BackendEvent event;
  event.unit = DelegateUnit::Nanoseconds;
  event.key = id;
  return event;
}

std::optional<MetadataFields> read_workgroups(std::string_view bytes) {
  constexpr size_t kBytes = 6 * sizeof(uint32_t);
  if (bytes.size() != kBytes) return std::nullopt;
  ByteReader reader({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
  MetadataFields fields;
  for (const char* name : {"global workgroup", "local workgroup"}) {
    const uint32_t x = reader.u32();
    const uint32_t y = reader.u32();
    const uint32_t z = reader.u32();
    fields.emplace_back(name,
                        std::to_string(x) + " × " + std::to_string(y) + " × " + std::to_string(z));
  }
  return fields;
}

}  // namespace

Backend vulkan_backend() {
  return {.id = "VulkanBackend",
          .label = "Vulkan",
          .host_phases = kHostPhases,
          .dispatch_phase = "ETVK_COMPUTE_GRAPH_EXECUTE",
          .describe = describe_vulkan,
          .recognise = recognise_vulkan,
          .operator_bytes = vulkan_operator_bytes,
          .payload_front_bytes = kVulkanFrontBytes,
          .read_graph = graph_of_vulkan,
          .read_metadata = read_workgroups};
}

}  // namespace etlens
