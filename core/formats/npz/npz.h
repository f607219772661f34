// SPDX-License-Identifier: Apache-2.0
// Npz: the arrays of a numpy .npz by name. A ZIP of .npy members: those that numpy.savez stored are
// read range by range, those that savez_compressed packed are unpacked whole when asked for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/file_system.h"
#include "core/base/result.h"
#include "core/formats/stored_tensor.h"

namespace etlens {

struct NpzArray {
  std::string name;  // without .npy
  StoredTensor tensor;
};

struct NpzSkipped {
  std::string name;
  std::string reason;  // "holds …"
};

struct Npz {
  std::vector<NpzArray> arrays;     // in the file's order
  std::vector<NpzSkipped> skipped;  // that hold no numbers, or are damaged
};

// Reads the directory and the headers. `files` must outlive the tensors. Errors: of ZipArchive;
// Unsupported if it holds no array at all.
Result<Npz> read_npz(const FileSystem& files, std::string_view path);

}  // namespace etlens
