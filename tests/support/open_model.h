// SPDX-License-Identifier: Apache-2.0
// A client that has opened the model of the workspace for tests of the server.
#pragma once

#include "tests/support/language_client.h"
#include "tests/support/server_workspace.h"

namespace etlens::test {

struct OpenModel {
  MemoryFileSystem files = model_workspace();
  LanguageClient client{files};

  explicit OpenModel(const json& settings = nullptr,
                     const json& capabilities = full_capabilities()) {
    client.settings = settings;
    client.initialize(capabilities);
    client.open(kModelPath, model_source());
  }
};

}  // namespace etlens::test
