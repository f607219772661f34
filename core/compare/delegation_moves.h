// SPDX-License-Identifier: Apache-2.0
// Which operators left the delegate from the base to the new side, and which entered it. Of the records alone: an operator
// inside a call counts whether or not the backend reported it.
//
// An operator moved if both exports have it (a pair of nodes, match_code.h). Where a line's operators have other names once
// nobody delegates them (linear, permute and addmm), the line moved if all of its operators were delegated and none is now,
// or the other way round.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/code/code.h"
#include "core/compare/match_code.h"
#include "core/compare/side.h"

namespace etlens {

struct MovedOperator {
  std::string_view op;  // "aten.mean.dim", as the side that delegates it has it
  uint32_t count = 0;
};

struct DelegationMove {
  bool is_left = false;                  // delegated in the base and not now; else the reverse
  std::string backend;                   // its label; "" if nothing names it
  LineId before;                         // of the base; invalid for no line
  LineId after;                          // of the new side; invalid for no line
  std::vector<MovedOperator> operators;  // those of which most moved first
};

struct DelegationMoves {
  std::string why_not;               // "", or a clause: why nothing is known
  std::vector<DelegationMove> rows;  // those that left first; in the order of the new side's lines

  bool is_known() const { return why_not.empty(); }
  // Operators that left, or that entered.
  uint64_t count(bool left) const;
};

DelegationMoves delegation_moves(const Side& before, const Side& after, const CodeMatch& match);

}  // namespace etlens
