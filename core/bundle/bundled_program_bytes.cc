// SPDX-License-Identifier: Apache-2.0
#include "core/bundle/bundled_program_bytes.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/backend/payload_part.h"
#include "core/base/budget.h"
#include "core/formats/pte/pte_reader.h"

namespace etlens {
namespace {

// The part of the bytes that the range has in them.
void clear(std::span<uint8_t> bytes, const ByteRange& range) {
  if (range.offset >= bytes.size()) return;
  std::ranges::fill(
      bytes.subspan(range.offset, std::min<uint64_t>(range.size, bytes.size() - range.offset)),
      uint8_t{0});
}

std::span<uint8_t> span_of(std::string& text) {
  return {reinterpret_cast<uint8_t*>(text.data()), text.size()};
}

void clear_constants(std::span<uint8_t> table, const EtProgram& program) {
  for (const ByteRange& range : program.constants) clear(table, range);
  for (const std::vector<ByteRange>& segment : program.mutable_data)
    for (const ByteRange& range : segment) clear(table, range);
  for (const NamedData& data : program.named_data) clear(table, data.range);
}

// What of each payload is not weights, by offset. Payloads inside the table, as old programs have them, are cleared there.
std::map<uint64_t, std::string> operators_of(const FileSystem& files, const EtProgram& program,
                                             const Backends& backends, std::span<uint8_t> table,
                                             std::vector<std::string>& notes) {
  std::map<uint64_t, std::string> operators;
  std::set<std::string> unknown;
  for (const ProgramMethod& method : program.methods) {
    for (const ProgramDelegate& delegate : method.delegates) {
      go_on();
      if (delegate.size == 0) continue;
      clear(table, {delegate.offset, delegate.size});
      if (operators.contains(delegate.offset)) continue;
      std::vector<uint8_t> part = read_payload_part(files, program, delegate, backends);
      if (part.empty()) unknown.insert(backends.label(delegate.backend));
      clear_payload_constants(part, backends.find(delegate.backend));
      operators[delegate.offset] = {part.begin(), part.end()};
    }
  }
  for (const std::string& label : unknown)
    notes.push_back("payloads of " + label +
                    " are left out: etlens does not know which of their bytes are weights");
  return operators;
}

}  // namespace

uint64_t operator_bytes_of(std::span<const uint8_t> payload, const Backend& backend) {
  if (backend.operator_bytes == nullptr) return 0;
  const auto front = payload.first(std::min<size_t>(payload.size(), backend.payload_front_bytes));
  return std::min<uint64_t>(backend.operator_bytes(front, payload.size()), payload.size());
}

void clear_payload_constants(std::span<uint8_t> operators, const Backend& backend) {
  if (backend.list_constants == nullptr || operators.empty()) return;
  for (const PayloadConstant& constant : backend.list_constants(operators))
    if (constant.key.empty()) clear(operators, {constant.offset, constant.size});
}

Result<SparseBytes> program_without_weights(const FileSystem& files, const std::string& path,
                                            const Backends& backends,
                                            std::vector<std::string>& notes) {
  if (path.empty()) return SparseBytes();
  Result<EtProgram> program = read_program(files, path);
  if (!program) return std::move(program).error().about(path);
  const Result<Bytes> read = files.read_range(path, program->file_offset, program->table_bytes);
  if (!read) return read.error();
  std::string table(read->text());
  clear_constants(span_of(table), *program);
  std::map<uint64_t, std::string> operators =
      operators_of(files, *program, backends, span_of(table), notes);
  SparseBytes bytes = SparseBytes::zeros(program->file_bytes);
  for (auto& [offset, part] : operators) {
    if (offset >= table.size()) bytes.put(offset, std::move(part));
    else
      table.replace(offset, std::min<size_t>(part.size(), table.size() - offset), part, 0,
                    table.size() - offset);
  }
  bytes.put(0, std::move(table));
  return bytes;
}

}  // namespace etlens
