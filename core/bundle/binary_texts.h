// SPDX-License-Identifier: Apache-2.0
// Texts inside FlatBuffers, found by their form alone: a length, then as many printable bytes. So they are found in tables
// of any schema, also in those that etlens does not know. A replacement that is as long leaves all offsets as they are.
// Two or three bytes could be numbers: they are a text if an offset in the same bytes leads to them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace etlens {

void see_binary_texts(std::span<const uint8_t> bytes,
                      const std::function<void(std::string_view)>& see);
// `replace` gives a text that is as long.
void replace_binary_texts(std::span<uint8_t> bytes,
                          const std::function<std::string(std::string_view)>& replace);

}  // namespace etlens
