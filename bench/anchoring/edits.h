// SPDX-License-Identifier: Apache-2.0
// Seeded random edits of Python files, as people make them.
#pragma once

#include <string_view>
#include <vector>

#include "bench/anchoring/program.h"

namespace etlens::bench {

struct EditKind {
  std::string_view name;
  // Applies one edit; false if the program has nothing to apply it to. The program is fresh before.
  bool (*apply)(Program& program, Random& random);
  // What the program is made to hold before it is recorded.
  bool (*prepare)(Program& program, Random& random) = nullptr;
};

const std::vector<EditKind>& edit_kinds();

// Edits that move lines around (structure_edits.cc) and those that change them (text_edits.cc).
bool insert_lines(Program& program, Random& random);
bool delete_lines(Program& program, Random& random);
// A function or a class beside its copy, and one of the two deleted.
bool add_twin(Program& program, Random& random);
bool delete_twin(Program& program, Random& random);
bool duplicate_lines(Program& program, Random& random);
bool move_lines(Program& program, Random& random);
bool swap_lines(Program& program, Random& random);
bool extract_helper(Program& program, Random& random);
bool reindent(Program& program, Random& random);

bool rename_class(Program& program, Random& random);
bool rename_function(Program& program, Random& random);
bool rename_attribute(Program& program, Random& random);
bool rename_variable(Program& program, Random& random);
bool change_constant(Program& program, Random& random);
bool change_expression(Program& program, Random& random);
bool wrap_statement(Program& program, Random& random);
bool reformat(Program& program, Random& random);

}  // namespace etlens::bench
