// SPDX-License-Identifier: Apache-2.0
#include "core/code/line_runs.h"

#include <algorithm>
#include <string>

#include "core/base/budget.h"
#include "core/base/path.h"

namespace etlens {
namespace {

constexpr size_t kFewRuns = 4096;  // that may be there more than once
constexpr size_t kLastRuns = 4;    // of a line, which most that come again are among
constexpr size_t kNoOwner = SIZE_MAX;

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

bool is_torchs(std::string_view type) { return type.starts_with("torch."); }

}  // namespace

StringId LineRuns::general_path(StringId path) {
  const auto [at, is_new] = general_.try_emplace(path, StringId());
  if (is_new) at->second = pool_.intern(without_numbers(record_.text(path)));
  return at->second;
}

bool LineRuns::add_once(std::vector<Run>& runs, const Run& run) {
  const auto last = runs.end() - static_cast<ptrdiff_t>(std::min(runs.size(), kLastRuns));
  if (std::find(last, runs.end(), run) != runs.end()) return false;
  runs.push_back(run);
  ++size_;
  return true;
}

void LineRuns::add(LineId line, const Run& run, StringId owner_type) {
  if (lines_.size() <= line.value) lines_.resize(line.value + 1);
  Line& row = lines_[line.value];
  if (!add_once(row.runs, run)) return;
  if (owner_type.valid() && !has_type(line, row.owner_types, owner_type))
    row.owner_types.push_back(owner_type);
}

// A node that lost its inner modules tells less than one that has them.
void LineRuns::add_unsure(LineId line, const Run& run, size_t depth) {
  if (lines_.size() <= line.value) lines_.resize(line.value + 1);
  Line& row = lines_[line.value];
  if (depth < row.unsure_depth) return;
  if (depth > row.unsure_depth) row.unsure.clear();
  row.unsure_depth = depth;
  add_once(row.unsure, run);
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

// Whether the frame may be in the file of the module's class. A forward may be inherited from a
// class in another file, so this only tells frames apart, and is no proof.
bool LineRuns::may_be_of(const Frame& frame, const Module& module) {
  const uint64_t key = uint64_t{frame.file.value} << 32 | module.type.value;
  const auto [at, is_new] = may_be_of_.try_emplace(key, true);
  if (!is_new) return at->second;
  std::string_view type = record_.text(module.type);
  const size_t dot = type.rfind('.');
  if (dot == std::string_view::npos || type.starts_with("__main__.")) return true;
  std::string tail = "/" + std::string(type.substr(0, dot));
  std::replace(tail.begin(), tail.end(), '.', '/');
  const std::string path = "/" + with_slashes(record_.text(frame.file));
  at->second = path.ends_with(tail + ".py") || path.ends_with(tail + "/__init__.py");
  return at->second;
}

// Per frame the module whose forward it is; kNoOwner for helpers, and where that cannot be told.
// Modules of torch itself have no project frame; each of the user's has one called forward.
void LineRuns::find_owners(std::span<const FrameId> frames, std::span<const Module> modules) {
  forwards_.clear();
  for (size_t f = 0; f < frames.size(); ++f) {
    if (forward_.valid() && record_.frames[frames[f].value].function == forward_)
      forwards_.push_back(f);
  }
  own_.clear();
  for (size_t m = 0; m < modules.size(); ++m) {
    if (!is_torchs(record_.text(modules[m].type))) own_.push_back(m);
  }
  go_on(1 + (forwards_.size() + own_.size()) / 16);
  owners_.assign(frames.size(), kNoOwner);
  if (forwards_.size() > own_.size()) {
    if (!own_.empty()) find_sure_owners(frames, modules);
    return;
  }
  for (size_t i = 0; i < forwards_.size(); ++i) owners_[forwards_[i]] = own_[i];
}

// Of more frames than modules.
void LineRuns::find_sure_owners(std::span<const FrameId> frames, std::span<const Module> modules) {
  const std::vector<size_t>& forwards = forwards_;
  const std::vector<size_t>& own = own_;
  const auto fits = [&](size_t i, size_t k) {
    return may_be_of(record_.frames[frames[forwards[i]].value], modules[own[k]]);
  };
  // The first frame that each module can have, and the last: where both are one, it is that. The
  // outermost module is entered first.
  std::vector<size_t> first(own.size(), kNoOwner);
  std::vector<size_t> last(own.size(), kNoOwner);
  size_t next = 0;
  for (size_t k = 0; k < own.size(); ++k, ++next) {
    while (k > 0 && next < forwards.size() && !fits(next, k)) ++next;
    if (next >= forwards.size()) break;
    first[k] = next;
  }
  size_t end = forwards.size();
  for (size_t k = own.size(); k-- > 1;) {
    while (end > k && !fits(end - 1, k)) --end;
    if (end <= k) break;
    last[k] = --end;
  }
  last[0] = 0;
  for (size_t k = 0; k < own.size(); ++k) {
    if (first[k] != kNoOwner && first[k] == last[k]) owners_[forwards[first[k]]] = own[k];
  }
}

void LineRuns::add(std::span<const FrameId> frames, std::span<const LineId> lines,
                   ModuleStackId stack) {
  const std::span<const Module> modules = record_.modules_of(stack);
  if (modules.empty()) return;
  find_owners(frames, modules);
  size_t owner = 0;
  bool is_sure = true;
  uint64_t chain = 0;
  for (size_t f = 0; f < frames.size(); ++f) {
    const bool is_forward =
        forward_.valid() && record_.frames[frames[f].value].function == forward_;
    if (is_forward) is_sure = owners_[f] != kNoOwner;
    if (owners_[f] != kNoOwner) {
      owner = owners_[f];
      chain = 0;
    }
    const Module* called = owner + 1 < modules.size() ? &modules[owner + 1] : nullptr;
    const Run run{modules[owner].key, called ? general_path(called->path) : kEmptyString, chain,
                  frames[f], called ? called->key : kEmptyString};
    if (is_sure) add(lines[f], run, modules[owner].type);
    else add_unsure(lines[f], run, owner);
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
    sort(line.unsure);
    size_ += line.runs.size() + line.unsure.size();
  }
  sorted_ = size_;
}

uint32_t LineRuns::count(std::vector<Run>& runs) {
  sort(runs);
  uint32_t times = 0;
  for (size_t r = 0; r < runs.size();) {
    const Run& first = runs[r];
    uint32_t most = 0;  // modules called from one site
    while (r < runs.size() && runs[r].is_same_call(first)) {
      const Run& site = runs[r];
      uint32_t modules = 0;
      for (; r < runs.size() && runs[r].is_same_site(site); ++r) ++modules;
      most = std::max(most, modules);
    }
    times += most;
  }
  return times;
}

// A line that a trace names ran at least once.
void LineRuns::store(Code& code) {
  lines_.resize(std::max(lines_.size(), code.lines.size()));
  for (size_t l = 0; l < code.lines.size(); ++l) {
    Line& line = lines_[l];
    code.lines[l].owner_types = std::move(line.owner_types);
    code.lines[l].runs = std::max(1u, count(line.runs.empty() ? line.unsure : line.runs));
  }
}

}  // namespace etlens
