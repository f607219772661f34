// SPDX-License-Identifier: Apache-2.0
// A histogram as a small picture for hovers: an SVG in a data URI, without fonts, links or scripts.
#pragma once

#include <string>

#include "core/compare/both_histograms.h"
#include "core/facts/facts.h"

namespace etlens {

// "data:image/svg+xml;base64,…"; readable on light and dark backgrounds.
std::string picture_of(const Histogram& histogram);
// Two on one axis: before above it in blue, after below it in orange.
std::string picture_of(const BothHistograms& histograms);

}  // namespace etlens
