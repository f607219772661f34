// SPDX-License-Identifier: Apache-2.0
// A histogram as a small picture for hovers: an SVG in a data URI, without links or scripts.
#pragma once

#include <string>
#include <string_view>

#include "core/compare/both_histograms.h"
#include "core/facts/facts.h"

namespace etlens {

// What stands below the axis, with units: its ends, and between them what the bars count.
struct PictureAxis {
  std::string low;
  std::string high;
  std::string_view counts = "executions";
};

// "data:image/svg+xml;base64,…"; readable on light and dark backgrounds.
std::string picture_of(const Histogram& histogram, const PictureAxis& axis);
// Two on one axis: before above it in blue, after below it in orange.
std::string picture_of(const BothHistograms& histograms, const PictureAxis& axis);

}  // namespace etlens
