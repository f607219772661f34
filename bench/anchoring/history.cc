// SPDX-License-Identifier: Apache-2.0
#include "bench/anchoring/history.h"
namespace etlens::bench { void print_history(const std::string&, size_t, bool) {} }
