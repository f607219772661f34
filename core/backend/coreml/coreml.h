// SPDX-License-Identifier: Apache-2.0
// Core ML: ids like "var_5:ios17.linear", which the delegate map has; times in nanoseconds, which
// are estimates: the time of the whole prediction divided by Core ML's own costs. Metadata is a
// JSON object (preferredComputeUnit, estimatedCost, …).
#pragma once

#include "core/backend/backend.h"

namespace etlens {

Backend coreml_backend();

}  // namespace etlens
