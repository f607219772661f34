// SPDX-License-Identifier: Apache-2.0
// The first rung, without a parser: is every recorded line where it was?
#pragma once

#include <vector>

#include "core/source/anchor/anchor.h"

namespace etlens {

// True if each line has its recorded text, and stands in a function and a class of the recorded
// names as far as indentation tells. Equal texts alone could be a coincidence.
bool all_lines_unchanged(const Document& document, const std::vector<RecordedLine>& lines);

}  // namespace etlens
