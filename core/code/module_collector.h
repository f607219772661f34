// SPDX-License-Identifier: Apache-2.0
// Gathers the modules that stacks name, with the parents between them, and numbers them.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/code/code.h"

namespace etlens {

class ModuleCollector {
 public:
  explicit ModuleCollector(const EtRecord& record);

  void add(ModuleStackId stack);
  // Fills Code::modules, parents before children and siblings by number or name. The questions
  // below are answered from then on.
  void store(Code& code);

  // The last module of the stack that is the user's; the root for an invalid stack.
  ModuleId deepest_of(ModuleStackId stack) const;
  // Every module that owns nodes with the stack, the root included; ascending.
  const SharedList<ModuleId>& owners_of(ModuleStackId stack) const;

 private:
  // A module before the rows are sorted.
  struct Collected {
    std::string_view path;  // of the record's text
    StringId type;
    std::vector<StringId> keys;  // of calls; some may be there several times
    uint32_t parent = kNone;
    uint32_t depth = 0;
    ModuleId id;
  };
  struct StackModules {
    std::vector<uint32_t> owners;  // rows
    uint32_t deepest = 0;
    SharedList<ModuleId> ids = {};  // of the owners, once they have some
  };

  uint32_t row_of(std::string_view path);
  std::vector<uint32_t> sorted_rows() const;

  const EtRecord& record_;
  std::vector<Collected> rows_;  // row 0 is the root
  std::unordered_map<std::string_view, uint32_t, TextHash> row_of_path_;
  std::unordered_map<ModuleStackId, StackModules> stacks_;
  SharedList<ModuleId> root_;
};

}  // namespace etlens
