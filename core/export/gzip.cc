// SPDX-License-Identifier: Apache-2.0
#include "core/export/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <climits>
#include <new>

#include "core/base/assert.h"
#include "core/base/counted_memory.h"

namespace etlens {
namespace {

constexpr int kGzipWindow = 15 + 16;  // zlib: the largest window, with gzip's header
constexpr int kMemory = 8;            // zlib's default

}  // namespace

struct GzipWriter::Stream {
  z_stream zlib{};
  std::array<Bytef, 16 * 1024> out{};
};

GzipWriter::GzipWriter(Sink& sink) : sink_(sink), stream_(std::make_unique<Stream>()) {
  stream_->zlib.zalloc = counted_items;
  stream_->zlib.zfree = free_counted;
  const int status = deflateInit2(&stream_->zlib, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow,
                                  kMemory, Z_DEFAULT_STRATEGY);
  if (status == Z_MEM_ERROR) throw std::bad_alloc();
  ETLENS_ASSERT(status == Z_OK);
}

GzipWriter::~GzipWriter() { deflateEnd(&stream_->zlib); }

void GzipWriter::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, UINT_MAX);
    run(piece, false);
    bytes.remove_prefix(piece.size());
  }
}

void GzipWriter::finish() { run({}, true); }

void GzipWriter::run(std::string_view bytes, bool is_end) {
  z_stream& zlib = stream_->zlib;
  // zlib reads through it only; its field is not const for the sake of old callers.
  zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  zlib.avail_in = static_cast<uInt>(bytes.size());
  int status = Z_OK;
  do {
    zlib.next_out = stream_->out.data();
    zlib.avail_out = static_cast<uInt>(stream_->out.size());
    status = deflate(&zlib, is_end ? Z_FINISH : Z_NO_FLUSH);
    sink_ << std::string_view(reinterpret_cast<const char*>(stream_->out.data()),
                              stream_->out.size() - zlib.avail_out);
  } while (is_end ? status == Z_OK || status == Z_BUF_ERROR : zlib.avail_out == 0);
}

}  // namespace etlens
