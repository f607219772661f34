// SPDX-License-Identifier: Apache-2.0
#include "core/backend/backend_event.h"

#include <simdjson.h>

#include <array>
#include <utility>

#include "core/base/bytes.h"
#include "core/backend/host_phase.h"

namespace etlens {
namespace {

constexpr std::string_view kOperatorId = ":OpId_";  // behind the node's name, in QNN's identifiers

constexpr std::array<std::pair<std::string_view, DelegateUnit>, 4> kUnitSuffixes{
    {{" (us)", DelegateUnit::Microseconds},
     {" (cycles)", DelegateUnit::Cycles},
     {" (count)", DelegateUnit::Count},
     {" (bytes)", DelegateUnit::Bytes}}};

// The parts of a Vulkan dispatch's id that matter here.
struct VulkanId {
  std::string operator_name;
  std::string kernel_name;
  std::optional<int64_t> node_id;
};

std::optional<VulkanId> parse_vulkan_id(std::string_view id) {
  if (!id.starts_with('{')) return std::nullopt;
  const Bytes text = Bytes::copy_of(id);
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  const auto document = parser.parse(reinterpret_cast<const char*>(text.data()), text.size(),
                                     /*realloc_if_needed=*/false);
  if (document.get_object().get(object) != simdjson::SUCCESS) return std::nullopt;
  VulkanId parsed;
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

BackendEvent describe_qnn_event(std::string_view id) {
  BackendEvent event;
  const std::optional<NamedUnit> named = split_unit(id);
  const size_t at = id.find(kOperatorId);
  if (at == std::string_view::npos) {
    // Everything but the nodes is about the whole call: times that enclose one another, counts,
    // bytes.
    event.kind = DelegateEventKind::Total;
    event.unit = named ? named->unit : DelegateUnit::Cycles;
  } else {
    event.unit = named ? named->unit : DelegateUnit::Cycles;
    event.node_name = id.substr(0, at);
  }
  event.key = id;
  return event;
}

}  // namespace

std::string_view name_of(DelegateUnit unit) {
  constexpr std::array<std::string_view, 7> kNames{"ticks",   "ns",    "us",   "cycles",
                                                   "counter", "count", "bytes"};
  return kNames[static_cast<size_t>(unit)];
}

std::optional<NamedUnit> split_unit(std::string_view id) {
  for (const auto& [suffix, unit] : kUnitSuffixes) {
    if (id.ends_with(suffix)) return NamedUnit{id.substr(0, id.size() - suffix.size()), unit};
  }
  return std::nullopt;
}

BackendEvent describe_backend_event(std::string_view backend, std::string_view id,
                                    bool id_is_integer) {
  BackendEvent event;
  event.key = id;
  if (is_host_phase(id)) {
    event.kind = DelegateEventKind::HostPhase;
  } else if (backend == kQnnBackend || id.find(kOperatorId) != std::string_view::npos) {
    event = describe_qnn_event(id);
  } else if (backend == kNeutronBackend && id_is_integer) {
    event.unit = DelegateUnit::Counter;
  } else if (backend == kCoreMlBackend) {
    event.unit = DelegateUnit::Nanoseconds;
  } else if (const std::optional<VulkanId> vulkan = parse_vulkan_id(id)) {
    event.unit = DelegateUnit::Nanoseconds;
    if (vulkan->node_id) event.key = std::to_string(*vulkan->node_id);
  } else if (backend == kVulkanBackend) {
    event.unit = DelegateUnit::Nanoseconds;  // up to 1.0: kernel name and dispatch number
  } else if (const std::optional<NamedUnit> named = split_unit(id)) {
    // An unknown backend that states its units like QNN.
    event.unit = named->unit;
    if (named->unit == DelegateUnit::Count || named->unit == DelegateUnit::Bytes)
      event.kind = DelegateEventKind::Total;
  }
  return event;
}

std::string readable_event_name(std::string_view id) {
  const std::optional<VulkanId> vulkan = parse_vulkan_id(id);
  if (!vulkan) return std::string(id);
  if (vulkan->operator_name.empty()) return vulkan->kernel_name;
  if (vulkan->kernel_name.empty()) return vulkan->operator_name;
  return vulkan->operator_name + " (" + vulkan->kernel_name + ")";
}

}  // namespace etlens
