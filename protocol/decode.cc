// SPDX-License-Identifier: Apache-2.0
#include "protocol/decode.h"

#include <cmath>
#include <limits>

namespace etlens::lsp {
namespace {

// Whole numbers, also where a client writes them as 3.0.
std::optional<int64_t> whole_number(const Json& json) {
  if (json.is_number_unsigned()) {
    const auto value = json.get<uint64_t>();
    if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return std::nullopt;
    return static_cast<int64_t>(value);
  }
  if (json.is_number_integer()) return json.get<int64_t>();
  if (json.is_number_float()) {
    const auto value = json.get<double>();
    if (std::trunc(value) == value && std::fabs(value) < 1e15) return static_cast<int64_t>(value);
  }
  return std::nullopt;
}

}  // namespace

bool Decoder::fail(std::string_view what) {
  if (!error_.empty()) return false;
  if (innermost_ == nullptr) error_ += '/';
  else innermost_->append_path(error_);
  (error_ += ": ") += what;
  return false;
}

bool Decoder::read(const Json& json, bool& out) {
  if (!json.is_boolean()) return fail("is not true or false");
  out = json.get<bool>();
  return true;
}

bool Decoder::read(const Json& json, int64_t& out) {
  const std::optional<int64_t> number = whole_number(json);
  if (!number) return fail("is not a whole number");
  out = *number;
  return true;
}

bool Decoder::read(const Json& json, int32_t& out) {
  const std::optional<int64_t> number = whole_number(json);
  if (!number || *number < INT32_MIN || *number > INT32_MAX) return fail("is not a 32-bit number");
  out = static_cast<int32_t>(*number);
  return true;
}

bool Decoder::read(const Json& json, uint32_t& out) {
  const std::optional<int64_t> number = whole_number(json);
  if (!number || *number < 0 || *number > UINT32_MAX) return fail("is not a number from 0 on");
  out = static_cast<uint32_t>(*number);
  return true;
}

bool Decoder::read(const Json& json, uint64_t& out) {
  const std::optional<int64_t> number = whole_number(json);
  if (!number || *number < 0) return fail("is not a number from 0 on");
  out = static_cast<uint64_t>(*number);
  return true;
}

bool Decoder::read(const Json& json, double& out) {
  if (!json.is_number()) return fail("is not a number");
  out = json.get<double>();
  return true;
}

bool Decoder::read(const Json& json, std::string& out) {
  if (!json.is_string()) return fail("is not a string");
  out = json.get_ref<const std::string&>();
  return true;
}

bool Decoder::read(const Json& json, DocumentUri& out) {
  if (!json.is_string()) return fail("is not a URI");
  out = DocumentUri::from_string(json.get_ref<const std::string&>());
  return true;
}

bool Decoder::read(const Json& json, Json& out) {
  out = json;
  return true;
}

bool Decoder::read(const Json& json, JsonText& out) {
  out.text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  return true;
}

}  // namespace etlens::lsp
