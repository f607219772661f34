// SPDX-License-Identifier: Apache-2.0
// Artifacts that are made to cost much: each class of attack as a pair of small, well-formed files.
// What a load of them may take is in core/base/budget.h.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/bytes.h"

namespace etlens::test {

struct HostilePair {
  std::string etdump;
  std::string etrecord;  // "": the dump alone
};

struct HostileClass {
  std::string name;  // in a few words: what costs
  std::function<HostilePair()> make;
};

// Every class, at the size at which it once took seconds or gigabytes.
const std::vector<HostileClass>& hostile_classes();

}  // namespace etlens::test
