// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pte/pte_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/budget.h"
#include "core/base/bytes.h"
#include "core/formats/bundled_program/bundled_program.h"
#include "core/formats/pte/data_reader.h"
#include "core/formats/pte/plan_reader.h"
#include "core/formats/pte/program_inside.h"
#include "core/formats/pte/schema/program_generated.h"

namespace etlens {
namespace {

namespace ps = program_schema;

constexpr char kProgramIdentifier[] = "ET12";
constexpr char kExtendedMagic[] = "eh00";
constexpr size_t kFrontBytes = 64;  // the runtime, too, looks for the extended header in these
constexpr size_t kExtendedOffset = 8;
constexpr uint32_t kExtendedMinBytes = 24;
constexpr uint64_t kMaxProgramBytes = FLATBUFFERS_MAX_BUFFER_SIZE - 1;
// One table takes at least this much, so a file cannot honestly hold more of them.
constexpr size_t kMinProgramTableBytes = 8;
constexpr flatbuffers::uoffset_t kMaxProgramDepth = 16;

Result<ProgramLayout> layout_of(std::span<const uint8_t> front, uint64_t file_bytes) {
  ProgramLayout layout{file_bytes, 0, file_bytes};
  if (!looks_like_program(front)) {
    return Error{ErrorCode::Unsupported,
                 "is not a .pte program (no identifier ET12); give the file that "
                 "ExecuTorch's export wrote"};
  }
  const bool is_extended = front.size() >= kExtendedOffset + kExtendedMinBytes &&
                           std::memcmp(front.data() + kExtendedOffset, kExtendedMagic, 4) == 0;
  if (!is_extended) return layout;
  ByteReader reader(front.subspan(kExtendedOffset + 4));
  if (reader.u32() < kExtendedMinBytes) return corrupt_program("its extended header is too short");
  layout.table_bytes = reader.u64();
  layout.segment_base = reader.u64();
  if (layout.table_bytes > file_bytes || layout.segment_base > file_bytes) {
    return corrupt_program("it is cut off (" + std::to_string(file_bytes) + " bytes are here)");
  }
  return layout;
}

// Where the program lies in the file: all of it, or a part of a bundled program.
Result<ByteRange> place_of(const FileSystem& files, const std::string& path, uint64_t file_bytes) {
  const Result<Bytes> front = files.read_range(path, 0, kExtendedOffset);
  if (!front) return front.error();
  if (looks_like_bundled_program(front->span()))
    return find_program_inside(files, path, file_bytes);
  return ByteRange{0, file_bytes};
}

Result<EtProgram> build_program(const std::string& path, std::span<const uint8_t> table,
                                const ProgramLayout& layout, const CancelToken& cancel) {
  const ps::Program& root = *ps::GetProgram(table.data());
  CopyBudget budget(table.size());
  EtProgram program;
  program.path = path;
  read_data(root, table, layout, budget, program);
  if (root.execution_plan() != nullptr) {
    for (const ps::ExecutionPlan* plan : *root.execution_plan()) {
      if (cancel.cancelled()) return Error{ErrorCode::Cancelled, "reading was cancelled"};
      ProgramMethod method;
      method.name = budget.text(plan->name());
      if (Result<void> read = read_plan(*plan, budget, method, program.report); !read)
        return std::move(read).error();
      if (Result<void> found = locate_payloads(*plan, root, table, layout, method); !found)
        return std::move(found).error();
      program.methods.push_back(std::move(method));
    }
  }
  if (budget.is_spent()) return corrupt_program("its names and lists are longer than the file");
  return program;
}

}  // namespace

bool looks_like_program(std::span<const uint8_t> bytes) {
  return bytes.size() >= 8 && std::memcmp(bytes.data() + 4, kProgramIdentifier, 4) == 0;
}

Result<EtProgram> read_program(const FileSystem& files, const std::string& path,
                               const CancelToken& cancel) {
  const Result<FileStamp> stamp = files.stat(path);
  if (!stamp) return stamp.error();
  const Result<ByteRange> place = place_of(files, path, stamp->size);
  if (!place) return place.error();
  const Result<Bytes> front =
      files.read_range(path, place->offset, std::min<uint64_t>(kFrontBytes, place->size));
  if (!front) return front.error();
  const Result<ProgramLayout> layout = layout_of(front->span(), place->size);
  if (!layout) return layout.error();
  if (layout->table_bytes > kMaxProgramBytes) {
    return Error{ErrorCode::Unsupported,
                 "holds more than 2 GB outside its segments, more than a program can"};
  }
  if (cancel.cancelled()) return Error{ErrorCode::Cancelled, "reading was cancelled"};
  grant_reading(path, layout->table_bytes, stamp->size);
  const Result<Bytes> table = files.read_range(path, place->offset, layout->table_bytes);
  if (!table) return table.error();
  if (table->size() < layout->table_bytes)
    return corrupt_program("it became shorter while it was read");

  const auto max_tables =
      static_cast<flatbuffers::uoffset_t>(table->size() / kMinProgramTableBytes + 1);
  flatbuffers::Verifier verifier(table->data(), table->size(), kMaxProgramDepth, max_tables);
  if (!verifier.VerifyBuffer<ps::Program>(kProgramIdentifier))
    return corrupt_program("an offset points outside");
  Result<EtProgram> program = build_program(path, table->span(), *layout, cancel);
  if (!program || place->size == stamp->size) return program;
  program->file_offset = place->offset;
  program->report.add(Oddity::ProgramBundled, std::to_string(place->size) + " of " +
                                                  std::to_string(stamp->size) +
                                                  " bytes are the program");
  return program;
}

}  // namespace etlens
