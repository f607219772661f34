// SPDX-License-Identifier: Apache-2.0
#include "core/backend/qnn/qnn.h"

namespace etlens {
namespace {

constexpr std::string_view kOperatorId = ":OpId_";  // behind the node's name

std::optional<BackendEvent> describe_qnn(std::string_view id, bool) {
  BackendEvent event;
  event.key = id;
  const std::optional<NamedUnit> named = split_unit(id);
  event.unit = named ? named->unit : DelegateUnit::Cycles;
  const size_t at = id.find(kOperatorId);
  // Everything but the nodes is about the whole call: times that enclose one another, counts,
  // bytes.
  if (at == std::string_view::npos) event.kind = DelegateEventKind::Total;
  else event.node_name = id.substr(0, at);
  return event;
}

std::optional<BackendEvent> recognise_qnn(std::string_view id) {
  if (id.find(kOperatorId) == std::string_view::npos) return std::nullopt;
  return describe_qnn(id, false);
}

}  // namespace

Backend qnn_backend() {
  return {.id = "QnnBackend", .label = "QNN", .describe = describe_qnn, .recognise = recognise_qnn};
}

}  // namespace etlens
