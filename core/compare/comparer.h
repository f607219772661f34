// SPDX-License-Identifier: Apache-2.0
// What makes the rows of a Comparison: both sides' readers, the machine between them, and the test
// of a place.
#pragma once

#include <vector>

#include "core/compare/compare.h"
#include "core/compare/places.h"

namespace etlens {

// A place of both sides; empty on one: new, or gone.
struct PlaceOfBoth {
  Operations before;
  Operations after;
};

// The operations of several, each once; ascending.
Operations merged(const std::vector<const Operations*>& parts);

class Comparer {
 public:
  // The sides must outlive the object.
  Comparer(const Side& before, const Side& after, TimeScale scale, const JudgeOptions& options);

  const OperationIndex& index_before() const { return index_before_; }
  const OperationIndex& index_after() const { return index_after_; }
  const SideReader& read_before() const { return read_before_; }
  const SideReader& read_after() const { return read_after_; }

  // Finds the machine's factor from operations that do the same work; before any change is asked
  // for.
  Machine find_machine(const std::vector<NodePair>& nodes, bool is_identical);

  // Places that are tested together, one change each.
  std::vector<Change> changes(const std::vector<PlaceOfBoth>& places) const;
  Change total() const;

 private:
  Change describe(const PlaceOfBoth& place) const;
  // `machine`: what the machine did to places like it.
  Tested test(const PlaceOfBoth& place, const PerDump& machine) const;

  const Side& before_;
  const Side& after_;
  JudgeOptions options_;
  OperationIndex index_before_;
  OperationIndex index_after_;
  SideReader read_before_;
  SideReader read_after_;
  Machine machine_;
};

}  // namespace etlens
