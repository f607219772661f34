// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etrecord/tensor_shape.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "core/formats/etrecord/set_members.h"

namespace etlens {
namespace {

namespace od = simdjson::ondemand;
using simdjson::error_code;
using simdjson::SUCCESS;

error_code read_expression(od::value value, std::string& sizes) {
  return each_member(value, [&](od::raw_json_string key, od::value part) -> error_code {
    if (key != "expr_str") return SUCCESS;
    std::string_view text;
    if (const error_code e = part.get_string().get(text)) return e;
    sizes += text;
    return SUCCESS;
  });
}

error_code read_sizes(od::value value, std::string& sizes) {
  return each_element(value, [&](od::value dimension) {
    if (!sizes.empty()) sizes += ", ";
    return each_member(dimension, [&](od::raw_json_string key, od::value size) -> error_code {
      if (key == "as_expr") return read_expression(size, sizes);
      if (key != "as_int") return SUCCESS;
      int64_t number = 0;
      if (const error_code e = size.get_int64().get(number)) return e;
      sizes += std::to_string(number);
      return SUCCESS;
    });
  });
}

// `tensor`: an object, or the value of one.
error_code read_members(auto tensor, int64_t& dtype, std::string& sizes, bool is_wrapped) {
  return each_member(tensor, [&](od::raw_json_string key, od::value member) -> error_code {
    if (key == "dtype") return member.get_int64().get(dtype);
    if (key == "sizes") return read_sizes(member, sizes);
    if (!is_wrapped && key == "meta") return read_members(member, dtype, sizes, true);
    return SUCCESS;
  });
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
