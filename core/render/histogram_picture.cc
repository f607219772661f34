// SPDX-License-Identifier: Apache-2.0
#include "core/render/histogram_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/text.h"

namespace etlens {
namespace {

constexpr int kHeight = 36;
constexpr int kStep = 9;  // a bar and the gap behind it
constexpr int kBar = 7;

using Counts = std::array<uint32_t, Histogram::kBins>;

// Bars that stand on the axis at `y`, or hang from it.
void draw_bars(const Counts& counts, int y, bool hangs, std::string& svg) {
  const uint32_t most = *std::max_element(counts.begin(), counts.end());
  for (size_t i = 0; i < counts.size(); ++i) {
    const uint32_t count = counts[i];
    if (count == 0) continue;
    // One execution among many is never drawn as none.
    const int height = std::max(2, static_cast<int>(std::lround(double{kHeight} * count / most)));
    svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                       kStep * static_cast<int>(i), hangs ? y : y - height, kBar, height);
  }
}

constexpr int kWidth = kStep * static_cast<int>(Histogram::kBins);

std::string begin_picture(int height, std::string_view fill) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" fill=\"{}\">", kWidth,
      height, fill);
}

std::string end_picture(std::string svg, int axis) {
  svg += fmt::format("<rect y=\"{}\" width=\"{}\" height=\"1\" fill=\"#888\"/></svg>", axis,
                     kWidth - kStep + kBar);
  return "data:image/svg+xml;base64," + base64_encode(svg);
}

}  // namespace

std::string picture_of(const Histogram& histogram) {
  std::string svg = begin_picture(kHeight + 2, "#d97300");
  draw_bars(histogram.counts, kHeight, false, svg);
  return end_picture(std::move(svg), kHeight + 1);
}

std::string picture_of(const BothHistograms& histograms) {
  std::string svg = begin_picture(2 * kHeight + 4, "#3b7dd8");
  draw_bars(histograms.before.counts, kHeight, false, svg);
  svg += "<g fill=\"#d97300\">";
  draw_bars(histograms.after.counts, kHeight + 3, true, svg);
  return end_picture(svg + "</g>", kHeight + 1);
}

}  // namespace etlens
