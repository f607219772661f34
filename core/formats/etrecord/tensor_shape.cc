// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etrecord/tensor_shape.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "core/formats/etrecord/absent.h"

namespace etlens {
namespace {

namespace od = simdjson::ondemand;
using simdjson::error_code;
using simdjson::SUCCESS;

error_code read_sizes(od::value value, std::string& sizes) {
  od::array dimensions;
  if (const error_code e = value.get_array().get(dimensions)) return e;
  for (auto element : dimensions) {
    od::object dimension;
    if (const error_code e = element.get_object().get(dimension)) return e;
    if (!sizes.empty()) sizes += ", ";
    for (auto entry : dimension) {
      od::field field;
      if (const error_code e = std::move(entry).get(field)) return e;
      if (is_absent(field.value())) continue;
      if (field.key() == "as_int") {
        int64_t size = 0;
        if (const error_code e = field.value().get_int64().get(size)) return e;
        sizes += std::to_string(size);
      } else if (field.key() == "as_expr") {
        od::object expression;
        if (const error_code e = field.value().get_object().get(expression)) return e;
        for (auto part : expression) {
          od::field item;
          if (const error_code e = std::move(part).get(item)) return e;
          if (item.key() != "expr_str" || is_absent(item.value())) continue;
          std::string_view text;
          if (const error_code e = item.value().get_string().get(text)) return e;
          sizes += text;
        }
      }
    }
  }
  return SUCCESS;
}

error_code read_members(od::object tensor, int64_t& dtype, std::string& sizes, bool is_wrapped) {
  for (auto part : tensor) {
    od::field item;
    if (const error_code e = std::move(part).get(item)) return e;
    if (is_absent(item.value())) continue;
    if (item.key() == "dtype") {
      if (const error_code e = item.value().get_int64().get(dtype)) return e;
    } else if (item.key() == "sizes") {
      if (const error_code e = read_sizes(item.value(), sizes)) return e;
    } else if (!is_wrapped && item.key() == "meta") {
      od::object inner;
      if (const error_code e = item.value().get_object().get(inner)) return e;
      if (const error_code e = read_members(inner, dtype, sizes, true)) return e;
    }
  }
  return SUCCESS;
}

}  // namespace

// The numbering is not that of the runtime.
std::string_view dtype_name(int64_t dtype) {
  static constexpr std::array<std::string_view, 17> kNames{
      "unknown", "uint8",    "int8",    "int16",       "int32",        "int64",
      "float16", "float32",  "float64", "complex32",   "complex64",    "complex128",
      "bool",    "bfloat16", "uint16",  "float8_e5m2", "float8_e4m3fn"};
  if (dtype < 0 || dtype >= static_cast<int64_t>(kNames.size())) return kNames[0];
  return kNames[static_cast<size_t>(dtype)];
}

error_code read_tensor_shape(od::object tensor, std::string& shape) {
  int64_t dtype = 0;
  std::string sizes;
  if (const error_code e = read_members(tensor, dtype, sizes, false)) return e;
  shape = fmt::format("[{}] {}", sizes, dtype_name(dtype));
  return SUCCESS;
}

}  // namespace etlens
