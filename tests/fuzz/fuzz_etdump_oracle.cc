// SPDX-License-Identifier: Apache-2.0
// Bytes -> ETDump reader, against FlatBuffers' own verifier and flatc's classes.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/formats/etdump/etdump_reader.h"
#include "tests/support/dump_oracle.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace etlens;
  const Bytes bytes = Bytes::copy_of({reinterpret_cast<const char*>(data), size});
  if (!looks_like_etdump(bytes.span())) return 0;
  const std::string difference = test::difference_from_oracle(bytes);
  if (difference.empty()) return 0;
  std::fprintf(stderr, "%s\n", difference.c_str());
  std::abort();
}
