// SPDX-License-Identifier: Apache-2.0
#include "core/source/python/token_form.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace etlens {
namespace {

constexpr uint64_t kAnyName = 11;
constexpr uint64_t kAnyNumber = 12;
constexpr uint64_t kAnyString = 13;
constexpr size_t kMaxBagTokens = 512;  // of longer pieces the front is compared
constexpr size_t kMaxLooseTokens = 4096;

constexpr uint64_t kOpenRound = hash_of("(");
constexpr uint64_t kCloseRound = hash_of(")");
constexpr uint64_t kSelf = hash_of("self");
constexpr uint64_t kAssign = hash_of("=");

// Keywords that start a statement but no expression.
constexpr auto kStatementWords = std::to_array<uint64_t>(
    {hash_of("return"), hash_of("for"), hash_of("if"), hash_of("while"), hash_of("with"),
     hash_of("assert"), hash_of("raise"), hash_of("elif"), hash_of("del"), hash_of("yield")});

// How much a token says about which statement this is.
float weight_of(std::span<const Token> tokens, size_t i) {
  const Token& token = tokens[i];
  switch (token.kind) {
    case TokenKind::Name: {
      if (token.hash == kSelf) return 0.3f;
      if (i + 1 < tokens.size() && tokens[i + 1].hash == kOpenRound) return 2.0f;
      if (i > 0 && tokens[i - 1].kind == TokenKind::Dot) return 1.5f;
      return 1.0f;
    }
    case TokenKind::Keyword:
    case TokenKind::Number:
    case TokenKind::String:
      return 0.8f;
    case TokenKind::Operator:
      return 0.5f;
    default:
      return 0.1f;
  }
}

uint64_t shape_of(const Token& token) {
  if (token.kind == TokenKind::Name) return kAnyName;
  if (token.kind == TokenKind::Number) return kAnyNumber;
  return token.kind == TokenKind::String ? kAnyString : token.hash;
}

// True if the names of `a` become those of `b` by replacing each by one of its own.
bool is_renamed(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
  if (a.size() != b.size()) return false;
  std::unordered_map<uint64_t, uint64_t> there, back;
  for (size_t i = 0; i < a.size(); ++i) {
    if (there.try_emplace(a[i], b[i]).first->second != b[i]) return false;
    if (back.try_emplace(b[i], a[i]).first->second != a[i]) return false;
  }
  return true;
}

double shared_weight(const TokenForm& a, const TokenForm& b) {
  double shared = 0;
  for (size_t i = 0, j = 0; i < a.bag.size() && j < b.bag.size();) {
    if (a.bag[i].hash < b.bag[j].hash) {
      ++i;
    } else if (b.bag[j].hash < a.bag[i].hash) {
      ++j;
    } else {
      shared += std::min(a.bag[i++].weight, b.bag[j++].weight);
    }
  }
  return shared;
}

}  // namespace

bool is_loose_token(std::span<const Token> tokens, size_t i) {
  const Token& token = tokens[i];
  if (token.hash == kOpenRound || token.hash == kCloseRound) return false;
  const bool is_last = i + 1 == tokens.size() || tokens[i + 1].kind == TokenKind::Close;
  return token.kind != TokenKind::Comma || !is_last;
}

uint64_t loose_key(std::span<const Token> tokens) {
  uint64_t key = 0;
  size_t count = 0;
  for (size_t i = 0; i < tokens.size() && count < kMaxLooseTokens; ++i) {
    if (!is_loose_token(tokens, i)) continue;
    key = combine_hashes(key, tokens[i].hash);
    ++count;
  }
  return key;
}

TokenForm token_form(std::span<const Token> tokens) {
  TokenForm form;
  form.token_count = static_cast<uint32_t>(tokens.size());
  int depth = 0;
  form.starts_statement =
      !tokens.empty() && std::find(kStatementWords.begin(), kStatementWords.end(),
                                   tokens[0].hash) != kStatementWords.end();
  for (size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (depth == 0 && token.hash == kAssign) form.starts_statement = true;
    form.key = combine_hashes(form.key, token.hash);
    form.shape_key = combine_hashes(form.shape_key, shape_of(token));
    if (token.kind == TokenKind::Open) ++depth;
    if (token.kind == TokenKind::Close && --depth < 0) form.is_balanced = false;
    if (token.hash == kCloseRound) ++form.parentheses;
    if (is_loose_token(tokens, i) && form.loose.size() < kMaxLooseTokens) {
      form.loose.push_back(token.hash);
      form.loose_key = combine_hashes(form.loose_key, token.hash);
    }
    if (i >= kMaxBagTokens) continue;
    if (token.kind == TokenKind::Name) form.names.push_back(token.hash);
    form.bag.push_back({token.hash, weight_of(tokens, i)});
    form.weight += form.bag.back().weight;
  }
  if (depth != 0) form.is_balanced = false;
  std::sort(form.bag.begin(), form.bag.end(), [](const WeightedToken& a, const WeightedToken& b) {
    return a.hash != b.hash ? a.hash < b.hash : a.weight > b.weight;
  });
  return form;
}

bool is_reformatted(const TokenForm& a, const TokenForm& b) {
  if (a.loose_key != b.loose_key || a.loose.empty()) return false;
  const uint32_t more =
      std::max(a.parentheses, b.parentheses) - std::min(a.parentheses, b.parentheses);
  return more <= 1;
}

double similarity(const TokenForm& a, const TokenForm& b) {
  const double total = a.weight + b.weight;
  if (total <= 0) return 0;
  double same = 2 * shared_weight(a, b) / total;
  if (a.shape_key == b.shape_key && is_renamed(a.names, b.names)) {
    const double shape = 0.35 + 0.02 * std::min<double>(a.token_count, 20);
    same = std::max(same, shape);
  }
  return std::min(same, 1.0);
}

double overlap(const TokenForm& part, const TokenForm& whole) {
  return part.weight <= 0 ? 0 : std::min(1.0, shared_weight(part, whole) / part.weight);
}

size_t find_run(const TokenForm& part, const TokenForm& whole, size_t from) {
  if (part.loose.empty() || from > whole.loose.size()) return SIZE_MAX;
  const auto at = std::search(whole.loose.begin() + static_cast<ptrdiff_t>(from), whole.loose.end(),
                              part.loose.begin(), part.loose.end());
  return at == whole.loose.end() ? SIZE_MAX : static_cast<size_t>(at - whole.loose.begin());
}

}  // namespace etlens
