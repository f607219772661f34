// SPDX-License-Identifier: Apache-2.0
// DebugBuffer: the file beside an ETDump that holds the bytes of its logged tensors. It has neither
// header nor index: the dump says where each tensor lies, and a range of the file is read when a
// value is asked for.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/file_system.h"
#include "core/formats/etdump/event_log.h"
#include "core/formats/stored_tensor.h"

namespace etlens {

class DebugBuffer {
 public:
  // `files` must outlive the buffer and its tensors. Errors: NotFound, Io.
  static Result<DebugBuffer> open(const FileSystem& files, std::string_view path);

  const std::string& path() const { return path_; }
  uint64_t size() const { return size_; }

  // Errors: Corrupt, one sentence without a subject, if the tensor makes no sense or lies behind
  // the end of the file ("is cut: …").
  Result<StoredTensor> tensor(const TensorInfo& info) const;

 private:
  const FileSystem* files_ = nullptr;
  std::string path_;
  uint64_t size_ = 0;
};

// Which of a dump's tensors a buffer of some size holds.
struct BufferFit {
  uint64_t tensors = 0;  // that have bytes
  uint64_t cut = 0;      // that do not lie wholly inside
  uint64_t needed = 0;   // bytes: where the last one ends
  bool fits() const { return cut == 0; }
};
BufferFit fit_buffer(std::span<const DebugValue> values, uint64_t buffer_bytes);
// For a buffer that does not fit: what is missing, and what to do.
std::string misfit_sentence(const DebugBuffer& buffer, const BufferFit& fit);

struct FoundBuffer {
  std::string path;    // "" if there is none
  std::string reason;  // why there is none
};
// Where the buffer of a dump may be, by name: model.etdp has model.bin or model.debug.bin; a folder
// with one dump's buffer has debug.bin or debug_output.bin.
std::vector<std::string> debug_buffer_paths(std::string_view etdump);
// The buffer that belongs to a dump: the first of these that fits, else the first that is there.
FoundBuffer find_debug_buffer(const FileSystem& files, std::string_view etdump,
                              std::span<const DebugValue> values);

}  // namespace etlens
