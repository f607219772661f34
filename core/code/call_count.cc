// SPDX-License-Identifier: Apache-2.0
#include "core/code/call_count.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>

namespace etlens {
namespace {

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

class CallCounter {
 public:
  CallCounter(Profile& profile, const MethodContext& context)
      : profile_(profile), context_(context) {}

  void run() {
    for (LineRow& line : profile_.lines) {
      const Frame& frame = context_.record().frames[line.frame.value];
      // Per place in the source beneath the line: the distinct calls seen there.
      std::unordered_map<StringId, std::set<std::pair<StringId, StringId>>> calls;
      for (const auto* events : {&line.events, &line.inclusive_events}) {
        for (const EventId id : *events) {
          const NodeId node = profile_.events[id.value].node;
          const auto [owner, next] = modules_at(node, frame);
          add_type(line, owner);
          const StringId place = next ? general_path(next->path) : kEmptyString;
          calls[place].emplace(owner ? owner->key : kEmptyString, next ? next->key : kEmptyString);
        }
      }
      for (const auto& [place, distinct] : calls) {
        line.calls = std::max(line.calls, static_cast<uint32_t>(distinct.size()));
      }
    }
  }

 private:
  static void add_type(LineRow& line, const Module* owner) {
    if (owner == nullptr || !owner->type.valid()) return;
    std::vector<StringId>& types = line.owner_types;
    if (std::find(types.begin(), types.end(), owner->type) == types.end())
      types.push_back(owner->type);
  }

  StringId general_path(StringId path) {
    const auto [at, is_new] = general_.try_emplace(path, StringId());
    if (is_new) at->second = pool_.intern(without_numbers(context_.record().text(path)));
    return at->second;
  }

  // The module whose forward holds the frame's line, and the module called from there, if any.
  std::pair<const Module*, const Module*> modules_at(NodeId node, const Frame& frame) const {
    const EtRecord& record = context_.record();
    const std::span<const Module> modules = record.modules_of(context_.modules_of(node));
    if (modules.empty()) return {nullptr, nullptr};
    // Modules of torch itself have no project frame; each of the user's has one called forward.
    size_t module = 0;
    bool is_first = true;
    for (const FrameId id : context_.lines_of(node)) {
      const Frame& at = record.frames[id.value];
      if (record.text(at.function) == "forward") {
        size_t next = is_first ? 0 : module + 1;
        while (next < modules.size() && record.text(modules[next].type).starts_with("torch."))
          ++next;
        if (next < modules.size()) module = next;
        is_first = false;
      }
      if (at.file == frame.file && at.line == frame.line) break;
    }
    const Module* next = module + 1 < modules.size() ? &modules[module + 1] : nullptr;
    return {&modules[module], next};
  }

  Profile& profile_;
  const MethodContext& context_;
  StringPool pool_;
  std::unordered_map<StringId, StringId> general_;  // recorded path -> its general form in pool_
};

}  // namespace

void count_calls(Profile& profile, const MethodContext& context) {
  CallCounter(profile, context).run();
}

}  // namespace etlens
