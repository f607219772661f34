// SPDX-License-Identifier: Apache-2.0
#include "core/render/histogram_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"

namespace etlens {
namespace {

constexpr int kHeight = 36;
constexpr int kStep = 9;  // a bar and the gap behind it
constexpr int kBar = 7;

}  // namespace

std::string picture_of(const Histogram& histogram) {
  const int width = kStep * static_cast<int>(Histogram::kBins);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" fill=\"#d97300\">",
      width, kHeight + 2);
  const uint32_t most = *std::max_element(histogram.counts.begin(), histogram.counts.end());
  for (size_t i = 0; i < Histogram::kBins; ++i) {
    const uint32_t count = histogram.counts[i];
    if (count == 0) continue;
    // One execution among many is never drawn as none.
    const int height = std::max(2, static_cast<int>(std::lround(double{kHeight} * count / most)));
    svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                       kStep * static_cast<int>(i), kHeight - height, kBar, height);
  }
  svg += fmt::format("<rect y=\"{}\" width=\"{}\" height=\"1\" fill=\"#888\"/></svg>", kHeight + 1,
                     width - kStep + kBar);
  return "data:image/svg+xml;base64," + base64_encode(svg);
}

}  // namespace etlens
