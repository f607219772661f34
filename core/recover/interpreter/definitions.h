// SPDX-License-Identifier: Apache-2.0
// Files, imports, functions and classes.
#pragma once

#include <string_view>
#include <vector>

#include "core/recover/interpreter/evaluator.h"

namespace etlens::recover {

// a of a.b.c
std::string_view first_part(std::string_view dotted);

// Runs the top level of a file once.
void run_file(Evaluator& run, SourceFile* file);

// Runs what Python runs before the files that were opened: their packages. True if that opened
// others.
bool run_packages(Evaluator& run);

void run_import(Evaluator& run, uint32_t node);
// A name of a file that was run: what its top level leaves, or a file of its package. Null without.
Value member_of_file(Evaluator& run, const SourceFile& file, std::string_view name);

void run_import_from(Evaluator& run, uint32_t node);
// What an import of a file gives to a name that nobody asked for before; null if none does.
Value asked_import(Evaluator& run, Environment& scope, std::string_view name);
// Imports below a statement of a file that may not have run, of names that nothing else there or
// before gives a value: Python finds such a name as what is imported, or not at all.
std::vector<OpenImport> sole_imports(Evaluator& run, uint32_t node);
// They count as soon as their names are asked for.
void leave_imports_open(Evaluator& run, const std::vector<OpenImport>& imports);
// An import in a try may have failed at export: its names become unknown.
void forget_missing_imports(Evaluator& run, uint32_t node);

Value make_function(Evaluator& run, uint32_t node, std::string_view name);
void define(Evaluator& run, uint32_t node);

}  // namespace etlens::recover
