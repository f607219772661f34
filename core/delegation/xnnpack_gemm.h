// SPDX-License-Identifier: Apache-2.0
// XNNPACK's conditions for matrix products and convolutions: their weights, biases and the quantize
// nodes around them.
#pragma once

#include "core/delegation/rules.h"

namespace etlens {

// linear, addmm and mm.
RuleVerdict check_xnnpack_gemm(const RuleNode& node, Release release);
RuleVerdict check_xnnpack_convolution(const RuleNode& node, Release release);

}  // namespace etlens
