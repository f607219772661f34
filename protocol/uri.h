// SPDX-License-Identifier: Apache-2.0
// DocumentUri: a URI in canonical form, so that two spellings of one file are equal.
//
// Clients spell file URIs in many ways: percent encodings that need not be (%3A, %7E), two slashes
// instead of three, drive letters in either case. All are corrected while decoding, and a
// DocumentUri cannot be made in any other way.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace etlens::lsp {

class DocumentUri {
 public:
  DocumentUri() = default;

  // A URI as a client wrote it. What is no file URI is kept letter by letter.
  static DocumentUri from_string(std::string_view text);
  // `path`: absolute, in the form of core/base/path.h.
  static DocumentUri from_path(std::string_view path);

  const std::string& string() const { return text_; }
  // Absolute and normal; "" for everything that is no file.
  const std::string& path() const { return path_; }
  bool is_file() const { return !path_.empty(); }

  friend bool operator==(const DocumentUri& a, const DocumentUri& b) { return a.text_ == b.text_; }

 private:
  DocumentUri(std::string text, std::string path)
      : text_(std::move(text)), path_(std::move(path)) {}

  std::string text_;
  std::string path_;
};

// Decodes %XX; a percent sign that is no such sequence stands for itself.
std::string percent_decode(std::string_view text);

}  // namespace etlens::lsp

template <>
struct std::hash<etlens::lsp::DocumentUri> {
  size_t operator()(const etlens::lsp::DocumentUri& uri) const noexcept {
    return std::hash<std::string>()(uri.string());
  }
};
