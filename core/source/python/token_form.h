// SPDX-License-Identifier: Apache-2.0
// TokenForm: a piece of Python as its tokens, in the ways that it is compared. What a formatter may
// change (blanks, line breaks, quotes, commas before a closing bracket, parentheses around
// everything) is seen through; what a programmer changes is measured.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/source/python/python_tokens.h"

namespace etlens {

struct WeightedToken {
  uint64_t hash = 0;
  float weight = 0;
};

struct TokenForm {
  uint64_t key = 0;                // of all tokens; 0 if there are none
  uint64_t loose_key = 0;          // of `loose`
  uint64_t shape_key = 0;          // with every name, number and string alike
  std::vector<uint64_t> loose;     // without ( ) and without commas before a closing bracket
  std::vector<WeightedToken> bag;  // by hash; equal ones side by side
  std::vector<uint64_t> names;     // in order, for the comparison of shapes
  float weight = 0;                // of the bag
  uint32_t parentheses = 0;        // pairs
  uint32_t token_count = 0;
  bool is_balanced = true;        // every bracket opened is closed and the other way round
  bool starts_statement = false;  // by its first word, or because it assigns
};

TokenForm token_form(std::span<const Token> tokens);
// Whether the token is in TokenForm::loose (of a piece that is not cut for its length).
bool is_loose_token(std::span<const Token> tokens, size_t i);
// TokenForm::loose_key alone.
uint64_t loose_key(std::span<const Token> tokens);

// The same tokens but for what a formatter changes.
bool is_reformatted(const TokenForm& a, const TokenForm& b);

// 0 … 1: how much of two pieces is the same. Names weigh more than brackets, names of called
// functions most. Pieces of one shape whose names were replaced one for one are alike to some
// degree, too.
double similarity(const TokenForm& a, const TokenForm& b);

// 0 … 1: how much of `part` is found in `whole`.
double overlap(const TokenForm& part, const TokenForm& whole);

// The position in `whole.loose` at which all of `part.loose` follows; SIZE_MAX if nowhere.
size_t find_run(const TokenForm& part, const TokenForm& whole, size_t from = 0);

}  // namespace etlens
