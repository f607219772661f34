// SPDX-License-Identifier: Apache-2.0
// The bytes that a backend attaches to its events (delegate_debug_metadata), decoded for people.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etlens {

// Name and value pairs in the backend's order:
//   Core ML   a JSON object: preferredComputeUnit, estimatedCost, …
//   Vulkan    0.6 to 1.0, 24 bytes: global and local workgroup sizes
//   Neutron   1 byte: function code of the kernel
//   Arm VGF   a JSON object: neural statistics
// Bytes that fit nothing are one pair ("metadata", their text, or a count if they are no text).
std::vector<std::pair<std::string, std::string>> decode_metadata(std::string_view backend,
                                                                 std::string_view bytes);

}  // namespace etlens
