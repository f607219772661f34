// SPDX-License-Identifier: Apache-2.0
// Many elements of one type as numbers at once, where scalar_value (scalar_type.h) reads one.
#pragma once

#include <cstdint>
#include <span>

#include "core/base/result.h"

namespace etlens {

// True for types whose elements are numbers. Of quantized types the number is the one that is
// stored; bits16 counts as uint16, as ExecuTorch reads it.
bool is_decodable(int scalar_type);

// Whole elements of `bytes`, little endian and in their order, to `out`. False for types that are
// not decodable.
bool decode_scalars(int scalar_type, std::span<const uint8_t> bytes, double* out);
// Of types that fit a float; the others lose digits.
bool decode_scalars(int scalar_type, std::span<const uint8_t> bytes, float* out);
// Every number of the type is a float: those of 16 bits at most, and float32.
bool fits_float(int scalar_type);

// Likewise, every `step`-th element from the first one on, `count` of them.
bool decode_strided(int scalar_type, const uint8_t* first, int64_t step, size_t count, double* out);

// True for floating point types.
bool is_floating(int scalar_type);

// What one step in the last place is, relative to a value: 2^-23 for float32; 0 for integers.
double relative_step(int scalar_type);

// The sentence for the others.
Error undecodable(int scalar_type);

}  // namespace etlens
