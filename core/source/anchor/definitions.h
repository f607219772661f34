// SPDX-License-Identifier: Apache-2.0
// Anchors of definitions: a profile names functions by file, line and name, without their text. A
// function is where it was if one of that name is defined there and everything else in the file is
// where it was too; else it is found by its name where that leaves no choice, or by its distance to
// functions around it that were found. A def of the same name alone is no proof: most files have
// several forwards.
#pragma once

#include <span>
#include <vector>

#include "core/source/anchor/anchor.h"

namespace etlens {

// One anchor per recorded line, on the line of the word def; of lambdas and comprehensions, and of
// the module itself (<module>), on the line that was recorded, moved with the functions around it.
// `lines`: RecordedLine::line is of the def or of its first decorator.
std::vector<Anchor> anchor_definitions(const PythonSyntax& syntax,
                                       std::span<const RecordedLine> lines);

}  // namespace etlens
