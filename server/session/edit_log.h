// SPDX-License-Identifier: Apache-2.0
// EditLog: the edits of one open document in their order. Only added to; the oldest are dropped
// when there are too many. Readers remember a revision each and ask what came after it, so that
// none of them takes edits away from another.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "core/source/document.h"

namespace etlens {

class EditLog {
 public:
  // Nothing was edited yet in the text of `revision`.
  explicit EditLog(uint64_t revision = 0) : base_(revision) {}

  // Leads to the text of `revision`, which is no older than that of the edit before.
  void add(uint64_t revision, TextEdit edit);
  // Edits that lead from the text of `revision` to that of now, one after the other; those that
  // touch each other as one. nullopt if the log does not reach back that far.
  std::optional<std::vector<TextEdit>> since(uint64_t revision) const;
  // Whether it does.
  bool reaches(uint64_t revision) const { return revision >= base_; }

 private:
  struct Row {
    uint64_t revision;
    TextEdit edit;
  };
  uint64_t base_;  // the oldest revision whose text the log leads from
  std::deque<Row> rows_;
  size_t bytes_ = 0;  // of their texts
};

}  // namespace etlens
