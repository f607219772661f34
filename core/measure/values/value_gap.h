// SPDX-License-Identifier: Apache-2.0
// How far a tensor is from its reference. All arithmetic is in doubles, and so are the operands.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/etrecord/quantization.h"
#include "core/formats/stored_tensor.h"

namespace etlens {

// An element far from its reference.
struct WorstElement {
  uint64_t index = 0;  // in the order of the value's indices
  double value = 0;
  double reference = 0;
};

// How two shapes that are not equal were brought together.
enum class ShapeMatch : uint8_t {
  Equal,
  Squeezed,     // but for dimensions of size 1
  MemoryOrder,  // the same order of values in memory: NCHW in channels-last order, and NHWC
  Channels,     // the dimension of channels moved: NCHW and NHWC
  FoldedBatch,  // leading dimensions as one
};
// "equal", "squeezed", "memory order", "channels moved", "folded batch".
std::string_view name_of(ShapeMatch match);

struct Gap {
  uint64_t elements = 0;
  ShapeMatch shapes = ShapeMatch::Equal;
  double mse = 0;  // mean (reference - value)^2
  double l1 = 0;   // sum |reference - value|, as ExecuTorch's Inspector has it
  double l1_mean = 0;
  double max_abs = 0;
  double snr = 0;     // dB: mean reference^2 to mse; infinite for equal tensors
  double cosine = 0;  // 1 for two tensors of zeros, 0 for one
  double psnr = 0;    // dB: (largest |reference|)^2 to mse
  // mse / (mean reference^2 + mse), in [0, 1]: 0 for equal tensors, 1 where nothing of the
  // reference is left, and for what is no number.
  double noise = 0;
  std::vector<WorstElement> worst;  // at most kWorstElements, the worst first

  static constexpr size_t kWorstElements = 10;
};

struct GapOptions {
  // Of tensors of integers that stand for real values.
  std::optional<Quantization> value;
  std::optional<Quantization> reference;
  // The Inspector's rules to the letter: shapes must be equal, and the difference of two infinities
  // is no number.
  bool as_inspector = false;
};

// An operand with a NaN anywhere is made finite first: NaN becomes 0, infinities the largest
// double. In other operands infinities stay; where both have the same one, as masks do, there is no
// error, and it is left out of the reference's power. Holds both tensors in memory. Errors: of
// reading; InvalidParams "has shape … , its reference …" if the shapes really differ; Unsupported
// for types without numbers.
Result<Gap> compare_tensors(const StoredTensor& value, const StoredTensor& reference,
                            const GapOptions& options = {});

// Strides that bring a reference into the order of a value's indices.
struct AlignedShapes {
  std::vector<int64_t> sizes;
  std::vector<int64_t> value;  // strides in elements
  std::vector<int64_t> reference;
  ShapeMatch match = ShapeMatch::Equal;
};
std::optional<AlignedShapes> align_shapes(const StoredTensor& value, const StoredTensor& reference);

// "[1, 64]".
std::string shape_text(std::span<const int64_t> sizes);

}  // namespace etlens
