// SPDX-License-Identifier: Apache-2.0
#include "core/measure/registry.h"

namespace etlens {

const MeasureRows& built_in_measures() {
  static const MeasureRows kRows{};
  return kRows;
}

}  // namespace etlens
