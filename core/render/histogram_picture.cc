// SPDX-License-Identifier: Apache-2.0
#include "core/render/histogram_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/text.h"

namespace etlens {
namespace {

constexpr int kHeight = 20;  // editors show the first 250 pixels of a hover
constexpr int kStep = 9;     // a bar and the gap behind it
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

constexpr int kTextHeight = 14;
constexpr int kTextSize = 11;

std::string begin_picture(int height, std::string_view fill) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" fill=\"{}\">", kWidth,
      height + kTextHeight, fill);
}

std::string label(int x, int y, std::string_view anchor, std::string_view words) {
  std::string text;  // "<1 µs" holds the one character that needs care
  for (const char c : words) text += c == '<' ? std::string("&lt;") : std::string(1, c);
  return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>", x, y, anchor, text);
}

// The axis at `y`, and what stands below the picture, whose bars end at `bottom`.
std::string end_picture(std::string svg, int y, int bottom, const PictureAxis& axis) {
  const int right = kWidth - kStep + kBar;
  const int base = bottom + kTextSize;
  svg += fmt::format(
      "<g fill=\"#888\" font-family=\"sans-serif\" font-size=\"{}\"><rect y=\"{}\" width=\"{}\" "
      "height=\"1\"/>",
      kTextSize, y, right);
  svg += label(0, base, "start", axis.low) + label(right / 2, base, "middle", axis.counts) +
         label(right, base, "end", axis.high) + "</g></svg>";
  return "data:image/svg+xml;base64," + base64_encode(svg);
}

}  // namespace

std::string picture_of(const Histogram& histogram, const PictureAxis& axis) {
  std::string svg = begin_picture(kHeight + 2, "#d97300");
  draw_bars(histogram.counts, kHeight, false, svg);
  return end_picture(std::move(svg), kHeight + 1, kHeight + 2, axis);
}

std::string picture_of(const BothHistograms& histograms, const PictureAxis& axis) {
  std::string svg = begin_picture(2 * kHeight + 4, "#3b7dd8");
  draw_bars(histograms.before.counts, kHeight, false, svg);
  svg += "<g fill=\"#d97300\">";
  draw_bars(histograms.after.counts, kHeight + 3, true, svg);
  return end_picture(svg + "</g>", kHeight + 1, 2 * kHeight + 4, axis);
}

}  // namespace etlens
