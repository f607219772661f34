// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/load_profile.h"

#include <fmt/format.h>

#include "core/base/budget.h"
#include "core/formats/file_kind.h"
#include "core/formats/pstats/marshal.h"
#include "core/formats/pstats/pstats_reader.h"

namespace etlens {

Result<PythonProfile> load_profile(const FileSystem& files, const std::string& path) {
  const Result<FileStamp> stamp = files.stat(path);
  if (!stamp) return stamp.error();
  if (stamp->size > kMaxMarshalBytes) {
    return Error{ErrorCode::Unsupported,
                 fmt::format("{} is larger than {} MiB, no Python profile is; give the file that "
                             "cProfile, or Dynamo's profiler, wrote",
                             path, kMaxMarshalBytes >> 20)};
  }
  grant_reading(path, stamp->size, stamp->size);
  set_error_subject(path);
  const Result<Bytes> bytes = files.read(path);
  if (!bytes) return bytes.error();
  const FileKind kind = file_kind(bytes->span());
  if (kind != FileKind::PythonProfile && kind != FileKind::Other && kind != FileKind::Empty) {
    return Error{
        ErrorCode::Unsupported,
        fmt::format("{} is {}, no Python profile; give the file that cProfile, or Dynamo's "
                    "profiler, wrote",
                    path, describe(kind))};
  }
  Result<PythonProfile> profile = read_python_profile(bytes->span());
  if (!profile) {
    Error error = std::move(profile).error();
    error.message = path + " " + error.message;
    return error;
  }
  return profile;
}

}  // namespace etlens
