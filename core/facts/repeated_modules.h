// SPDX-License-Identifier: Apache-2.0
// Modules that repeat: of one class, beside each other, under running numbers, as a ModuleList has
// them. They are shown as one, "layers.0–31".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/code/code.h"

namespace etlens {

class RepeatedModules {
 public:
  explicit RepeatedModules(const Code& code);

  // What the module, or all that repeat with it, is called below the one that calls it.
  std::string name(ModuleId id) const;

 private:
  struct Row {
    uint64_t first = 0;  // number of the first that repeats, and how many there are
    uint32_t count = 1;
  };

  const Code& code_;
  std::vector<Row> rows_;  // one per module
};

// The module around it that is called: a ModuleList only holds others. The root has none.
ModuleId called_parent(const Code& code, ModuleId id);
// The path below that: "layers.0", "up".
std::string_view name_below_parent(const Code& code, ModuleId id);

}  // namespace etlens
