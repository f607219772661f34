// SPDX-License-Identifier: Apache-2.0
// LineCandidates: for every recorded line the few places of the document where it could be now,
// each with what it costs to believe that its text became the text there.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/source/anchor/owner_fit.h"
#include "core/source/anchor/source_index.h"

namespace etlens {

enum class TextMatch : uint8_t {
  Same,         // the line's tokens are the recorded ones
  Reformatted,  // a whole statement's tokens are, but for what a formatter changes
  Contained,    // the tokens follow each other inside a statement
  Similar,
  Known,  // placed by someone who knows
};

struct Candidate {
  uint32_t line = 0;      // 0-based
  uint32_t end_line = 0;  // the last line that its tokens take up
  uint32_t scope = kNone;
  uint32_t position = 0;  // in its statement, to order what is on one line
  float cost = 0;         // in edits; negative where the agreement is too good for a coincidence
  TextMatch match = TextMatch::Same;
  float enter = 0;            // what it costs to believe that the scope is the recorded function
  bool is_elsewhere = false;  // a function of the same name stands where the recorded one was
};

// The price of Candidate::is_elsewhere.
inline constexpr float kOtherPlace = 1.0f;

// What a Candidate of TextMatch::Similar costs.
float similar_cost(double similarity);

struct RecordedForm {
  TokenForm form;
  uint32_t line = 0;  // as recorded, 0-based
  uint32_t owner = 0;
  float reward = 0;  // what finding exactly this text is worth
};

class LineCandidates {
 public:
  // `known`: see AnchorEvidence::known.
  LineCandidates(const SourceIndex& index, const OwnerFit& owners,
                 const std::vector<RecordedLine>& lines, std::span<const uint32_t> known);

  size_t size() const { return recorded_.size(); }
  const RecordedForm& recorded(size_t line) const { return recorded_[line]; }
  const std::vector<Candidate>& of(size_t line) const { return candidates_[line]; }
  // How many recorded lines have the tokens.
  size_t recorded_count(uint64_t key) const;

  // What one more place where lines were inserted or deleted costs, in edits of an otherwise
  // unchanged file: the more such places there are, the less does one more surprise.
  double shift_price() const { return shift_price_; }

  // How alike (0 … 1) a recorded line is to a line with code, or to the statement that starts
  // there; and the last line of what was compared.
  std::pair<double, uint32_t> similarity_at(size_t recorded, uint32_t line);

 private:
  std::optional<Candidate> similar_at(size_t r, uint32_t line);
  void prepare(const std::vector<RecordedLine>& lines);
  void estimate_shifts();
  void add_equal(size_t r);
  std::span<const uint32_t> lines_equal_to(size_t r) const;
  void add_contained(size_t r);
  void add_similar(size_t r);
  void keep_best(size_t r);
  void add(size_t r, Candidate candidate);
  bool is_owned(size_t r, uint32_t line) const;
  void set_enter_costs(size_t r);
  std::vector<uint32_t> statements_like(size_t r) const;
  const TokenForm& line_form(uint32_t line);
  const TokenForm& statement_form(uint32_t statement);
  // Where the line would be if nothing had changed near it: up to two guesses, from its neighbours.
  std::vector<int64_t> expected_lines(size_t r) const;

  const SourceIndex& index_;
  const OwnerFit& owners_;
  std::vector<RecordedForm> recorded_;
  std::vector<std::vector<Candidate>> candidates_;
  std::unordered_map<uint64_t, uint32_t> recorded_keys_, recorded_loose_keys_;
  double shift_price_ = 1;
  std::vector<int64_t> shift_before_, shift_after_;  // of the nearest lines whose place is obvious
  std::unordered_map<uint32_t, TokenForm> line_forms_, statement_forms_;
};

}  // namespace etlens
