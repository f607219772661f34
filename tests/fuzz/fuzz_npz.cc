// SPDX-License-Identifier: Apache-2.0
// Bytes -> .npz reader -> statistics of its arrays.
#include <cstddef>
#include <cstdint>

#include "core/formats/npz/npy.h"
#include "core/formats/npz/npz.h"
#include "core/measure/values/value_statistics.h"
#include "tests/fuzz/one_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace etlens;
  (void)read_npy_header({data, size});
  const test::OneFile files(data, size);
  const Result<Npz> npz = read_npz(files, "input");
  if (!npz) return 0;
  for (const NpzArray& array : npz->arrays) {
    (void)first_values(array.tensor, 8);
    (void)value_statistics(array.tensor);
  }
  return 0;
}
