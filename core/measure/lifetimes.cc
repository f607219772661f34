// SPDX-License-Identifier: Apache-2.0
#include "core/measure/lifetimes.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/base/budget.h"

namespace etlens {
namespace {

// A program has a handful; damaged ones may claim any number.
constexpr size_t kMaxLoops = 256;
// That are looked at in less than a microsecond.
constexpr size_t kTensorsPerStep = 16;

struct Loop {
  uint32_t begin = 0;
  uint32_t end = 0;  // the jump back
};

std::vector<Loop> loops_of(const ProgramMethod& method) {
  std::vector<Loop> loops;
  for (uint32_t i = 0; i < method.instructions.size() && loops.size() < kMaxLoops; ++i) {
    const ProgramInstruction& row = method.instructions[i];
    if (row.kind == InstructionKind::JumpFalse && row.target <= i) loops.push_back({row.target, i});
  }
  return loops;  // inner ones end first
}

// It gives its first argument another shape, in the same bytes.
bool is_view(std::string_view op) { return op.find("::et_view") != std::string_view::npos; }

class LifetimeFinder {
 public:
  explicit LifetimeFinder(const ProgramMethod& method)
      : method_(method), rows_(method.tensors.size()), known_(method.tensors.size()) {}

  std::vector<Lifetime> find() {
    mark_ends();
    for (uint32_t i = 0; i < method_.instructions.size(); ++i) note_uses(i);
    for (uint32_t t = 0; t < rows_.size(); ++t) {
      if (rows_[t].is_input || rows_[t].is_mutable) define(t);
    }
    for (uint32_t i = 0; i < method_.instructions.size(); ++i) follow(i);
    const auto end = static_cast<uint32_t>(std::max<size_t>(method_.instructions.size(), 1) - 1);
    for (Lifetime& row : rows_) {
      if (row.is_input || row.is_mutable) row.first = 0;
      if (row.is_output || row.is_mutable) row.last = end;
    }
    unite();
    return std::move(rows_);
  }

 private:
  // What is known of a tensor on the way.
  struct Known {
    uint32_t uses = 0;            // instructions that name it
    uint32_t written_at = kNone;  // the last instruction that has it as what it writes
    bool is_defined = false;
  };
  using Place = std::tuple<uint32_t, uint64_t, uint64_t>;  // memory id, offset, bytes

  std::vector<uint32_t> tensors_of(std::span<const uint32_t> values) const {
    std::vector<uint32_t> tensors;
    for (const uint32_t value : values) method_.append_tensors_of(value, tensors);
    go_on(1 + tensors.size() / kTensorsPerStep);
    return tensors;
  }

  // State has no mark of its own. Values of parameters, state and inputs come first, in this order.
  void mark_ends() {
    for (const uint32_t t : tensors_of(method_.inputs)) rows_[t].is_input = true;
    for (const uint32_t t : tensors_of(method_.outputs)) rows_[t].is_output = true;
    if (method_.inputs.empty()) return;
    first_input_ = *std::min_element(method_.inputs.begin(), method_.inputs.end());
    for (uint32_t t = 0; t < rows_.size(); ++t) {
      const ProgramTensor& tensor = method_.tensors[t];
      if (tensor.is_planned && tensor.value < first_input_) rows_[t].is_mutable = true;
    }
  }

  void note_uses(uint32_t i) {
    for (const uint32_t t : tensors_of(method_.arguments_of(method_.instructions[i]))) {
      if (known_[t].uses > 0 && rows_[t].last == i) continue;
      if (known_[t].uses++ == 0) rows_[t].first = i;
      rows_[t].last = i;
    }
  }

  void follow(uint32_t i) {
    const ProgramInstruction& row = method_.instructions[i];
    const std::span<const uint32_t> arguments = method_.arguments_of(row);
    if (row.kind == InstructionKind::Kernel) follow_kernel(i, arguments);
    else if (row.kind == InstructionKind::Delegate) follow_call(i, arguments);
    else if (row.kind == InstructionKind::Move && arguments.size() == 2)
      write(i, tensors_of(arguments.subspan(1)));
  }

  // The last argument is what a kernel writes, or a list of it. Kernels that have no tensor there
  // write into those that nothing wrote before.
  void follow_kernel(uint32_t i, std::span<const uint32_t> arguments) {
    if (arguments.empty()) return;
    const std::vector<uint32_t> written = tensors_of(arguments.last(1));
    const std::vector<uint32_t> all = tensors_of(arguments);
    if (written.empty()) {
      write(i, all);
      return;
    }
    for (const uint32_t t : written) known_[t].written_at = i;
    for (const uint32_t t : all) {
      if (known_[t].is_defined || !method_.tensors[t].is_planned) continue;
      if (known_[t].written_at != i) read_undefined(t, i);
    }
    if (is_view(method_.operator_of(method_.instructions[i])) && !all.empty())
      share(written.front(), all.front());
    write(i, written);
  }

  void read_undefined(uint32_t t, uint32_t instruction) {
    const auto base = latest_.find(place_of(t));
    if (may_be_scratch(t) && (base == latest_.end() || !has_elements_of(t, base->second))) {
      rows_[t].is_scratch = true;
      rows_[t].maker = instruction;
      known_[t].is_defined = true;  // nobody else has its bytes, so nothing is a view of them
      return;
    }
    if (base != latest_.end()) {
      rows_[t].view_of = base->second;
    } else {
      rows_[t].is_mutable = true;
    }
    define(t);
  }

  bool may_be_scratch(uint32_t t) const {
    return first_input_ != kNone && method_.tensors[t].value > first_input_ &&
           known_[t].uses == 1 && !rows_[t].is_output;
  }

  // A view that was planned away has the elements of its base.
  bool has_elements_of(uint32_t view, uint32_t base) const {
    const ProgramTensor& tensor = method_.tensors[view];
    return tensor.bytes > 0 && tensor.scalar_type == method_.tensors[base].scalar_type;
  }

  // Outputs are the last arguments; what nothing wrote before is one of them, or a view that was
  // planned away: then its bytes are those of a value that is still needed.
  void follow_call(uint32_t i, std::span<const uint32_t> arguments) {
    const std::vector<uint32_t> all = tensors_of(arguments);
    size_t first_output = 0;
    for (size_t a = 0; a < all.size(); ++a) {
      if (known_[all[a]].is_defined || is_constant(all[a])) first_output = a + 1;
    }
    for (size_t a = 0; a < all.size(); ++a) {
      const uint32_t t = all[a];
      if (known_[t].is_defined || is_constant(t)) continue;
      const bool may_be_view = a + 1 < all.size() && method_.tensors[t].is_planned;
      const auto base = may_be_view ? latest_.find(place_of(t)) : latest_.end();
      const bool is_needed = base != latest_.end() && is_needed_at(base->second, i) &&
                             (!may_be_scratch(t) || has_elements_of(t, base->second));
      if (is_needed) rows_[t].view_of = base->second;
      if (!is_needed && a < first_output && method_.tensors[t].is_planned) {
        rows_[t].is_scratch = may_be_scratch(t);
        rows_[t].is_mutable = !rows_[t].is_scratch;
      }
      if (!is_needed && (a >= first_output || rows_[t].is_scratch)) rows_[t].maker = i;
      define(t);
    }
  }

  bool is_constant(uint32_t t) const { return method_.tensors[t].is_constant(); }

  bool is_needed_at(uint32_t t, uint32_t instruction) const {
    const Lifetime& row = rows_[t];
    return row.is_input || row.is_output || row.is_mutable || row.last >= instruction ||
           known_[t].uses < 2;
  }

  void share(uint32_t view, uint32_t base) {
    if (known_[view].is_defined || view == base) return;
    const ProgramTensor& a = method_.tensors[view];
    const ProgramTensor& b = method_.tensors[base];
    if (a.is_planned && b.is_planned && a.memory_id == b.memory_id && a.offset == b.offset)
      rows_[view].view_of = root_of(base);
  }

  void write(uint32_t i, const std::vector<uint32_t>& tensors) {
    for (const uint32_t t : tensors) {
      if (known_[t].is_defined || is_constant(t)) continue;
      rows_[t].maker = i;
      define(t);
    }
  }

  void define(uint32_t t) {
    known_[t].is_defined = true;
    if (method_.tensors[t].is_planned) latest_[place_of(t)] = root_of(t);
  }

  uint32_t root_of(uint32_t t) const { return rows_[t].view_of == kNone ? t : rows_[t].view_of; }

  Place place_of(uint32_t t) const {
    const ProgramTensor& tensor = method_.tensors[t];
    return {tensor.memory_id, tensor.offset, tensor.bytes};
  }

  void unite() {
    for (uint32_t t = 0; t < rows_.size(); ++t) {
      Lifetime& base = rows_[root_of(t)];
      base.first = std::min(base.first, rows_[t].first);
      base.last = std::max(base.last, rows_[t].last);
    }
    const std::vector<Loop> loops = loops_of(method_);
    for (Lifetime& row : rows_) {
      go_on(1 + loops.size() / kTensorsPerStep);
      for (const Loop& loop : loops) {
        const bool is_used_inside = row.last >= loop.begin && row.last < loop.end;
        if (row.view_of == kNone && row.first < loop.begin && is_used_inside) row.last = loop.end;
      }
    }
    for (Lifetime& row : rows_) {
      if (row.view_of == kNone) continue;
      row.first = rows_[row.view_of].first;
      row.last = rows_[row.view_of].last;
    }
  }

  const ProgramMethod& method_;
  std::vector<Lifetime> rows_;
  std::vector<Known> known_;
  uint32_t first_input_ = kNone;      // the least value of an input
  std::map<Place, uint32_t> latest_;  // the tensor that was last written to exactly this place
};

}  // namespace

std::vector<Lifetime> find_lifetimes(const ProgramMethod& method) {
  return LifetimeFinder(method).find();
}

}  // namespace etlens
