// SPDX-License-Identifier: Apache-2.0
#include "core/export/sink.h"

namespace etlens {
namespace {

constexpr size_t kDrainFrom = 32 * 1024;

}  // namespace

Sink& Sink::operator<<(JsonWriter& json) { return *this << json.take(); }

Sink& Sink::write_through(std::string_view text) {
  flush();
  if (text.size() > kPiece) write_piece(text);
  else *this << text;
  return *this;
}

void Sink::write_piece(std::string_view piece) {
  if (!piece.empty() && !is_broken_) is_broken_ = !write_(piece);
}

void Sink::flush() {
  write_piece({buffer_.data(), used_});
  used_ = 0;
}

Result<void> Sink::finish() {
  flush();
  if (!is_broken_) return {};
  return Error{ErrorCode::Io, "could not be written; check the path and the space left"};
}

void drain(JsonWriter& json, Sink& sink) {
  if (json.text().size() >= kDrainFrom) sink << json;
}

}  // namespace etlens
