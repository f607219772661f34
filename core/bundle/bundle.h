// SPDX-License-Identifier: Apache-2.0
// What of a model can be given away to show its numbers to somebody else: the dump, the record without weights, the program
// with its constants set to zero. On request nothing in them names what the user named.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "core/backend/backend.h"
#include "core/base/file_system.h"
#include "core/bundle/zip_writer.h"

namespace etlens {

struct BundleRequest {
  std::string etdump;  // absolute paths; "" for none
  std::string etrecord;
  std::string pte;
  bool is_redacted = false;
  Backends backends = built_in_backends();
};

struct Bundle {
  std::vector<ZipPart> parts;  // model.etdp, model.etrecord, model.pte: those that there are
  // A sentence each: what was left out that could not be told from weights.
  std::vector<std::string> notes;
  std::unordered_map<std::string, std::string>
      replaced;  // words of the originals, and what stands for each
};

// Errors are one sentence: which file, what is wrong, what to do.
Result<Bundle> make_bundle(const FileSystem& files, const BundleRequest& request);

}  // namespace etlens
