// SPDX-License-Identifier: Apache-2.0
// StoredTensor: the type, shape and layout of a tensor whose values are in a file, and a way to get
// at them. Nothing is read before somebody asks: debug buffers have many gigabytes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/result.h"

namespace etlens {

// What does not fit in a megabyte is read in pieces.
inline constexpr uint64_t kPieceBytes = 1 << 20;

struct StoredTensor {
  int scalar_type = 0;           // numbers of the runtime's ScalarType, see scalar_type.h
  std::vector<int64_t> sizes;    // not negative
  std::vector<int64_t> strides;  // in elements, one per size; none leads outside
  uint64_t elements = 0;
  // Bytes [offset, offset + size) of its values, all of them; may be called from any place at any
  // time. Null for a tensor without elements.
  std::function<Result<Bytes>(uint64_t offset, uint64_t size)> read;

  // Bytes to ask for at once, a multiple of every element's size: everything where each question
  // costs as much as all of it.
  uint64_t piece = kPieceBytes;

  uint64_t byte_size() const;
  bool is_row_major() const;
};

// A row-major tensor of bytes that are in memory: as many as its sizes want, which are sound.
StoredTensor tensor_in_memory(int scalar_type, std::vector<int64_t> sizes, Bytes bytes);
// A number by itself: a tensor without dimensions.
StoredTensor number_tensor(double value);
StoredTensor number_tensor(int64_t value);
StoredTensor number_tensor(bool value);

// nullopt if a size is negative or their product is beyond all memory.
std::optional<uint64_t> element_count(std::span<const int64_t> sizes);

// Of a tensor whose last index runs fastest.
std::vector<int64_t> row_major_strides(std::span<const int64_t> sizes);

// The values fill `elements` places without holes outside: no stride is negative and the last value
// is among them.
bool strides_fit(std::span<const int64_t> sizes, std::span<const int64_t> strides,
                 uint64_t elements);

// The first values in the order of indices, at most `count`, as numbers. Errors: of read;
// Unsupported for a type that holds no numbers.
Result<std::vector<double>> first_values(const StoredTensor& tensor, size_t count);

}  // namespace etlens
