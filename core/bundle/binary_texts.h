// SPDX-License-Identifier: Apache-2.0
// Texts inside FlatBuffers, found by their form alone: a length, then as many printable bytes. So they are found in tables
// of any schema, also in those that etlens does not know. A replacement that is as long leaves all offsets as they are.
// A few bytes could be numbers: two or three are a text if an offset in the same bytes leads to them, or where it is known which
// texts there are, up to seven if they are one of these.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace etlens {

using IsText = std::function<bool(std::string_view)>;

void see_binary_texts(std::span<const uint8_t> bytes,
                      const std::function<void(std::string_view)>& see,
                      const IsText& is_known = {});
// `replace` gives a text that is as long.
void replace_binary_texts(std::span<uint8_t> bytes,
                          const std::function<std::string(std::string_view)>& replace,
                          const IsText& is_known = {});

}  // namespace etlens
