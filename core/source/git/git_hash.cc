// SPDX-License-Identifier: Apache-2.0
#include "core/source/git/git_hash.h"

#include <nettle/sha1.h>

#include <string>

namespace etlens {
namespace {

void add(sha1_ctx& hash, std::string_view text) {
  sha1_update(&hash, text.size(), reinterpret_cast<const uint8_t*>(text.data()));
}

}  // namespace

GitId git_hash(GitKind kind, std::string_view content) {
  const std::string header = std::string(git_name_of(kind)) + ' ' + std::to_string(content.size());
  sha1_ctx hash;
  sha1_init(&hash);
  add(hash, {header.c_str(), header.size() + 1});
  add(hash, content);
  GitId id;
  sha1_digest(&hash, id.size(), id.data());
  return id;
}

}  // namespace etlens
