// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pte/pte_reader.h"

#include <algorithm>
#include <cstring>

#include "core/formats/pte/schema/program_generated.h"
#include "core/base/bytes.h"

namespace etlens {
namespace {

namespace ps = program_schema;

constexpr char kIdentifier[] = "ET12";
constexpr char kExtendedMagic[] = "eh00";
constexpr size_t kFrontBytes = 64;  // the runtime, too, looks for the extended header in these
constexpr size_t kExtendedOffset = 8;
constexpr uint32_t kExtendedMinBytes = 24;
constexpr uint64_t kMaxBytes = FLATBUFFERS_MAX_BUFFER_SIZE - 1;
// One table takes at least this much, so a file cannot honestly hold more of them.
constexpr size_t kMinTableBytes = 8;
constexpr flatbuffers::uoffset_t kMaxDepth = 16;

Error corrupt(std::string what) {
  return {ErrorCode::Corrupt,
          "is damaged: " + std::move(what) + "; export it again or copy it anew"};
}

// Which part of the file is the FlatBuffer, and where the segments start.
struct Layout {
  uint64_t program_bytes = 0;
  uint64_t segment_base = 0;
  uint64_t file_bytes = 0;
};

Result<Layout> layout_of(std::span<const uint8_t> front, uint64_t file_bytes) {
  Layout layout{file_bytes, 0, file_bytes};
  if (!looks_like_program(front)) {
    return Error{ErrorCode::Unsupported,
                 "is no .pte program (no identifier ET12); give the file that "
                 "ExecuTorch's export wrote"};
  }
  const bool is_extended = front.size() >= kExtendedOffset + kExtendedMinBytes &&
                           std::memcmp(front.data() + kExtendedOffset, kExtendedMagic, 4) == 0;
  if (!is_extended) return layout;
  ByteReader reader(front.subspan(kExtendedOffset + 4));
  if (reader.u32() < kExtendedMinBytes) return corrupt("its extended header is too short");
  layout.program_bytes = reader.u64();
  layout.segment_base = reader.u64();
  if (layout.program_bytes > file_bytes || layout.segment_base > file_bytes) {
    return corrupt("it is cut off (" + std::to_string(file_bytes) + " bytes are here)");
  }
  return layout;
}

// Copies of names: many entries may share one string, so what they cost together is limited.
class Names {
 public:
  explicit Names(size_t budget) : budget_(budget) {}

  // Empty for a missing string and, for good, once the budget is spent.
  std::string_view take(const flatbuffers::String* text) {
    if (text == nullptr) return {};
    if (text->size() > budget_) {
      is_spent_ = true;
      return {};
    }
    budget_ -= text->size();
    return {text->c_str(), text->size()};
  }
  bool is_spent() const { return is_spent_; }

 private:
  size_t budget_;
  bool is_spent_ = false;
};

class ProgramBuilder {
 public:
  ProgramBuilder(const Bytes& buffer, const Layout& layout)
      : buffer_(buffer),
        layout_(layout),
        program_(*ps::GetProgram(buffer.data())),
        names_(buffer.size()) {}

  Result<std::vector<ProgramMethod>> build(const CancelToken& cancel) {
    std::vector<ProgramMethod> methods;
    if (program_.execution_plan() == nullptr) return methods;
    for (const ps::ExecutionPlan* plan : *program_.execution_plan()) {
      if (cancel.cancelled()) return Error{ErrorCode::Cancelled, "reading was cancelled"};
      ProgramMethod method;
      method.name = names_.take(plan->name());
      if (Result<void> read = read_plan(*plan, method); !read) return read.error();
      methods.push_back(std::move(method));
    }
    if (names_.is_spent()) return corrupt("its names are longer than the file");
    return methods;
  }

 private:
  Result<void> read_plan(const ps::ExecutionPlan& plan, ProgramMethod& method) {
    if (plan.operators() != nullptr) {
      for (const ps::Operator* op : *plan.operators()) {
        std::string name(names_.take(op->name()));
        const std::string_view overload = names_.take(op->overload());
        if (!overload.empty()) name.append(".").append(overload);
        method.operators.push_back(std::move(name));
      }
    }
    if (plan.delegates() != nullptr) {
      for (const ps::BackendDelegate* delegate : *plan.delegates()) {
        ProgramDelegate row;
        row.backend = names_.take(delegate->id());
        if (Result<void> found = locate(delegate->processed(), row); !found) return found;
        method.delegates.push_back(std::move(row));
      }
    }
    if (plan.chains() == nullptr || plan.chains()->size() == 0) return {};
    const auto* instructions = plan.chains()->Get(0)->instructions();
    if (instructions == nullptr) return {};
    method.instructions.reserve(instructions->size());
    for (const ps::Instruction* instruction : *instructions) {
      method.instructions.push_back(instruction_of(*instruction));
      const ProgramInstruction& row = method.instructions.back();
      const size_t limit = row.kind == InstructionKind::Kernel      ? method.operators.size()
                           : row.kind == InstructionKind::Delegate  ? method.delegates.size()
                           : row.kind == InstructionKind::JumpFalse ? instructions->size() + 1
                                                                    : SIZE_MAX;
      if (row.target >= limit) {
        return corrupt("instruction " + std::to_string(method.instructions.size() - 1) +
                       " of method " + method.name + " points outside");
      }
    }
    return {};
  }

  static ProgramInstruction instruction_of(const ps::Instruction& instruction) {
    // Negative numbers become large ones, which are out of every range.
    if (const auto* kernel = instruction.instr_args_as_KernelCall()) {
      return {InstructionKind::Kernel, static_cast<uint32_t>(kernel->op_index())};
    }
    if (const auto* delegate = instruction.instr_args_as_DelegateCall()) {
      return {InstructionKind::Delegate, static_cast<uint32_t>(delegate->delegate_index())};
    }
    if (const auto* jump = instruction.instr_args_as_JumpFalseCall()) {
      return {InstructionKind::JumpFalse, static_cast<uint32_t>(jump->destination_instruction())};
    }
    if (instruction.instr_args_as_MoveCall() != nullptr) return {InstructionKind::Move, 0};
    if (instruction.instr_args_as_FreeCall() != nullptr) return {InstructionKind::Free, 0};
    return {};
  }

  Result<void> locate(const ps::BackendDelegateDataReference* reference,
                      ProgramDelegate& row) const {
    if (reference == nullptr) return {};
    if (reference->location() == ps::DataLocation_Segment) {
      if (program_.segments() == nullptr || reference->index() >= program_.segments()->size()) {
        return corrupt("a delegate's segment is missing");
      }
      const ps::DataSegment& segment = *program_.segments()->Get(reference->index());
      const uint64_t room = layout_.file_bytes - layout_.segment_base;
      if (segment.offset() > room || segment.size() > room - segment.offset()) {
        return corrupt("a segment ends outside (" + std::to_string(layout_.file_bytes) +
                       " bytes are here)");
      }
      row.offset = layout_.segment_base + segment.offset();
      row.size = segment.size();
      return {};
    }
    const auto* all = program_.backend_delegate_data();
    if (all == nullptr || reference->index() >= all->size())
      return corrupt("a delegate's data is missing");
    if (const auto* data = all->Get(reference->index())->data()) {
      row.offset = static_cast<uint64_t>(data->data() - buffer_.data());
      row.size = data->size();
    }
    return {};
  }

  const Bytes& buffer_;
  const Layout& layout_;
  const ps::Program& program_;
  Names names_;
};

}  // namespace

const ProgramInstruction* ProgramMethod::find(int32_t instruction) const {
  const auto index = static_cast<size_t>(instruction);
  return instruction < 0 || index >= instructions.size() ? nullptr : &instructions[index];
}

std::string_view ProgramMethod::operator_of(const ProgramInstruction& instruction) const {
  return instruction.kind == InstructionKind::Kernel
             ? std::string_view(operators[instruction.target])
             : std::string_view();
}

const ProgramDelegate* ProgramMethod::delegate_of(const ProgramInstruction& instruction) const {
  return instruction.kind == InstructionKind::Delegate ? &delegates[instruction.target] : nullptr;
}

const ProgramMethod* EtProgram::find(std::string_view method) const {
  const auto at = std::find_if(methods.begin(), methods.end(),
                               [&](const ProgramMethod& m) { return m.name == method; });
  return at == methods.end() ? nullptr : &*at;
}

bool looks_like_program(std::span<const uint8_t> bytes) {
  return bytes.size() >= 8 && std::memcmp(bytes.data() + 4, kIdentifier, 4) == 0;
}

Result<EtProgram> read_program(const FileSystem& files, const std::string& path,
                               const CancelToken& cancel) {
  const Result<FileStamp> stamp = files.stat(path);
  if (!stamp) return stamp.error();
  const Result<Bytes> front = files.read_range(path, 0, kFrontBytes);
  if (!front) return front.error();
  const Result<Layout> layout = layout_of(front->span(), stamp->size);
  if (!layout) return layout.error();
  if (layout->program_bytes > kMaxBytes) {
    return Error{ErrorCode::Unsupported,
                 "holds more than 2 GB outside its segments, more than a program can"};
  }
  if (cancel.cancelled()) return Error{ErrorCode::Cancelled, "reading was cancelled"};
  const Result<Bytes> buffer = files.read_range(path, 0, layout->program_bytes);
  if (!buffer) return buffer.error();
  if (buffer->size() < layout->program_bytes) return corrupt("it became shorter while it was read");

  const auto max_tables = static_cast<flatbuffers::uoffset_t>(buffer->size() / kMinTableBytes + 1);
  flatbuffers::Verifier verifier(buffer->data(), buffer->size(), kMaxDepth, max_tables);
  if (!verifier.VerifyBuffer<ps::Program>(kIdentifier)) return corrupt("an offset points outside");
  Result<std::vector<ProgramMethod>> methods = ProgramBuilder(*buffer, *layout).build(cancel);
  if (!methods) return std::move(methods).error();
  return EtProgram{path, std::move(*methods)};
}

}  // namespace etlens
