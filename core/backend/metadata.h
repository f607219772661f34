// SPDX-License-Identifier: Apache-2.0
// The bytes that a backend attaches to its events (delegate_debug_metadata), decoded for people.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etlens {

// Name and value pairs in the backend's order.
using MetadataFields = std::vector<std::pair<std::string, std::string>>;

// The members of a JSON object, as several backends write them. Other bytes are one pair
// ("metadata", their text, or a count if they are no text).
MetadataFields read_plain_metadata(std::string_view bytes);

}  // namespace etlens
