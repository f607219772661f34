// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/check_kind.h"

#include <fmt/format.h>

#include "core/formats/foreign_file.h"

namespace etlens {

Result<FileKind> check_kind(const FileSystem& files, std::string_view path, FileKind wanted) {
  const Result<Bytes> front = files.read_range(path, 0, kKindBytes);
  if (!front) return front.error();
  const FileKind kind = file_kind(front->span());
  const bool has_program = kind == FileKind::BundledProgram && wanted == FileKind::Program;
  if (kind == wanted || has_program) return kind;
  if (kind == FileKind::Empty) {
    return Error{ErrorCode::Unsupported,
                 wanted == FileKind::EtDump
                     ? "is empty; the runtime writes nothing when it was built without the event "
                       "tracer (EXECUTORCH_ENABLE_EVENT_TRACER=ON)"
                     : "is empty; export the record again"};
  }
  if (const std::optional<Error> foreign = foreign_file(files, path, kind, wanted)) return *foreign;
  const bool is_reference = kind == FileKind::BundledProgram || kind == FileKind::Arrays;
  if (control_of(kind) && !is_reference) {
    const std::string_view control = words_of(*control_of(kind));
    return Error{ErrorCode::Unsupported,
                 fmt::format("is {}, not {}", describe(kind), describe(wanted)) +
                     (control.empty() ? "" : fmt::format("; give it{} instead", control))};
  }
  return kind;
}

}  // namespace etlens
