// SPDX-License-Identifier: Apache-2.0
#include "core/measure/values/value_statistics.h"

#include <cmath>
#include <limits>
#include <random>

namespace etlens::value_statistics_test {

namespace {

template <typename T>
StoredTensor tensor(int type, const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return tensor_in_memory(type, {static_cast<int64_t>(values.size())}, std::move(bytes));
}

ValueStatistics statistics(const StoredTensor& tensor, const StatisticsOptions& options = {}) {
  auto result = value_statistics(tensor, options);
  REQUIRE(result);
  return *result;
}

}  // namespace

TEST_CASE("value statistics: of a few numbers", "[values]") {
  const ValueStatistics row = statistics(tensor<float>(6, {1, -2, 0, 5}));
  CHECK(row.elements == 4);
  CHECK(row.finite == 4);
  CHECK(row.minimum == -2);
  CHECK(row.maximum == 5);
  CHECK(row.sum == 4);
  CHECK(row.mean == 1);
  CHECK(row.deviation == Approx(std::sqrt(6.5)));
  CHECK(row.zeros == 1);
  CHECK(!row.saturation);
}

TEST_CASE("value statistics: NaN and infinities are counted and left out", "[values]") {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const ValueStatistics row =
      statistics(tensor<float>(6, {NAN, 1, kInf, 3, -kInf, -kInf, NAN, NAN}));
  CHECK(row.nan == 3);
  CHECK(row.positive_inf == 1);
  CHECK(row.negative_inf == 2);
  CHECK(row.inf() == 3);
  CHECK(row.finite == 2);
  CHECK(row.mean == 2);
  const ValueStatistics none = statistics(tensor<float>(6, {NAN, kInf}));
  CHECK(none.finite == 0);
  CHECK(none.mean == 0);
  CHECK(statistics(tensor<float>(6, {})).elements == 0);
}

TEST_CASE("value statistics: as a plain sum has them, for any length", "[values]") {
  std::mt19937 random(7);
  std::normal_distribution<float> normal(1000, 1);
  for (const size_t count : {1u, 7u, 1023u, 1024u, 1025u, 300'000u}) {
    std::vector<float> values(count);
    for (float& value : values) value = normal(random);
    values[count / 2] = 0;
    long double sum = 0;
    for (const float value : values) sum += value;
    long double squares = 0;
    for (const float value : values) squares += (value - sum / count) * (value - sum / count);
    const ValueStatistics row = statistics(tensor(6, values));
    CAPTURE(count);
    CHECK(row.sum == Approx(static_cast<double>(sum)).epsilon(1e-12));
    CHECK(row.deviation ==
          Approx(std::sqrt(static_cast<double>(squares / count))).epsilon(1e-9).margin(1e-12));
    CHECK(row.minimum == *std::min_element(values.begin(), values.end()));
    CHECK(row.maximum == *std::max_element(values.begin(), values.end()));
    CHECK(row.zeros == 1);
  }
}

TEST_CASE("value statistics: magnitudes are powers of two", "[values]") {
  Magnitudes magnitudes;
  StatisticsOptions options;
  options.magnitudes = &magnitudes;
  statistics(tensor<double>(7, {0, -0.0, 1, 1.99, 2, -0.25, 1e300, 1e-300, INFINITY, NAN}),
             options);
  const auto bin = [](int exponent) {
    return static_cast<size_t>(exponent - Magnitudes::kFirstExponent);
  };
  CHECK(magnitudes.zeros == 2);
  CHECK(magnitudes.positive[bin(0)] == 2);
  CHECK(magnitudes.positive[bin(1)] == 1);
  CHECK(magnitudes.negative[bin(-2)] == 1);
  CHECK(magnitudes.positive.back() == 1);
  CHECK(magnitudes.positive.front() == 1);
  CHECK(Magnitudes::lower_bound(bin(-2)) == 0.25);
}

TEST_CASE("value statistics: saturation of stored and of real values", "[values]") {
  StatisticsOptions options;
  options.quantization = Quantization{0.5, 3, -128, 127};
  const ValueStatistics stored = statistics(tensor<int8_t>(1, {-128, -128, 0, 127, 126}), options);
  REQUIRE(stored.saturation);
  CHECK(stored.saturation->low == 2);
  CHECK(stored.saturation->high == 1);
  const ValueStatistics real =
      statistics(tensor<float>(6, {-65.5, -65, 0, 62, 61.5}), options);  // (q - 3) * 0.5
  REQUIRE(real.saturation);
  CHECK(real.saturation->low == 1);
  CHECK(real.saturation->high == 1);
}

TEST_CASE("value statistics: memory is one piece", "[values]") {
  StoredTensor large = tensor<float>(6, std::vector<float>(1'000'000, 2));
  const auto whole = large.read;
  uint64_t most = 0;
  uint64_t total = 0;
  large.read = [&](uint64_t offset, uint64_t size) {
    most = std::max(most, size);
    total += size;
    return whole(offset, size);
  };
  CHECK(statistics(large).mean == 2);
  CHECK(most == kPieceBytes);
  CHECK(total == large.byte_size());
  CancelToken cancel;
  cancel.cancel();
  CHECK(value_statistics(large, {}, cancel).error().code == ErrorCode::Cancelled);
}

}  // namespace etlens::value_statistics_test
