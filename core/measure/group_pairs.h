// SPDX-License-Identifier: Apache-2.0
// Which groups of executions of two dumps did the same work, by what is known of them: never a
// prefill and a decoding.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/measure/measure.h"

namespace etlens {

// What tells a group from the others of its dump, and from groups of other dumps.
struct GroupEvidence {
  std::string name;             // "decode"
  std::optional<int64_t> size;  // as SampleGroup has it
  double work = 0;              // as a multiple of the group with the least of its dump, about

  friend bool operator==(const GroupEvidence&, const GroupEvidence&) = default;
};

// The groups of a dump, and the one that its numbers are of.
struct ChosenGroup {
  std::vector<GroupEvidence> all;  // empty if nothing distinguishes the executions
  std::optional<size_t> chosen;    // nullopt: none, or executions that somebody chose themselves

  const GroupEvidence* get() const { return chosen ? &all[*chosen] : nullptr; }
  friend bool operator==(const ChosenGroup&, const ChosenGroup&) = default;
};
ChosenGroup chosen_group(const Measure& time);

// Nothing that is known of them differs: the kind of name, sizes that both know, else the work,
// which is known to a factor of 2.
bool may_be_same_work(const GroupEvidence& a, const GroupEvidence& b);

// The row of `others` that is `groups[at]`: the only one that it may be, or of several the one with
// as many groups below and above it. nullopt if there is none, or if nothing tells which.
std::optional<size_t> partner_of(const std::vector<GroupEvidence>& groups, size_t at,
                                 const std::vector<GroupEvidence>& others);

// Names of groups whose work the other has no group of.
std::vector<std::string> unpaired_groups(const ChosenGroup& of, const ChosenGroup& other);

// Numbers of both may be compared: they are of groups that are partners, or somebody chose the
// executions of one.
bool can_compare(const ChosenGroup& a, const ChosenGroup& b);

}  // namespace etlens
