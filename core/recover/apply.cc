// SPDX-License-Identifier: Apache-2.0
#include "core/recover/apply.h"

#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "core/base/budget.h"
#include "core/base/text.h"

namespace etlens {
namespace {

class Applier {
 public:
  Applier(EtRecord& record, const std::vector<bool>& is_project_file, const Recovery& recovery,
          const ReadSource& read)
      : record_(record), is_project_file_(is_project_file), recovery_(recovery) {
    for (size_t f = 0; f < record.frames.size(); ++f) {
      const Frame& frame = record.frames[f];
      frames_.try_emplace({frame.file, frame.line, frame.function, frame.mark_begin}, FrameId(f));
      if (!frame.is_recovered) kept_.insert({frame.file, frame.line, frame.function});
    }
    sources_.reserve(recovery.files.size());
    for (const std::string& file : recovery.files) {
      sources_.push_back(read(file));
      files_.push_back(record.strings.intern(file));
    }
  }

  size_t run() {
    size_t marked = 0;
    const Change* last = nullptr;  // neighbours mostly change alike
    std::tuple<StackId, uint32_t, bool> last_key;
    for (const RecoveredNode& said : recovery_.nodes) {
      go_on();
      if (said.frame_count == 0) continue;
      Node& node = record_.nodes[said.node.value];
      const std::tuple key{node.stack, said.first_frame, said.is_chain};
      if (last == nullptr || key != last_key) last = &change_of(said, node.stack);
      last_key = key;
      const Change& change = *last;
      node.stack = change.stack;
      if (!change.marks) continue;
      node.is_recovered = true;
      ++marked;
    }
    return marked;
  }

 private:
  // Of nodes with one stack, of which one is said.
  struct Change {
    StackId stack;
    bool marks = false;  // the line is another one
  };

  const Change& change_of(const RecoveredNode& said, StackId before) {
    const auto [at, is_new] =
        changes_.try_emplace({before, said.first_frame, said.is_chain}, Change{before});
    if (!is_new) return at->second;
    const std::vector<FrameId> old = frames_of(before);
    size_t inner = old.size();  // where the frames of libraries begin that stand innermost
    while (inner > 0 && !is_project(record_.frames[old[inner - 1].value].file)) --inner;
    const FrameId line = frame_of(recovery_.frames[said.first_frame + said.frame_count - 1]);
    const bool is_same = inner > 0 && is_same_line(old[inner - 1], line);
    if (is_same && !said.is_chain) return at->second;
    std::vector<FrameId> after;
    if (said.is_chain) {
      for (uint32_t f = 0; f < said.frame_count; ++f)
        after.push_back(frame_of(recovery_.frames[said.first_frame + f]));
    } else {
      after.assign(old.begin(), old.begin() + static_cast<ptrdiff_t>(inner));
      after.push_back(line);
    }
    after.insert(after.end(), old.begin() + static_cast<ptrdiff_t>(inner), old.end());
    if (has_same_lines(after, old)) return at->second;
    return at->second = {stack_of(std::move(after), before), !is_same};
  }

  std::vector<FrameId> frames_of(StackId stack) const {
    if (!stack.valid()) return {};
    const std::span<const FrameId> frames = record_.frames_of(stack);
    return {frames.begin(), frames.end()};
  }

  // Files that the record did not name were found among the project's.
  bool is_project(StringId file) const {
    return file.value >= is_project_file_.size() || is_project_file_[file.value];
  }

  // Of the project's frames.
  bool has_same_lines(std::span<const FrameId> a, std::span<const FrameId> b) const {
    const auto skip_others = [&](std::span<const FrameId>& frames) {
      while (!frames.empty() && !is_project(record_.frames[frames.front().value].file))
        frames = frames.subspan(1);
    };
    while (true) {
      skip_others(a);
      skip_others(b);
      if (a.empty() || b.empty()) return a.empty() && b.empty();
      const Frame& x = record_.frames[a.front().value];
      const Frame& y = record_.frames[b.front().value];
      if (x.file != y.file || x.line != y.line || x.function != y.function) return false;
      a = a.subspan(1);
      b = b.subspan(1);
    }
  }

  bool is_same_line(FrameId a, FrameId b) const {
    const Frame& x = record_.frames[a.value];
    const Frame& y = record_.frames[b.value];
    return x.file == y.file && x.line == y.line;
  }

  FrameId frame_of(const RecoveredFrame& found) {
    const StringId file = files_[found.file];
    const StringId function = record_.strings.intern(found.function);
    const auto [at, is_new] = frames_.try_emplace({file, found.line, function, found.column},
                                                  FrameId(record_.frames.size()));
    if (!is_new) return at->second;
    Frame frame;
    frame.file = file;
    frame.function = function;
    frame.line = found.line;
    frame.mark_begin = found.column;
    frame.mark_end = found.column + 1;
    frame.is_recovered = !kept_.contains({file, found.line, function});
    frame.text = kEmptyString;
    if (const std::shared_ptr<const PythonSyntax>& source = sources_[found.file]) {
      const Document& document = source->document();
      if (found.line > 0 && found.line <= document.line_count())
        frame.text = record_.strings.intern(trim(document.line(found.line - 1)));
    }
    record_.frames.push_back(frame);
    return at->second;
  }

  StackId stack_of(std::vector<FrameId> frames, StackId like) {
    const auto [at, is_new] = stacks_.try_emplace(frames, StackId(record_.stacks.size()));
    if (!is_new) return at->second;
    Stack stack;
    stack.first_frame = static_cast<uint32_t>(record_.stack_frames.size());
    stack.frame_count = static_cast<uint32_t>(frames.size());
    stack.indented = like.valid() && record_.stacks[like.value].indented;
    record_.stack_frames.insert(record_.stack_frames.end(), frames.begin(), frames.end());
    record_.stacks.push_back(stack);
    return at->second;
  }

  EtRecord& record_;
  const std::vector<bool>& is_project_file_;
  const Recovery& recovery_;
  std::vector<std::shared_ptr<const PythonSyntax>> sources_;  // one per file of the recovery
  std::vector<StringId> files_;
  std::map<std::tuple<StringId, uint32_t, StringId, uint32_t>, FrameId> frames_;
  std::set<std::tuple<StringId, uint32_t, StringId>> kept_;  // lines that the record has
  std::map<std::vector<FrameId>, StackId> stacks_;           // that were made here
  // By the stack before, the first frame of what is said, and whether that is a whole stack.
  std::map<std::tuple<StackId, uint32_t, bool>, Change> changes_;
};

}  // namespace

size_t apply_recovery(EtRecord& record, const std::vector<bool>& is_project_file,
                      const Recovery& recovery, const ReadSource& read) {
  return Applier(record, is_project_file, recovery, read).run();
}

}  // namespace etlens
