// SPDX-License-Identifier: Apache-2.0
// Tells artifacts by their content: names and extensions say nothing reliable.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/base/controls.h"

namespace etlens {

enum class FileKind : uint8_t {
  Other,
  Empty,
  EtDump,
  EtRecord,
  Program,
  BundledProgram,
  TensorData,
  Arrays,
  Zip,
  PythonProfile,
};

// Bytes from the start of a file that file_kind wants to see.
inline constexpr size_t kKindBytes = 64;

FileKind file_kind(std::span<const uint8_t> front);

// "an ETRecord", "a ZIP file", … for messages.
std::string_view describe(FileKind kind);

// What such a file is given with; nullopt where there is nothing.
std::optional<Control> control_of(FileKind kind);

// What is looked for in a workspace: neither weights nor other archives nor anything else it holds.
bool is_artifact(FileKind kind);

}  // namespace etlens
