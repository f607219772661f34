// SPDX-License-Identifier: Apache-2.0
#include "core/base/path.h"

#include <algorithm>

namespace etlens {

std::string_view root_of(std::string_view path, const PathRules& rules) {
  return rules.root_of(path);
}

bool is_absolute(std::string_view path, const PathRules& rules) {
  return !rules.root_of(path).empty();
}

std::string join_path(std::string_view folder, std::string_view name) {
  std::string joined(folder);
  if (!joined.empty() && !joined.ends_with('/')) joined += '/';
  return joined += name;
}

std::string with_slashes(std::string_view path) {
  std::string plain(path);
  std::replace(plain.begin(), plain.end(), '\\', '/');
  return plain;
}

bool is_on_host(std::string_view path, const PathRules& rules) {
  return rules.root_of(path).size() > 1 && rules.separators.find(path[1]) != std::string_view::npos;
}

std::string normal_path(std::string_view path, const PathRules& rules) {
  const std::string_view root = rules.root_of(path);
  path.remove_prefix(root.size());
  std::vector<std::string_view> kept;
  while (!path.empty()) {
    const size_t at = std::min(path.find_first_of(rules.separators), path.size());
    const std::string_view part = path.substr(0, at);
    path.remove_prefix(std::min(at + 1, path.size()));
    if (part.empty() || part == ".") continue;
    if (part == ".." && !kept.empty() && kept.back() != "..") {
      kept.pop_back();
    } else if (part != ".." || root.empty()) {
      kept.push_back(part);
    }
  }
  std::string normal = rules.normal_root(root);
  for (size_t i = 0; i < kept.size(); ++i) {
    if (i > 0) normal += '/';
    normal += kept[i];
  }
  return normal.empty() ? "." : normal;
}

std::string absolute_path(std::string_view base, std::string_view path, const PathRules& rules) {
  const std::string_view root = rules.root_of(path);
  const std::string_view drive = rules.root_of(base);
  if (root.empty()) return normal_path(join_path(base, path), rules);
  // On Windows "/x" is of the drive that one is on.
  const bool is_of_drive = root.size() == 1 && drive.size() > 1;
  return normal_path(is_of_drive ? join_path(drive, path) : std::string(path), rules);
}

std::string_view base_name(std::string_view path) {
  const size_t at = path.find_last_of("/\\");
  return at == std::string_view::npos ? path : path.substr(at + 1);
}

std::string_view parent_path(std::string_view path, const PathRules& rules) {
  const size_t at = path.find_last_of('/');
  if (at == std::string_view::npos) return {};
  const std::string_view root = rules.root_of(path);
  return at < root.size() ? root : path.substr(0, at);
}

std::string_view stem(std::string_view path) {
  const std::string_view name = base_name(path);
  const size_t dot = name.find_last_of('.');
  return dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot);
}

std::vector<std::string_view> path_components(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const size_t at = std::min(path.find_first_of("/\\"), path.size());
    const std::string_view part = path.substr(0, at);
    if (!part.empty() && part != ".") parts.push_back(part);
    path.remove_prefix(std::min(at + 1, path.size()));
  }
  return parts;
}

size_t common_suffix(std::string_view a, std::string_view b) {
  const std::vector<std::string_view> x = path_components(a);
  const std::vector<std::string_view> y = path_components(b);
  const auto ends = std::mismatch(x.rbegin(), x.rend(), y.rbegin(), y.rend());
  return static_cast<size_t>(ends.first - x.rbegin());
}

bool is_below(std::string_view folder, std::string_view path) {
  if (!path.starts_with(folder)) return false;
  return folder.ends_with('/') || path.size() == folder.size() || path[folder.size()] == '/';
}

std::string_view relative_path(std::string_view folder, std::string_view path) {
  if (!is_below(folder, path) || path.size() <= folder.size()) return path;
  path.remove_prefix(folder.size());
  if (path.starts_with('/')) path.remove_prefix(1);
  return path;
}

}  // namespace etlens
