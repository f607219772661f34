// SPDX-License-Identifier: Apache-2.0
// Facts about the size of a program's file: what every byte is for, and which module and line it
// is due to.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/file_system.h"
#include "core/measure/file_bytes.h"
#include "core/measure/file_tree.h"

namespace etlens {

struct SizePartFacts {
  FilePartKind kind = FilePartKind::Program;
  std::string_view name;
  uint64_t bytes = 0;
  double share = 0;  // of the file; 0 for what is in another one
  std::optional<std::string_view> module_path;
  std::string_view recorded_path;  // of the line; "" if none is known
  uint32_t line = 0;               // likewise; 0
  size_t method = 0;               // of the program, whose code the id is of
  LineId line_id;
  uint32_t partition = 0;  // number of the delegate call; 0 for none
  size_t users = 1;        // that share it
};

class SizeFacts {
 public:
  // `codes`: one per method of the program. Payloads of delegates are read from the program's file.
  SizeFacts(const FileSystem& files, std::shared_ptr<const EtProgram> program,
            std::vector<std::shared_ptr<const Code>> codes,
            const Backends& backends = built_in_backends());

  const EtProgram& program() const { return *program_; }
  const Code& code(size_t method) const { return *codes_[method]; }
  uint64_t file_bytes() const { return bytes_.file_bytes; }
  const LoadReport& report() const { return bytes_.report; }
  size_t part_count() const { return bytes_.parts.size(); }
  SizePartFacts part(size_t row) const;
  // Rows of parts, the largest first.
  const std::vector<size_t>& ranked() const { return ranked_; }
  // Kind → module → part; FileNode::part is a row of parts.
  const std::vector<FileNode>& tree() const { return tree_; }

  // Of modules and lines that own something in this file.
  const std::vector<ModuleBytes>& modules() const { return totals_.modules; }
  const std::vector<LineBytes>& lines() const { return totals_.lines; }
  uint64_t bytes_of(FilePartKind kind) const { return totals_.kinds[static_cast<size_t>(kind)]; }
  double share(uint64_t bytes) const;  // of the file
  uint64_t constants() const { return totals_.constants; }
  // Of these what is on a line, or in a module below the root.
  uint64_t placed_constants() const { return totals_.placed_constants; }

 private:
  std::shared_ptr<const EtProgram> program_;
  std::vector<std::shared_ptr<const Code>> codes_;
  FileBytes bytes_;
  FileTotals totals_;
  std::vector<FileNode> tree_;
  std::vector<size_t> ranked_;
};

}  // namespace etlens
