// SPDX-License-Identifier: Apache-2.0
// How often a source line runs in one execution, and in modules of which class.
#pragma once

#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/code/code.h"
#include "core/code/method_context.h"

namespace etlens {

// A line runs once in every call of its function. The traces tell the calls apart: each frame named
// forward belongs to a module of the node's module stack, and frames between that one and the line
// are calls of helpers. Within one call, a line that runs several modules of one place
// (`x = self.blocks[i](x)` in a loop) runs once for each; `self.a(x) + self.b(x)` are two places.
//
// `self.rope.forward(x)` has a frame named forward, but no module in the stack: of more such frames
// than modules only those have one that the files of the modules' classes leave no choice. What the
// others run counts like a helper's, and only on lines that nothing else tells of.
class LineRuns {
 public:
  explicit LineRuns(const EtRecord& record)
      : record_(record), forward_(record.strings.find("forward")) {}

  // Nodes with these frames (one per distinct line, outermost first) and modules.
  void add(std::span<const FrameId> frames, std::span<const LineId> lines, ModuleStackId modules);
  // Fills CodeLine::runs and owner_types.
  void store(Code& code);

 private:
  // A module called from a line, in one call of the line's function.
  struct Run {
    StringId owner;      // key of the module whose forward runs; with `chain` the function's call
    StringId path;       // of what is called from there, in its general form
    uint64_t chain = 0;  // the frames that lead to the line
    FrameId frame;       // on the line; with `path` the site
    StringId called;     // its key

    bool is_same_call(const Run& other) const {
      return owner == other.owner && chain == other.chain;
    }
    bool is_same_site(const Run& other) const {
      return is_same_call(other) && frame == other.frame && path == other.path;
    }
    friend bool operator==(const Run&, const Run&) = default;
  };
  // Of one line, in the order of the nodes: mostly one call behind another.
  struct Line {
    std::vector<Run> runs;
    std::vector<StringId> owner_types;
    std::vector<Run> unsure;  // of the deepest owner that any of them has
    size_t unsure_depth = 0;
  };

  StringId general_path(StringId path);
  void find_owners(std::span<const FrameId> frames, std::span<const Module> modules);
  void find_sure_owners(std::span<const FrameId> frames, std::span<const Module> modules);
  bool may_be_of(const Frame& frame, const Module& module);
  void add(LineId line, const Run& run, StringId owner_type);
  void add_unsure(LineId line, const Run& run, size_t depth);
  bool add_once(std::vector<Run>& runs, const Run& run);
  static uint32_t count(std::vector<Run>& runs);
  bool has_type(LineId line, const std::vector<StringId>& types, StringId type);
  static void sort(std::vector<Run>& runs);
  void sort();

  const EtRecord& record_;
  StringId forward_;
  StringPool pool_;
  std::unordered_map<StringId, StringId> general_;  // recorded path -> its general form in pool_
  std::unordered_map<uint64_t, bool> may_be_of_;    // by file and type
  std::vector<Line> lines_;                         // by LineId
  // Of the frames and modules that are being added.
  std::vector<size_t> owners_;               // per frame the module whose forward it is
  std::vector<size_t> forwards_;             // frames
  std::vector<size_t> own_;                  // modules that are not torch's
  std::unordered_set<uint64_t> many_types_;  // by line and type
  size_t size_ = 0;                          // runs
  size_t sorted_ = 0;                        // runs that are there once
};

}  // namespace etlens
