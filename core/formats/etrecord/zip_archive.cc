// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etrecord/zip_archive.h"

#include <libdeflate.h>
#include <zlib.h>

#include <algorithm>
#include <memory>

#include "core/base/budget.h"
#include "core/base/counted_memory.h"

namespace etlens {
namespace {

constexpr uint32_t kEndSignature = 0x06054b50;
constexpr uint32_t kEnd64LocatorSignature = 0x07064b50;
constexpr uint32_t kEnd64Signature = 0x06064b50;
constexpr uint32_t kEntrySignature = 0x02014b50;
constexpr uint32_t kLocalSignature = 0x04034b50;
constexpr size_t kEndBytes = 22;
constexpr size_t kEnd64LocatorBytes = 20;
constexpr size_t kEnd64Bytes = 56;
constexpr size_t kEntryBytes = 46;
constexpr size_t kLocalBytes = 30;
constexpr size_t kMaxCommentBytes = 65535;
constexpr uint64_t kMaxDirectoryBytes = 64ull << 20;
constexpr size_t kStepBytes = 1 << 20;  // between two looks at whether the load may go on
constexpr uint64_t kMaxInflatedBytes = 512ull << 20;
// The JSON parser's own limit.
constexpr uint64_t kMaxMemberBytes = (4ull << 30) - Bytes::kPadding - 1;

Error damaged(std::string what) {
  return {ErrorCode::Corrupt, "is a damaged ZIP file (" + std::move(what) + "); export it again"};
}

struct Directory {
  uint64_t offset = 0;
  uint64_t size = 0;
  uint64_t entries = 0;
};

// Where the central directory is, from the record at the end of the file.
Result<Directory> find_directory(const FileSystem& files, std::string_view path,
                                 uint64_t file_size) {
  const uint64_t tail_size =
      std::min<uint64_t>(file_size, kEndBytes + kMaxCommentBytes + kEnd64LocatorBytes);
  const uint64_t tail_offset = file_size - tail_size;
  Result<Bytes> tail = files.read_range(path, tail_offset, tail_size);
  if (!tail) return tail.error();
  const std::span<const uint8_t> bytes = tail->span();
  if (bytes.size() < kEndBytes) return Error{ErrorCode::Unsupported, "is not a ZIP file"};
  for (size_t at = bytes.size() - kEndBytes + 1; at-- > 0;) {
    ByteReader end(bytes.subspan(at));
    if (end.u32() != kEndSignature) continue;
    end.skip(6);  // disk numbers, entries on this disk
    Directory directory;
    directory.entries = end.u16();
    directory.size = end.u32();
    directory.offset = end.u32();
    if (end.u16() > end.left()) continue;  // the comment does not fit: not the real record
    const bool may_be_64 = directory.entries == 0xFFFF || directory.size == 0xFFFFFFFF ||
                           directory.offset == 0xFFFFFFFF;
    if (!may_be_64 || at < kEnd64LocatorBytes) return directory;
    ByteReader locator(bytes.subspan(at - kEnd64LocatorBytes));
    if (locator.u32() != kEnd64LocatorSignature) return directory;
    locator.skip(4);
    Result<Bytes> record = files.read_range(path, locator.u64(), kEnd64Bytes);
    if (!record) return record.error();
    ByteReader end64(record->span());
    if (end64.u32() != kEnd64Signature) return damaged("its ZIP64 record is missing");
    end64.skip(20 + 8);  // size, versions, disk numbers, entries on this disk
    directory.entries = end64.u64();
    directory.size = end64.u64();
    directory.offset = end64.u64();
    if (!end64.ok()) return damaged("its ZIP64 record is cut off");
    return directory;
  }
  return Error{ErrorCode::Unsupported, "is not a ZIP file, or was cut off while it was copied"};
}

// The ZIP64 extra field holds only those of the three that did not fit their 32 bits, in this
// order.
void apply_zip64(std::span<const uint8_t> extra, ZipMember& member) {
  ByteReader reader(extra);
  while (reader.left() >= 4) {
    const uint16_t id = reader.u16();
    ByteReader field(reader.take(reader.u16()));
    if (id != 1) continue;
    if (member.size == 0xFFFFFFFF) member.size = field.u64();
    if (member.stored_size == 0xFFFFFFFF) member.stored_size = field.u64();
    if (member.header_offset == 0xFFFFFFFF) member.header_offset = field.u64();
  }
}

Result<ZipMember> read_entry(ByteReader& reader, uint64_t file_size) {
  if (reader.left() < kEntryBytes || reader.u32() != kEntrySignature) {
    return damaged("its directory is cut off");
  }
  ZipMember member;
  reader.skip(4);  // versions
  member.flags = reader.u16();
  member.method = reader.u16();
  reader.skip(4);  // time and date
  member.crc32 = reader.u32();
  member.stored_size = reader.u32();
  member.size = reader.u32();
  const uint16_t name_size = reader.u16();
  const uint16_t extra_size = reader.u16();
  const uint16_t comment_size = reader.u16();
  reader.skip(8);  // disk, attributes
  member.header_offset = reader.u32();
  const std::span<const uint8_t> name = reader.take(name_size);
  member.name.assign(reinterpret_cast<const char*>(name.data()), name.size());
  apply_zip64(reader.take(extra_size), member);
  reader.skip(comment_size);
  if (!reader.ok()) return damaged("its directory is cut off");
  if (member.header_offset > file_size || member.stored_size > file_size - member.header_offset) {
    return damaged("member " + member.name + " lies outside the file");
  }
  return member;
}

Result<void> check_packing(const ZipMember& member) {
  if (member.flags & 1) {
    return Error{ErrorCode::Unsupported, "has an encrypted member: " + member.name};
  }
  if (member.method != 0 && member.method != Z_DEFLATED) {
    return Error{ErrorCode::Unsupported, "has a member packed in an unknown way: " + member.name};
  }
  return {};
}

z_stream counted_stream() {
  z_stream stream{};
  stream.zalloc = counted_items;
  stream.zfree = free_counted;
  return stream;
}

// As many of the first `count` bytes of content as the packed front gives.
Result<Bytes> inflate_front(const Bytes& packed, uint64_t count) {
  Bytes content(count);
  z_stream stream = counted_stream();
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
    return Error{ErrorCode::Internal, "zlib could not start"};
  }
  stream.next_in = const_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = content.data();
  stream.avail_out = static_cast<uInt>(content.size());
  inflate(&stream, Z_SYNC_FLUSH);
  content.shrink(content.size() - stream.avail_out);
  inflateEnd(&stream);
  return content;
}

// Of libdeflate, which multiplies without carries: zlib's takes two instructions for every byte.
uint32_t checksum_of(const Bytes& content) {
  uint32_t checksum = 0;
  for (size_t done = 0; done < content.size(); done += kStepBytes) {
    go_on(kStepBytes / 1024);
    checksum = libdeflate_crc32(checksum, content.data() + done,
                                std::min(kStepBytes, content.size() - done));
  }
  return checksum;
}

Result<Bytes> inflate_member(const Bytes& stored, const ZipMember& member) {
  if (member.size > kMaxInflatedBytes) {
    return Error{ErrorCode::Unsupported, "has a compressed member of over 512 MB: " + member.name};
  }
  Bytes content(member.size);
  z_stream stream = counted_stream();
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
    return Error{ErrorCode::Internal, "zlib could not start"};
  }
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> end(&stream, &inflateEnd);
  stream.next_in = const_cast<Bytef*>(stored.data());
  stream.avail_in = static_cast<uInt>(stored.size());
  stream.next_out = content.data();
  int status = Z_OK;
  for (size_t done = 0; status == Z_OK && done < content.size(); done += kStepBytes) {
    go_on(kStepBytes / 1024);
    stream.avail_out = static_cast<uInt>(std::min(kStepBytes, content.size() - done));
    status = inflate(&stream, Z_NO_FLUSH);
  }
  if (status == Z_OK) {  // what is left has no content
    stream.avail_out = 0;
    status = inflate(&stream, Z_FINISH);
  }
  const bool whole = status == Z_STREAM_END && stream.total_out == content.size();
  if (!whole) return damaged("member " + member.name + " does not unpack");
  return content;
}

}  // namespace

Result<ZipArchive> ZipArchive::open(const FileSystem& files, std::string_view path) {
  const Result<FileStamp> stamp = files.stat(path);
  if (!stamp) return stamp.error();
  ZipArchive archive;
  archive.files_ = &files;
  archive.path_ = path;
  archive.file_size_ = stamp->size;
  const Result<Directory> directory = find_directory(files, path, stamp->size);
  if (!directory) return directory.error();
  if (directory->size > kMaxDirectoryBytes || directory->offset > stamp->size ||
      directory->size > stamp->size - directory->offset ||
      directory->entries > directory->size / kEntryBytes) {
    return damaged("its directory does not fit the file");
  }
  grant_reading(path, directory->size, stamp->size);
  Result<Bytes> raw = files.read_range(path, directory->offset, directory->size);
  if (!raw) return raw.error();
  ByteReader reader(raw->span());
  archive.members_.reserve(directory->entries);
  for (uint64_t i = 0; i < directory->entries; ++i) {
    Result<ZipMember> member = read_entry(reader, stamp->size);
    if (!member) return member.error();
    archive.members_.push_back(std::move(*member));
    archive.by_name_.push_back(static_cast<uint32_t>(i));
  }
  std::sort(archive.by_name_.begin(), archive.by_name_.end(), [&](uint32_t a, uint32_t b) {
    go_on();
    const int order = archive.members_[a].name.compare(archive.members_[b].name);
    return order != 0 ? order < 0 : a < b;
  });
  return archive;
}

const ZipMember* ZipArchive::find(std::string_view name) const {
  const auto at =
      std::lower_bound(by_name_.begin(), by_name_.end(), name,
                       [&](uint32_t row, std::string_view n) { return members_[row].name < n; });
  return at == by_name_.end() || members_[*at].name != name ? nullptr : &members_[*at];
}

Result<uint64_t> ZipArchive::data_offset(const ZipMember& member) const {
  Result<Bytes> header = files_->read_range(path_, member.header_offset, kLocalBytes);
  if (!header) return header.error();
  ByteReader reader(header->span());
  if (reader.u32() != kLocalSignature) return damaged("member " + member.name + " has no header");
  reader.skip(22);
  const uint64_t behind = uint64_t{reader.u16()} + reader.u16();
  const uint64_t offset = member.header_offset + kLocalBytes + behind;
  if (!reader.ok() || offset > file_size_ || member.stored_size > file_size_ - offset) {
    return damaged("member " + member.name + " is cut off");
  }
  return offset;
}

Result<Bytes> ZipArchive::read(const ZipMember& member) const {
  if (Result<void> known = check_packing(member); !known) return std::move(known).error();
  if (member.stored_size > kMaxMemberBytes) {
    return Error{ErrorCode::Unsupported, "has a member of over 4 GB: " + member.name};
  }
  const Result<uint64_t> offset = data_offset(member);
  if (!offset) return offset.error();
  grant_reading(path_, member.stored_size, file_size_);
  Result<Bytes> content = files_->read_range(path_, *offset, member.stored_size);
  if (!content) return content.error();
  if (content->size() != member.stored_size)
    return damaged("member " + member.name + " is cut off");
  if (member.method == Z_DEFLATED) content = inflate_member(*content, member);
  if (!content) return content.error();
  if (checksum_of(*content) != member.crc32) {
    return damaged("the checksum of member " + member.name + " is wrong");
  }
  return content;
}

Result<Bytes> ZipArchive::read_front(const ZipMember& member, uint64_t count) const {
  if (Result<void> known = check_packing(member); !known) return std::move(known).error();
  const Result<uint64_t> offset = data_offset(member);
  if (!offset) return offset.error();
  count = std::min(count, member.size);
  // Deflate makes nothing longer by more than a few bytes a block.
  const uint64_t wanted = member.method == 0 ? count : 2 * count + 1024;
  Result<Bytes> front = files_->read_range(path_, *offset, std::min(wanted, member.stored_size));
  if (!front || member.method == 0) return front;
  return inflate_front(*front, count);
}

Result<Bytes> ZipArchive::read_range(const ZipMember& member, uint64_t offset,
                                     uint64_t size) const {
  const Result<uint64_t> start = data_offset(member);
  if (!start) return start.error();
  if (member.method != 0 || offset > member.stored_size || size > member.stored_size - offset)
    return damaged("member " + member.name + " is cut off");
  Result<Bytes> read = files_->read_range(path_, *start + offset, size);
  if (read && read->size() != size) return damaged("member " + member.name + " is cut off");
  return read;
}

}  // namespace etlens
