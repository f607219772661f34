// SPDX-License-Identifier: Apache-2.0
#include "tests/support/program_builder.h"

#include <flatbuffers/flatbuffers.h>

#include "core/formats/pte/schema/program_generated.h"

namespace etlens::test {
namespace {

namespace ps = program_schema;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

void put(std::string& out, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
}

void pad(std::string& out, size_t alignment) {
  while (out.size() % alignment != 0) out += '\0';
}

// Where the payloads of delegates go.
struct Payloads {
  bool is_inline = false;
  std::vector<Offset<ps::BackendDelegateInlineData>> inline_data;
  std::vector<Offset<ps::DataSegment>> segments;
  std::string behind;  // what the segments hold

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

// One method's lists, filled step by step.
struct Plan {
  std::vector<Offset<ps::Instruction>> instructions;
  std::vector<Offset<ps::Operator>> operators;
  std::vector<Offset<ps::BackendDelegate>> delegates;

  void add(FlatBufferBuilder& b, const ProgramStep& step, Payloads& payloads) {
    switch (step.kind) {
      case 'k':
        return add_kernel(b, step.name);
      case 'd':
        return add_delegate(b, step, payloads);
      case 'm':
        return add(b, ps::InstructionArguments_MoveCall, ps::CreateMoveCall(b, 0, 1).Union());
      case 'j': {
        const auto target = static_cast<int32_t>(step.target);
        return add(b, ps::InstructionArguments_JumpFalseCall,
                   ps::CreateJumpFalseCall(b, 0, target).Union());
      }
      default:
        return add(b, ps::InstructionArguments_FreeCall, ps::CreateFreeCall(b, 0).Union());
    }
  }

  void add(FlatBufferBuilder& b, ps::InstructionArguments type, Offset<void> table) {
    instructions.push_back(ps::CreateInstruction(b, type, table));
  }

  void add_kernel(FlatBufferBuilder& b, const std::string& op) {
    const size_t dot = op.find('.');
    const auto name = b.CreateString(op.substr(0, dot));
    const auto overload = b.CreateString(dot == std::string::npos ? "" : op.substr(dot + 1));
    operators.push_back(ps::CreateOperator(b, name, overload));
    const auto index = static_cast<int32_t>(operators.size() - 1);
    add(b, ps::InstructionArguments_KernelCall, ps::CreateKernelCall(b, index).Union());
  }

  void add_delegate(FlatBufferBuilder& b, const ProgramStep& step, Payloads& payloads) {
    const uint32_t index = payloads.add(b, step.payload);
    const auto location = payloads.is_inline ? ps::DataLocation_Inline : ps::DataLocation_Segment;
    const auto where = ps::CreateBackendDelegateDataReference(b, location, index);
    delegates.push_back(ps::CreateBackendDelegate(b, b.CreateString(step.name), where));
    const auto row = static_cast<int32_t>(delegates.size() - 1);
    add(b, ps::InstructionArguments_DelegateCall, ps::CreateDelegateCall(b, row).Union());
  }

  Offset<ps::ExecutionPlan> finish(FlatBufferBuilder& b, const std::string& method) const {
    const auto chain = ps::CreateChain(b, b.CreateVector(instructions));
    const auto chains = b.CreateVector(&chain, 1);
    const auto name = b.CreateString(method);
    const auto operator_list = b.CreateVector(operators);
    const auto delegate_list = b.CreateVector(delegates);
    ps::ExecutionPlanBuilder plan(b);
    plan.add_name(name);
    plan.add_chains(chains);
    plan.add_operators(operator_list);
    plan.add_delegates(delegate_list);
    return plan.Finish();
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

ProgramBuilder& ProgramBuilder::method(std::string name, std::vector<ProgramStep> steps) {
  methods_.push_back({std::move(name), std::move(steps)});
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
    plans.push_back(plan.finish(b, method.name));
  }
  const auto plan_list = b.CreateVector(plans);
  const auto inline_list = b.CreateVector(payloads.inline_data);
  const auto segment_list = b.CreateVector(payloads.segments);
  ps::ProgramBuilder program(b);
  program.add_execution_plan(plan_list);
  program.add_backend_delegate_data(inline_list);
  program.add_segments(segment_list);
  b.Finish(program.Finish(), "ET12");
  const std::string table(reinterpret_cast<const char*>(b.GetBufferPointer()), b.GetSize());
  return data == Data::Inline ? table : with_header(table, payloads.behind);
}

}  // namespace etlens::test
