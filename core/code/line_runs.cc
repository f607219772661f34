// SPDX-License-Identifier: Apache-2.0
#include "core/code/line_runs.h"

#include <algorithm>
#include <string>

namespace etlens {
namespace {

constexpr size_t kFewRuns = 4096;  // that may be there more than once

// `layers.3.attn` -> `layers.#.attn`: instances of one place in the source differ in numbers only.
std::string without_numbers(std::string_view path) {
  std::string general;
  size_t begin = 0;
  while (begin <= path.size()) {
    const size_t end = std::min(path.find('.', begin), path.size());
    const std::string_view part = path.substr(begin, end - begin);
    const bool is_number =
        !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
    if (begin > 0) general += '.';
    general += is_number ? "#" : std::string(part);
    begin = end + 1;
  }
  return general;
}

}  // namespace

StringId LineRuns::general_path(StringId path) {
  const auto [at, is_new] = general_.try_emplace(path, StringId());
  if (is_new) at->second = pool_.intern(without_numbers(record_.text(path)));
  return at->second;
}

void LineRuns::add_type(LineId line, StringId type) {
  if (owner_types_.size() <= line.value) owner_types_.resize(line.value + 1);
  std::vector<StringId>& types = owner_types_[line.value];
  if (type.valid() && std::find(types.begin(), types.end(), type) == types.end())
    types.push_back(type);
}

void LineRuns::add(std::span<const FrameId> frames, std::span<const LineId> lines,
                   ModuleStackId stack) {
  const std::span<const Module> modules = record_.modules_of(stack);
  if (modules.empty()) return;
  size_t owner = 0;
  bool is_first = true;
  uint64_t chain = 0;
  for (size_t f = 0; f < frames.size(); ++f) {
    if (forward_.valid() && record_.frames[frames[f].value].function == forward_) {
      // Modules of torch itself have no project frame; each of the user's has one called forward.
      size_t next = is_first ? 0 : owner + 1;
      while (next < modules.size() && record_.text(modules[next].type).starts_with("torch."))
        ++next;
      if (next == modules.size()) return;  // a node that lost its modules tells nothing further in
      owner = next;
      is_first = false;
      chain = 0;
    }
    const Module* called = owner + 1 < modules.size() ? &modules[owner + 1] : nullptr;
    runs_.push_back({lines[f], modules[owner].key, chain, frames[f],
                     called ? general_path(called->path) : kEmptyString,
                     called ? called->key : kEmptyString});
    add_type(lines[f], modules[owner].type);
    chain = (chain ^ frames[f].value) * 0x9E3779B97F4A7C15ull + 1;
  }
  if (runs_.size() >= 2 * sorted_ + kFewRuns) sort();
}

void LineRuns::sort() {
  std::sort(runs_.begin(), runs_.end());
  runs_.erase(std::unique(runs_.begin(), runs_.end()), runs_.end());
  sorted_ = runs_.size();
}

void LineRuns::store(Code& code) {
  sort();
  for (size_t l = 0; l < owner_types_.size(); ++l)
    code.lines[l].owner_types = std::move(owner_types_[l]);
  for (size_t r = 0; r < runs_.size();) {
    const Run& first = runs_[r];
    uint32_t most = 0;  // modules called from one site
    while (r < runs_.size() && runs_[r].is_same_call(first)) {
      const Run& site = runs_[r];
      uint32_t modules = 0;
      for (; r < runs_.size() && runs_[r].is_same_site(site); ++r) ++modules;
      most = std::max(most, modules);
    }
    code.lines[first.line.value].runs += most;
  }
}

}  // namespace etlens
