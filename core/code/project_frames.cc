// SPDX-License-Identifier: Apache-2.0
#include "core/code/project_frames.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/base/budget.h"
#include "core/code/library_frame.h"

namespace etlens {
namespace {

constexpr size_t kFewFrames = 32;  // that are compared one by one

uint64_t line_of(const Frame& frame) { return uint64_t{frame.file.value} << 32 | frame.line; }

}  // namespace

ProjectFrames::ProjectFrames(const EtRecord& record,
                             const std::vector<std::string>& library_globs) {
  std::unordered_map<StringId, bool> is_project;
  const auto is_own = [&](const Frame& frame) {
    const auto [at, is_new] = is_project.try_emplace(frame.file, false);
    if (is_new)
      at->second = frame.line > 0 && !is_library_file(record.text(frame.file), library_globs);
    return at->second;
  };
  std::unordered_set<uint64_t> lines;  // of a stack of many frames
  offsets_.reserve(record.stacks.size() + 1);
  offsets_.push_back(0);
  for (size_t s = 0; s < record.stacks.size(); ++s) {
    FrameId self;
    const size_t first = frames_.size();
    lines.clear();
    for (const FrameId id : record.frames_of(StackId(s))) {
      const Frame& frame = record.frames[id.value];
      go_on();
      if (!is_own(frame)) continue;
      self = id;
      if (frames_.size() - first == kFewFrames) {
        for (size_t f = first; f < frames_.size(); ++f)
          lines.insert(line_of(record.frames[frames_[f].value]));
      }
      const bool is_known =
          frames_.size() - first < kFewFrames
              ? std::any_of(frames_.begin() + static_cast<ptrdiff_t>(first), frames_.end(),
                            [&](FrameId known) {
                              return line_of(record.frames[known.value]) == line_of(frame);
                            })
              : !lines.insert(line_of(frame)).second;
      if (!is_known) frames_.push_back(id);
    }
    self_.push_back(self);
    offsets_.push_back(static_cast<uint32_t>(frames_.size()));
  }
}

FrameId ProjectFrames::self_of(StackId stack) const {
  return stack.valid() ? self_[stack.value] : FrameId();
}

std::span<const FrameId> ProjectFrames::lines_of(StackId stack) const {
  if (!stack.valid()) return {};
  return std::span(frames_).subspan(offsets_[stack.value],
                                    offsets_[stack.value + 1] - offsets_[stack.value]);
}

}  // namespace etlens
