// SPDX-License-Identifier: Apache-2.0
// decode<T>: JSON to a struct of types.h. What the specification requires is required, unknown
// fields are passed over, and an error names the place: "/position/line: is not a number from 0
// on".
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/base/fields.h"
#include "core/base/result.h"
#include "protocol/json.h"
#include "protocol/uri.h"

namespace etlens::lsp {

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
      const Step step(*this, {}, i);
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

  template <HasFields T>
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
  // A field, or an element of an array, on the way to where the decoder is.
  class Step {
   public:
    Step(Decoder& decoder, std::string_view name, size_t index = 0)
        : decoder_(decoder), outer_(decoder.innermost_), name_(name), index_(index) {
      decoder.innermost_ = this;
    }
    ~Step() { decoder_.innermost_ = outer_; }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

    void append_path(std::string& path) const {
      if (outer_ != nullptr) outer_->append_path(path);
      path += '/';
      if (name_.data() != nullptr) path += name_;
      else path += std::to_string(index_);
    }

   private:
    Decoder& decoder_;
    const Step* outer_;
    std::string_view name_;  // null for elements
    size_t index_;
  };

  const Step* innermost_ = nullptr;
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
