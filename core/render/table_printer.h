// SPDX-License-Identifier: Apache-2.0
// TablePrinter: the tables of one command for people, as the options of the command ask for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/render/arrange.h"
#include "core/render/legend.h"

namespace etlens {

struct PrintStyle {
  Arrangement arrangement;
  size_t width = 0;       // of the terminal; 0: nothing is cut
  bool in_color = false;  // ESC [ … m
  bool explains = false;  // a legend at the end
};

class TablePrinter {
 public:
  static constexpr size_t kAllRows = 0;

  explicit TablePrinter(PrintStyle style) : style_(std::move(style)) {}

  const PrintStyle& style() const { return style_; }

  // The table that the arrangement is about: at most `most` rows where it says no other number,
  // and below them how many more there are.
  std::string ranked(const Table& table, size_t most = kAllRows);
  // One beside it, of which the arrangement tells the number of rows alone.
  std::string beside(const Table& table, size_t most = kAllRows);
  // Sentences and sums of ours, for the legend.
  std::string words(std::string text);
  // The words and signs that were used; "" unless the style explains.
  std::string legend() const;

  // Why a table could not be arranged.
  const std::optional<Error>& problem() const { return problem_; }

 private:
  std::string print(const Table& table, Arrangement by);

  PrintStyle style_;
  Legend legend_;
  std::optional<Error> problem_;
};

}  // namespace etlens
