// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pstats/python_profile.h"

#include <string>
#include <utility>

#include "core/base/text.h"

namespace etlens {

CallCost& CallCost::operator+=(const CallCost& other) {
  calls += other.calls;
  primitive += other.primitive;
  own += other.own;
  cumulative += other.cumulative;
  return *this;
}

std::string plain_bytes(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  const auto at = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  for (size_t i = 0; i < text.size(); ++i) {
    // U+DC80 … U+DCFF: ED B2 80 … ED B3 BF.
    const bool is_escaped = i + 2 < text.size() && at(i) == 0xED &&
                            (at(i + 1) == 0xB2 || at(i + 1) == 0xB3) && (at(i + 2) >> 6) == 2;
    if (!is_escaped) {
      bytes += text[i];
      continue;
    }
    bytes += static_cast<char>((at(i + 1) & 3) << 6 | (at(i + 2) & 0x3F));
    i += 2;
  }
  return bytes;
}

std::string escaped_text(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const auto first = static_cast<uint8_t>(bytes.front());
    const bool is_surrogate = first == 0xED && bytes.size() > 2 &&
                              static_cast<uint8_t>(bytes[1]) >> 5 == 5 &&
                              static_cast<uint8_t>(bytes[2]) >> 6 == 2;
    const size_t length = is_surrogate ? 3 : utf8_length(bytes);
    if (length == 1 && first >= 0x80) {  // U+DC00 + first
      text += '\xED';
      text += static_cast<char>(0xB0 | first >> 6);
      text += static_cast<char>(0x80 | (first & 0x3F));
    } else {
      text += bytes.substr(0, length);
    }
    bytes.remove_prefix(length);
  }
  return text;
}

size_t PythonProfileBuilder::KeyHash::operator()(const PythonFunctionKey& key) const noexcept {
  constexpr uint64_t kMix = 0x9E3779B97F4A7C15ull;
  uint64_t hash = key.file.value * kMix;
  hash = (hash ^ static_cast<uint64_t>(key.line)) * kMix;
  return ((hash ^ (hash >> 32)) ^ key.name.value) * kMix;
}

PythonFunctionId PythonProfileBuilder::function(std::string_view file, int64_t line,
                                                std::string_view name) {
  const PythonFunctionKey key{profile_.strings.intern(file), line, profile_.strings.intern(name)};
  const auto [at, is_new] =
      functions_.try_emplace(key, PythonFunctionId(profile_.functions.size()));
  if (is_new) profile_.functions.push_back({key});
  return at->second;
}

bool PythonProfileBuilder::list(PythonFunctionId id) {
  if (std::exchange(profile_.functions[id.value].is_listed, true)) return false;
  profile_.listed.push_back(id);
  return true;
}

PythonCaller& PythonProfileBuilder::caller(PythonFunctionId callee, PythonFunctionId caller,
                                           bool& is_new) {
  const uint64_t both = static_cast<uint64_t>(callee.value) << 32 | caller.value;
  const auto [at, added] = edge_of_.try_emplace(both, static_cast<uint32_t>(edges_.size()));
  is_new = added;
  if (added) edges_.push_back({callee, {caller}});
  return edges_[at->second].caller;
}

PythonProfile PythonProfileBuilder::finish(const CallCost& total) {
  std::vector<PythonFunction>& functions = profile_.functions;
  for (const Edge& edge : edges_) ++functions[edge.callee.value].caller_count;
  uint32_t first = 0;
  for (PythonFunction& function : functions) {
    function.first_caller = first;
    first += std::exchange(function.caller_count, 0);
  }
  profile_.callers.resize(edges_.size());
  for (const Edge& edge : edges_) {
    PythonFunction& function = functions[edge.callee.value];
    profile_.callers[function.first_caller + function.caller_count++] = edge.caller;
  }
  profile_.total = total;
  PythonProfile done = std::move(profile_);
  *this = PythonProfileBuilder();
  return done;
}

CallCost total_of(const PythonProfile& profile) {
  CallCost total;
  for (const PythonFunctionId id : profile.listed) total += profile.row(id).cost;
  return total;
}

}  // namespace etlens
