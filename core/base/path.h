// SPDX-License-Identifier: Apache-2.0
// Paths as text. Recorded paths may come from another system, so both separators count when
// reading; paths of this machine are in normal form everywhere inside.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace etlens {

// How a system spells paths.
struct PathRules {
  std::string_view separators;
  // Of an absolute path the part above which nothing is, as it is spelled there; else "".
  std::string_view (*root_of)(std::string_view path);
  std::string (*normal_root)(std::string_view root);
};
extern const PathRules kPosixPaths;
// "C:\x" and "\\host\share\x", in normal form "c:/x" and "//host/share/x".
extern const PathRules kWindowsPaths;
const PathRules& system_paths();  // of the system that this runs on

// Both separators as "/".
std::string with_slashes(std::string_view path);
// "/a/b/" + "../c" style text made plain: no ".", "..", doubled or trailing slashes.
std::string normal_path(std::string_view path, const PathRules& rules = system_paths());
// `path` itself if it is absolute, else below `base`; in normal form.
std::string absolute_path(std::string_view base, std::string_view path,
                          const PathRules& rules = system_paths());
std::string join_path(std::string_view folder, std::string_view name);
std::string_view root_of(std::string_view path, const PathRules& rules = system_paths());
bool is_absolute(std::string_view path, const PathRules& rules = system_paths());
// Whether opening it asks another machine. What a file says, not a person, is never opened then.
bool is_on_host(std::string_view path, const PathRules& rules = system_paths());

// The part behind the last separator, and the part before it.
std::string_view base_name(std::string_view path);
std::string_view parent_path(std::string_view path, const PathRules& rules = system_paths());
// "model.v2.etdp" -> "model.v2".
std::string_view stem(std::string_view path);

// Components of a recorded path, split at both kinds of slash; "" and "." left out.
std::vector<std::string_view> path_components(std::string_view path);
// How many components two paths share at their ends.
size_t common_suffix(std::string_view a, std::string_view b);
// `path` without `folder/` in front, if it is below it; else `path`.
std::string_view relative_path(std::string_view folder, std::string_view path);
bool is_below(std::string_view folder, std::string_view path);

}  // namespace etlens
