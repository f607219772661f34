// SPDX-License-Identifier: Apache-2.0
#include "core/formats/npz/npz.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "core/formats/etrecord/zip_archive.h"
#include "core/formats/npz/npy.h"
#include "core/formats/scalar_type.h"

namespace etlens {
namespace {

constexpr std::string_view kExtension = ".npy";

// Little endian, as everything else has it.
void swap_bytes(Bytes& bytes, size_t size) {
  for (size_t at = 0; at + size <= bytes.size(); at += size)
    std::reverse(bytes.data() + at, bytes.data() + at + size);
}

Result<StoredTensor> tensor_of(const std::shared_ptr<const ZipArchive>& archive, size_t index) {
  const ZipMember& member = archive->members()[index];
  const bool is_stored = member.method == 0 && (member.flags & 1) == 0;
  const Result<Bytes> front = archive->read_front(member, kMaxNpyHeaderBytes);
  if (!front) return front.error();
  const Result<NpyHeader> header = read_npy_header(front->span());
  if (!header) return header.error();

  StoredTensor tensor;
  tensor.scalar_type = header->scalar_type;
  tensor.sizes = header->sizes;
  const std::optional<uint64_t> elements = element_count(tensor.sizes);
  if (!elements) return Error{ErrorCode::Corrupt, "has a shape that no array has"};
  tensor.elements = *elements;
  tensor.strides = row_major_strides(tensor.sizes);
  if (header->is_fortran_order) {
    std::vector<int64_t> reversed(tensor.sizes.rbegin(), tensor.sizes.rend());
    tensor.strides = row_major_strides(reversed);
    std::reverse(tensor.strides.begin(), tensor.strides.end());
  }
  const uint64_t data_offset = header->data_offset;
  if (data_offset > member.size || tensor.byte_size() > member.size - data_offset)
    return Error{ErrorCode::Corrupt, "has fewer bytes than its shape wants"};
  if (tensor.elements == 0) return tensor;
  if (!is_stored) tensor.piece = tensor.byte_size();
  const size_t swapped = header->is_big_endian ? scalar_type_size(tensor.scalar_type) : 1;
  tensor.read = [archive, index, data_offset, is_stored, swapped](uint64_t offset,
                                                                  uint64_t size) -> Result<Bytes> {
    const ZipMember& packed = archive->members()[index];
    Result<Bytes> bytes =
        is_stored ? archive->read_range(packed, data_offset + offset, size) : archive->read(packed);
    if (!bytes) return bytes;
    if (!is_stored) {
      Bytes part(size);
      std::memcpy(part.data(), bytes->data() + data_offset + offset, size);
      bytes = std::move(part);
    }
    if (swapped > 1) swap_bytes(*bytes, swapped);
    return bytes;
  };
  return tensor;
}

}  // namespace

Result<Npz> read_npz(const FileSystem& files, std::string_view path) {
  Result<ZipArchive> opened = ZipArchive::open(files, path);
  if (!opened) return std::move(opened).error();
  const auto archive = std::make_shared<const ZipArchive>(std::move(*opened));
  Npz npz;
  for (size_t i = 0; i < archive->members().size(); ++i) {
    const std::string_view name = archive->members()[i].name;
    if (!name.ends_with(kExtension)) continue;
    std::string stem(name.substr(0, name.size() - kExtension.size()));
    Result<StoredTensor> tensor = tensor_of(archive, i);
    if (tensor) npz.arrays.push_back({std::move(stem), std::move(*tensor)});
    else npz.skipped.push_back({std::move(stem), tensor.error().message});
  }
  if (npz.arrays.empty() && npz.skipped.empty()) {
    return Error{ErrorCode::Unsupported,
                 "holds no array; write it with numpy.savez(path, **{\"h1\": values, …})"};
  }
  return npz;
}

}  // namespace etlens
