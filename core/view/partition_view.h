// SPDX-License-Identifier: Apache-2.0
// A delegate call with its operators and nodes, what fell back to the CPU between two calls, and all
// of them: the document of `etlens partitions`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/view/place_view.h"
#include "core/view/row_choice.h"

namespace etlens {

struct OperatorInsideView {
  Spread<OpView> op;
  std::string_view part;
  bool layout = false;  // moves or converts data for an operator
  Nullable<PlaceView> line;
};
FIELDS(OperatorInsideView, op, part, layout, line)

struct NodeInsideView {
  std::string_view name;
  std::string_view op;
  Nullable<uint32_t> debug_handle;
  std::string_view fate;
  Nullable<std::string> event;
};
FIELDS(NodeInsideView, name, op, debug_handle, fate, event)

// A delegate call, or a node outside of all.
struct NeighbourView {
  std::optional<uint32_t> partition;
  std::optional<std::string_view> name;
  std::optional<std::string_view> op;
};
FIELDS(NeighbourView, partition, name, op)

struct ExplainedView {
  int64_t exact_ticks = 0;
  int64_t aligned_ticks = 0;
  int64_t recovered_ticks = 0;
  int64_t inferred_ticks = 0;
  int64_t without_line_ticks = 0;
};
FIELDS(ExplainedView, exact_ticks, aligned_ticks, recovered_ticks, inferred_ticks,
       without_line_ticks)

struct PartitionCostView {
  Spread<DelegateCallView> call;
  int64_t disturbance_ticks = 0;
  double share = 0;
  double occurrences = 0;
  std::string_view module;
};
FIELDS(PartitionCostView, call, disturbance_ticks, share, occurrences, module)
PartitionCostView partition_cost_view(const Facts& facts, const Scale& scale,
                                      const PartitionFacts& row);

struct PartitionView {
  Spread<PartitionCostView> cost;
  ExplainedView explained_by;
  int64_t layout_ticks = 0;
  std::vector<OperatorInsideView> operators;
  std::vector<NodeInsideView> nodes;
  std::vector<NeighbourView> fed_by;
  std::vector<NeighbourView> read_by;
};
FIELDS(PartitionView, cost, explained_by, layout_ticks, operators, nodes, fed_by, read_by)

struct OperatorBetweenView {
  Spread<OpView> op;
  Nullable<PlaceView> line;
};
FIELDS(OperatorBetweenView, op, line)

struct FallbackCostView {
  uint32_t before = 0;  // numbers of the delegate calls around
  uint32_t after = 0;
  double self = 0;
  int64_t self_ticks = 0;
  int64_t disturbance_ticks = 0;
  double share = 0;
};
FIELDS(FallbackCostView, before, after, self, self_ticks, disturbance_ticks, share)
// Of all that ran between the calls, or of a part of it.
FallbackCostView fallback_cost_view(const Facts& facts, const Scale& scale, PartitionId before,
                                    PartitionId after, const Cost& cost);

struct FallbackView {
  Spread<FallbackCostView> cost;
  std::vector<OperatorBetweenView> operators;
};
FIELDS(FallbackView, cost, operators)

struct PartitionsView {
  Literal<"etlens/partitions@2"> schema;
  Spread<ReportView> report;
  double delegated = 0;
  int64_t delegated_ticks = 0;
  double delegated_share = 0;
  Rows<PartitionView> partitions;
  Rows<FallbackView> fallbacks;
};
FIELDS(PartitionsView, schema, report, delegated, delegated_ticks, delegated_share, partitions,
       fallbacks)

// `delegated`: of all calls. All that is passed by reference must outlive the view.
PartitionsView partitions_view(const Facts& facts, Scale scale, ReportView report,
                               const Cost& delegated, const RowChoice& rows);

}  // namespace etlens
