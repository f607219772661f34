// SPDX-License-Identifier: Apache-2.0
// ScalarType: the numbers by which ETDumps and programs name element types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace etlens {

// "float32", "int8", …; "unknown" for numbers without a meaning.
std::string_view scalar_type_name(int scalar_type);
// Bytes per element; 0 if unknown.
size_t scalar_type_size(int scalar_type);
// One little-endian element as a number; nullopt for types that are not numbers (bits, quantized).
std::optional<double> scalar_value(int scalar_type, std::span<const uint8_t> bytes);

}  // namespace etlens
