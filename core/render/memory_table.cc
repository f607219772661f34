// SPDX-License-Identifier: Apache-2.0
// The tables of `etlens memory`, and its report for people.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/render/cells.h"
#include "core/render/display_width.h"
#include "core/render/memory_report.h"

namespace etlens {
namespace {

// Rows for people; the data forms have all of them.
constexpr size_t kMaxTensors = 20;
constexpr size_t kMaxMemoryLines = 20;
constexpr size_t kMaxWaiting = 3;

std::string instruction_text(const MemoryFacts& facts, uint32_t instruction, TableStyle style) {
  if (style == TableStyle::Data) return std::to_string(instruction);
  const std::string_view op = facts.op_at(instruction);
  return op.empty() ? std::to_string(instruction) : fmt::format("{} {}", instruction, op);
}

std::string roles_text(const MemoryFacts& facts, const TensorFacts& tensor, TableStyle style) {
  std::vector<std::string> roles = role_names(tensor);
  const std::string written = recorded_line_text(facts.code(), tensor.written, style);
  if (!written.empty()) roles.push_back("written at " + written);
  return join(roles, ", ");
}

std::vector<std::string> tensor_row(const MemoryFacts& facts, const TensorFacts& tensor,
                                    TableStyle style) {
  std::vector<std::string> row;
  if (style == TableStyle::Data) {
    row = {std::to_string(tensor.value), std::to_string(tensor.memory_id),
           std::to_string(tensor.offset), std::to_string(tensor.bytes),
           tensor.view_of ? std::to_string(*tensor.view_of) : ""};
  }
  row.push_back(bytes_text(tensor.at_peak, style));
  row.push_back(share_text(tensor.share, style));
  row.push_back(tensor_text(tensor));
  row.push_back(fmt::format("{}-{}", tensor.first, tensor.last));
  row.emplace_back(tensor.op);
  if (style == TableStyle::Data) row.emplace_back(tensor.node);
  row.emplace_back(tensor.module_path.value_or(""));
  row.push_back(recorded_line_text(facts.code(), tensor.line, style));
  row.push_back(roles_text(facts, tensor, style));
  return row;
}

std::string buffers_text(const MemoryFacts& facts) {
  std::string text;
  for (const PlannedBuffer& buffer : facts.buffers()) {
    const std::string curve = memory_curve(buffer);
    if (curve.empty()) continue;
    text += fmt::format("in use {} of {}\n", curve, bytes_text(buffer.size, TableStyle::Human));
    text += fmt::format("  memory {}: {} at the peak, instruction {}\n", buffer.id,
                        bytes_text(buffer.peak, TableStyle::Human),
                        instruction_text(facts, buffer.peak_instruction, TableStyle::Human));
  }
  return text;
}

std::string waiting_list(const MemoryFacts& facts) {
  std::string text;
  for (size_t i = 0; i < std::min(facts.waiting().size(), kMaxWaiting); ++i)
    text += waiting_text(facts, facts.waiting()[i]) + '\n';
  return text;
}

std::string allocators_text(const DumpAllocators& allocators, TablePrinter& printer) {
  if (!allocators) return "";
  if (allocators->empty()) {
    return "\nthe dump logged no allocations: its runtime "
           "registered no allocator with the event tracer\n";
  }
  return "\ngiven out by allocators, as the dump logged it\n" +
         printer.beside(allocators_table(*allocators, TableStyle::Human));
}

}  // namespace

std::vector<std::string> role_names(const TensorFacts& tensor) {
  std::vector<std::string> roles;
  if (tensor.is_input) roles.emplace_back("input");
  if (tensor.is_output) roles.emplace_back("output");
  if (tensor.is_mutable)
    roles.push_back(tensor.buffer.empty() ? "state" : "state " + printable(tensor.buffer));
  if (tensor.is_scratch) roles.emplace_back("scratch");
  return roles;
}

std::string tensor_text(const TensorFacts& tensor) {
  std::string text = fmt::format("{} {}[", tensor.dtype, tensor.is_bound ? "<=" : "");
  for (size_t d = 0; d < tensor.shape.size(); ++d)
    text += (d > 0 ? ", " : "") + std::to_string(tensor.shape[d]);
  return text + "]";
}

std::string waiting_text(const MemoryFacts& facts, const WaitingFacts& waiting) {
  const std::string line = recorded_line_text(facts.code(), waiting.line, TableStyle::Human);
  const bool is_one = waiting.tensors.size() == 1;
  return fmt::format("{} ({}) {} the peak up unused: {} for instruction {}{}",
                     counted(waiting.tensors.size(), "tensor"),
                     bytes_text(waiting.bytes, TableStyle::Human), is_one ? "keeps" : "keep",
                     is_one ? "it waits" : "they wait",
                     instruction_text(facts, waiting.instruction, TableStyle::Human),
                     line.empty() ? "" : ", " + line);
}

Table memory_buffers_table(const std::vector<MemoryFacts>& methods, TableStyle style) {
  Table table;
  table.columns = {
      {"method", Align::Left},        {"memory", Align::Right}, {"planned", Align::Right},
      {"peak", Align::Right},         {"at", Align::Left},      {"not used", Align::Right},
      {"without reuse", Align::Right}};
  for (const MemoryFacts& facts : methods) {
    for (const PlannedBuffer& buffer : facts.buffers()) {
      table.rows.push_back(
          {facts.method().name, std::to_string(buffer.id), bytes_text(buffer.size, style),
           bytes_text(buffer.peak, style), instruction_text(facts, buffer.peak_instruction, style),
           bytes_text(buffer.size - buffer.peak, style), bytes_text(buffer.without_reuse, style)});
    }
  }
  return table;
}

Table memory_tensors_table(const MemoryFacts& facts, TableStyle style) {
  Table table;
  if (style == TableStyle::Data) {
    table.columns = {{"value", Align::Right},
                     {"memory", Align::Right},
                     {"offset", Align::Right},
                     {"bytes", Align::Right},
                     {"view of", Align::Right}};
  }
  const auto add = [&](std::string_view name, Align align) {
    table.columns.push_back({std::string(name), align});
  };
  add(style == TableStyle::Data ? "bytes at peak" : "at peak", Align::Right);
  add("share", Align::Right);
  add("tensor", Align::Left);
  add("instructions", Align::Right);
  add("made by", Align::Left);
  if (style == TableStyle::Data) add("node", Align::Left);
  add("module", Align::Left);
  add("line", Align::Left);
  add("role", Align::Left);
  if (style == TableStyle::Human) {
    const auto has_role = [&](size_t row) {
      return !roles_text(facts, facts.tensor(row), style).empty();
    };
    table.columns.back().is_extra = std::ranges::none_of(facts.at_peak(), has_role);
  }
  if (style == TableStyle::Data) {
    for (size_t r = 0; r < facts.tensor_count(); ++r)
      table.rows.push_back(tensor_row(facts, facts.tensor(r), style));
  } else {
    for (const size_t r : facts.at_peak())
      table.rows.push_back(tensor_row(facts, facts.tensor(r), style));
  }
  return table;
}

Table memory_lines_table(const MemoryFacts& facts, TableStyle style) {
  Table table;
  table.columns = {kLineColumn,
                   {"at peak", Align::Right},
                   {"share", Align::Right},
                   {"makes", Align::Right},
                   {"tensors", Align::Right},
                   {.name = "text", .is_prose = true}};
  for (const MemoryLineFacts& line : facts.lines()) {
    if (style == TableStyle::Human && line.at_peak == 0) continue;
    const CodeLine& row = facts.code().lines[line.line.value];
    table.rows.push_back({recorded_line_text(facts.code(), line.line, style),
                          bytes_text(line.at_peak, style), share_text(line.share, style),
                          bytes_text(line.made, style), std::to_string(line.tensors),
                          std::string(facts.code().text(row.text))});
  }
  return table;
}

Table allocators_table(const std::vector<AllocatorFacts>& allocators, TableStyle style) {
  Table table;
  table.columns = {{"block", Align::Left},        {"allocator", Align::Left},
                   {"executions", Align::Right},  {"allocations", Align::Right},
                   {"most in one", Align::Right}, {"largest", Align::Right}};
  for (const AllocatorFacts& row : allocators) {
    table.rows.push_back({std::string(row.block), row.name, std::to_string(row.executions),
                          std::to_string(row.events), bytes_text(row.most, style),
                          bytes_text(row.largest, style)});
  }
  return table;
}

std::string memory_curve(const PlannedBuffer& buffer) {
  constexpr std::array<std::string_view, 8> kBlocks{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const size_t step = std::max<size_t>(1, (buffer.live.size() + kMaxCurve - 1) / kMaxCurve);
  std::string curve;
  for (size_t first = 0; first < buffer.live.size(); first += step) {
    const auto begin = buffer.live.begin() + static_cast<ptrdiff_t>(first);
    const auto count = static_cast<ptrdiff_t>(std::min(step, buffer.live.size() - first));
    const double share = static_cast<double>(*std::max_element(begin, begin + count)) /
                         static_cast<double>(std::max<uint64_t>(buffer.size, 1));
    const auto height = static_cast<size_t>(share * kBlocks.size());
    curve += kBlocks[std::min(height, kBlocks.size() - 1)];
  }
  return curve;
}

std::string memory_text(const std::vector<MemoryFacts>& methods, const MemoryFacts& facts,
                        const DumpAllocators& allocators, TablePrinter& printer) {
  std::string text = printer.beside(memory_buffers_table(methods, TableStyle::Human));
  if (facts.tensor_count() == 0) {
    return text +
           fmt::format("\nmethod {} has no planned memory\n", printable(facts.method().name)) +
           allocators_text(allocators, printer);
  }
  text += fmt::format("\nmethod {}\n", printable(facts.method().name));
  text += printer.words(buffers_text(facts));
  text += "\nin use at the peak\n";
  text += printer.ranked(memory_tensors_table(facts, TableStyle::Human), kMaxTensors);
  if (const Table lines = memory_lines_table(facts, TableStyle::Human); !lines.rows.empty())
    text += "\nby line\n" + printer.beside(lines, kMaxMemoryLines);
  if (const std::string waiting = waiting_list(facts); !waiting.empty()) text += "\n" + waiting;
  if (!facts.unplanned().empty()) {
    text += fmt::format("\n{} without a plan: the caller or the runtime allocates {}\n",
                        counted(facts.unplanned().size(), "tensor"),
                        facts.unplanned().size() == 1 ? "it" : "them");
  }
  return text + allocators_text(allocators, printer);
}

}  // namespace etlens
