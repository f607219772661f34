// SPDX-License-Identifier: Apache-2.0
// FileBytes: who owns every byte of a program's file. The parts that are in the file add up to its
// size, byte for byte: what several share counts once, what belongs to nothing is padding.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/backend/backend.h"
#include "core/code/code.h"
#include "core/formats/pte/program.h"

namespace etlens {

enum class FilePartKind : uint8_t {
  Constant,          // data of a kernel's operand, or the initial data of state
  DelegateConstant,  // data that a backend's payload holds or names
  DelegateOther,     // the rest of a payload
  Program,           // the FlatBuffer: instructions, values, names
  Padding,           // between the others
  External,          // in another file: in no sum of this one
};
// "constant", "delegate_constant", "delegate_other", "program", "padding", "external".
std::string_view name_of(FilePartKind kind);

struct FilePart {
  FilePartKind kind = FilePartKind::Program;
  std::string name;  // of the parameter; else what it is for
  uint64_t bytes = 0;
  size_t method = 0;      // whose code the ids below are of
  LineId line;            // invalid if not known
  ModuleId module;        // invalid without a record
  PartitionId partition;  // of the delegate call
  size_t users = 1;       // how many operands and calls share it
};

struct FileBytes {
  uint64_t file_bytes = 0;
  std::vector<FilePart> parts;  // in the order of methods and instructions; the rest last
  LoadReport report;            // of data over other data
};

using PayloadReader = std::function<std::vector<uint8_t>(const ProgramDelegate&)>;

// `codes`: one per method of the program (code_of_program). `read_payload`: the part of a
// delegate's payload that describes operators; may be null, and empty where there is none.
FileBytes divide_file(const EtProgram& program,
                      const std::vector<std::shared_ptr<const Code>>& codes,
                      const Backends& backends, const PayloadReader& read_payload);

// Bytes by module and by line. Methods of one export share modules and lines, so these are told by
// path and number.
struct ModuleBytes {
  std::string path;  // "" is the root
  uint32_t depth = 0;
  uint64_t own = 0;        // of parts whose deepest module it is
  uint64_t inclusive = 0;  // with the modules below it
};
struct LineBytes {
  std::string path;  // as recorded
  uint32_t number = 0;
  std::string text;
  uint64_t bytes = 0;
  size_t parts = 0;
};
struct FileTotals {
  std::vector<ModuleBytes> modules;  // by path, parents before children; row 0 is the root
  std::vector<LineBytes> lines;      // the most bytes first
  std::vector<uint64_t> kinds;       // by FilePartKind
  uint64_t constants = 0;            // of both kinds, external data aside
  uint64_t placed_constants = 0;     // of these: on a line, or in a module below the root
};
FileTotals total_file(const FileBytes& bytes,
                      const std::vector<std::shared_ptr<const Code>>& codes);

}  // namespace etlens
