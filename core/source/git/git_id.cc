// SPDX-License-Identifier: Apache-2.0
#include "core/source/git/git_id.h"

namespace etlens {

std::string_view git_name_of(GitKind kind) {
  constexpr std::string_view kNames[] = {"commit", "tree", "blob", "tag"};
  return kNames[static_cast<size_t>(kind)];
}

std::optional<unsigned> git_hex_digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
  return std::nullopt;
}

std::optional<GitId> git_id_of(std::string_view hex) {
  GitId id;
  if (hex.size() != 2 * id.size()) return std::nullopt;
  for (size_t i = 0; i < id.size(); ++i) {
    const std::optional<unsigned> high = git_hex_digit(hex[2 * i]);
    const std::optional<unsigned> low = git_hex_digit(hex[2 * i + 1]);
    if (!high || !low) return std::nullopt;
    id[i] = static_cast<unsigned char>(*high << 4 | *low);
  }
  return id;
}

std::string hex_of(const GitId& id) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : id) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 0x0F];
  }
  return text;
}

}  // namespace etlens
