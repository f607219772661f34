// SPDX-License-Identifier: Apache-2.0
// A URI as a client wrote it -> its canonical form, which is a fixed point; and any path as a URI.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/base/path.h"
#include "protocol/uri.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace etlens;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)lsp::percent_decode(text);
  const lsp::DocumentUri uri = lsp::DocumentUri::from_string(text);
  const lsp::DocumentUri again = lsp::DocumentUri::from_string(uri.string());
  if (again != uri || again.path() != uri.path()) std::abort();
  if (uri.is_file() && lsp::DocumentUri::from_path(uri.path()) != uri) std::abort();
  const std::string path = normal_path(std::string("/").append(text));
  // What a path leads to stays; "/c:/x" is the drive's c:/x, as editors on Windows write it.
  const lsp::DocumentUri file = lsp::DocumentUri::from_path(path);
  if (lsp::DocumentUri::from_path(file.path()) != file) std::abort();
  return 0;
}
