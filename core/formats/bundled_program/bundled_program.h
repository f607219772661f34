// SPDX-License-Identifier: Apache-2.0
// Reads a bundled program (.bpte): the test inputs and expected outputs around an ExecuTorch
// program. Every release writes the same slots; 0.1 under another identifier.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/cancellation.h"
#include "core/base/file_system.h"
#include "core/base/result.h"
#include "core/formats/stored_tensor.h"

namespace etlens {

using BundledValue = std::variant<std::monostate, StoredTensor, int64_t, bool, double>;

struct BundledCase {
  std::vector<BundledValue> inputs;
  std::vector<BundledValue> outputs;  // expected
};

struct BundledMethod {
  std::string name;
  std::vector<BundledCase> cases;
};

struct BundledProgram {
  std::vector<BundledMethod> methods;
};

// True if the bytes carry the identifier BP08 or BP06 at offset 4.
bool looks_like_bundled_program(std::span<const uint8_t> front);

// Tensors keep the file's content alive. A tensor whose data do not have the bytes that its sizes
// want becomes std::monostate, like a value that is missing. Errors: Unsupported if the file is no
// bundled program, Corrupt, Io, Cancelled; a sentence that does not name the file.
Result<BundledProgram> read_bundled_program(const FileSystem& files, std::string_view path,
                                            const CancelToken& cancel = {});

}  // namespace etlens
