// SPDX-License-Identifier: Apache-2.0
// ZipArchive: the directory of a ZIP file, and its members one at a time. ETRecords are ZIPs whose
// members are stored; a member that somebody compressed is inflated with zlib. The file is never
// read as a whole, because most of it is weights that nobody needs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/file_system.h"
#include "core/base/result.h"

namespace etlens {

struct ZipMember {
  std::string name;
  uint64_t header_offset = 0;  // of the local header, bytes from the start of the file
  uint64_t stored_size = 0;    // bytes in the file
  uint64_t size = 0;           // bytes of content
  uint16_t method = 0;         // 0 stored, 8 deflated
  uint16_t flags = 0;
  uint32_t crc32 = 0;
};

class ZipArchive {
 public:
  // Reads the central directory, ZIP64 included. `files` must outlive the archive.
  // Errors: NotFound, Io, Unsupported (not a ZIP), Corrupt (a directory that does not fit the
  // file).
  static Result<ZipArchive> open(const FileSystem& files, std::string_view path);

  const std::vector<ZipMember>& members() const { return members_; }
  // Of several with that name the first; null if there is none.
  const ZipMember* find(std::string_view name) const;

  // The member's content, checked against its CRC-32.
  Result<Bytes> read(const ZipMember& member) const;
  // The first `count` bytes of a member, or all of a shorter one; unchecked.
  Result<Bytes> read_front(const ZipMember& member, uint64_t count) const;
  // Bytes [offset, offset + size) of a stored member, unchecked; Corrupt if it has fewer.
  Result<Bytes> read_range(const ZipMember& member, uint64_t offset, uint64_t size) const;

 private:
  Result<uint64_t> data_offset(const ZipMember& member) const;

  const FileSystem* files_ = nullptr;
  std::string path_;
  uint64_t file_size_ = 0;
  std::vector<ZipMember> members_;
  std::vector<uint32_t> by_name_;  // rows of members, ascending by name
};

}  // namespace etlens
