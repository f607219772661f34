// SPDX-License-Identifier: Apache-2.0
#include "core/backend/xnnpack/xnnpack.h"

#include "core/backend/xnnpack/alignment.h"
#include "core/backend/xnnpack/constants.h"
#include "core/backend/xnnpack/listed_handles.h"
#include "core/backend/xnnpack/operator_titles.h"
#include "core/backend/xnnpack/payload.h"
#include "core/backend/xnnpack/payload_operators.h"
#include "core/backend/xnnpack/placer.h"

namespace etlens {
namespace {

std::optional<size_t> contradict_payload(std::span<const uint8_t> bytes,
                                         std::span<const std::string_view> ids) {
  const Result<XnnpackPayload> payload = read_xnnpack_payload(bytes);
  if (!payload) return std::nullopt;
  return count_unexplained(*payload, ids);
}

}  // namespace

Backend xnnpack_backend() {
  return {.id = kXnnpackBackend,
          .label = "XNNPACK",
          .resolution_ns = 1000,
          .operator_bytes = xnnpack_operator_bytes,
          .payload_front_bytes = kXnnpackFrontBytes,
          .open_placer = open_xnnpack_placer,
          .title_operators = title_xnnpack_operators,
          .contradict_payload = contradict_payload,
          .contradict_handles = count_contradictions,
          .list_constants = list_xnnpack_constants,
          .read_graph = graph_of_xnnpack};
}

}  // namespace etlens
