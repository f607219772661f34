// SPDX-License-Identifier: Apache-2.0
// What to keep of a lowered module's payload. Most of it is weights; where they begin is a matter
// of the backend, which the reader knows nothing of.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace etlens {

// Gets the backend's id and the whole payload in base64; gives the bytes to keep.
using PayloadDecoder =
    std::function<std::vector<uint8_t>(std::string_view backend, std::string_view base64)>;

}  // namespace etlens
