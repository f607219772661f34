// SPDX-License-Identifier: Apache-2.0
// How often a source line runs in one execution, and in modules of which class.
#pragma once

#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/code/code.h"
#include "core/code/method_context.h"

namespace etlens {

// A line runs once in every call of its function. The traces tell the calls apart: each frame named
// forward belongs to a module of the node's module stack, and frames between that one and the line
// are calls of helpers. Within one call, a line that runs several modules of one place
// (`x = self.blocks[i](x)` in a loop) runs once for each; `self.a(x) + self.b(x)` are two places.
class LineRuns {
 public:
  explicit LineRuns(const EtRecord& record) : record_(record) {}

  // Nodes with these frames (one per distinct line, outermost first) and modules.
  void add(std::span<const FrameId> frames, std::span<const LineId> lines, ModuleStackId modules);
  // Fills CodeLine::runs and owner_types.
  void store(Code& code) const;

 private:
  using Call = std::pair<StringId, uint64_t>;  // the owner's key; the frames that lead to the line
  using Site = std::pair<FrameId, StringId>;   // on the line; the module called from there
  using Runs = std::map<Call, std::map<Site, std::set<StringId>>>;

  StringId general_path(StringId path);

  const EtRecord& record_;
  StringPool pool_;
  std::unordered_map<StringId, StringId> general_;  // recorded path -> its general form in pool_
  std::unordered_map<LineId, Runs> runs_;
  std::unordered_map<LineId, std::vector<StringId>> owner_types_;
};

}  // namespace etlens
