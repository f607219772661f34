// SPDX-License-Identifier: Apache-2.0
// Result<T>: a value or an Error. etlens throws nothing; a function that can fail returns this.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace etlens {

enum class ErrorCode {
  Io,             // the file system said no
  Corrupt,        // the bytes are not what their format promises
  Incomplete,     // the file ends before what it promises: it may still be written
  Unsupported,    // well formed, but nothing etlens can use
  Mismatch,       // likewise: it does not belong to what it lies beside
  InvalidParams,  // the caller asked for something that makes no sense
  NotFound,       // nothing by that name
  Cancelled,      // the caller no longer wants the answer
  Internal,       // a bug of ours that could be survived
};

// The file is sound, but it is another kind of file, or belongs to something else.
constexpr bool is_of_another(ErrorCode code) {
  return code == ErrorCode::Unsupported || code == ErrorCode::Mismatch;
}

// `message` is one sentence for the person who has to act on it: what is wrong and what to do.
struct Error {
  ErrorCode code = ErrorCode::Internal;
  std::string message;

  // Puts what was being done in front: "reading model.etrecord: <message>".
  Error with(std::string_view context) && {
    return {code, std::string(context) + ": " + std::move(message)};
  }

  // Names the file that it is about, unless it does so already.
  Error about(std::string_view path) && {
    const bool names_file =
        code == ErrorCode::Io || code == ErrorCode::NotFound || code == ErrorCode::Cancelled;
    return {code, names_file ? std::move(message) : std::string(path) + " " + std::move(message)};
  }
};

// Not a variant of the two: hundreds of types make one of these, and a variant takes compilers far
// longer.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(Error error) : error_(std::move(error)) {}

  bool has_value() const { return value_.has_value(); }
  explicit operator bool() const { return has_value(); }

  // Only when has_value().
  T& operator*() & { return *value_; }
  const T& operator*() const& { return *value_; }
  T&& operator*() && { return *std::move(value_); }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }

  // Only when !has_value().
  Error& error() & { return error_; }
  const Error& error() const& { return error_; }
  Error&& error() && { return std::move(error_); }

  T value_or(T fallback) && { return std::move(value_).value_or(std::move(fallback)); }

 private:
  std::optional<T> value_;
  Error error_;
};

// Success without a value.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  bool has_value() const { return !error_; }
  explicit operator bool() const { return has_value(); }
  Error& error() & { return *error_; }
  const Error& error() const& { return *error_; }
  Error&& error() && { return std::move(*error_); }

 private:
  std::optional<Error> error_;
};

}  // namespace etlens
