// SPDX-License-Identifier: Apache-2.0
#include "core/formats/scalar_type.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace etlens {
namespace {

struct TypeRow {
  std::string_view name;
  size_t size;
};

constexpr std::array<TypeRow, 30> kTypes{{
    {"uint8", 1},           {"int8", 1},
    {"int16", 2},           {"int32", 4},
    {"int64", 8},           {"float16", 2},
    {"float32", 4},         {"float64", 8},
    {"unknown", 0},         {"unknown", 0},
    {"unknown", 0},         {"bool", 1},
    {"qint8", 1},           {"quint8", 1},
    {"qint32", 4},          {"bfloat16", 2},
    {"quint4x2", 1},        {"quint2x4", 1},
    {"unknown", 0},         {"unknown", 0},
    {"unknown", 0},         {"unknown", 0},
    {"bits16", 2},          {"float8_e5m2", 1},
    {"float8_e4m3fn", 1},   {"float8_e5m2fnuz", 1},
    {"float8_e4m3fnuz", 1}, {"uint16", 2},
    {"uint32", 4},          {"uint64", 8},
}};

template <typename T>
T load(std::span<const uint8_t> bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

double half_value(uint16_t bits) {
  const int exponent = bits >> 10 & 0x1F;
  const double fraction = bits & 0x3FF;
  const double sign = bits & 0x8000 ? -1 : 1;
  if (exponent == 0x1F) {
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
  }
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

}  // namespace

std::string_view scalar_type_name(int scalar_type) {
  if (scalar_type < 0 || scalar_type >= static_cast<int>(kTypes.size())) return "unknown";
  return kTypes[static_cast<size_t>(scalar_type)].name;
}

size_t scalar_type_size(int scalar_type) {
  if (scalar_type < 0 || scalar_type >= static_cast<int>(kTypes.size())) return 0;
  return kTypes[static_cast<size_t>(scalar_type)].size;
}

std::optional<double> scalar_value(int scalar_type, std::span<const uint8_t> bytes) {
  if (bytes.size() < scalar_type_size(scalar_type)) return std::nullopt;
  switch (scalar_type) {
    case 0:
      return load<uint8_t>(bytes);
    case 1:
      return load<int8_t>(bytes);
    case 2:
      return load<int16_t>(bytes);
    case 3:
      return load<int32_t>(bytes);
    case 4:
      return static_cast<double>(load<int64_t>(bytes));
    case 5:
      return half_value(load<uint16_t>(bytes));
    case 6:
      return load<float>(bytes);
    case 7:
      return load<double>(bytes);
    case 11:
      return load<uint8_t>(bytes) != 0;
    case 15:
      return std::bit_cast<float>(static_cast<uint32_t>(load<uint16_t>(bytes)) << 16);
    case 27:
      return load<uint16_t>(bytes);
    case 28:
      return load<uint32_t>(bytes);
    case 29:
      return static_cast<double>(load<uint64_t>(bytes));
    default:
      return std::nullopt;
  }
}

}  // namespace etlens
