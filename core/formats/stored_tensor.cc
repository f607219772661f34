// SPDX-License-Identifier: Apache-2.0
#include "core/formats/stored_tensor.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "core/formats/scalar_decoder.h"
#include "core/formats/scalar_type.h"

namespace etlens {
namespace {

// No tensor that can exist has more elements.
constexpr uint64_t kMaxElements = 1ull << 48;

template <typename T>
StoredTensor number(int scalar_type, T value) {
  Bytes bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return tensor_in_memory(scalar_type, {}, std::move(bytes));
}

}  // namespace

uint64_t StoredTensor::byte_size() const { return elements * scalar_type_size(scalar_type); }

bool StoredTensor::is_row_major() const {
  int64_t expected = 1;
  for (size_t d = sizes.size(); d-- > 0;) {
    if (sizes[d] != 1 && strides[d] != expected) return false;
    expected *= sizes[d];
  }
  return true;
}

StoredTensor tensor_in_memory(int scalar_type, std::vector<int64_t> sizes, Bytes bytes) {
  StoredTensor tensor;
  tensor.scalar_type = scalar_type;
  tensor.elements = *element_count(sizes);
  tensor.strides = row_major_strides(sizes);
  tensor.sizes = std::move(sizes);
  const auto content = std::make_shared<const Bytes>(std::move(bytes));
  tensor.read = [content](uint64_t offset, uint64_t size) -> Result<Bytes> {
    Bytes part(size);
    if (size > 0) std::memcpy(part.data(), content->data() + offset, size);
    return part;
  };
  return tensor;
}

StoredTensor number_tensor(double value) { return number(7, value); }
StoredTensor number_tensor(int64_t value) { return number(4, value); }
StoredTensor number_tensor(bool value) { return number(11, static_cast<uint8_t>(value)); }

std::optional<uint64_t> element_count(std::span<const int64_t> sizes) {
  uint64_t count = 1;
  for (const int64_t size : sizes) {
    if (size < 0 || __builtin_mul_overflow(count, static_cast<uint64_t>(size), &count))
      return std::nullopt;
  }
  return count <= kMaxElements ? std::optional(count) : std::nullopt;
}

std::vector<int64_t> row_major_strides(std::span<const int64_t> sizes) {
  std::vector<int64_t> strides(sizes.size());
  int64_t stride = 1;
  for (size_t d = sizes.size(); d-- > 0;) {
    strides[d] = stride;
    // Too large only where some size is 0: then nothing is addressed.
    if (__builtin_mul_overflow(stride, std::max<int64_t>(sizes[d], 1), &stride)) stride = INT64_MAX;
  }
  return strides;
}

bool strides_fit(std::span<const int64_t> sizes, std::span<const int64_t> strides,
                 uint64_t elements) {
  if (strides.size() != sizes.size()) return false;
  if (elements == 0) return true;
  uint64_t last = 0;
  for (size_t d = 0; d < sizes.size(); ++d) {
    uint64_t reach = 0;
    if (strides[d] < 0 ||
        __builtin_mul_overflow(static_cast<uint64_t>(strides[d]),
                               static_cast<uint64_t>(sizes[d] - 1), &reach) ||
        __builtin_add_overflow(last, reach, &last))
      return false;
  }
  return last < elements;
}

Result<std::vector<double>> first_values(const StoredTensor& tensor, size_t count) {
  count = std::min<uint64_t>(count, tensor.elements);
  std::vector<double> values(count);
  if (count == 0) return values;
  const uint64_t size = scalar_type_size(tensor.scalar_type);
  const auto decode = [&](uint64_t element, size_t n, double* out) -> Result<void> {
    const Result<Bytes> bytes = tensor.read(element * size, n * size);
    if (!bytes) return bytes.error();
    if (decode_scalars(tensor.scalar_type, bytes->span(), out)) return {};
    return undecodable(tensor.scalar_type);
  };
  if (tensor.is_row_major()) {
    if (Result<void> read = decode(0, count, values.data()); !read) return std::move(read).error();
    return values;
  }
  std::vector<int64_t> index(tensor.sizes.size());
  for (double& value : values) {
    uint64_t element = 0;
    for (size_t d = 0; d < index.size(); ++d)
      element += static_cast<uint64_t>(index[d] * tensor.strides[d]);
    if (Result<void> read = decode(element, 1, &value); !read) return std::move(read).error();
    for (size_t d = index.size(); d-- > 0;) {
      if (++index[d] < tensor.sizes[d]) break;
      index[d] = 0;
    }
  }
  return values;
}

}  // namespace etlens
