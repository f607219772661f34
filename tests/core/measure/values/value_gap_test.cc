// SPDX-License-Identifier: Apache-2.0
#include "core/measure/values/value_gap.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace etlens::value_gap_test {

namespace {

StoredTensor tensor(std::vector<int64_t> sizes, const std::vector<float>& values) {
  Bytes bytes(values.size() * sizeof(float));
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return tensor_in_memory(6, std::move(sizes), std::move(bytes));
}

StoredTensor row(const std::vector<float>& values) {
  return tensor({static_cast<int64_t>(values.size())}, values);
}

// 0, 1, 2, … in the order of memory.
StoredTensor counting(std::vector<int64_t> sizes) {
  std::vector<float> values(*element_count(sizes));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  return tensor(std::move(sizes), values);
}

Gap gap(const StoredTensor& value, const StoredTensor& reference, const GapOptions& options = {}) {
  auto result = compare_tensors(value, reference, options);
  REQUIRE(result);
  return *result;
}

constexpr float kInf = std::numeric_limits<float>::infinity();

}  // namespace

TEST_CASE("value gap: the numbers of a small pair", "[values]") {
  const Gap result = gap(row({1, 2, 3, 5}), row({1, 2, 4, 3}));
  CHECK(result.elements == 4);
  CHECK(result.mse == 1.25);
  CHECK(result.l1 == 3);
  CHECK(result.l1_mean == 0.75);
  CHECK(result.max_abs == 2);
  CHECK(result.snr == Approx(10 * std::log10(7.5 / 1.25)));
  CHECK(result.psnr == Approx(10 * std::log10(16 / 1.25)));
  CHECK(result.cosine == Approx(32 / (std::sqrt(39.0) * std::sqrt(30.0))));
  CHECK(result.noise == Approx(1.25 / 8.75));
  REQUIRE(result.worst.size() == 2);
  CHECK(result.worst[0].index == 3);
  CHECK(result.worst[0].value == 5);
  CHECK(result.worst[1].index == 2);
}

TEST_CASE("value gap: equal tensors, zeros and nothing", "[values]") {
  CHECK(gap(row({1, 2}), row({1, 2})).snr == kInf);
  CHECK(gap(row({0, 0}), row({0, 0})).cosine == 1);
  CHECK(gap(row({1, 0}), row({0, 0})).cosine == 0);
  CHECK(gap(row({1, 0}), row({0, 0})).noise == 1);
  CHECK(gap(row({}), row({})).elements == 0);
  CHECK(gap(row({}), row({})).snr == kInf);
  CHECK(gap(number_tensor(int64_t{3}), number_tensor(1.0)).mse == 4);
}

TEST_CASE("value gap: an operand with a NaN is made finite, others are not", "[values]") {
  CHECK(gap(row({NAN, 1}), row({2, 1})).mse == 2);
  CHECK(gap(row({NAN, 1}), row({NAN, 1})).mse == 0);
  CHECK(gap(row({kInf, 1}), row({2, 1})).mse == kInf);
  CHECK(gap(row({kInf, 1}), row({2, 1})).noise == 1);
}

TEST_CASE("value gap: a mask of infinities is no error, but for the Inspector", "[values]") {
  const StoredTensor value = row({-kInf, 1.5});
  const StoredTensor reference = row({-kInf, 1});
  CHECK(gap(value, reference).mse == 0.125);
  CHECK(gap(value, reference).snr == Approx(10 * std::log10(0.5 / 0.125)));
  GapOptions options;
  options.as_inspector = true;
  CHECK(std::isnan(gap(value, reference, options).mse));
  CHECK(gap(row({kInf}), row({-kInf})).mse == kInf);
}

TEST_CASE("value gap: for the Inspector nothing divided by nothing is NaN", "[values]") {
  GapOptions options;
  options.as_inspector = true;
  CHECK(std::isnan(gap(row({0, 0}), row({0, 0}), options).snr));
  CHECK(gap(row({1, 2}), row({1, 2}), options).snr == kInf);
  CHECK(gap(row({1, 0}), row({0, 0}), options).snr == -kInf);
  CHECK(std::isnan(gap(row({}), row({}), options).mse));
  CHECK(std::isnan(gap(row({}), row({}), options).snr));
  CHECK(gap(row({}), row({}), options).l1 == 0);
}

TEST_CASE("value gap: layouts are brought together", "[values]") {
  // Channels last in memory, with the sizes of NCHW.
  StoredTensor nchw = counting({2, 3, 4, 5});
  StoredTensor last = counting({2, 3, 4, 5});
  last.strides = {60, 1, 15, 3};
  CHECK(gap(nchw, nchw).mse == 0);
  CHECK(gap(last, nchw).mse > 0);  // the same indices, other values
  const StoredTensor nhwc = counting({2, 4, 5, 3});
  CHECK(gap(last, nhwc).shapes == ShapeMatch::Channels);
  CHECK(gap(last, nhwc).mse == 0);
  CHECK(gap(nhwc, last).mse == 0);

  CHECK(gap(counting({1, 6}), counting({6, 1})).shapes == ShapeMatch::Squeezed);
  CHECK(gap(counting({4, 3, 2}), counting({12, 2})).shapes == ShapeMatch::FoldedBatch);
  CHECK(gap(counting({12, 2}), counting({4, 3, 2})).mse == 0);

  // Not a known move of channels, but the same order of values in memory.
  StoredTensor permuted = counting({5, 3, 4});
  permuted.strides = {1, 20, 5};
  CHECK(gap(permuted, counting({3, 4, 5})).shapes == ShapeMatch::MemoryOrder);
  CHECK(gap(permuted, counting({3, 4, 5})).mse == 0);
}

TEST_CASE("value gap: shapes that really differ are said", "[values]") {
  for (const auto& [a, b] : std::vector<std::pair<StoredTensor, StoredTensor>>{
           {counting({2, 3}), counting({3, 2})},
           {counting({6}), counting({5})},
           {counting({2, 6}), counting({3, 4})},
           {counting({2, 3, 4}), counting({2, 4, 3})}}) {
    const auto result = compare_tensors(a, b);
    REQUIRE(!result);
    CHECK(result.error().message ==
          "has shape " + shape_text(a.sizes) + ", its reference " + shape_text(b.sizes));
  }
  GapOptions options;
  options.as_inspector = true;
  CHECK(!compare_tensors(counting({1, 6}), counting({6}), options));
}

TEST_CASE("value gap: stored integers stand for real values", "[values]") {
  Bytes bytes(2);
  bytes.data()[0] = 10;
  bytes.data()[1] = 0xFE;  // -2
  const StoredTensor stored = tensor_in_memory(1, {2}, std::move(bytes));
  GapOptions options;
  options.value = Quantization{0.5, 2, -128, 127};
  CHECK(gap(stored, row({4, -2}), options).mse == 0);
  CHECK(gap(stored, row({10, -2})).mse == 0);
}

TEST_CASE("value gap: at most ten worst elements, the worst first", "[values]") {
  std::vector<float> values(2000, 0);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>((i * 7919) % 2000);
  const Gap result = gap(row(values), row(std::vector<float>(2000, 0)));
  REQUIRE(result.worst.size() == Gap::kWorstElements);
  for (size_t i = 0; i < result.worst.size(); ++i)
    CHECK(result.worst[i].value == 1999 - static_cast<double>(i));
}

}  // namespace etlens::value_gap_test
