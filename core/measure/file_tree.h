// SPDX-License-Identifier: Apache-2.0
// FileTree: the bytes of a program's file as kind → module → part, every node with the sum of what
// is below it. What is in another file is in no tree.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/measure/file_bytes.h"

namespace etlens {

enum class FileNodeLevel : uint8_t { Kind, Module, Part };

struct FileNode {
  FileNodeLevel level = FileNodeLevel::Kind;
  FilePartKind kind = FilePartKind::Program;
  uint32_t parent = kNone;  // index in the tree; kNone for a kind
  std::string module;       // Module: its dotted path
  size_t part = 0;          // Part: into FileBytes::parts
  uint64_t bytes = 0;
};

// Parents before children, children by bytes, the most first. A module whose only child is another
// module is left out: the child's path says it all. The kinds add up to the file's size.
std::vector<FileNode> file_tree(const FileBytes& bytes,
                                const std::vector<std::shared_ptr<const Code>>& codes);

}  // namespace etlens
