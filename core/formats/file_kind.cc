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

// The first member of the archive is a .npy. Its local header has the length of the name at offset
// 26 and the name at 30 (APPNOTE.TXT 4.3.7); longer names than the front shows are not arrays of
// ours.
bool begins_with_array(std::span<const uint8_t> front) {
  constexpr size_t kNameStart = 30;
  if (front.size() < kNameStart) return false;
  const size_t length = size_t{front[26]} | size_t{front[27]} << 8;
  if (length > front.size() - kNameStart) return false;
  const std::string_view name(reinterpret_cast<const char*>(front.data()) + kNameStart, length);
  return name.ends_with(".npy");
}

}  // namespace

FileKind file_kind(std::span<const uint8_t> front) {
  if (front.empty()) return FileKind::Empty;
  if (looks_like_etdump(front)) return FileKind::EtDump;
  if (looks_like_etrecord(front)) return FileKind::EtRecord;
  if (has_identifier(front, 'E', 'T')) return FileKind::Program;
  if (has_identifier(front, 'B', 'P')) return FileKind::BundledProgram;
  if (has_identifier(front, 'F', 'T')) return FileKind::TensorData;
  if (front.size() >= 4 && front[0] == 'P' && front[1] == 'K')
    return begins_with_array(front) ? FileKind::Arrays : FileKind::Zip;
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
    case FileKind::TensorData:
      return "a .ptd file of weights";
    case FileKind::Arrays:
      return "an .npz of arrays";
    case FileKind::Zip:
      return "a ZIP file";
    case FileKind::PythonProfile:
      return "a Python profile";
    case FileKind::Other:
      break;
  }
  return "none of ExecuTorch's files";
}

std::optional<Control> control_of(FileKind kind) {
  switch (kind) {
    case FileKind::EtDump:
      return Control::Dump;
    case FileKind::EtRecord:
      return Control::Record;
    case FileKind::Program:
      return Control::Program;
    case FileKind::BundledProgram:
    case FileKind::Arrays:
      return Control::Reference;
    case FileKind::PythonProfile:
      return Control::Profile;
    case FileKind::TensorData:
    case FileKind::Other:
    case FileKind::Empty:
    case FileKind::Zip:
      break;
  }
  return std::nullopt;
}

bool is_artifact(FileKind kind) {
  return kind != FileKind::Other && kind != FileKind::Empty && kind != FileKind::Zip &&
         kind != FileKind::TensorData;
}

}  // namespace etlens
