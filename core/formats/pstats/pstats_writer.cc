// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pstats/pstats_writer.h"

#include <bit>
#include <limits>
#include <string>

namespace etlens {
namespace {

constexpr size_t kPieceBytes = size_t{64} << 10;

class MarshalWriter {
 public:
  explicit MarshalWriter(const std::function<bool(std::string_view)>& write) : write_(write) {}

  void begin_dict() { out_ += '{'; }
  void end_dict() { out_ += '0'; }
  void tuple(uint32_t items) {
    out_ += '(';
    scalar(items, 4);
  }
  void text(std::string_view text) {
    out_ += 'u';
    scalar(text.size(), 4);
    out_ += text;
    if (out_.size() >= kPieceBytes) flush();
  }
  void real(double value) {
    out_ += 'g';
    scalar(std::bit_cast<uint64_t>(value), 8);
  }
  void integer(int64_t value) {
    if (value >= std::numeric_limits<int32_t>::min() &&
        value <= std::numeric_limits<int32_t>::max()) {
      out_ += 'i';
      scalar(static_cast<uint64_t>(value), 4);
      return;
    }
    const bool is_negative = value < 0;
    const uint64_t magnitude =
        is_negative ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    int32_t digits = 0;
    for (uint64_t left = magnitude; left > 0; left >>= 15) ++digits;
    out_ += 'l';
    scalar(static_cast<uint64_t>(is_negative ? -digits : digits), 4);
    for (uint64_t left = magnitude; left > 0; left >>= 15) scalar(left & 0x7FFF, 2);
  }
  bool flush() {
    ok_ = ok_ && write_(out_);
    out_.clear();
    return ok_;
  }
  bool ok() const { return ok_; }

 private:
  void scalar(uint64_t value, int bytes) {
    for (int b = 0; b < bytes; ++b) out_ += static_cast<char>(value >> (8 * b) & 0xFF);
  }

  const std::function<bool(std::string_view)>& write_;
  std::string out_;
  bool ok_ = true;
};

void write_key(MarshalWriter& out, const PythonProfile& profile, PythonFunctionId id) {
  out.tuple(3);
  out.text(profile.file(id));
  out.integer(profile.row(id).key.line);
  out.text(profile.name(id));
}

void write_callers(MarshalWriter& out, const PythonProfile& profile, PythonFunctionId id) {
  out.begin_dict();
  for (const PythonCaller& caller : profile.callers_of(id)) {
    write_key(out, profile, caller.function);
    if (!caller.has_times) {
      out.integer(caller.cost.calls);
      continue;
    }
    out.tuple(4);
    out.integer(caller.cost.calls);
    out.integer(caller.cost.primitive);
    out.real(caller.cost.own);
    out.real(caller.cost.cumulative);
  }
  out.end_dict();
}

void write_function(MarshalWriter& out, const PythonProfile& profile, PythonFunctionId id) {
  const CallCost& cost = profile.row(id).cost;
  write_key(out, profile, id);
  out.tuple(5);
  out.integer(cost.primitive);
  out.integer(cost.calls);
  out.real(cost.own);
  out.real(cost.cumulative);
  write_callers(out, profile, id);
}

}  // namespace

Result<void> write_python_profile(const PythonProfile& profile,
                                  const std::function<bool(std::string_view)>& write) {
  if (profile.functions.empty())
    return Error{ErrorCode::InvalidParams,
                 "there is no function to write; Python reads no empty profile"};
  MarshalWriter out(write);
  out.begin_dict();
  for (const PythonFunctionId id : profile.listed) write_function(out, profile, id);
  for (size_t f = 0; f < profile.functions.size(); ++f) {
    if (!profile.functions[f].is_listed) write_function(out, profile, PythonFunctionId(f));
  }
  out.end_dict();
  if (!out.flush())
    return Error{ErrorCode::Io, "the profile could not be written; check the space left"};
  return {};
}

}  // namespace etlens
