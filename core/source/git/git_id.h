// SPDX-License-Identifier: Apache-2.0
// What git calls an object, and the kinds that there are.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace etlens {

using GitId = std::array<unsigned char, 20>;
// Of forty hexadecimal digits.
std::optional<GitId> git_id_of(std::string_view hex);
std::string hex_of(const GitId& id);
std::optional<unsigned> git_hex_digit(char c);

enum class GitKind : uint8_t { Commit, Tree, Blob, Tag };
std::string_view git_name_of(GitKind kind);  // "commit"

struct GitHeader {
  GitKind kind = GitKind::Blob;
  uint64_t size = 0;
};

}  // namespace etlens
