// SPDX-License-Identifier: Apache-2.0
#include "core/export/sink.h"

namespace etlens {
namespace {

constexpr size_t kDrainFrom = 32 * 1024;

}  // namespace

Sink& Sink::operator<<(JsonWriter& json) { return *this << json.take(); }

void Sink::flush() {
  if (!buffer_.empty() && !is_broken_) is_broken_ = !write_(buffer_);
  buffer_.clear();
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
