// SPDX-License-Identifier: Apache-2.0
#include "tests/support/program_builder.h"

#include <flatbuffers/flatbuffers.h>

#include "core/formats/bundled_program/schema/bundled_program_generated.h"
#include "core/formats/pte/schema/program_generated.h"
#include "tests/support/little_endian.h"

namespace etlens::test {
namespace {

namespace ps = program_schema;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

void pad(std::string& out, size_t alignment) {
  while (out.size() % alignment != 0) out += '\0';
}

// Where the payloads of delegates go.
struct Payloads {
  bool is_inline = false;
  std::vector<Offset<ps::BackendDelegateInlineData>> inline_data;
  std::vector<Offset<ps::DataSegment>> segments;
  std::string behind;  // what the segments hold

  // As one segment. Entry 0 is reserved.
  Offset<ps::SubsegmentOffsets> add_constants(FlatBufferBuilder& b,
                                              const std::vector<std::string>& constants) {
    constexpr size_t kAlignment = 16;
    std::string all;
    std::vector<uint64_t> offsets{0};
    for (const std::string& data : constants) {
      pad(all, kAlignment);
      offsets.push_back(all.size());
      all += data;
    }
    pad(behind, kAlignment);
    segments.push_back(ps::CreateDataSegment(b, behind.size(), all.size()));
    behind += all;
    return ps::CreateSubsegmentOffsets(b, static_cast<uint32_t>(segments.size() - 1),
                                       b.CreateVector(offsets));
  }

  uint32_t add(FlatBufferBuilder& b, const std::string& payload) {
    if (is_inline) {
      b.ForceVectorAlignment(payload.size(), 1, 16);
      const auto bytes =
          b.CreateVector(reinterpret_cast<const uint8_t*>(payload.data()), payload.size());
      inline_data.push_back(ps::CreateBackendDelegateInlineData(b, bytes));
      return static_cast<uint32_t>(inline_data.size() - 1);
    }
    pad(behind, 16);
    segments.push_back(ps::CreateDataSegment(b, behind.size(), payload.size()));
    behind += payload;
    return static_cast<uint32_t>(segments.size() - 1);
  }
};

Offset<ps::EValue> value_of(FlatBufferBuilder& b, const ProgramPlanValue& value) {
  const int32_t number = value.list.empty() ? 0 : value.list.front();
  if (value.kind == 'i')
    return ps::CreateEValue(b, ps::KernelTypes_Int, ps::CreateInt(b, number).Union());
  if (value.kind == 'b')
    return ps::CreateEValue(b, ps::KernelTypes_Bool, ps::CreateBool(b, number != 0).Union());
  if (value.kind == 's') {
    const std::vector<int64_t> wide(value.list.begin(), value.list.end());
    const auto items = b.CreateVector(wide);
    return ps::CreateEValue(b, ps::KernelTypes_IntList, ps::CreateIntList(b, items).Union());
  }
  const auto list = b.CreateVector(value.list);
  if (value.kind == 'l')
    return ps::CreateEValue(b, ps::KernelTypes_TensorList, ps::CreateTensorList(b, list).Union());
  Offset<ps::AllocationDetails> allocation;
  if (value.memory_id != 0) {
    allocation = ps::CreateAllocationDetails(b, value.memory_id,
                                             static_cast<uint32_t>(value.offset & 0xFFFFFFFF),
                                             static_cast<uint32_t>(value.offset >> 32));
  }
  constexpr int8_t kFloat32 = 6;
  const auto tensor = ps::CreateTensor(b, kFloat32, 0, list, 0, value.constant, allocation);
  return ps::CreateEValue(b, ps::KernelTypes_Tensor, tensor.Union());
}

// One method's lists, filled step by step.
struct Plan {
  std::vector<Offset<ps::Instruction>> instructions;
  std::vector<Offset<ps::Operator>> operators;
  std::vector<Offset<ps::BackendDelegate>> delegates;

  void add(FlatBufferBuilder& b, const ProgramStep& step, Payloads& payloads) {
    switch (step.kind) {
      case 'k':
        return add_kernel(b, step);
      case 'd':
        return add_delegate(b, step, payloads);
      case 'm':
        return add(b, ps::InstructionArguments_MoveCall,
                   ps::CreateMoveCall(b, argument(step, 0, 0), argument(step, 1, 1)).Union());
      case 'j': {
        const auto target = static_cast<int32_t>(step.target);
        return add(b, ps::InstructionArguments_JumpFalseCall,
                   ps::CreateJumpFalseCall(b, argument(step, 0, 0), target).Union());
      }
      default:
        return add(b, ps::InstructionArguments_FreeCall,
                   ps::CreateFreeCall(b, argument(step, 0, 0)).Union());
    }
  }

  void add(FlatBufferBuilder& b, ps::InstructionArguments type, Offset<void> table) {
    instructions.push_back(ps::CreateInstruction(b, type, table));
  }

  static int32_t argument(const ProgramStep& step, size_t at, int32_t otherwise) {
    return at < step.arguments.size() ? step.arguments[at] : otherwise;
  }

  void add_kernel(FlatBufferBuilder& b, const ProgramStep& step) {
    const std::string& op = step.name;
    const size_t dot = op.find('.');
    const auto name = b.CreateString(op.substr(0, dot));
    const auto overload = b.CreateString(dot == std::string::npos ? "" : op.substr(dot + 1));
    operators.push_back(ps::CreateOperator(b, name, overload));
    const auto index = static_cast<int32_t>(operators.size() - 1);
    const auto arguments = b.CreateVector(step.arguments);
    add(b, ps::InstructionArguments_KernelCall, ps::CreateKernelCall(b, index, arguments).Union());
  }

  void add_delegate(FlatBufferBuilder& b, const ProgramStep& step, Payloads& payloads) {
    const uint32_t index = payloads.add(b, step.payload);
    const auto location = payloads.is_inline ? ps::DataLocation_Inline : ps::DataLocation_Segment;
    const auto where = ps::CreateBackendDelegateDataReference(b, location, index);
    delegates.push_back(ps::CreateBackendDelegate(b, b.CreateString(step.name), where));
    const auto row = static_cast<int32_t>(delegates.size() - 1);
    const auto arguments = b.CreateVector(step.arguments);
    add(b, ps::InstructionArguments_DelegateCall,
        ps::CreateDelegateCall(b, row, arguments).Union());
  }

  Offset<ps::ExecutionPlan> finish(FlatBufferBuilder& b, const std::string& method,
                                   const ProgramPlan& plan) const {
    const auto chain = ps::CreateChain(b, b.CreateVector(instructions));
    const auto chains = b.CreateVector(&chain, 1);
    const auto name = b.CreateString(method);
    const auto operator_list = b.CreateVector(operators);
    const auto delegate_list = b.CreateVector(delegates);
    std::vector<Offset<ps::EValue>> values;
    for (const ProgramPlanValue& value : plan.values) values.push_back(value_of(b, value));
    const auto value_list = b.CreateVector(values);
    const auto inputs = b.CreateVector(plan.inputs);
    const auto outputs = b.CreateVector(plan.outputs);
    const auto sizes = b.CreateVector(plan.buffer_sizes);
    ps::ExecutionPlanBuilder out(b);
    out.add_name(name);
    out.add_values(value_list);
    out.add_inputs(inputs);
    out.add_outputs(outputs);
    out.add_chains(chains);
    out.add_operators(operator_list);
    out.add_delegates(delegate_list);
    out.add_non_const_buffer_sizes(sizes);
    return out.Finish();
  }
};

// The extended header goes between the identifier and the rest, which moves by a multiple of what
// its alignment asks for.
std::string with_header(const std::string& table, const std::string& behind) {
  constexpr size_t kHeaderRoom = 64;
  std::string header;
  header += "eh00";
  put(header, 32, 4);
  const size_t program_bytes = table.size() + kHeaderRoom;
  const size_t base = (program_bytes + 127) / 128 * 128;
  put(header, program_bytes, 8);
  put(header, base, 8);
  put(header, behind.size(), 8);
  header.resize(kHeaderRoom, '\0');
  std::string out;
  put(out, flatbuffers::ReadScalar<uint32_t>(table.data()) + kHeaderRoom, 4);
  out += "ET12" + header + table.substr(8);
  out.resize(base, '\0');
  return out + behind;
}

}  // namespace

ProgramBuilder& ProgramBuilder::method(std::string name, std::vector<ProgramStep> steps,
                                       ProgramPlan plan) {
  methods_.push_back({std::move(name), std::move(steps), std::move(plan)});
  return *this;
}

ProgramBuilder& ProgramBuilder::constant(std::string data) {
  constants_.push_back(std::move(data));
  return *this;
}

std::string ProgramBuilder::build(Data data) const {
  FlatBufferBuilder b;
  Payloads payloads;
  payloads.is_inline = data == Data::Inline;
  std::vector<Offset<ps::ExecutionPlan>> plans;
  for (const Method& method : methods_) {
    Plan plan;
    for (const ProgramStep& step : method.steps) plan.add(b, step, payloads);
    plans.push_back(plan.finish(b, method.name, method.plan));
  }
  const auto plan_list = b.CreateVector(plans);
  const auto inline_list = b.CreateVector(payloads.inline_data);
  Offset<ps::SubsegmentOffsets> constants;
  if (!constants_.empty()) constants = payloads.add_constants(b, constants_);
  const auto segment_list = b.CreateVector(payloads.segments);
  ps::ProgramBuilder program(b);
  program.add_execution_plan(plan_list);
  program.add_backend_delegate_data(inline_list);
  program.add_segments(segment_list);
  if (!constants_.empty()) program.add_constant_segment(constants);
  b.Finish(program.Finish(), "ET12");
  const std::string table(reinterpret_cast<const char*>(b.GetBufferPointer()), b.GetSize());
  return data == Data::Inline ? table : with_header(table, payloads.behind);
}

std::string bundled(const std::string& program, const char* identifier) {
  namespace bs = bundled_schema;
  FlatBufferBuilder b;
  const auto suite = bs::CreateTestSuite(b, b.CreateString("forward"));
  const auto suites = b.CreateVector(std::vector<Offset<bs::TestSuite>>{suite});
  const auto bytes =
      b.CreateVector(reinterpret_cast<const uint8_t*>(program.data()), program.size());
  b.Finish(bs::CreateBundledProgram(b, 2, suites, bytes), identifier);
  return {reinterpret_cast<const char*>(b.GetBufferPointer()), b.GetSize()};
}

}  // namespace etlens::test
