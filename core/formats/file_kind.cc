// SPDX-License-Identifier: Apache-2.0
#include "core/formats/file_kind.h"

#include <algorithm>

#include "core/formats/etdump/etdump_reader.h"
#include "core/formats/etrecord/etrecord_reader.h"
#include "core/formats/pstats/pstats_reader.h"

namespace etlens {
namespace {

bool is_digit(uint8_t c) { return c >= '0' && c <= '9'; }

// FlatBuffers identifiers of two letters and two digits, at offset 4.
bool has_identifier(std::span<const uint8_t> front, char first, char second) {
  return front.size() >= 8 && front[4] == first && front[5] == second && is_digit(front[6]) &&
         is_digit(front[7]);
}

}  // namespace

FileKind file_kind(std::span<const uint8_t> front) {
  if (front.empty()) return FileKind::Empty;
  if (looks_like_etdump(front)) return FileKind::EtDump;
  if (looks_like_etrecord(front)) return FileKind::EtRecord;
  if (has_identifier(front, 'E', 'T')) return FileKind::Program;
  if (has_identifier(front, 'B', 'P')) return FileKind::BundledProgram;
  if (front.size() >= 4 && front[0] == 'P' && front[1] == 'K') return FileKind::Zip;
  if (looks_like_python_profile(front)) return FileKind::PythonProfile;
  return FileKind::Other;
}

std::string_view describe(FileKind kind) {
  switch (kind) {
    case FileKind::Empty:
      return "empty";
    case FileKind::EtDump:
      return "an ETDump";
    case FileKind::EtRecord:
      return "an ETRecord";
    case FileKind::Program:
      return "a .pte program";
    case FileKind::BundledProgram:
      return "a bundled program";
    case FileKind::Zip:
      return "a ZIP file";
    case FileKind::PythonProfile:
      return "a Python profile";
    case FileKind::Other:
      break;
  }
  return "none of ExecuTorch's files";
}

}  // namespace etlens
