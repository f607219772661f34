// SPDX-License-Identifier: Apache-2.0
// RecordSources: the texts of a record's files as they were at the export, and of files beside them
// that the record does not name.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/etrecord/etrecord.h"
#include "core/source/python/python_syntax.h"
#include "core/workspace/anchored_source.h"
#include "core/workspace/file_stamps.h"

namespace etlens {

// Sources by their paths. A text may be the file's at another time: whoever uses one compares.
using ParsedSources = std::map<std::string, std::shared_ptr<const PythonSyntax>>;

class RecordSources {
 public:
  // `is_project_file`: by the StringId of a recorded file. All must outlive the object.
  RecordSources(const FileSystem& files, const SourceSearch& search, const EtRecord& record,
                const std::vector<bool>& is_project_file, const CancelToken& cancel);

  // False: no file of the record is here, so that none of them is read.
  bool found_any() const { return found_any_; }
  // Null if there is none. A file that the record names gives a text in which every recorded line
  // is where it was: the file as it is, or a version that git has. One that it does not name is
  // read as it is, and only below the search's folders.
  // Parsed once, whoever asks.
  std::shared_ptr<const PythonSyntax> read(std::string_view recorded);
  const KnownSources& known() const { return known_; }
  // What was read, by where it is.
  ParsedSources parsed() const;
  // Every place that was looked at for a file.
  const FileStamps& stamps() const { return stamps_; }
  // Every file of the record that was asked for was found as it was exported.
  bool is_whole() const { return is_whole_; }

 private:
  std::shared_ptr<const Document> read_named(const std::string& path,
                                             const std::vector<RecordedLine>& lines) const;
  std::string place_beside(const std::string& recorded);
  const std::optional<FileStamp>& stamp_of(const std::string& path);
  bool is_inside(const std::string& path) const;

  const FileSystem& files_;
  const SourceSearch& search_;
  const CancelToken& cancel_;
  std::map<std::string, std::vector<RecordedLine>> named_;           // by path with slashes
  std::map<std::string, std::string> paths_;                         // of these; "" if not found
  std::map<std::string, std::shared_ptr<const PythonSyntax>> read_;  // null: there is none
  KnownSources known_;
  FileStamps stamps_;
  bool found_any_ = false;
  bool is_whole_ = true;
};

}  // namespace etlens
