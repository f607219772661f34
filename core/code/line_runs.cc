// SPDX-License-Identifier: Apache-2.0
#include "core/code/line_runs.h"

#include <algorithm>
#include <string>

namespace etlens {
namespace {

constexpr size_t kFewRuns = 4096;  // that may be there more than once
constexpr size_t kLastRuns = 4;    // of a line, which most that come again are among

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

void LineRuns::add(LineId line, const Run& run, StringId owner_type) {
  if (lines_.size() <= line.value) lines_.resize(line.value + 1);
  auto& [runs, types] = lines_[line.value];
  const auto last = runs.end() - static_cast<ptrdiff_t>(std::min(runs.size(), kLastRuns));
  if (std::find(last, runs.end(), run) != runs.end()) return;
  runs.push_back(run);
  ++size_;
  if (owner_type.valid() && !has_type(line, types, owner_type)) types.push_back(owner_type);
}

// A line has a few types; only a made one has many, and for these there is an index.
bool LineRuns::has_type(LineId line, const std::vector<StringId>& types, StringId type) {
  constexpr size_t kFewTypes = 16;
  if (types.size() < kFewTypes) return std::find(types.begin(), types.end(), type) != types.end();
  const auto key = [&](StringId of) { return uint64_t{line.value} << 32 | of.value; };
  if (types.size() == kFewTypes) {
    for (const StringId known : types) many_types_.insert(key(known));
  }
  return !many_types_.insert(key(type)).second;
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
    add(lines[f],
        {modules[owner].key, called ? general_path(called->path) : kEmptyString, chain, frames[f],
         called ? called->key : kEmptyString},
        modules[owner].type);
    chain = (chain ^ frames[f].value) * 0x9E3779B97F4A7C15ull + 1;
  }
  if (size_ >= 2 * sorted_ + kFewRuns) sort();
}

void LineRuns::sort(std::vector<Run>& runs) {
  const auto is_earlier_call = [](const Run& a, const Run& b) {
    return a.owner != b.owner ? a.owner < b.owner : a.chain < b.chain;
  };
  const auto is_before = [&](const Run& a, const Run& b) {
    if (!a.is_same_call(b)) return is_earlier_call(a, b);
    if (a.frame != b.frame) return a.frame < b.frame;
    return a.path != b.path ? a.path < b.path : a.called < b.called;
  };
  if (!std::is_sorted(runs.begin(), runs.end(), is_earlier_call)) {
    std::sort(runs.begin(), runs.end(), is_before);
  } else {
    for (auto begin = runs.begin(); begin != runs.end();) {
      const auto end = std::find_if_not(begin, runs.end(),
                                        [&](const Run& run) { return run.is_same_call(*begin); });
      std::sort(begin, end, is_before);
      begin = end;
    }
  }
  runs.erase(std::unique(runs.begin(), runs.end()), runs.end());
}

void LineRuns::sort() {
  size_ = 0;
  for (Line& line : lines_) {
    sort(line.runs);
    size_ += line.runs.size();
  }
  sorted_ = size_;
}

void LineRuns::store(Code& code) {
  for (size_t l = 0; l < lines_.size(); ++l) {
    auto& [runs, types] = lines_[l];
    sort(runs);
    code.lines[l].owner_types = std::move(types);
    for (size_t r = 0; r < runs.size();) {
      const Run& first = runs[r];
      uint32_t most = 0;  // modules called from one site
      while (r < runs.size() && runs[r].is_same_call(first)) {
        const Run& site = runs[r];
        uint32_t modules = 0;
        for (; r < runs.size() && runs[r].is_same_site(site); ++r) ++modules;
        most = std::max(most, modules);
      }
      code.lines[l].runs += most;
    }
  }
}

}  // namespace etlens
