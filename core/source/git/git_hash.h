// SPDX-License-Identifier: Apache-2.0
// The name that git gives to an object: the SHA-1 of its kind, size and content.
#pragma once

#include <string_view>

#include "core/source/git/git_id.h"

namespace etlens {

// Linear in the content. Does not detect collisions of SHA-1.
GitId git_hash(GitKind kind, std::string_view content);

}  // namespace etlens
