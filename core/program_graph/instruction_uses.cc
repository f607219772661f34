// SPDX-License-Identifier: Apache-2.0
#include "core/program_graph/instruction_uses.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "core/base/budget.h"

namespace etlens {
namespace {

// Kernels that write into an argument that is not their output: the schema marks it, programs do
// not.
struct Mutation {
  std::string_view op;
  uint32_t argument = 0;
};
constexpr std::array kMutations{
    Mutation{"llama::update_cache", 1}, Mutation{"llama::update_cache_with_indices", 1},
    Mutation{"llama::sdpa_with_kv_cache", 3}, Mutation{"llama::sdpa_with_kv_cache", 4}};

std::string_view without_overload(std::string_view op) { return op.substr(0, op.find('.')); }

// Their outputs are listed once.
bool is_primitive(std::string_view op) { return op.starts_with("executorch_prim::"); }
bool is_copy_index(std::string_view op) {
  return without_overload(op) == "executorch_prim::et_copy_index";
}

bool is_value_of_kernel(ValueKind kind) {
  return kind != ValueKind::Other && kind != ValueKind::Null && kind != ValueKind::IntList;
}

class UseFinder {
 public:
  UseFinder(const ProgramMethod& method, std::span<const Lifetime> lifetimes, uint32_t instruction)
      : method_(method),
        lifetimes_(lifetimes),
        instruction_(instruction),
        row_(method.instructions[instruction]),
        arguments_(method.arguments_of(row_)),
        is_output_(arguments_.size()) {}

  InstructionUses find() {
    if (row_.kind == InstructionKind::Kernel) mark_kernel();
    if (row_.kind == InstructionKind::Delegate) mark_made();
    if (row_.kind == InstructionKind::Move && arguments_.size() == 2) is_output_[1] = true;
    for (uint32_t a = 0; a < arguments_.size(); ++a) {
      go_on();
      if (is_output_[a]) write(a);
      else if (is_scratch(a)) uses_.scratch.push_back({arguments_[a], a});
      else append_uses(method_, arguments_[a], a, uses_.reads);
    }
    return std::move(uses_);
  }

 private:
  void mark_kernel() {
    const std::string_view op = method_.operator_of(row_);
    if (arguments_.empty()) return;
    if (is_copy_index(op)) {
      is_output_[0] = true;
      append_uses(method_, arguments_[0], 0, uses_.reads);  // the rest of it stays as it was
      return;
    }
    const size_t last = arguments_.size() - 1;
    if (is_value_of_kernel(method_.values[arguments_[last]].kind)) {
      is_output_[last] = true;
      if (!is_primitive(op)) mark_repeated(last);
    } else {
      mark_made();
    }
    for (const Mutation& row : kMutations) {
      if (without_overload(op) != row.op || row.argument >= last) continue;
      if (is_output_[row.argument]) continue;
      is_output_[row.argument] = true;
      append_uses(method_, arguments_[row.argument], row.argument, uses_.reads);
    }
  }

  // Outputs stand right in front of what the kernel returns.
  void mark_repeated(size_t last) {
    const uint32_t returned = arguments_[last];
    const std::span<const uint32_t> elements = method_.elements_of(returned);
    if (last > 0 && is_same(arguments_[last - 1], returned)) {
      is_output_[last - 1] = true;
      return;
    }
    size_t at = last;
    for (size_t e = elements.size(); e > 0 && at > 0; --e) {
      if (arguments_[at - 1] != elements[e - 1]) return;
      is_output_[--at] = true;
    }
  }

  // The same value, or another list of the same ones.
  bool is_same(uint32_t a, uint32_t b) const {
    return a == b || (method_.is_list(a) && method_.is_list(b) &&
                      std::ranges::equal(method_.elements_of(a), method_.elements_of(b)));
  }

  // What nothing made before this instruction, which is no working memory.
  void mark_made() {
    for (size_t a = 0; a < arguments_.size(); ++a) {
      const ProgramTensor* tensor = method_.tensor_of(arguments_[a]);
      if (tensor == nullptr) continue;
      const Lifetime& life = lifetimes_[method_.values[arguments_[a]].first];
      is_output_[a] = life.maker == instruction_ && !life.is_scratch;
    }
  }

  bool is_scratch(uint32_t a) const {
    if (method_.tensor_of(arguments_[a]) == nullptr) return false;
    const Lifetime& life = lifetimes_[method_.values[arguments_[a]].first];
    return life.is_scratch && life.maker == instruction_;
  }

  // Once, however often it stands there.
  void write(uint32_t a) {
    std::vector<ValueUse> uses;
    append_uses(method_, arguments_[a], a, uses);
    for (const ValueUse& use : uses)
      if (written_.insert(use.value).second) uses_.writes.push_back(use);
  }

  const ProgramMethod& method_;
  std::span<const Lifetime> lifetimes_;
  uint32_t instruction_;
  const ProgramInstruction& row_;
  std::span<const uint32_t> arguments_;
  std::vector<bool> is_output_;
  std::set<uint32_t> written_;
  InstructionUses uses_;
};

}  // namespace

void append_uses(const ProgramMethod& method, uint32_t value, uint32_t argument,
                 std::vector<ValueUse>& uses) {
  if (!method.is_list(value)) {
    uses.push_back({value, argument});
    return;
  }
  const std::span<const uint32_t> elements = method.elements_of(value);
  for (uint32_t e = 0; e < elements.size(); ++e) {
    go_on();
    // There are no lists of lists.
    if (elements[e] == kNone || method.is_list(elements[e])) continue;
    uses.push_back({elements[e], argument, e});
  }
}

InstructionUses uses_of(const ProgramMethod& method, std::span<const Lifetime> lifetimes,
                        uint32_t instruction) {
  return UseFinder(method, lifetimes, instruction).find();
}

}  // namespace etlens
