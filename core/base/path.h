// SPDX-License-Identifier: Apache-2.0
// Paths as text. Recorded paths may come from another system, so both separators count when
// reading.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace etlens {

// Both separators as "/".
std::string with_slashes(std::string_view path);
// "/a/b/" + "../c" style text made plain: no ".", "..", doubled or trailing slashes.
std::string normal_path(std::string_view path);
// `path` itself if it is absolute, else below `base`; in normal form.
std::string absolute_path(std::string_view base, std::string_view path);
std::string join_path(std::string_view folder, std::string_view name);
bool is_absolute(std::string_view path);

// The part behind the last separator, and the part before it.
std::string_view base_name(std::string_view path);
std::string_view parent_path(std::string_view path);
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
