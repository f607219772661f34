// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pstats/pstats_reader.h"

#include <cmath>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "core/base/budget.h"
#include "core/base/text.h"
#include "core/formats/pstats/marshal.h"

namespace etlens {
namespace {

Error broken(std::string_view what) {
  return {
      ErrorCode::Corrupt,
      fmt::format("is not a Python profile: {}; give the file that cProfile, or Dynamo's profiler, "
                  "wrote",
                  what)};
}

class ProfileReader {
 public:
  // `bytes`: of the file. A dict that several references name is read as often as it is named; the
  // callers that this gives are no more than the file has bytes.
  ProfileReader(const MarshalData& data, size_t bytes) : data_(data), most_callers_(bytes) {}

  Result<PythonProfile> read() {
    const MarshalId root = data_.root();
    if (data_.type(root) != MarshalType::Dict)
      return broken(
          fmt::format("it holds {}, not a dict of functions", describe(data_.type(root))));
    const std::span<const MarshalId> items = data_.items(root);
    if (items.empty())
      return Error{ErrorCode::Unsupported, "holds no functions; profile code that calls some"};
    for (size_t i = 0; i + 1 < items.size(); i += 2) {
      if (Result<void> row = read_function(items[i], items[i + 1]); !row)
        return std::move(row).error();
    }
    PythonProfile profile = builder_.finish({});
    profile.total = total_of(profile);
    return profile;
  }

 private:
  Result<void> read_function(MarshalId key, MarshalId value) {
    const Result<PythonFunctionId> id = read_key(key);
    if (!id) return id.error();
    const std::span<const MarshalId> fields = data_.items(value);
    if (data_.type(value) != MarshalType::Tuple || fields.size() < 5)
      return broken("the numbers of a function are not a tuple of five");
    Result<CallCost> cost = read_cost(fields[1], fields[0], fields[2], fields[3]);
    if (!cost) return std::move(cost).error();
    if (!builder_.list(*id)) return broken("it lists a function twice");
    builder_.row(*id).cost = *cost;
    return read_callers(*id, fields[4]);
  }

  Result<void> read_callers(PythonFunctionId callee, MarshalId callers) {
    if (data_.type(callers) != MarshalType::Dict)
      return broken("the callers of a function are not a dict");
    const std::span<const MarshalId> items = data_.items(callers);
    if (items.size() / 2 > most_callers_) return broken("it lists more callers than it has bytes");
    most_callers_ -= items.size() / 2;
    for (size_t i = 0; i + 1 < items.size(); i += 2) {
      go_on();
      const Result<PythonFunctionId> id = read_key(items[i]);
      if (!id) return id.error();
      const std::span<const MarshalId> fields = data_.items(items[i + 1]);
      const MarshalType type = data_.type(items[i + 1]);
      const bool has_times = type == MarshalType::Tuple;
      if (has_times ? fields.size() != 4 : type != MarshalType::Int)
        return broken("the numbers of a caller are neither a tuple of four nor a count");
      Result<CallCost> cost = has_times ? read_cost(fields[0], fields[1], fields[2], fields[3])
                                        : read_count(items[i + 1]);
      if (!cost) return std::move(cost).error();
      bool is_new = false;
      PythonCaller& caller = builder_.caller(callee, *id, is_new);
      if (!is_new) return broken("it lists a caller twice");
      caller.cost = *cost;
      caller.has_times = has_times;
    }
    return {};
  }

  Result<PythonFunctionId> read_key(MarshalId key) {
    const std::span<const MarshalId> fields = data_.items(key);
    const bool is_key = data_.type(key) == MarshalType::Tuple && fields.size() == 3 &&
                        data_.type(fields[0]) == MarshalType::String &&
                        data_.type(fields[1]) == MarshalType::Int &&
                        data_.type(fields[2]) == MarshalType::String;
    if (!is_key) return broken("a function is not named by file, line and name");
    return builder_.function(text(fields[0]), data_.integer(fields[1]), text(fields[2]));
  }

  // Python 2's may be in any encoding.
  std::string text(MarshalId id) const {
    const std::string_view written = data_.text(id);
    return is_valid_utf8(written) ? std::string(written) : escaped_text(written);
  }

  Result<CallCost> read_cost(MarshalId calls, MarshalId primitive, MarshalId own,
                             MarshalId cumulative) {
    const std::optional<int64_t> all = count(calls);
    const std::optional<int64_t> first = count(primitive);
    if (!all || !first) return broken("a number of calls is none");
    const std::optional<double> tottime = seconds(own);
    const std::optional<double> cumtime = seconds(cumulative);
    if (!tottime || !cumtime) return broken("a time is none");
    return CallCost{*all, *first, *tottime, *cumtime};
  }

  Result<CallCost> read_count(MarshalId calls) {
    const std::optional<int64_t> all = count(calls);
    if (!all) return broken("a number of calls is none");
    return CallCost{*all, *all, 0, 0};
  }

  std::optional<int64_t> count(MarshalId id) {
    if (data_.type(id) != MarshalType::Int) return std::nullopt;
    const int64_t value = data_.integer(id);
    if (value < 0 || value > kMaxProfileCalls - calls_) return std::nullopt;
    calls_ += value;
    return value;
  }

  std::optional<double> seconds(MarshalId id) {
    double value = 0;
    if (data_.type(id) == MarshalType::Int) value = static_cast<double>(data_.integer(id));
    else if (data_.type(id) == MarshalType::Float) value = data_.real(id);
    else return std::nullopt;
    if (!(std::abs(value) <= kMaxProfileSeconds - seconds_)) return std::nullopt;
    seconds_ += std::abs(value);
    return value;
  }

  const MarshalData& data_;
  size_t most_callers_;
  PythonProfileBuilder builder_;
  int64_t calls_ = 0;   // everything that was counted so far
  double seconds_ = 0;  // likewise, without signs
};

}  // namespace

bool looks_like_python_profile(std::span<const uint8_t> front) {
  constexpr uint8_t kType = 0x7F;  // without the bit that numbers it for references
  const auto type = [&](size_t at) {
    return at < front.size() ? static_cast<char>(front[at] & kType) : '\0';
  };
  if (type(0) != '{') return false;
  const bool is_small = type(1) == ')' && front.size() > 3 && front[2] == 3;
  const bool is_large = type(1) == '(' && front.size() > 6 && front[2] == 3 && front[3] == 0 &&
                        front[4] == 0 && front[5] == 0;
  if (!is_small && !is_large) return false;
  return std::string_view("stuaAzZ").find(type(is_small ? 3 : 6)) != std::string_view::npos;
}

Result<PythonProfile> read_python_profile(std::span<const uint8_t> bytes) {
  Result<MarshalData> data = MarshalData::read(bytes);
  if (!data) return std::move(data).error();
  return ProfileReader(*data, bytes.size()).read();
}

}  // namespace etlens
