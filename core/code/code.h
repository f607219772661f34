// SPDX-License-Identifier: Apache-2.0
// Code: what exists of one export, as far as costs can land on it: files, lines, modules, delegate
// calls, and for every node its place among them. Immutable, and shared by everything that is
// measured on it; knows no dump and no amount.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/shared_list.h"
#include "core/base/string_pool.h"
#include "core/formats/etrecord/etrecord.h"

namespace etlens {

using FileId = Id<struct FileTag>;
using LineId = Id<struct LineTag>;
using ModuleId = Id<struct ModuleRowTag>;
using PartitionId = Id<struct PartitionTag>;
using PlaceId = Id<struct PlaceTag>;

struct CodeFile {
  StringId recorded_path;
  uint32_t first_line = 0;  // into Code::lines
  uint32_t line_count = 0;
};

struct CodeLine {
  FileId file;
  uint32_t number = 0;  // 1-based, as recorded
  StringId function;
  StringId text;                      // stripped; "" if it was not recorded
  uint32_t runs = 0;                  // how often it runs in one execution; 0 if nothing tells
  std::vector<StringId> owner_types;  // of the modules whose forward was running; in no order
  bool is_recovered = false;          // the record has no frame here: it was found again
};

// What of a line outlives an export: two codes are matched by it.
struct LineKey {
  std::string_view file;  // recorded path
  std::string_view function;
  std::string_view text;
  uint32_t before = 0;  // lines with the same file, function and text that stand before it

  friend auto operator<=>(const LineKey&, const LineKey&) = default;
};

struct CodeModule {
  std::string path;  // dotted; "" is the root
  StringId type;     // invalid if no stack names the module itself
  ModuleId parent;   // invalid for the root
  uint32_t depth = 0;
  uint32_t calls = 0;  // distinct calls in one execution; 0 for a parent that is never called
};

// A delegate call.
struct Partition {
  uint32_t number = 0;  // 1-based, in instruction order
  Instruction instruction;
  StringId backend;           // invalid if nothing names it
  ModuleId module;            // the deepest that holds all its nodes
  std::vector<NodeId> nodes;  // in graph order
  std::vector<LineId> lines;  // of its nodes; ascending
};

// Where nodes with one stack of frames and one stack of modules are.
struct Place {
  LineId line;                  // the innermost project frame's; invalid if there is none
  std::vector<LineId> stack;    // every distinct line of the stack, outermost first
  ModuleId module;              // the deepest
  SharedList<ModuleId> owners;  // all that own the node, the root included; ascending
  bool has_modules = false;     // the nodes have a module stack
};

struct Code {
  std::shared_ptr<const EtRecord> record;     // null: nothing but delegate calls is known
  std::shared_ptr<const StringPool> strings;  // of every StringId above
  std::optional<RecordMethod> method;
  std::vector<CodeFile> files;
  std::vector<CodeLine> lines;        // file after file, ascending
  std::vector<CodeModule> modules;    // parents before children; row 0 is the root
  std::vector<Partition> partitions;  // in instruction order
  std::vector<Place> places;
  bool has_definitions = false;        // lines are where functions are defined, not where they ran
  std::vector<PlaceId> place_of_node;  // one per node of the record; invalid for other methods'

  std::string_view text(StringId id) const { return (*strings)[id]; }
  std::string_view method_name() const { return method ? text(method->name) : std::string_view(); }
  std::string_view recorded_path(FileId file) const {
    return text(files[file.value].recorded_path);
  }
  // Null if the node is not of this method.
  const Place* place_of(NodeId node) const;
  PartitionId find_partition(Instruction instruction) const;
  ModuleId find_module(std::string_view path) const;
  LineKey key_of(LineId line) const;
};

// By whole components: conv1 never includes conv10. The root "" includes everything.
bool is_module_below(std::string_view root, std::string_view path);
// The rows of these, parents before children.
std::vector<ModuleId> modules_below(const Code& code, std::string_view root);

}  // namespace etlens
