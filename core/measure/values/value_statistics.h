// SPDX-License-Identifier: Apache-2.0
// What the elements of one tensor are like: read once, piece by piece, in doubles.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/cancellation.h"
#include "core/base/result.h"
#include "core/formats/etrecord/quantization.h"
#include "core/formats/stored_tensor.h"

namespace etlens {

// A histogram whose bins are powers of two: needs no range beforehand, and one outlier does not
// push everything else into one bin.
struct Magnitudes {
  // Of elements with |x| in [2^e, 2^(e+1)); what is smaller or larger counts as the first or last.
  static constexpr int kFirstExponent = -64;
  static constexpr int kLastExponent = 63;
  static constexpr size_t kBins = kLastExponent - kFirstExponent + 1;

  std::array<uint64_t, kBins> negative{};
  std::array<uint64_t, kBins> positive{};
  uint64_t zeros = 0;

  static double lower_bound(size_t bin);  // 2^e
};

struct Saturation {
  uint64_t low = 0;  // elements at the smallest value that the quantization has
  uint64_t high = 0;
};

struct ValueStatistics {
  uint64_t elements = 0;
  uint64_t nan = 0;
  uint64_t positive_inf = 0;
  uint64_t negative_inf = 0;
  // Of the finite elements; nothing of them if there are none.
  uint64_t finite = 0;
  double minimum = 0;
  double maximum = 0;
  double sum = 0;
  double mean = 0;
  double deviation = 0;  // of the population
  uint64_t zeros = 0;
  std::optional<Saturation> saturation;  // of quantized tensors whose quantization is known

  uint64_t inf() const { return positive_inf + negative_inf; }
};

struct StatisticsOptions {
  // Of the tensor, whether it holds stored values (integers) or real ones.
  std::optional<Quantization> quantization;
  Magnitudes* magnitudes = nullptr;  // filled too, if somebody wants them
};

// Memory: one piece of the tensor. Errors: of reading; Unsupported for types without numbers;
// Cancelled.
Result<ValueStatistics> value_statistics(const StoredTensor& tensor,
                                         const StatisticsOptions& options = {},
                                         const CancelToken& cancel = {});

}  // namespace etlens
