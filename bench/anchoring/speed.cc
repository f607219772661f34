// SPDX-License-Identifier: Apache-2.0
#include "bench/anchoring/speed.h"
namespace etlens::bench { void print_speed() {} }
