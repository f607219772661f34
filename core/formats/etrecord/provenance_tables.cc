// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etrecord/provenance_tables.h"

#include "core/formats/etrecord/module_stack.h"

namespace etlens {

StackId ProvenanceTables::stack_of(StringId text) {
  const auto [at, is_new] = stacks_.try_emplace(text, StackId());
  if (!is_new) return at->second;
  const ParsedStack parsed = parse_stack_trace(record_.text(text));
  Stack stack;
  stack.first_frame = static_cast<uint32_t>(record_.stack_frames.size());
  stack.frame_count = static_cast<uint32_t>(parsed.frames.size());
  stack.indented = parsed.indented;
  for (const ParsedFrame& frame : parsed.frames) record_.stack_frames.push_back(frame_of(frame));
  at->second = StackId(record_.stacks.size());
  record_.stacks.push_back(stack);
  return at->second;
}

FrameId ProvenanceTables::frame_of(const ParsedFrame& parsed) {
  Frame frame;
  frame.file = record_.strings.intern(parsed.file);
  frame.function = record_.strings.intern(parsed.function);
  frame.text = record_.strings.intern(parsed.text);
  frame.line = parsed.line;
  frame.mark_begin = parsed.mark_begin;
  frame.mark_end = parsed.mark_end;
  const uint64_t key = static_cast<uint64_t>(frame.file.value) << 32 | frame.line;
  const auto [first, last] = frames_.equal_range(key);
  for (auto it = first; it != last; ++it) {
    if (record_.frames[it->second.value] == frame) return it->second;
  }
  const FrameId id(record_.frames.size());
  record_.frames.push_back(frame);
  frames_.emplace(key, id);
  return id;
}

const Module& ProvenanceTables::module_of(std::string_view entry) {
  const StringId id = entries_.intern(entry);
  if (id.value < modules_.size()) return modules_[id.value];
  modules_.resize(id.value + 1);
  const ParsedModule parsed = parse_module(entry);
  Module& module = modules_.back();
  module.key = record_.strings.intern(parsed.key);
  module.raw_path = record_.strings.intern(parsed.path);
  module.path = record_.strings.intern(normal_module_path(parsed.path));
  module.type = record_.strings.intern(parsed.type);
  return module;
}

ModuleStackId ProvenanceTables::modules_of(StringId text) {
  const auto [at, is_new] = module_stacks_.try_emplace(text, ModuleStackId());
  if (!is_new) return at->second;
  ModuleStack stack;
  stack.first_module = static_cast<uint32_t>(record_.modules.size());
  for (const std::string_view entry : module_entries(record_.text(text))) {
    record_.modules.push_back(module_of(entry));
    ++stack.module_count;
  }
  at->second = ModuleStackId(record_.module_stacks.size());
  record_.module_stacks.push_back(stack);
  return at->second;
}

}  // namespace etlens
