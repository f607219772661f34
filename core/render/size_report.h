// SPDX-License-Identifier: Apache-2.0
// What `etlens size` prints: the bytes of a program's file as tables and for people.
#pragma once

#include <string>
#include <string_view>

#include "core/facts/size_facts.h"
#include "core/render/table_printer.h"
#include "core/render/tables.h"

namespace etlens {

// What a part of this kind is for: "constants of kernels".
std::string_view describe(FilePartKind kind);

// One row per part: for people the largest first, as data in the order of the program.
Table size_parts_table(const SizeFacts& facts, TableStyle style);
// The tree of modules, parents before children.
Table size_modules_table(const SizeFacts& facts, TableStyle style);
// The most bytes first.
Table size_lines_table(const SizeFacts& facts, TableStyle style);

// All of it for people: kinds of parts and their sum, modules, lines, the largest parts.
std::string size_text(const SizeFacts& facts, TablePrinter& printer);

}  // namespace etlens
