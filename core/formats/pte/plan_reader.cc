// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pte/plan_reader.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/base/budget.h"
#include "core/formats/scalar_type.h"

namespace etlens {
namespace {

namespace ps = program_schema;

using Indices = flatbuffers::Vector<int32_t>;

ShapeDynamism dynamism_of(int8_t code) {
  return code == 0   ? ShapeDynamism::Static
         : code == 1 ? ShapeDynamism::Bound
                     : ShapeDynamism::Unbound;
}

class PlanReader {
 public:
  PlanReader(const ps::ExecutionPlan& plan, CopyBudget& budget, ProgramMethod& method,
             LoadReport& report)
      : plan_(plan), budget_(budget), method_(method), report_(report) {}

  Result<void> read() {
    read_operators();
    read_values();
    method_.inputs = values_in(plan_.inputs());
    method_.outputs = values_in(plan_.outputs());
    read_buffer_sizes();
    return read_instructions();
  }

 private:
  void read_operators() {
    if (plan_.operators() != nullptr) {
      for (const ps::Operator* op : *plan_.operators()) {
        std::string name(budget_.text(op->name()));
        const std::string_view overload = budget_.text(op->overload());
        if (!overload.empty()) name.append(".").append(overload);
        method_.operators.push_back(std::move(name));
      }
    }
    if (plan_.delegates() == nullptr) return;
    for (const ps::BackendDelegate* delegate : *plan_.delegates()) {
      method_.delegates.push_back({std::string(budget_.text(delegate->id())), 0, 0});
      read_specs(*delegate, method_.delegates.back());
    }
  }

  void read_specs(const ps::BackendDelegate& delegate, ProgramDelegate& row) {
    if (delegate.compile_specs() == nullptr) return;
    constexpr size_t kLongestSpec = 256;
    for (const ps::CompileSpec* spec : *delegate.compile_specs()) {
      go_on();
      if (spec->value() == nullptr || spec->value()->size() > kLongestSpec) continue;
      const std::string_view value(reinterpret_cast<const char*>(spec->value()->data()),
                                   spec->value()->size());
      const bool is_text = std::ranges::all_of(value, [](char c) { return c >= ' ' && c <= '~'; });
      if (!is_text || !budget_.take(value.size())) continue;
      row.specs.push_back({std::string(budget_.text(spec->key())), std::string(value)});
    }
  }

  void read_values() {
    if (plan_.values() == nullptr) return;
    method_.values.resize(plan_.values()->size());
    for (uint32_t v = 0; v < plan_.values()->size(); ++v) {
      go_on();
      const ps::EValue& value = *plan_.values()->Get(v);
      ProgramValue& row = method_.values[v];
      if (const ps::Tensor* tensor = value.val_as_Tensor()) {
        row = {ValueKind::Tensor, static_cast<uint32_t>(method_.tensors.size()), 1};
        add_tensor(v, *tensor);
      } else if (const ps::TensorList* list = value.val_as_TensorList()) {
        read_list(list->items(), row);
      } else if (const ps::TensorList* optional = value.val_as_OptionalTensorList()) {
        read_list(optional->items(), row);
      } else if (const ps::IntList* integers = value.val_as_IntList()) {
        read_integers(integers->items(), row);
      } else {
        read_scalar(value, row);
      }
    }
  }

  void read_scalar(const ps::EValue& value, ProgramValue& row) {
    const auto number = [&](ValueKind kind, int64_t bits) {
      row = {kind, static_cast<uint32_t>(method_.numbers.size()), 1};
      method_.numbers.push_back(bits);
    };
    if (const ps::Int* integer = value.val_as_Int()) number(ValueKind::Int, integer->value());
    else if (const ps::Bool* flag = value.val_as_Bool()) number(ValueKind::Bool, flag->value());
    else if (const ps::Double* real = value.val_as_Double())
      number(ValueKind::Double, std::bit_cast<int64_t>(real->value()));
    else if (value.val_type() == ps::KernelTypes_Null) row.kind = ValueKind::Null;
  }

  // Whose elements are values as well. Nothing but the graph asks for them: odd ones are missing.
  void read_integers(const flatbuffers::Vector<int64_t>* items, ProgramValue& row) {
    row = {ValueKind::IntList, static_cast<uint32_t>(method_.elements.size()), 0};
    if (items == nullptr || !budget_.take(items->size() * sizeof(int64_t))) return;
    go_on(items->size() / 16);
    for (const int64_t item : numbers_in(*items)) {
      const bool is_there = item >= 0 && std::cmp_less(item, plan_.values()->size());
      method_.elements.push_back(is_there ? static_cast<uint32_t>(item) : kNone);
    }
    row.count = items->size();
  }

  void read_list(const Indices* items, ProgramValue& row) {
    row = {ValueKind::TensorList, static_cast<uint32_t>(method_.elements.size()), 0};
    if (items == nullptr || !budget_.take(items->size() * sizeof(int32_t))) return;
    go_on(items->size() / 16);
    for (const int32_t item : *items)
      method_.elements.push_back(item == -1 ? kNone : checked(item));
    row.count = items->size();
  }

  void add_tensor(uint32_t value, const ps::Tensor& tensor) {
    ProgramTensor row;
    row.value = value;
    row.scalar_type = tensor.scalar_type();
    row.dynamism = dynamism_of(tensor.shape_dynamism());
    row.data_buffer = tensor.data_buffer_idx();
    if (const ps::AllocationDetails* allocation = tensor.allocation_info()) {
      row.is_planned = true;
      row.memory_id = allocation->memory_id();
      row.offset =
          uint64_t{allocation->memory_offset_high()} << 32 | allocation->memory_offset_low();
    }
    if (const ps::ExtraTensorInfo* extra = tensor.extra_tensor_info()) {
      row.name = budget_.text(extra->fully_qualified_name());
      row.is_external = extra->location() == ps::TensorDataLocation_External;
      row.mutable_segment =
          static_cast<uint32_t>(std::min<uint64_t>(extra->mutable_data_segments_idx(), kNone));
    }
    read_sizes(tensor, row);
    method_.tensors.push_back(std::move(row));
  }

  // Without them a tensor has no bytes.
  void read_sizes(const ps::Tensor& tensor, ProgramTensor& row) {
    const auto* sizes = tensor.sizes();
    row.first_size = static_cast<uint32_t>(method_.sizes.size());
    row.dimensions = sizes == nullptr ? 0 : sizes->size();
    if (!budget_.take(row.dimensions * sizeof(int32_t))) {
      row.dimensions = 0;
      return;
    }
    bool is_negative = false;
    bool is_empty = false;
    bool is_too_large = false;
    row.bytes = scalar_type_size(row.scalar_type);
    for (uint32_t d = 0; d < row.dimensions; ++d) {
      const int32_t size = sizes->Get(d);
      method_.sizes.push_back(size);
      is_negative = is_negative || size < 0;
      is_empty = is_empty || size == 0;
      const auto factor = static_cast<uint64_t>(std::max(size, 0));
      is_too_large = __builtin_mul_overflow(row.bytes, factor, &row.bytes) || is_too_large;
    }
    if (is_negative) report_.add(Oddity::ProgramNegativeSize, where(row));
    else if (!is_empty && (is_too_large || row.bytes > kMaxTensorBytes))
      report_.add(Oddity::ProgramSizeOverflow, where(row));
    else return;
    row.bytes = 0;
  }

  void read_buffer_sizes() {
    const auto* sizes = plan_.non_const_buffer_sizes();
    if (sizes == nullptr || !budget_.take(sizes->size() * sizeof(int64_t))) return;
    for (const int64_t size : numbers_in(*sizes)) {
      if (size < 0) report_.add(Oddity::ProgramNegativeSize, "a buffer of method " + method_.name);
      method_.buffer_sizes.push_back(static_cast<uint64_t>(std::max<int64_t>(size, 0)));
    }
  }

  Result<void> read_instructions() {
    if (plan_.chains() == nullptr || plan_.chains()->size() == 0) return {};
    const auto* instructions = plan_.chains()->Get(0)->instructions();
    if (instructions == nullptr) return {};
    method_.instructions.reserve(instructions->size());
    for (const ps::Instruction* instruction : *instructions) {
      go_on();
      const ProgramInstruction row = instruction_of(*instruction);
      method_.instructions.push_back(row);
      const size_t limit = row.kind == InstructionKind::Kernel      ? method_.operators.size()
                           : row.kind == InstructionKind::Delegate  ? method_.delegates.size()
                           : row.kind == InstructionKind::JumpFalse ? instructions->size() + 1
                                                                    : SIZE_MAX;
      if (row.target >= limit) {
        return corrupt_program("instruction " + std::to_string(method_.instructions.size() - 1) +
                               " of method " + method_.name + " points outside");
      }
    }
    return {};
  }

  ProgramInstruction instruction_of(const ps::Instruction& instruction) {
    // Negative numbers become large ones, which are out of every range.
    if (const auto* kernel = instruction.instr_args_as_KernelCall()) {
      return with_arguments(InstructionKind::Kernel, static_cast<uint32_t>(kernel->op_index()),
                            kernel->args());
    }
    if (const auto* delegate = instruction.instr_args_as_DelegateCall()) {
      return with_arguments(InstructionKind::Delegate,
                            static_cast<uint32_t>(delegate->delegate_index()), delegate->args());
    }
    if (const auto* jump = instruction.instr_args_as_JumpFalseCall()) {
      return with_values(InstructionKind::JumpFalse,
                         static_cast<uint32_t>(jump->destination_instruction()),
                         {jump->cond_value_index()});
    }
    if (const auto* move = instruction.instr_args_as_MoveCall())
      return with_values(InstructionKind::Move, 0, {move->move_from(), move->move_to()});
    if (const auto* free = instruction.instr_args_as_FreeCall())
      return with_values(InstructionKind::Free, 0, {free->value_index()});
    return {};
  }

  ProgramInstruction with_arguments(InstructionKind kind, uint32_t target, const Indices* values) {
    ProgramInstruction row = with_values(kind, target, {});
    for (const uint32_t value : values_in(values)) method_.arguments.push_back(value);
    row.argument_count = static_cast<uint32_t>(method_.arguments.size()) - row.first_argument;
    return row;
  }

  ProgramInstruction with_values(InstructionKind kind, uint32_t target,
                                 std::initializer_list<int32_t> values) {
    ProgramInstruction row{kind, target, static_cast<uint32_t>(method_.arguments.size()), 0};
    for (const int32_t value : values) {
      if (const uint32_t known = checked(value); known != kNone) method_.arguments.push_back(known);
    }
    row.argument_count = static_cast<uint32_t>(method_.arguments.size()) - row.first_argument;
    return row;
  }

  // Those that there are.
  std::vector<uint32_t> values_in(const Indices* indices) {
    std::vector<uint32_t> values;
    if (indices == nullptr || !budget_.take(indices->size() * sizeof(int32_t))) return values;
    for (const int32_t index : *indices) {
      const uint32_t known = checked(index);
      if (known == kNone) continue;
      // Who asks for tensors gets those of lists, too, for every argument that names one.
      const size_t elements = method_.elements_of(known).size();
      if (!expanded_.take(elements * sizeof(uint32_t))) budget_.spend();
      values.push_back(known);
    }
    return values;
  }

  uint32_t checked(int32_t index) {
    const auto value = static_cast<uint32_t>(index);
    if (index >= 0 && plan_.values() != nullptr && value < plan_.values()->size()) return value;
    report_.add(Oddity::ProgramArgumentOdd,
                "value " + std::to_string(index) + " of method " + method_.name);
    return kNone;
  }

  std::string where(const ProgramTensor& tensor) const {
    return "value " + std::to_string(tensor.value) + " of method " + method_.name;
  }

  // Sums of so many bytes fit 64 bits, however many tensors there are.
  static constexpr uint64_t kMaxTensorBytes = uint64_t{1} << 36;

  const ps::ExecutionPlan& plan_;
  CopyBudget& budget_;
  CopyBudget expanded_{budget_.size()};  // of lists, for each argument that names one
  ProgramMethod& method_;
  LoadReport& report_;
};

}  // namespace

Error corrupt_program(std::string what) {
  return {ErrorCode::Corrupt,
          "is damaged: " + std::move(what) + "; export it again or copy it again"};
}

Result<void> read_plan(const ps::ExecutionPlan& plan, CopyBudget& budget, ProgramMethod& method,
                       LoadReport& report) {
  return PlanReader(plan, budget, method, report).read();
}

}  // namespace etlens
