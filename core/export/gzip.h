// SPDX-License-Identifier: Apache-2.0
// Gzip (RFC 1952) into a sink, without a time of its own: equal content gives equal bytes.
#pragma once

#include <memory>
#include <string_view>

#include "core/export/sink.h"

namespace etlens {

class GzipWriter {
 public:
  // `sink` must outlive the writer.
  explicit GzipWriter(Sink& sink);
  ~GzipWriter();
  GzipWriter(const GzipWriter&) = delete;
  GzipWriter& operator=(const GzipWriter&) = delete;

  void append(std::string_view bytes);
  // Once, at the end.
  void finish();

 private:
  struct Stream;

  void run(std::string_view bytes, bool is_end);

  Sink& sink_;
  std::unique_ptr<Stream> stream_;
};

}  // namespace etlens
