// SPDX-License-Identifier: Apache-2.0
// What the delegate calls of a program run: the operators of their payloads, or else the nodes that
// the record has inside of them.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "core/join/constant_names.h"
#include "core/program_graph/program_graph.h"
#include "core/program_graph/record_nodes.h"

namespace etlens {

class CallContents {
 public:
  // Everything must outlive the object. The graph has the code, and the method's values as the
  // first rows of its values.
  CallContents(ProgramGraph& graph, const ProgramMethod& method, const ConstantNames& names,
               const Backends& backends, const ReadPayload& payload);
  ~CallContents();

  // What a node inside of a call reads of what the call was given.
  struct FromOutside {
    uint32_t call = 0;  // rows of nodes
    uint32_t reader = 0;
    GraphArgument at;
  };

  // Appends what the delegate call at that node of the graph runs, with the edges inside of it.
  // What it gets from outside are values of the method; `inputs`: the values that the call reads, in
  // the order of its arguments.
  void add(uint32_t call, std::span<const uint32_t> inputs);
  // Of all calls so far.
  const std::vector<FromOutside>& from_outside() const { return from_outside_; }

 private:
  struct OfRecord;

  const std::optional<PayloadGraph>& payload_of(const ProgramInstruction& instruction);
  void add_payload(uint32_t call, const PayloadGraph& payload);
  void add_operator(uint32_t call, const PayloadOperator& op, struct PayloadRows& rows);
  uint32_t add_constant(uint32_t call, const PayloadValue& value, struct PayloadRows& rows);
  void add_record(uint32_t call, std::span<const uint32_t> inputs);
  std::span<const NodeId> nodes_of(uint32_t instruction) const;

  ProgramGraph& graph_;
  const ProgramMethod& method_;
  const ConstantNames& names_;
  const Backends& backends_;
  const ReadPayload& payload_;
  std::map<uint32_t, std::optional<PayloadGraph>> payloads_;  // by delegate
  std::map<uint32_t, std::vector<PayloadConstant>> constants_;
  std::vector<FromOutside> from_outside_;
  std::unique_ptr<OfRecord> record_;  // null without one
};

}  // namespace etlens
