// SPDX-License-Identifier: Apache-2.0
// PythonSources: the project's Python files by the paths that the record knows them under, parsed
// once.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/recover/interpreter/changes.h"
#include "core/recover/interpreter/value.h"
#include "core/recover/read_source.h"
#include "core/source/python/python_tree.h"

namespace etlens::recover {

struct SourceFile {
  std::string path;           // recorded, with slashes
  std::string recorded_path;  // as the record spells it
  std::string name;           // of the Python module; "" if unknown
  std::shared_ptr<const PythonTree> tree;
  Environment* globals = nullptr;
  Value value = nullptr;  // the module as a value
  bool is_run = false;    // its top level was begun
  bool is_package = false;
};

class PythonSources {
 public:
  explicit PythonSources(ReadSource read) : read_(std::move(read)) {}

  // The record names this file.
  void spell(std::string_view recorded_path);
  // Null if there is no such file, or it is not valid Python.
  SourceFile* open(const std::string& recorded_path);
  // The file of a dotted Python module, seen from one whose name is known.
  SourceFile* find_module(std::string_view dotted);
  // The file of `from .name import`, seen from `from`.
  SourceFile* find_relative(const SourceFile& from, size_t dots, std::string_view dotted);
  // Says that a recorded path is this Python module: the folder above all packages follows.
  void name_file(const std::string& recorded_path, std::string_view dotted);
  // The file that Python was started with: other files are found beside it.
  void name_main(const std::string& recorded_path);

  // The top package of a dotted name lies among the project's files: what is not found in it is no
  // library's.
  bool is_project(std::string_view dotted) const;

  // A small project is read as Python reads it: an import opens a file at once. Once this is false,
  // a file is opened when a run asks for a name that it defines.
  bool opens_unasked() const { return opened_bytes_ < unasked_bytes_; }
  // Opens so many bytes more as they are imported, from here on.
  void open_unasked(size_t bytes) { unasked_bytes_ = opened_bytes_ + bytes; }

  // Top levels of files are run once for all, and may take so many steps together.
  bool may_run_file() const;
  void add_file_steps(size_t steps) { file_steps_ += steps; }

  // The files that were opened so far, by their paths.
  std::vector<SourceFile*> opened() const;
  size_t opened_count() const { return opened_; }

  Arena& arena() { return arena_; }  // of what files define
  Changes& changes() { return changes_; }

 private:
  static constexpr size_t kUnaskedBytes = 256 << 10;

  SourceFile* open_module(const std::string& base);

  ReadSource read_;
  size_t opened_ = 0;
  size_t opened_bytes_ = 0;
  size_t unasked_bytes_ = kUnaskedBytes;
  size_t file_steps_ = 0;
  std::unordered_map<std::string, std::unique_ptr<SourceFile>> files_;  // null: there is none
  std::map<std::string, std::string> spelled_;  // as recorded, by the path with slashes
  std::vector<std::string> roots_;  // folders that dotted names start at, with a slash behind
  Changes changes_;
  Arena arena_{true};
};

}  // namespace etlens::recover
