// SPDX-License-Identifier: Apache-2.0
// The payload of an XNNPACK delegate: what the backend serialized at export.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace etlens {

inline constexpr std::string_view kXnnpackBackend = "XnnpackBackend";

// Decodes of a payload in base64 only the part that lists the operators: the header and the
// FlatBuffer behind it, not the weights that follow. Empty if the text is no XNNPACK payload.
std::vector<uint8_t> decode_xnnpack_operators(std::string_view base64);

}  // namespace etlens
