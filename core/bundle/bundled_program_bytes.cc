// SPDX-License-Identifier: Apache-2.0
#include "core/bundle/bundled_program_bytes.h"

#include <algorithm>
#include <set>
#include <span>

#include "core/base/budget.h"
#include "core/formats/pte/pte_reader.h"

namespace etlens {
namespace {

// The part of the file that the range has in it.
std::span<uint8_t> part_of(std::span<uint8_t> file, const ByteRange& range) {
  if (range.offset >= file.size()) return {};
  return file.subspan(range.offset, std::min<uint64_t>(range.size, file.size() - range.offset));
}

void clear(std::span<uint8_t> file, const ByteRange& range) {
  std::ranges::fill(part_of(file, range), uint8_t{0});
}

void clear_constants(std::span<uint8_t> file, const EtProgram& program) {
  for (const ByteRange& range : program.constants) clear(file, range);
  for (const std::vector<ByteRange>& segment : program.mutable_data)
    for (const ByteRange& range : segment) clear(file, range);
  for (const NamedData& data : program.named_data) clear(file, data.range);
}

}  // namespace

uint64_t clear_payload(std::span<uint8_t> payload, const Backend& backend) {
  uint64_t kept = 0;
  if (backend.operator_bytes != nullptr) {
    const auto front = payload.first(std::min<size_t>(payload.size(), backend.payload_front_bytes));
    kept = std::min<uint64_t>(backend.operator_bytes(front, payload.size()), payload.size());
  }
  std::ranges::fill(payload.subspan(kept), uint8_t{0});
  if (backend.list_constants == nullptr || kept == 0) return kept;
  for (const PayloadConstant& constant : backend.list_constants(payload.first(kept)))
    if (constant.key.empty()) clear(payload, {constant.offset, constant.size});
  return kept;
}

Result<ProgramBytes> program_without_weights(const FileSystem& files, const std::string& path,
                                             const Backends& backends,
                                             std::vector<std::string>& notes) {
  ProgramBytes result;
  if (path.empty()) return result;
  const Result<EtProgram> program = read_program(files, path);
  if (!program) return program.error();
  const Result<Bytes> read = files.read_range(path, program->file_offset, program->file_bytes);
  if (!read) return read.error();
  result.bytes = read->text();
  const std::span<uint8_t> file{reinterpret_cast<uint8_t*>(result.bytes.data()),
                                result.bytes.size()};
  result.table_bytes = std::min<uint64_t>(program->table_bytes, file.size());
  clear_constants(file, *program);
  // Behind the table are weights, padding, and payloads: what is left of these is put back.
  const std::string before = result.bytes;
  clear(file, {result.table_bytes, file.size() - result.table_bytes});
  std::set<std::string> unknown;
  for (const ProgramMethod& method : program->methods) {
    for (const ProgramDelegate& delegate : method.delegates) {
      go_on();
      const ByteRange range{delegate.offset, delegate.size};
      const std::span<uint8_t> payload = part_of(file, range);
      if (payload.empty()) continue;
      std::copy_n(before.data() + range.offset, payload.size(),
                  reinterpret_cast<char*>(payload.data()));
      const uint64_t kept = clear_payload(payload, backends.find(delegate.backend));
      result.payloads.push_back({range.offset, kept});
      if (kept == 0) unknown.insert(backends.label(delegate.backend));
    }
  }
  for (const std::string& label : unknown)
    notes.push_back("payloads of " + label +
                    " are left out: etlens does not know which of their bytes are weights");
  return result;
}

}  // namespace etlens
