// SPDX-License-Identifier: Apache-2.0
#include "core/join/block.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/budget.h"

namespace etlens {
namespace {

bool is_part_of_shape(EventRole role) {
  return role != EventRole::None && role != EventRole::DelegateEvent &&
         role != EventRole::HostPhase;
}

bool same_shape(const EventSequence& a, const EventTree& a_tree, const EventSequence& b,
                const EventTree& b_tree) {
  if (a.name != b.name || a.bundled_input_index != b.bundled_input_index) return false;
  size_t i = 0;
  size_t j = 0;
  while (true) {
    go_on();
    while (i < a.events.size() && !is_part_of_shape(a_tree.roles[i])) ++i;
    while (j < b.events.size() && !is_part_of_shape(b_tree.roles[j])) ++j;
    if (i == a.events.size() || j == b.events.size()) break;
    if (!(a.events[i] == b.events[j])) return false;
    ++i, ++j;
  }
  return i == a.events.size() && j == b.events.size();
}

uint64_t shape_hash(const EventSequence& sequence, const EventTree& tree) {
  uint64_t hash = sequence.name.value * 31ull + static_cast<uint32_t>(sequence.bundled_input_index);
  for (size_t i = 0; i < sequence.events.size(); ++i) {
    go_on();
    if (!is_part_of_shape(tree.roles[i])) continue;
    const EventKey& key = sequence.events[i];
    hash ^= (static_cast<uint64_t>(key.name.value) << 32 |
             static_cast<uint32_t>(key.instruction.value));
    hash *= 0x9E3779B97F4A7C15ull;
    hash ^= static_cast<uint64_t>(static_cast<uint32_t>(key.chain)) << 32 |
            (key.delegate_id_str.value ^ static_cast<uint32_t>(key.delegate_id_int));
    hash *= 0xBF58476D1CE4E5B9ull;
    hash ^= hash >> 31;
  }
  return hash;
}

}  // namespace

std::vector<EventTree> build_event_trees(const EventLog& log, const Backends& backends) {
  std::vector<const Run*> first_runs(log.sequences.size(), nullptr);
  for (const Run& run : log.runs) {
    const Run*& first = first_runs[run.sequence.value];
    if (first == nullptr) first = &run;
  }
  std::vector<EventTree> trees;
  trees.reserve(log.sequences.size());
  for (size_t s = 0; s < log.sequences.size(); ++s) {
    trees.push_back(build_event_tree(log, log.sequences[s], *first_runs[s], backends));
  }
  return trees;
}

bool logs_instructions(const EventLog& log, const EventTrees& trees, const Block& block) {
  for (const SequenceId s : block.sequences) {
    for (size_t i = 0; i < log.sequence(s).events.size(); ++i) {
      go_on();
      const EventRole role = trees[s.value].roles[i];
      if (role == EventRole::OperatorCall || role == EventRole::DelegateCall ||
          role == EventRole::Control || role == EventRole::Kernel) {
        return true;
      }
    }
  }
  return false;
}

std::vector<Block> group_blocks(const EventLog& log, const EventTrees& trees) {
  std::vector<Block> blocks;
  std::vector<uint32_t> block_of_sequence(log.sequences.size(), kNone);
  std::unordered_multimap<uint64_t, uint32_t> by_shape;  // -> block
  std::unordered_map<StringId, size_t> named;            // how many blocks have the name
  for (size_t r = 0; r < log.runs.size(); ++r) {
    const SequenceId s = log.runs[r].sequence;
    const EventSequence& sequence = log.sequence(s);
    const EventTree& tree = trees[s.value];
    uint32_t& row = block_of_sequence[s.value];
    if (row == kNone) {
      const uint64_t hash = shape_hash(sequence, tree);
      const auto [first, last] = by_shape.equal_range(hash);
      const auto same = std::find_if(first, last, [&](const auto& entry) {
        go_on();
        const SequenceId known = blocks[entry.second].sequences.front();
        return same_shape(log.sequence(known), trees[known.value], sequence, tree);
      });
      if (same != last) {
        row = same->second;
      } else {
        row = static_cast<uint32_t>(blocks.size());
        by_shape.emplace(hash, row);
        Block block;
        block.name = log.text(sequence.name);
        if (const size_t n = ++named[sequence.name]; n > 1) block.name += " #" + std::to_string(n);
        block.is_execution =
            std::find(tree.roles.begin(), tree.roles.end(), EventRole::Execute) != tree.roles.end();
        blocks.push_back(std::move(block));
      }
      blocks[row].sequences.push_back(s);
    }
    blocks[row].runs.push_back(RunId(r));
  }
  return blocks;
}

}  // namespace etlens
