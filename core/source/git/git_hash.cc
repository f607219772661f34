// SPDX-License-Identifier: Apache-2.0
#include "core/source/git/git_hash.h"

#include <boost/uuid/detail/sha1.hpp>
#include <climits>
#include <string>

namespace etlens {

GitId git_hash(GitKind kind, std::string_view content) {
  const std::string header = std::string(git_name_of(kind)) + ' ' + std::to_string(content.size());
  boost::uuids::detail::sha1 hash;
  hash.process_bytes(header.c_str(), header.size() + 1);
  hash.process_bytes(content.data(), content.size());
  boost::uuids::detail::sha1::digest_type digest = {};
  hash.get_digest(digest);
  // Words, the high byte first; since Boost 1.86 bytes.
  constexpr size_t kBytes = sizeof(digest[0]);
  GitId id;
  for (size_t i = 0; i < id.size(); ++i) {
    const size_t lower = CHAR_BIT * (kBytes - 1 - i % kBytes);
    id[i] = static_cast<unsigned char>(digest[i / kBytes] >> lower);
  }
  return id;
}

}  // namespace etlens
