// SPDX-License-Identifier: Apache-2.0
// How POSIX and Windows spell paths. Both are everywhere, so that both are tested everywhere.
#include "core/base/path.h"

namespace etlens {
namespace {

std::string_view posix_root(std::string_view path) {
  return path.substr(0, path.starts_with('/') ? 1 : 0);
}

std::string root_itself(std::string_view root) { return std::string(root); }

bool is_separator(char c) { return c == '/' || c == '\\'; }

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// With the separator behind it, if there is one.
size_t end_of_component(std::string_view path, size_t from) {
  const size_t at = path.find_first_of("/\\", from);
  return at == std::string_view::npos ? path.size() : at + 1;
}

std::string_view windows_root(std::string_view path) {
  const auto separates = [&](size_t at) { return at < path.size() && is_separator(path[at]); };
  if (separates(0) && separates(1) && path.size() > 2 && !separates(2))
    return path.substr(0, end_of_component(path, end_of_component(path, 2)));
  if (separates(0)) return path.substr(0, 1);
  const bool has_drive = path.size() >= 2 && is_letter(path[0]) && path[1] == ':';
  if (!has_drive || (path.size() > 2 && !separates(2))) return {};
  return path.substr(0, 3);
}

// Drives in small letters, as editors spell them in URIs; a root ends with a slash.
std::string windows_normal_root(std::string_view root) {
  std::string normal = with_slashes(root);
  if (!normal.empty() && normal.back() != '/') normal += '/';
  if (normal.size() > 1 && normal[1] == ':' && normal[0] <= 'Z')
    normal[0] = static_cast<char>(normal[0] - 'A' + 'a');
  return normal;
}

}  // namespace

constinit const PathRules kPosixPaths{"/", posix_root, root_itself};
constinit const PathRules kWindowsPaths{"/\\", windows_root, windows_normal_root};

}  // namespace etlens
