// SPDX-License-Identifier: Apache-2.0
// Sides for tests: of real processes in tests/data/compare, and of parts of a side.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/compare/compare.h"

namespace etlens::test {

// "base", "wider" or "renamed", all six dumps. Fails the test if it cannot be loaded.
std::shared_ptr<const Side> side_of_data(const std::string& name);
// The side's dumps of these numbers.
std::shared_ptr<const Side> part_of(const Side& side, const std::vector<size_t>& dumps);
// As if the operations of the line took so many times as long.
std::shared_ptr<const Side> scaled(const Side& side, LineId line, double factor);

// Fails the test for an error.
Comparison compared(const std::shared_ptr<const Side>& before,
                    const std::shared_ptr<const Side>& after);

// How many of the places that are worth a look were accused.
struct Alarms {
  size_t tested = 0;
  size_t accused = 0;

  void add(const Change& change);
  double share() const;
};

bool is_accused(const Change& change);  // slower or faster, likely or not
// Lines, parts and disturbance of both sides add up to what was measured.
bool reconciles(const Comparison& comparison);

}  // namespace etlens::test
