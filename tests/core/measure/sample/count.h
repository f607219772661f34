// SPDX-License-Identifier: Apache-2.0
// A measure that exists for tests only: how many events there are. It shows what a new one takes: a
// file that fills a Measure, and one row.
#pragma once

#include "core/measure/registry.h"

namespace etlens::test {

MeasureRow count_measure();

}  // namespace etlens::test
