// SPDX-License-Identifier: Apache-2.0
// Which nodes of an export are delegated, and why the others are not: the document of
// `etlens delegation`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/fields.h"
#include "core/workspace/load_delegation.h"

namespace etlens {

struct ReasonView {
  std::string_view id;
  std::string_view text;
  Nullable<std::string_view> remedy;
};
FIELDS(ReasonView, id, text, remedy)

struct DelegatedNodeView {
  std::string_view node;
  std::string op;
  Nullable<uint32_t> debug_handle;
  Nullable<std::string_view> backend;  // null: on the CPU
  Nullable<uint32_t> call;             // 1-based, in the order of instructions
  Nullable<uint32_t> line;
  Nullable<std::string_view> recorded_path;
  Nullable<ReasonView> reason;  // null: delegated
};
FIELDS(DelegatedNodeView, node, op, debug_handle, backend, call, line, recorded_path, reason)

struct DelegatedOperatorView {
  std::string op;
  uint64_t delegated = 0;
  uint64_t cpu = 0;
};
FIELDS(DelegatedOperatorView, op, delegated, cpu)

struct CalledDelegateView {
  uint32_t id = 0;
  Nullable<int32_t> instruction_id;
  Nullable<std::string_view> backend;
  uint64_t nodes = 0;
};
FIELDS(CalledDelegateView, id, instruction_id, backend, nodes)

struct DelegationView {
  Literal<"etlens/delegation@1"> schema;
  std::string_view method;
  std::string_view etrecord;
  Nullable<std::string_view> pte;
  std::string_view lowering;
  uint64_t delegate_calls = 0;
  uint64_t delegated_nodes = 0;
  uint64_t cpu_nodes = 0;
  std::vector<CalledDelegateView> calls;
  std::vector<DelegatedOperatorView> operators;
  std::vector<DelegatedNodeView> nodes;
};
FIELDS(DelegationView, schema, method, etrecord, pte, lowering, delegate_calls, delegated_nodes,
       cpu_nodes, calls, operators, nodes)

// `loaded` must outlive the view.
DelegationView delegation_view(const LoadedDelegation& loaded);

}  // namespace etlens
