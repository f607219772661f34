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
  Nullable<std::string_view> node;  // null of a program alone
  std::string op;
  Nullable<uint32_t> debug_handle;
  Nullable<std::string_view> backend;  // null: on the CPU
  Nullable<uint32_t> call;             // 1-based, in the order of instructions
  Nullable<uint32_t> line;
  Nullable<std::string_view> recorded_path;
  Nullable<ReasonView> reason;       // null: delegated
  Nullable<int32_t> instruction_id;  // of a program alone, else null
  // "path:line" in the pass that made a node of which no line of the model is known.
  Nullable<std::string> made_by;
};
FIELDS(DelegatedNodeView, node, op, debug_handle, backend, call, line, recorded_path, reason,
       instruction_id, made_by)

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
  Nullable<uint64_t> nodes;  // null: of a program alone, whose payload cannot be read
};
FIELDS(CalledDelegateView, id, instruction_id, backend, nodes)

// A node on the CPU between two delegate calls.
struct CutNodeView {
  Nullable<std::string_view> node;
  std::string op;
  Nullable<int32_t> instruction_id;
  Nullable<uint32_t> line;
  Nullable<std::string_view> recorded_path;
};
FIELDS(CutNodeView, node, op, instruction_id, line, recorded_path)

struct CutView {
  uint32_t before = 0;  // ids of calls
  uint32_t after = 0;
  bool direct = false;  // `after` also reads what `before` made as it is
  std::vector<CutNodeView> nodes;
};
FIELDS(CutView, before, after, direct, nodes)

struct DelegationView {
  Literal<"etlens/delegation@1"> schema;
  std::string_view method;
  Nullable<std::string_view> etrecord;  // null: of a program alone
  Nullable<std::string_view> pte;
  std::string_view lowering;
  uint64_t delegate_calls = 0;
  uint64_t delegated_nodes = 0;
  uint64_t cpu_nodes = 0;
  std::vector<CalledDelegateView> calls;
  std::vector<DelegatedOperatorView> operators;
  std::vector<DelegatedNodeView> nodes;
  std::vector<CutView> cuts;
};
FIELDS(DelegationView, schema, method, etrecord, pte, lowering, delegate_calls, delegated_nodes,
       cpu_nodes, calls, operators, nodes, cuts)

// `loaded` must outlive the view.
DelegationView delegation_view(const LoadedDelegation& loaded);

}  // namespace etlens
