// SPDX-License-Identifier: Apache-2.0
// Shapes of a value and its reference that differ by layout only.
#include <algorithm>
#include <numeric>

#include "core/measure/values/value_gap.h"

namespace etlens {
namespace {

// Sizes with their strides, without dimensions of size 1.
struct Dimensions {
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;

  void push(int64_t size, int64_t stride) {
    sizes.push_back(size);
    strides.push_back(stride);
  }
};

Dimensions squeezed(const StoredTensor& tensor) {
  Dimensions result;
  for (size_t d = 0; d < tensor.sizes.size(); ++d) {
    if (tensor.sizes[d] != 1) result.push(tensor.sizes[d], tensor.strides[d]);
  }
  return result;
}

// The slowest dimension first.
Dimensions in_memory_order(const Dimensions& from) {
  std::vector<size_t> order(from.sizes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return from.strides[a] > from.strides[b]; });
  Dimensions result;
  for (const size_t d : order) result.push(from.sizes[d], from.strides[d]);
  return result;
}

// Of four or five dimensions, batch first: channels go from the second place to the last, or back.
std::optional<Dimensions> move_channels(const StoredTensor& tensor, bool to_last) {
  const size_t rank = tensor.sizes.size();
  if (rank != 4 && rank != 5) return std::nullopt;
  std::vector<size_t> order(rank);
  std::iota(order.begin(), order.end(), size_t{0});
  if (to_last) std::rotate(order.begin() + 1, order.begin() + 2, order.end());
  else std::rotate(order.begin() + 1, order.end() - 1, order.end());
  Dimensions result;
  for (const size_t d : order) result.push(tensor.sizes[d], tensor.strides[d]);
  return result;
}

// `whole` with its first dimension cut into the leading ones of `cut`.
std::optional<Dimensions> unfold(const Dimensions& whole, const std::vector<int64_t>& cut) {
  if (whole.sizes.empty() || cut.size() <= whole.sizes.size()) return std::nullopt;
  const size_t leading = cut.size() - whole.sizes.size() + 1;
  if (!std::equal(cut.begin() + static_cast<ptrdiff_t>(leading), cut.end(),
                  whole.sizes.begin() + 1))
    return std::nullopt;
  int64_t product = 1;
  for (size_t d = 0; d < leading; ++d) {
    if (__builtin_mul_overflow(product, cut[d], &product)) return std::nullopt;
  }
  if (product != whole.sizes.front()) return std::nullopt;
  Dimensions result;
  int64_t stride = whole.strides.front() * product;
  for (size_t d = 0; d < leading; ++d) {
    stride /= cut[d];
    result.push(cut[d], stride);
  }
  for (size_t d = 1; d < whole.sizes.size(); ++d) result.push(whole.sizes[d], whole.strides[d]);
  return result;
}

}  // namespace

std::string_view name_of(ShapeMatch match) {
  switch (match) {
    case ShapeMatch::Equal:
      return "equal";
    case ShapeMatch::Squeezed:
      return "squeezed";
    case ShapeMatch::MemoryOrder:
      return "memory order";
    case ShapeMatch::Channels:
      return "channels moved";
    case ShapeMatch::FoldedBatch:
      return "folded batch";
  }
  return "";
}

std::optional<AlignedShapes> align_shapes(const StoredTensor& value,
                                          const StoredTensor& reference) {
  if (value.sizes == reference.sizes)
    return AlignedShapes{value.sizes, value.strides, reference.strides, ShapeMatch::Equal};
  if (value.elements != reference.elements) return std::nullopt;
  if (value.elements == 0) return std::nullopt;
  const Dimensions own = squeezed(value);
  const Dimensions other = squeezed(reference);
  if (own.sizes == other.sizes)
    return AlignedShapes{own.sizes, own.strides, other.strides, ShapeMatch::Squeezed};
  for (const bool to_last : {false, true}) {
    const std::optional<Dimensions> moved = move_channels(reference, to_last);
    if (moved && moved->sizes == value.sizes)
      return AlignedShapes{value.sizes, value.strides, moved->strides, ShapeMatch::Channels};
  }
  const Dimensions own_memory = in_memory_order(own);
  const Dimensions other_memory = in_memory_order(other);
  if (own_memory.sizes == other_memory.sizes) {
    return AlignedShapes{own_memory.sizes, own_memory.strides, other_memory.strides,
                         ShapeMatch::MemoryOrder};
  }
  if (const std::optional<Dimensions> cut = unfold(other, own.sizes))
    return AlignedShapes{own.sizes, own.strides, cut->strides, ShapeMatch::FoldedBatch};
  if (const std::optional<Dimensions> cut = unfold(own, other.sizes))
    return AlignedShapes{other.sizes, cut->strides, other.strides, ShapeMatch::FoldedBatch};
  return std::nullopt;
}

std::string shape_text(std::span<const int64_t> sizes) {
  std::string text = "[";
  for (size_t d = 0; d < sizes.size(); ++d) text += (d > 0 ? ", " : "") + std::to_string(sizes[d]);
  return text + "]";
}

}  // namespace etlens
