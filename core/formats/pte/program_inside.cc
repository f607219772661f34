// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pte/program_inside.h"

#include <optional>

#include "core/base/bytes.h"

namespace etlens {
namespace {

// Slot of `program` in the root table, and where slots begin in its vtable.
constexpr uint64_t kProgramSlot = 2;
constexpr uint64_t kFirstSlot = 4;

// Numbers of a FlatBuffer at places of a file. What lies outside of it is no number, and ends all.
class Numbers {
 public:
  Numbers(const FileSystem& files, std::string_view path, uint64_t file_bytes)
      : files_(files), path_(path), file_bytes_(file_bytes) {}

  uint64_t u32(uint64_t at) { return number(at, 4); }
  uint64_t u16(uint64_t at) { return number(at, 2); }
  bool ok() const { return !error_; }
  // Where the vtable of the table at `table` lies: so far before it, as a signed number.
  uint64_t vtable_of(uint64_t table) {
    const auto back = static_cast<int32_t>(static_cast<uint32_t>(u32(table)));
    return table - static_cast<uint64_t>(static_cast<int64_t>(back));
  }
  const Error& error() const { return *error_; }
  Error corrupt() const {
    return {ErrorCode::Corrupt,
            "is a bundled program that is damaged or cut "
            "off; bundle the program again or copy it again"};
  }

 private:
  uint64_t number(uint64_t at, uint64_t size) {
    if (error_) return 0;
    if (at > file_bytes_ || size > file_bytes_ - at) {
      error_ = corrupt();
      return 0;
    }
    const Result<Bytes> bytes = files_.read_range(path_, at, size);
    if (!bytes || bytes->size() < size) {
      error_ = bytes ? corrupt() : bytes.error();
      return 0;
    }
    ByteReader reader(bytes->span());
    return size == 2 ? uint64_t{reader.u16()} : uint64_t{reader.u32()};
  }

  const FileSystem& files_;
  std::string_view path_;
  uint64_t file_bytes_;
  std::optional<Error> error_;
};

}  // namespace

Result<ByteRange> find_program_inside(const FileSystem& files, std::string_view path,
                                      uint64_t file_bytes) {
  Numbers numbers(files, path, file_bytes);
  const uint64_t table = numbers.u32(0);
  const uint64_t vtable = numbers.vtable_of(table);
  const uint64_t slot = kFirstSlot + 2 * kProgramSlot;
  const bool has_slot = numbers.u16(vtable) >= slot + 2;
  const uint64_t field = has_slot ? numbers.u16(vtable + slot) : 0;
  if (!numbers.ok()) return numbers.error();
  if (field == 0) {
    return Error{ErrorCode::Corrupt,
                 "is a bundled program without a program in it; bundle the program again"};
  }
  const uint64_t vector = table + field + numbers.u32(table + field);
  const ByteRange range{vector + 4, numbers.u32(vector)};
  if (!numbers.ok()) return numbers.error();
  if (range.offset > file_bytes || range.size > file_bytes - range.offset) return numbers.corrupt();
  return range;
}

}  // namespace etlens
