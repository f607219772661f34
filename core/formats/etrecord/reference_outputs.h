// SPDX-License-Identifier: Apache-2.0
// The expected outputs that a record carries (`reference_outputs`). From release 1.3 on they are an
// archive of torch.save: a pickle that describes tensors, and beside it each tensor's bytes as a
// member of its own. The pickle is not read; the bytes alone are enough where the types and shapes
// are known from elsewhere, as those of a dump's outputs are.
#pragma once

#include <string_view>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/file_system.h"
#include "core/base/result.h"

namespace etlens {

// The bytes of every tensor, in the order of the archive: method after method, test case after test
// case, output after output. Empty if the record carries none. Errors: of ZipArchive; Unsupported
// for releases before 1.3, which pickled everything.
Result<std::vector<Bytes>> read_reference_outputs(const FileSystem& files, std::string_view path);

}  // namespace etlens
