// SPDX-License-Identifier: Apache-2.0
// Bytes -> ZIP directory -> ETRecord reader.
#include <cstddef>
#include <cstdint>

#include "core/backend/payload_part.h"
#include "core/formats/etrecord/etrecord_reader.h"
#include "core/formats/etrecord/zip_archive.h"
#include "tests/fuzz/one_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace etlens;
  const test::OneFile files(data, size);
  if (const Result<ZipArchive> archive = ZipArchive::open(files, "input")) {
    for (const ZipMember& member : archive->members()) {
      if (member.size <= (16u << 20)) (void)archive->read(member);
    }
  }
  (void)read_etrecord(files, "input", {}, payload_decoder(built_in_backends()));
  return 0;
}
