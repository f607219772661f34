// SPDX-License-Identifier: Apache-2.0
// decode<T>: JSON to a struct of types.h. What the specification requires is required, unknown fields
// are passed over, and an error names the place: "/position/line: is not a number from 0 on".
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "protocol/fields.h"
#include "protocol/uri.h"

namespace etlens::lsp {

inline constexpr size_t kMaxJsonDepth = 512;

// Parses a whole message: Corrupt for what is no JSON, or nested deeper than kMaxJsonDepth.
Result<Json> parse_json(std::string_view text);

// Remembers where it is, and the first thing that is wrong.
class Decoder {
 public:
  bool fail(std::string_view what);
  const std::string& error() const { return error_; }

  bool read(const Json& json, bool& out);
  bool read(const Json& json, int64_t& out);
  bool read(const Json& json, uint64_t& out);
  bool read(const Json& json, int32_t& out);
  bool read(const Json& json, uint32_t& out);
  bool read(const Json& json, double& out);
  bool read(const Json& json, std::string& out);
  bool read(const Json& json, DocumentUri& out);
  bool read(const Json& json, Json& out);
  bool read(const Json& json, JsonText& out);

  template <typename T>
    requires std::is_enum_v<T>
  bool read(const Json& json, T& out) {
    int32_t number = 0;
    if (!read(json, number)) return false;
    out = static_cast<T>(number);
    return true;
  }

  // null is what an absent field is.
  template <typename T>
  bool read(const Json& json, std::optional<T>& out) {
    if (json.is_null()) return true;
    return read(json, out.emplace());
  }

  template <typename T>
  bool read(const Json& json, std::vector<T>& out) {
    if (!json.is_array()) return fail("is not an array");
    out.resize(json.size());
    for (size_t i = 0; i < json.size(); ++i) {
      const Step step(*this, std::to_string(i));
      if (!read(json[i], out[i])) return false;
    }
    return true;
  }

  template <typename T>
  bool read(const Json& json, std::map<std::string, T>& out) {
    if (!json.is_object()) return fail("is not an object");
    for (const auto& [key, value] : json.items()) {
      const Step step(*this, key);
      if (!read(value, out[key])) return false;
    }
    return true;
  }

  // The first alternative that fits.
  template <typename... Ts>
  bool read(const Json& json, std::variant<Ts...>& out) {
    const std::string error = error_;
    const auto read_as = [&]<typename T>(T value) {
      error_ = error;
      if (!read(json, value)) return false;
      out = std::move(value);
      return true;
    };
    return (read_as(Ts{}) || ...) || fail("is of none of the allowed types");
  }

  template <LspStruct T>
  bool read(const Json& json, T& out) {
    // Clients write "no params" as null, {}, [] or [null].
    if constexpr (std::is_empty_v<T>) return true;
    if (!json.is_object()) return fail("is not an object");
    bool ok = true;
    visit_fields(out, [&]<typename Field>(const char* name, Field& field) {
      if (!ok) return;
      const Step step(*this, name);
      const auto at = json.find(name);
      if (at != json.end()) ok = read(*at, field);
      else if constexpr (!kIsOptional<Field>) ok = fail("is missing");
    });
    return ok;
  }

 private:
  class Step {
   public:
    Step(Decoder& decoder, std::string_view name) : path_(decoder.path_), length_(path_.size()) {
      (path_ += '/') += name;
    }
    ~Step() { path_.resize(length_); }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

   private:
    std::string& path_;
    size_t length_;
  };

  std::string path_;
  std::string error_;
};

template <typename T>
Result<T> decode(const Json& json) {
  T value;
  Decoder decoder;
  if (!decoder.read(json, value)) return Error{ErrorCode::InvalidParams, decoder.error()};
  return value;
}

}  // namespace etlens::lsp
