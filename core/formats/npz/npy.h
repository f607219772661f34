// SPDX-License-Identifier: Apache-2.0
// numpy's .npy: a header, then the bytes of one array. Read and written as numpy documents it
// (numpy.lib.format), versions 1 to 3.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/bytes.h"
#include "core/base/result.h"
#include "core/formats/stored_tensor.h"

namespace etlens {

struct NpyHeader {
  int scalar_type = 0;
  std::vector<int64_t> sizes;
  bool is_fortran_order = false;  // the first index runs fastest
  bool is_big_endian = false;
  uint64_t data_offset = 0;  // of the values, from the file's first byte
};

// No header is longer than numpy's own limit.
inline constexpr size_t kMaxNpyHeaderBytes = 65536;

// `front`: as much of the file as there is, at most kMaxNpyHeaderBytes. Errors: Corrupt;
// Unsupported for types without numbers of the runtime's (structures, text, objects, complex).
Result<NpyHeader> read_npy_header(std::span<const uint8_t> front);

// The header of a row-major array, as numpy writes it. A type that numpy does not have (bfloat16,
// float8) is written as the unsigned integers of its bits. nullopt for types without a size.
std::optional<std::string> npy_header(int scalar_type, std::span<const int64_t> sizes);

// The values of a tensor in the order of its indices, as .npy holds them, handed out piece by
// piece. `write` says whether it could take them. Errors: of reading; Io if `write` failed.
Result<void> write_npy(const StoredTensor& tensor,
                       const std::function<bool(std::string_view)>& write);

}  // namespace etlens
