// SPDX-License-Identifier: Apache-2.0
#include "core/formats/scalar_decoder.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "core/formats/scalar_type.h"

namespace etlens {
namespace {

// What the bits of a small floating point type mean.
struct FloatFormat {
  int exponent_bits;
  int fraction_bits;
  int bias;
  bool has_infinity;  // the largest exponent holds infinities and NaN, as IEEE 754 says
  bool is_fnuz;       // no infinities, no negative zero; its pattern is the only NaN
};

constexpr FloatFormat kE5M2{5, 2, 15, true, false};
constexpr FloatFormat kE4M3Fn{4, 3, 7, false, false};
constexpr FloatFormat kE5M2Fnuz{5, 2, 16, false, true};
constexpr FloatFormat kE4M3Fnuz{4, 3, 8, false, true};

double small_float(uint32_t bits, const FloatFormat& format) {
  const uint32_t sign_bit = 1u << (format.exponent_bits + format.fraction_bits);
  const uint32_t fraction = bits & ((1u << format.fraction_bits) - 1);
  const uint32_t top = (1u << format.exponent_bits) - 1;
  const uint32_t exponent = bits >> format.fraction_bits & top;
  const double sign = bits & sign_bit ? -1 : 1;
  if (format.is_fnuz) {
    if (bits == sign_bit) return std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == top) {
    const bool is_all_ones = fraction == (1u << format.fraction_bits) - 1;
    if (format.has_infinity && fraction == 0) return sign * std::numeric_limits<double>::infinity();
    if (format.has_infinity || is_all_ones) return std::numeric_limits<double>::quiet_NaN();
  }
  const int scale =
      static_cast<int>(exponent == 0 ? 1 : exponent) - format.bias - format.fraction_bits;
  const uint32_t whole = exponent == 0 ? fraction : fraction | 1u << format.fraction_bits;
  return sign * std::ldexp(whole, scale);
}

struct HalfOf {
  float operator()(uint16_t bits) const {
    // Without branches: exponent and fraction moved to where a float has them, and the exponent's
    // bias made up for by a factor, which is right for denormal numbers too. What has the largest
    // exponent gets a float's largest.
    const uint32_t magnitude = (bits & 0x7FFFu) << 13;
    const uint32_t number = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112f);
    const uint32_t special = 0u - static_cast<uint32_t>(magnitude >= 0x0F800000u);
    return std::bit_cast<float>(number | (special & 0x7F800000u) | (bits & 0x8000u) << 16);
  }
};
struct Bfloat16Of {
  float operator()(uint16_t bits) const {
    return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
  }
};
struct BoolOf {
  float operator()(uint8_t byte) const { return byte != 0; }
};
struct NumberOf {
  auto operator()(auto value) const { return value; }
};
template <const FloatFormat& format>
struct Float8Of {
  double operator()(uint8_t bits) const { return small_float(bits, format); }
};

template <typename Stored, typename Number, typename Convert>
void convert(const uint8_t* first, int64_t step, size_t count, Number* out, Convert number_of) {
  const auto skip = step * static_cast<int64_t>(sizeof(Stored));
  for (size_t i = 0; i < count; ++i) {
    Stored value;
    std::memcpy(&value, first + static_cast<int64_t>(i) * skip, sizeof value);
    out[i] = static_cast<Number>(number_of(value));
  }
}

// The same, but a step that the compiler knows lets it work on several elements at once. True.
template <typename Stored, typename Number, typename Convert>
bool convert_any(const uint8_t* first, int64_t step, size_t count, Number* out, Convert number_of) {
  if (step == 1) convert<Stored>(first, 1, count, out, number_of);
  else convert<Stored>(first, step, count, out, number_of);
  return true;
}

// False for types that it does not know.
template <typename Number>
bool decode(int scalar_type, const uint8_t* first, int64_t step, size_t count, Number* out) {
  switch (scalar_type) {
    case 0:   // uint8
    case 13:  // quint8
      return convert_any<uint8_t>(first, step, count, out, NumberOf());
    case 1:   // int8
    case 12:  // qint8
      return convert_any<int8_t>(first, step, count, out, NumberOf());
    case 2:
      return convert_any<int16_t>(first, step, count, out, NumberOf());
    case 3:   // int32
    case 14:  // qint32
      return convert_any<int32_t>(first, step, count, out, NumberOf());
    case 4:
      return convert_any<int64_t>(first, step, count, out, NumberOf());
    case 5:
      return convert_any<uint16_t>(first, step, count, out, HalfOf());
    case 6:
      return convert_any<float>(first, step, count, out, NumberOf());
    case 7:
      return convert_any<double>(first, step, count, out, NumberOf());
    case 11:
      return convert_any<uint8_t>(first, step, count, out, BoolOf());
    case 15:
      return convert_any<uint16_t>(first, step, count, out, Bfloat16Of());
    case 22:  // bits16
    case 27:  // uint16
      return convert_any<uint16_t>(first, step, count, out, NumberOf());
    case 23:
      return convert_any<uint8_t>(first, step, count, out, Float8Of<kE5M2>());
    case 24:
      return convert_any<uint8_t>(first, step, count, out, Float8Of<kE4M3Fn>());
    case 25:
      return convert_any<uint8_t>(first, step, count, out, Float8Of<kE5M2Fnuz>());
    case 26:
      return convert_any<uint8_t>(first, step, count, out, Float8Of<kE4M3Fnuz>());
    case 28:
      return convert_any<uint32_t>(first, step, count, out, NumberOf());
    case 29:
      return convert_any<uint64_t>(first, step, count, out, NumberOf());
    default:
      return false;
  }
}

template <typename Number>
bool decode_all(int scalar_type, std::span<const uint8_t> bytes, Number* out) {
  const size_t size = scalar_type_size(scalar_type);
  return size != 0 && decode(scalar_type, bytes.data(), 1, bytes.size() / size, out);
}

}  // namespace

bool decode_strided(int scalar_type, const uint8_t* first, int64_t step, size_t count,
                    double* out) {
  return decode(scalar_type, first, step, count, out);
}

bool decode_scalars(int scalar_type, std::span<const uint8_t> bytes, double* out) {
  return decode_all(scalar_type, bytes, out);
}

bool decode_scalars(int scalar_type, std::span<const uint8_t> bytes, float* out) {
  return decode_all(scalar_type, bytes, out);
}

bool fits_float(int scalar_type) {
  constexpr int kFloat32 = 6;
  return scalar_type == kFloat32 || scalar_type_size(scalar_type) <= 2;
}

bool is_decodable(int scalar_type) { return decode_strided(scalar_type, nullptr, 1, 0, nullptr); }

double relative_step(int scalar_type) {
  switch (scalar_type) {
    case 5:
      return 0x1p-10;
    case 6:
      return 0x1p-23;
    case 7:
      return 0x1p-52;
    case 15:
      return 0x1p-7;
    case 23:
    case 25:
      return 0x1p-2;
    case 24:
    case 26:
      return 0x1p-3;
    default:
      return 0;
  }
}

bool is_floating(int scalar_type) { return relative_step(scalar_type) > 0; }

Error undecodable(int scalar_type) {
  return {ErrorCode::Unsupported, "is of type " + std::string(scalar_type_name(scalar_type)) +
                                      ", whose elements are not numbers"};
}

}  // namespace etlens
