// SPDX-License-Identifier: Apache-2.0
// Comparison: what changed from one side to the other, on which line, and is it real. Facts for
// surfaces, like core/facts: values before any word, immutable once built.
//
//   lines, gone and new ones too + parts that are no line's + disturbance = Method::execute
//
// holds for the ticks of each side, exactly (Side::measured).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/time_scale.h"
#include "core/compare/delegation_moves.h"
#include "core/compare/judge.h"
#include "core/compare/machine.h"
#include "core/compare/match_code.h"
#include "core/compare/places.h"
#include "core/compare/side.h"

namespace etlens {

struct Change {
  SideCost before;
  SideCost after;
  Judged judged;
  // Of sides with one dump each: the interval of the change inside these two processes.
  std::optional<ShiftRange> inside;
};

struct LineChange {
  std::vector<LineId> before;  // empty: new. More than one: they were joined, or moved together
  std::vector<LineId> after;   // empty: gone
  Change change;               // of its own time
  Change inclusive;            // with what it calls; the same if it calls nothing
  // What ran for it, the most costly first; each once.
  std::vector<std::string> kernels_before;
  std::vector<std::string> kernels_after;
};

struct ModuleChange {
  ModuleId before;  // invalid: new
  ModuleId after;   // invalid: gone
  Change change;    // of the inclusive time
};

// All modules of one class together, which correspond to modules of the base.
struct ClassChange {
  StringId type;  // of the new side's code
  Change change;  // of the inclusive time; a module inside another counts once
};

// An operator of a line, in one of the modules that run it.
struct OperatorChange {
  LineId line_before;      // invalid if the line is new
  LineId line_after;       // invalid if it is gone
  ModuleId module_before;  // invalid if it is in none
  ModuleId module_after;
  std::string_view op;  // "aten.linear.default"
  uint32_t number = 0;  // 1-based, of those of its kind there; 0: all of them together, because
                        // the sides have different numbers of them
  Change change;
  std::vector<std::string> kernels_before;  // the most costly first; each once
  std::vector<std::string> kernels_after;
};

struct PartitionChange {
  PartitionId before;  // invalid: new
  PartitionId after;   // invalid: gone
  Change change;
};

// Time that is on no line.
struct PartChange {
  Part part = Part::Framework;
  Change change;
};

struct CompareOptions {
  JudgeOptions judge;
};

struct Comparison {
  std::shared_ptr<const Side> before;
  std::shared_ptr<const Side> after;
  TimeScale scale = TimeScale::Nanoseconds;  // of every value: nanoseconds or cycles
  CodeMatch match;
  double score = 0;  // 0..1: of the operators' time, how much is on lines or in modules that
                     // correspond
  Machine machine;
  Change total;  // without disturbance, which stands beside it
  // Lines with a cost of their own or below them; the greatest difference of their own first.
  std::vector<LineChange> lines;
  std::vector<ModuleChange> modules;        // parents before children, gone ones last
  std::vector<OperatorChange> operators;    // the greatest difference first
  std::vector<PartitionChange> partitions;  // in the order of the new side, gone ones last
  // That are not zero on both sides. Lines are among them only where a side has no record, and
  // lines and modules cannot be compared.
  std::vector<PartChange> parts;

  std::vector<ClassChange> classes;
  DelegationMoves delegation;

  // Operations by place, of each side: what histograms are made of.
  OperationIndex index_before, index_after;

  const ClassChange* of_class(StringId type) const;
  // What is known of a line or module of the new side; null for lines that have no cost on either.
  const LineChange* of_line(LineId after) const;
  const ModuleChange* of_module(ModuleId after) const;

  // Rows into `lines` and `modules`, per line and module of the new side; kNone for none.
  std::vector<uint32_t> row_of_line, row_of_module;
};

// Below this score the sides are different models.
inline constexpr double kSameModelScore = 0.3;

// Errors: Unsupported, one sentence, for sides that cannot be compared: different models, units
// that do not convert, clocks that evidently count in other units than was said.
Result<Comparison> compare(std::shared_ptr<const Side> before, std::shared_ptr<const Side> after,
                           const CompareOptions& options = {});

}  // namespace etlens
