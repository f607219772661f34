// SPDX-License-Identifier: Apache-2.0
// A client with an open source, whose artifacts change.
#pragma once

#include <catch2/catch.hpp>

#include <map>
#include <string>

#include "tests/support/language_client.h"
#include "tests/support/server_workspace.h"

namespace etlens::test {

inline constexpr const char* kRefresh = "workspace/inlayHint/refresh";
inline constexpr int kSettled = 400;  // behind two looks

struct Watched {
  MemoryFileSystem files = model_workspace();
  LanguageClient client{files};

  Watched() {
    client.initialize();
    client.open(kModelPath, model_source());
    CHECK(hint() == "9.00 µs 5.7% CPU");
    CHECK(refreshes() == 1);
  }

  std::string hint() {
    const std::map<int, std::string> hints = client.hints(kModelPath);
    return hints.contains(kTopkLine) ? hints.at(kTopkLine) : "";
  }
  size_t refreshes() {
    const size_t lenses = client.take("workspace/codeLens/refresh").size();
    const size_t hints = client.take(kRefresh).size();
    CHECK(lenses == hints);
    return hints;
  }
  void tell(const std::string& path, int type = 2) {
    client.notify("workspace/didChangeWatchedFiles",
                  {{"changes", {{{"uri", uri_of(path)}, {"type", type}}}}});
  }
};

}  // namespace etlens::test
