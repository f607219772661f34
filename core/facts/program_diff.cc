// SPDX-License-Identifier: Apache-2.0
#include "core/facts/program_diff.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

namespace etlens {
namespace {

struct OwnerPlace {
  std::string recorded_path;
  uint32_t line = 0;
};

// Collects what both programs have by owner.
class Owners {
 public:
  void add_before(ByteOwner owner, uint64_t bytes, const OwnerPlace& place) {
    OwnerChange& row = row_of(std::move(owner));
    row.before += bytes;
    if (row.line == 0) put(row, place);
  }
  void add_after(ByteOwner owner, uint64_t bytes, const OwnerPlace& place) {
    OwnerChange& row = row_of(std::move(owner));
    row.after += bytes;
    put(row, place);
  }

  void store(ProgramDiff& diff) && {
    join_renamed();
    for (auto& [owner, row] : rows_) {
      if (row.change() == 0) {
        diff.same += row.after;
        continue;
      }
      row.owner = owner;
      diff.owners.push_back(std::move(row));
    }
    std::stable_sort(diff.owners.begin(), diff.owners.end(),
                     [](const OwnerChange& a, const OwnerChange& b) {
                       return std::abs(a.change()) > std::abs(b.change());
                     });
  }

 private:
  OwnerChange& row_of(ByteOwner owner) { return rows_[std::move(owner)]; }

  // Data of a module's line that lost its names and gained others, as weights do that are quantized
  // or folded, are one owner: "conv.weight → _frozen_param3".
  void join_renamed() {
    struct Renamed {
      std::vector<ByteOwner> gone;
      std::vector<ByteOwner> fresh;
    };
    std::map<ByteOwner, Renamed> places;  // by owner without a name
    for (const auto& [owner, row] : rows_) {
      if (owner.module.empty() || owner.name.empty() || (row.before > 0 && row.after > 0)) continue;
      ByteOwner place = owner;
      place.name.clear();
      Renamed& renamed = places[std::move(place)];
      (row.after == 0 ? renamed.gone : renamed.fresh).push_back(owner);
    }
    for (auto& [place, renamed] : places) {
      if (renamed.gone.empty() || renamed.fresh.empty()) continue;
      OwnerChange joined;
      for (std::vector<ByteOwner>* owners : {&renamed.gone, &renamed.fresh}) {
        // The largest gives the name.
        std::stable_sort(owners->begin(), owners->end(), [&](const auto& a, const auto& b) {
          const OwnerChange& x = rows_.at(a);
          const OwnerChange& y = rows_.at(b);
          return x.before + x.after > y.before + y.after;
        });
        for (const ByteOwner& owner : *owners) {
          const auto at = rows_.find(owner);
          joined.before += at->second.before;
          joined.after += at->second.after;
          if (at->second.line > 0) put(joined, {at->second.recorded_path, at->second.line});
          rows_.erase(at);
        }
      }
      ByteOwner owner = place;
      owner.name = name_of(renamed.gone) + " → " + name_of(renamed.fresh);
      rows_.emplace(std::move(owner), std::move(joined));
    }
  }
  static std::string name_of(const std::vector<ByteOwner>& owners) {
    std::string name = owners.front().name;
    if (owners.size() > 1) name += " +" + std::to_string(owners.size() - 1);
    return name;
  }
  static void put(OwnerChange& row, const OwnerPlace& place) {
    if (place.line == 0) return;
    row.recorded_path = place.recorded_path;
    row.line = place.line;
  }

  std::map<ByteOwner, OwnerChange> rows_;
};

bool is_data(FilePartKind kind) {
  return kind == FilePartKind::Constant || kind == FilePartKind::DelegateConstant;
}

std::string text_of(const Code& code, LineId line) {
  return line.valid() ? std::string(code.text(code.lines[line.value].text)) : std::string();
}

// Numbers that an exporter gave, like those of delegate calls, differ between exports: bytes of
// such a part are those of its kind and place.
ByteOwner owner_of(const SizePartFacts& part, const Code& code) {
  ByteOwner owner;
  owner.kind = name_of(part.kind);
  if (is_data(part.kind)) owner.name = part.name;
  owner.module = part.module_path.value_or("");
  owner.text = text_of(code, part.line_id);
  return owner;
}

template <typename Add>
void add_parts(const SizeFacts& facts, const Add& add) {
  for (size_t row = 0; row < facts.part_count(); ++row) {
    const SizePartFacts part = facts.part(row);
    if (part.kind == FilePartKind::External) continue;
    add(owner_of(part, facts.code(part.method)), part.bytes,
        OwnerPlace{std::string(part.recorded_path), part.line});
  }
}

// By name and size: data that two operands share is one part already.
std::map<std::pair<std::string, uint64_t>, size_t> copies_of(const SizeFacts& facts) {
  std::map<std::pair<std::string, uint64_t>, size_t> copies;
  for (size_t row = 0; row < facts.part_count(); ++row) {
    const SizePartFacts part = facts.part(row);
    const bool is_named = is_data(part.kind) && part.module_path && !part.name.empty();
    if (is_named && part.bytes > 0) ++copies[{std::string(part.name), part.bytes}];
  }
  return copies;
}

void find_repeated(const SizeFacts& before, const SizeFacts& after, ProgramDiff& diff) {
  const auto known = copies_of(before);
  for (const auto& [data, times] : copies_of(after)) {
    if (times < 2) continue;
    const auto at = known.find(data);
    diff.repeated.push_back(
        {data.first, data.second, times, at == known.end() || at->second < times});
  }
  std::stable_sort(diff.repeated.begin(), diff.repeated.end(),
                   [](const RepeatedData& a, const RepeatedData& b) {
                     return a.bytes * a.times > b.bytes * b.times;
                   });
}

// What a runtime allocates for the plan.
uint64_t planned_bytes(const MemoryFacts& facts) {
  uint64_t bytes = 0;
  for (const PlannedBuffer& buffer : facts.buffers()) bytes += buffer.size;
  return bytes;
}

// What is in use at the peak, and the rest of the buffers.
template <typename Add>
void add_plan(const MemoryFacts& facts, const Add& add) {
  uint64_t used = 0;
  for (const size_t row : facts.at_peak()) {
    const TensorFacts tensor = facts.tensor(row);
    used += tensor.at_peak;
    ByteOwner owner{"planned", std::string(tensor.op), std::string(tensor.module_path.value_or("")),
                    text_of(facts.code(), tensor.line)};
    if (owner.name.empty()) owner.name = tensor.is_input ? "input" : "state";
    OwnerPlace place;
    if (tensor.line.valid()) {
      const CodeLine& line = facts.code().lines[tensor.line.value];
      place = {std::string(facts.code().recorded_path(line.file)), line.number};
    }
    add(std::move(owner), tensor.at_peak, place);
  }
  const uint64_t all = planned_bytes(facts);
  if (all > used) add(ByteOwner{"unused", "", "", ""}, all - used, OwnerPlace());
}

}  // namespace

ProgramDiff diff_sizes(const SizeFacts& before, const SizeFacts& after) {
  ProgramDiff diff;
  diff.before = before.file_bytes();
  diff.after = after.file_bytes();
  Owners owners;
  add_parts(before, [&](ByteOwner owner, uint64_t bytes, const OwnerPlace& place) {
    owners.add_before(std::move(owner), bytes, place);
  });
  add_parts(after, [&](ByteOwner owner, uint64_t bytes, const OwnerPlace& place) {
    owners.add_after(std::move(owner), bytes, place);
  });
  std::move(owners).store(diff);
  find_repeated(before, after, diff);
  return diff;
}

ProgramDiff diff_memory(const MemoryFacts& before, const MemoryFacts& after) {
  ProgramDiff diff;
  diff.before = planned_bytes(before);
  diff.after = planned_bytes(after);
  Owners owners;
  add_plan(before, [&](ByteOwner owner, uint64_t bytes, const OwnerPlace& place) {
    owners.add_before(std::move(owner), bytes, place);
  });
  add_plan(after, [&](ByteOwner owner, uint64_t bytes, const OwnerPlace& place) {
    owners.add_after(std::move(owner), bytes, place);
  });
  std::move(owners).store(diff);
  return diff;
}

}  // namespace etlens
