// SPDX-License-Identifier: Apache-2.0
// Do a dump and a record belong together, and which method did a block run? An ETDump has no hash
// of its program and does not name methods, so both questions are answered by the instructions:
// which ids ran, what their kernels were called, where delegates were called and what these
// reported.
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/etdump/event_log.h"
#include "core/formats/etrecord/etrecord.h"
#include "core/join/block.h"
#include "core/join/event_tree.h"

namespace etlens {

// Unknown: nothing in them can tell.
enum class PairVerdict { Match, Partial, Mismatch, Unknown };
std::string_view name_of(PairVerdict verdict);

// From this score on a pair is partial, below it a mismatch; 1 is a match.
inline constexpr double kPartialScore = 0.9;

struct MethodFit {
  RecordMethod method;
  // 0..1: agreeing instructions / instructions * map keys executed / map keys * agreeing events /
  // events that delegates reported and whose operators the record tells.
  // 0 also where nothing could be compared.
  double score = 0;
  bool is_known = true;  // false: the two have nothing that could be compared
  // What ran is the front of the method: everything agrees, and nothing but its end is missing.
  bool is_front = false;
  std::vector<std::string> reasons;  // what does not fit, a sentence each; empty for a match

  PairVerdict verdict() const;
};

// How well the block fits each method of the record, in the record's order.
std::vector<MethodFit> fit_methods(const EventLog& log, const EventTrees& trees, const Block& block,
                                   const EtRecord& record,
                                   const Backends& backends = built_in_backends());

struct Selection {
  BlockId block;
  std::optional<MethodFit> fit;  // none without a record
};

struct SelectionRequest {
  std::string method;  // "" for any
  std::string block;   // as Block::name; "" for any

  friend bool operator==(const SelectionRequest&, const SelectionRequest&) = default;
};

// The block and method to show: blocks of `forward` first, then the most executions, then first
// seen. Errors: NotFound names what there is; InvalidParams if methods fit equally well and none
// was asked for; Unsupported if no block is an execution.
Result<Selection> select_block(const EventLog& log, const EventTrees& trees,
                               const std::vector<Block>& blocks, const EtRecord* record,
                               const SelectionRequest& request,
                               const Backends& backends = built_in_backends());

}  // namespace etlens
