// SPDX-License-Identifier: Apache-2.0
// Legend: the terms that a command's output has used, and no others, to stand below it.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "core/render/table.h"
#include "core/render/terms.h"

namespace etlens {

class Legend {
 public:
  // The columns of a table, and the words and signs in its cells. What is prose is passed over.
  void add(const Table& table);
  // The words and signs of a sentence of ours, or of a hint.
  void add(std::string_view text);

  // A line per term, in the order of terms(); "" for none.
  std::string text() const;

 private:
  void add_words(std::string_view cell);
  void add_word(std::string_view word);
  void add_signs(std::string_view text);

  std::set<const Term*> used_;
};

}  // namespace etlens
