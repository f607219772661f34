// SPDX-License-Identifier: Apache-2.0
// The tool memory_peak: planned memory of a program at its peak, and the lines that make it.
#include <fmt/format.h>

#include "core/facts/memory_facts.h"
#include "core/render/memory_report.h"
#include "mcp/tools/study_tool.h"

namespace etlens::mcp {
namespace {

struct BufferRow {
  uint64_t id = 0;
  uint64_t size = 0;
  uint64_t peak = 0;
};
FIELDS(BufferRow, id, size, peak)

struct MemoryLine {
  Place place;
  uint64_t at_peak = 0;  // bytes
  double share = 0;      // of the peak
  uint64_t made = 0;
  uint64_t tensors = 0;
};
FIELDS(MemoryLine, place, at_peak, share, made, tensors)

struct MemoryTensor {
  std::string tensor;  // "float32 [1, 64]"
  uint64_t at_peak = 0;
  double share = 0;
  std::optional<std::string> op;  // that makes it
  std::optional<std::string> node;
  std::optional<Place> place;
  uint64_t first = 0;  // instructions in which it is needed
  uint64_t last = 0;
};
FIELDS(MemoryTensor, tensor, at_peak, share, op, node, place, first, last)

struct WaitingRow {
  std::string words;
  uint64_t bytes = 0;
  double share = 0;
  std::optional<Place> place;  // that needs them next
};
FIELDS(WaitingRow, words, bytes, share, place)

struct MemoryAnswer {
  std::string pte;
  std::optional<std::string> etrecord;
  std::string method;
  uint64_t peak = 0;  // bytes
  uint64_t peak_instruction = 0;
  std::optional<std::string> op_at_peak;
  std::vector<BufferRow> buffers;
  std::vector<MemoryLine> lines;      // with most of the peak first
  std::vector<MemoryTensor> tensors;  // in use at the peak, the largest first
  std::vector<WaitingRow> waiting;    // that nothing uses while memory peaks
  std::vector<std::string> notes;
  std::vector<LeftOut> left_out;
};
FIELDS(MemoryAnswer, pte, etrecord, method, peak, peak_instruction, op_at_peak, buffers, lines,
       tensors, waiting, notes, left_out)

MemoryTensor tensor_row(const MemoryFacts& facts, const Sources& sources, size_t row) {
  const TensorFacts tensor = facts.tensor(row);
  MemoryTensor out;
  out.tensor = clipped(tensor_text(tensor));
  out.at_peak = tensor.at_peak;
  out.share = rounded(tensor.share);
  out.op = given(tensor.op);
  out.node = given(tensor.node);
  if (tensor.line.valid()) out.place = sources.reference(tensor.line);
  out.first = tensor.first;
  out.last = tensor.last;
  return out;
}

void add_memory_lists(const MemoryFacts& facts, const Sources& sources, MemoryAnswer& answer) {
  for (const PlannedBuffer& buffer : facts.buffers())
    answer.buffers.push_back({buffer.id, buffer.size, buffer.peak});
  for (const MemoryLineFacts& line : facts.lines()) {
    if (line.at_peak == 0) continue;
    answer.lines.push_back(
        {sources.place(line.line), line.at_peak, rounded(line.share), line.made, line.tensors});
  }
  for (const size_t row : facts.at_peak())
    answer.tensors.push_back(tensor_row(facts, sources, row));
  for (const WaitingFacts& waiting : facts.waiting()) {
    WaitingRow row{clipped(waiting_text(facts, waiting)), waiting.bytes, rounded(waiting.share),
                   std::nullopt};
    if (waiting.line.valid()) row.place = sources.reference(waiting.line);
    answer.waiting.push_back(std::move(row));
  }
}

Result<std::string> run_memory_peak(const Arguments& arguments, Workspace& workspace,
                                    const CancelToken& cancel) {
  const Result<StudyWish> wish = study_wish(arguments);
  if (!wish) return wish.error();
  const auto opened = workspace.program(*wish, cancel);
  if (!opened) return opened.error();
  const OpenedProgram& program = **opened;
  const MemoryFacts facts(program.loaded.program, program.method, program.code);
  const Sources sources(workspace.files(), *program.code, program.sources, cancel);
  MemoryAnswer answer;
  answer.pte = program.loaded.program->path;
  answer.etrecord = given(program.request.etrecord);
  answer.method = clipped(facts.method().name);
  answer.peak = facts.peak();
  answer.peak_instruction = facts.peak_instruction();
  answer.op_at_peak = given(facts.op_at(facts.peak_instruction()));
  add_memory_lists(facts, sources, answer);
  if (program.programs > 1) {
    answer.notes.push_back(
        fmt::format("there are {} programs; pte chooses another", program.programs));
  }
  if (!program.loaded.record)
    answer.notes.emplace_back("no ETRecord fits the program: nothing is known of lines");
  const Room room(arguments);
  room.cut(answer, &MemoryAnswer::buffers, "buffers");
  room.cut(answer, &MemoryAnswer::waiting, "waiting");
  room.cut(answer, &MemoryAnswer::tensors, "tensors");
  room.cut(answer, &MemoryAnswer::lines, "lines");
  return room.text(answer);
}

}  // namespace

Tool memory_peak_tool() {
  return {"memory_peak",
          "Memory at its peak",
          "The planned memory of a program (.pte): its peak in bytes, the source lines and tensors "
          "that make it, and tensors that only wait there. Needs no run.",
          {{"pte", ArgumentType::Text, "Program (default: the newest one found)"},
           {"etrecord", ArgumentType::Text, "ETRecord of the export (default: the one that fits)"},
           {"method", ArgumentType::Text, "Method (default: forward)"},
           kPathMapArgument,
           kLibraryArgument,
           kRecoverArgument,
           kLimitArgument,
           kBytesArgument},
          schema_text<MemoryAnswer>,
          run_memory_peak};
}

}  // namespace etlens::mcp
