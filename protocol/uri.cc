// SPDX-License-Identifier: Apache-2.0
#include "protocol/uri.h"

#include <algorithm>
#include <cctype>

#include "core/base/path.h"

namespace etlens::lsp {
namespace {

constexpr std::string_view kFile = "file:";

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Characters that stand for themselves in the path of a canonical URI.
bool is_plain(char c) {
  return is_letter(c) || (c >= '-' && c <= '9') || c == '_' || c == '~';  // - . / and digits
}

// "C:/x" and "/C:/x" -> "c:/x", as editors on Windows spell drives.
bool starts_with_drive(std::string_view path) {
  return path.size() >= 2 && is_letter(path[0]) && path[1] == ':' &&
         (path.size() == 2 || path[2] == '/');
}

std::string normal_file_path(std::string path) {
  std::replace(path.begin(), path.end(), '\0', '/');  // no path holds one, and none is cut at one
  path = normal_path(is_absolute(path) ? path : path.insert(0, 1, '/'));
  if (!starts_with_drive(std::string_view(path).substr(1))) return path;
  path.erase(0, 1);
  path[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(path[0])));
  return path;
}

bool is_file_scheme(std::string_view text) {
  return text.size() >= kFile.size() &&
         std::equal(kFile.begin(), kFile.end(), text.begin(), [](char lower, char c) {
           return std::tolower(static_cast<unsigned char>(c)) == lower;
         });
}

// Whether the text is that of a file in canonical form already, as nearly all are: then nothing
// needs to be decoded or put right.
bool is_canonical(std::string_view text) {
  constexpr std::string_view kStart = "file:///";
  if (!text.starts_with(kStart) || text.size() == kStart.size() || text.back() == '/') return false;
  const std::string_view path = text.substr(kStart.size() - 1);
  if (starts_with_drive(path.substr(1))) return false;
  char before = '/';
  for (const char c : path.substr(1)) {
    if (!is_plain(c) || (before == '/' && (c == '/' || c == '.'))) return false;
    before = c;
  }
  return true;
}

}  // namespace

std::string percent_decode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      const int high = hex_value(text[i + 1]);
      const int low = hex_value(text[i + 2]);
      if (high >= 0 && low >= 0) {
        out += static_cast<char>(16 * high + low);
        i += 2;
        continue;
      }
    }
    out += text[i];
  }
  return out;
}

DocumentUri DocumentUri::from_string(std::string_view text) {
  if (is_canonical(text)) {
    return {std::string(text), std::string(text.substr(std::string_view("file://").size()))};
  }
  if (!is_file_scheme(text)) return {std::string(text), ""};
  std::string_view rest = text.substr(kFile.size());
  // No document of a file system has a query or a fragment; a client that did not escape ? and #
  // means the file of that name.
  if (rest.starts_with("///")) rest.remove_prefix(2);
  // Another host is one of shares on Windows, and else a folder: some clients leave out the third
  // slash, file://home/x.
  constexpr std::string_view kLocalhost = "//localhost/";
  if (rest.starts_with(kLocalhost)) rest.remove_prefix(kLocalhost.size() - 1);
  return from_path(percent_decode(rest));
}

DocumentUri DocumentUri::from_path(std::string_view path) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string normal = normal_file_path(std::string(path));
  std::string text = normal.starts_with("//")  ? "file:"
                     : normal.starts_with('/') ? "file://"
                                               : "file:///";
  for (const char c : normal) {
    if (is_plain(c)) {
      text += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      text += '%';
      text += kHex[byte >> 4];
      text += kHex[byte & 15];
    }
  }
  return {std::move(text), std::move(normal)};
}

}  // namespace etlens::lsp
