// SPDX-License-Identifier: Apache-2.0
#include "core/formats/debug_buffer/debug_buffer.h"

#include <algorithm>
#include <vector>

#include "core/base/controls.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/formats/scalar_type.h"

namespace etlens {
namespace {

Error corrupt(std::string what) { return {ErrorCode::Corrupt, std::move(what)}; }

// Bytes of a tensor; nullopt if what is claimed makes no sense.
std::optional<uint64_t> bytes_of(const TensorInfo& info) {
  const std::optional<uint64_t> elements = element_count(info.sizes);
  const size_t size = scalar_type_size(info.scalar_type);
  if (!elements || size == 0) return std::nullopt;
  return *elements * size;
}

// Another dump of that name is there: the buffer is its.
bool is_of_another(const FileSystem& files, const std::string& buffer, std::string_view etdump) {
  for (const std::string_view extension : {".etdp", ".etdump"}) {
    const std::string dump =
        join_path(parent_path(buffer), std::string(stem(buffer)) + std::string(extension));
    if (dump != etdump && files.stat(dump)) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> debug_buffer_paths(std::string_view etdump) {
  const std::string name(stem(etdump));
  std::vector<std::string> paths;
  for (const std::string& file : {name + ".bin", name + ".debug.bin", std::string("debug.bin"),
                                  std::string("debug_output.bin")}) {
    std::string path = join_path(parent_path(etdump), file);
    if (std::find(paths.begin(), paths.end(), path) == paths.end())
      paths.push_back(std::move(path));
  }
  return paths;
}

Result<DebugBuffer> DebugBuffer::open(const FileSystem& files, std::string_view path) {
  const Result<FileStamp> stamp = files.stat(path);
  if (!stamp) return stamp.error();
  if (stamp->is_directory) {
    return Error{ErrorCode::Io,
                 std::string(path) + " is a folder; give the debug buffer that the runner wrote"};
  }
  DebugBuffer buffer;
  buffer.files_ = &files;
  buffer.path_ = path;
  buffer.size_ = stamp->size;
  return buffer;
}

Result<StoredTensor> DebugBuffer::tensor(const TensorInfo& info) const {
  StoredTensor tensor;
  tensor.scalar_type = info.scalar_type;
  const std::optional<uint64_t> bytes = bytes_of(info);
  if (!bytes) return corrupt("has a type or sizes that no tensor has");
  tensor.sizes = info.sizes;
  tensor.elements = *element_count(info.sizes);
  tensor.strides = info.strides.empty() ? row_major_strides(info.sizes) : info.strides;
  if (!strides_fit(tensor.sizes, tensor.strides, tensor.elements))
    return corrupt("has strides that lead outside its bytes");
  if (*bytes == 0) return tensor;
  const uint64_t offset = static_cast<uint64_t>(info.offset);
  if (info.offset < 0) return corrupt("was logged without bytes");
  if (offset > size_ || *bytes > size_ - offset) {
    return corrupt("is cut: it takes bytes " + std::to_string(offset) + " to " +
                   std::to_string(offset + *bytes) + " of a debug buffer of " +
                   std::to_string(size_));
  }
  tensor.read = [files = files_, path = path_, offset](uint64_t from,
                                                       uint64_t size) -> Result<Bytes> {
    Result<Bytes> read = files->read_range(path, offset + from, size);
    if (read && read->size() != size)
      return corrupt("is cut: the debug buffer became shorter while it was read");
    return read;
  };
  return tensor;
}

std::string misfit_sentence(const DebugBuffer& buffer, const BufferFit& fit) {
  return buffer.path() + " has " + std::to_string(buffer.size()) +
         " bytes, but the dump's values end at " + std::to_string(fit.needed) + ": " +
         std::to_string(fit.cut) + " of " + std::to_string(fit.tensors) +
         worded(" are cut; copy it again, or give the buffer of the same run{debug_buffer}");
}

BufferFit fit_buffer(std::span<const DebugValue> values, uint64_t buffer_bytes) {
  BufferFit fit;
  for (const DebugValue& value : values) {
    for (const TensorInfo& info : value.tensors) {
      const std::optional<uint64_t> bytes = bytes_of(info);
      if (!bytes || *bytes == 0 || info.offset < 0) continue;
      const uint64_t end = static_cast<uint64_t>(info.offset) + *bytes;
      ++fit.tensors;
      if (end > buffer_bytes) ++fit.cut;
      fit.needed = std::max(fit.needed, end);
    }
  }
  return fit;
}

FoundBuffer find_debug_buffer(const FileSystem& files, std::string_view etdump,
                              std::span<const DebugValue> values) {
  FoundBuffer found;
  std::vector<std::string> names;
  for (const std::string& path : debug_buffer_paths(etdump)) {
    names.emplace_back(base_name(path));
    const Result<FileStamp> stamp = files.stat(path);
    if (!stamp || stamp->is_directory || is_of_another(files, path, etdump)) continue;
    const BufferFit fit = fit_buffer(values, stamp->size);
    if (fit.fits()) return {path, ""};
    if (found.path.empty()) found.path = path;
  }
  if (found.path.empty()) {
    found.reason = "there is no debug buffer next to " + std::string(etdump) + " (none of " +
                   join(names, ", ") + worded("); give it{debug_buffer}");
  }
  return found;
}

}  // namespace etlens
