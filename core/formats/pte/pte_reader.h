// SPDX-License-Identifier: Apache-2.0
// Reads an ExecuTorch program (.pte), every release from 0.1 on: the instructions of its methods
// and where the payloads of its delegates lie. Tensors and weights are neither read nor verified.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/cancellation.h"
#include "core/base/file_system.h"
#include "core/base/result.h"

namespace etlens {

enum class InstructionKind : uint8_t { Kernel, Delegate, Move, JumpFalse, Free, Unknown };

struct ProgramInstruction {
  InstructionKind kind = InstructionKind::Unknown;
  // Kernel: into ProgramMethod::operators. Delegate: into ProgramMethod::delegates. JumpFalse: the
  // instruction to go on with if the condition is false; at most one past the last.
  uint32_t target = 0;
};

struct ProgramDelegate {
  std::string backend;
  uint64_t offset = 0;  // of its payload in the file
  uint64_t size = 0;
};

struct ProgramMethod {
  std::string name;
  std::vector<std::string> operators;  // aten::addmm.out
  std::vector<ProgramDelegate> delegates;
  std::vector<ProgramInstruction>
      instructions;  // of the first chain: an instruction id is an index

  const ProgramInstruction* find(int32_t instruction) const;
  // The kernel's operator, or "".
  std::string_view operator_of(const ProgramInstruction& instruction) const;
  // What a delegate instruction calls, or null.
  const ProgramDelegate* delegate_of(const ProgramInstruction& instruction) const;
};

struct EtProgram {
  std::string path;
  std::vector<ProgramMethod> methods;  // in the file's order

  const ProgramMethod* find(std::string_view method) const;
};

// True if the bytes start like a program. 12 bytes are enough.
bool looks_like_program(std::span<const uint8_t> bytes);

// Every index in the result is valid. Errors: Unsupported if the file is no program, Corrupt if it
// contradicts itself, Io and Cancelled.
Result<EtProgram> read_program(const FileSystem& files, const std::string& path,
                               const CancelToken& cancel = {});

}  // namespace etlens
