// SPDX-License-Identifier: Apache-2.0
// Which lines of two exports do the same work. Part of match_code.
#pragma once

#include <vector>

#include "core/compare/match_code.h"

namespace etlens {

std::vector<LineGroup> match_lines(const Code& before, const SourceTexts& texts_before,
                                   const Code& after, const SourceTexts& texts_after,
                                   const std::vector<NodePair>& nodes);

}  // namespace etlens
