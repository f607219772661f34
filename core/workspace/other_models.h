// SPDX-License-Identifier: Apache-2.0
// A folder may hold dumps of several models, and only one is shown: which others are there?
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/cancellation.h"
#include "core/base/file_system.h"
#include "core/source/document.h"
#include "core/workspace/discovery.h"

namespace etlens {

struct OtherModel {
  std::string etdump;  // its newest
  std::string etrecord;
};

// Each model other than that of `etdump`, whose record is `etrecord`. A model is what one record
// describes; a copy of a record is the same record. Looks at the newest dumps only, and at none if
// there are not several records: it reads each with its record.
std::vector<OtherModel> other_models(const FileSystem& files,
                                     const std::vector<FoundArtifact>& found,
                                     const std::string& etdump, const std::string& etrecord,
                                     const CancelToken& cancel = {});
// Only the dumps.
std::vector<std::string> find_other_models(const FileSystem& files,
                                           const std::vector<FoundArtifact>& found,
                                           const std::string& etdump, const std::string& etrecord,
                                           const CancelToken& cancel = {});

// The lines of sources that a record names: which model was measured in a file?
class ModelSources {
 public:
  static constexpr size_t kMaxLines = 100'000;

  ModelSources() = default;
  // What of the record cannot be read has no line.
  static ModelSources read(const FileSystem& files, const std::string& etrecord,
                           const CancelToken& cancel = {});
  // Whether most of the lines that were recorded in a file of that name stand in the text where
  // they stood then.
  bool has(std::string_view path, const Document& text) const;

 private:
  struct Line {
    uint32_t number = 0;  // 1-based
    std::string text;
  };
  // By the file's name, then by recorded path.
  std::map<std::string, std::map<std::string, std::vector<Line>>, std::less<>> files_;
};

// "fp32/a.etdp, b.etdp and 2 more are of other models"; "" for none. `names`: as the reader says
// these paths.
std::string other_models_text(const std::vector<std::string>& names);

}  // namespace etlens
