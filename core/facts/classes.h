// SPDX-License-Identifier: Apache-2.0
// All instances of one class of modules together, and of one attribute of it.
#pragma once

#include <string>
#include <vector>

#include "core/facts/cost.h"
#include "core/workspace/study.h"

namespace etlens {

// An instance inside another counts once.
struct ClassRow {
  StringId type;  // of the code, e.g. "tiny_llama.Block"
  std::vector<ModuleId> instances;
  Total inclusive;
  Amount delegated;  // of the inclusive amount: inside delegate calls
};

// `self.name` of all instances of one class.
struct AttributeRow {
  StringId type;
  std::string name;  // one component of module paths
  std::vector<ModuleId> instances;
  Total inclusive;
  Amount delegated;  // of the inclusive amount: inside delegate calls
};

struct ClassTable {
  std::vector<ClassRow> classes;         // in the order of their first instance
  std::vector<AttributeRow> attributes;  // likewise
};

ClassTable class_table(const Measure& measure);

}  // namespace etlens
