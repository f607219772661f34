// SPDX-License-Identifier: Apache-2.0
// Facts about the memory that an exporter planned for one method: what it amounts to, what is in
// use at its peak and why, and on which lines that is made. From a program; lines, modules and
// names of nodes where a record is there.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/pte/program.h"
#include "core/measure/memory.h"

namespace etlens {

struct TensorFacts {
  uint32_t value = 0;  // in the plan's table
  uint32_t memory_id = 0;
  uint64_t offset = 0;
  uint64_t bytes = 0;    // of its elements, not rounded
  uint64_t at_peak = 0;  // of them, in use at the peak; 0 for a view, whose base has them
  double share = 0;      // of the peak
  std::string_view dtype;
  std::span<const int32_t> shape;  // upper bounds if is_bound
  bool is_bound = false;
  uint32_t first = 0;  // instructions in which its bytes are needed, both included
  uint32_t last = 0;
  std::optional<uint32_t> view_of;  // a value
  bool is_input = false;
  bool is_output = false;
  bool is_mutable = false;
  bool is_scratch = false;  // working memory that `op` alone has
  std::string_view op;  // that makes it: a kernel's operator or a backend's id; "" if nothing does
  std::string_view node;    // of the record; "" if none is known
  std::string_view buffer;  // state: its dotted path in the model; "" if it is not known
  LineId written;           // state: where its new value is computed; invalid if not known
  LineId line;              // where it is made; invalid if not known
  std::optional<std::string_view> module_path;
  PartitionId partition;  // made inside a delegate call
};

struct MemoryLineFacts {
  LineId line;
  uint64_t made = 0;     // bytes that its outputs take, whenever
  uint64_t at_peak = 0;  // of the peak
  double share = 0;      // likewise
  size_t tensors = 0;
};

// Tensors that nothing uses while memory peaks, and that are kept for one later instruction.
struct WaitingFacts {
  uint32_t instruction = 0;  // that needs them next
  LineId line;               // of its work; invalid if not known
  std::string_view op;
  std::vector<size_t> tensors;  // rows
  uint64_t bytes = 0;
  double share = 0;  // of the peak
};

class MemoryFacts {
 public:
  // `method`: a row of the program's methods. `code`: code_of_program of it.
  MemoryFacts(std::shared_ptr<const EtProgram> program, size_t method,
              std::shared_ptr<const Code> code);

  const EtProgram& program() const { return *program_; }
  const ProgramMethod& method() const { return program_->methods[method_]; }
  const Code& code() const { return *code_; }
  const std::vector<PlannedBuffer>& buffers() const { return memory_.plan.buffers; }
  uint64_t peak() const { return memory_.plan.peak; }  // of all buffers together
  uint32_t peak_instruction() const { return memory_.plan.peak_instruction; }
  std::string_view op_at(uint32_t instruction) const;
  const std::vector<uint32_t>& unplanned() const { return memory_.plan.unplanned; }
  const LoadReport& report() const { return memory_.plan.report; }

  size_t tensor_count() const { return memory_.plan.tensors.size(); }
  TensorFacts tensor(size_t row) const;  // in the order of values
  // Rows with bytes in use at the peak, the most first.
  const std::vector<size_t>& at_peak() const { return at_peak_; }
  // Lines that make tensors, those with most of the peak first.
  const std::vector<MemoryLineFacts>& lines() const { return lines_; }
  // What keeps the peak up without being used there, the most bytes first.
  const std::vector<WaitingFacts>& waiting() const { return waiting_; }

 private:
  void rank();
  void find_waiting();
  double share_of(uint64_t bytes) const;
  LineId line_of(uint32_t instruction) const;

  std::shared_ptr<const EtProgram> program_;
  size_t method_;
  std::shared_ptr<const Code> code_;
  MemoryMeasure memory_;
  std::vector<LineId> written_;  // by row of memory_.state
  std::vector<size_t> at_peak_;
  std::vector<MemoryLineFacts> lines_;
  std::vector<WaitingFacts> waiting_;
};

}  // namespace etlens
