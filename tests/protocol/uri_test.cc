// SPDX-License-Identifier: Apache-2.0
#include "protocol/uri.h"

#include <catch2/catch.hpp>

namespace etlens::uri_test {

using namespace etlens::lsp;

TEST_CASE("file URIs are canonical, whatever the client writes", "[protocol]") {
  const auto path = [](std::string_view text) { return DocumentUri::from_string(text).path(); };
  CHECK(path("file:///home/me/model.py") == "/home/me/model.py");
  CHECK(path("file:///home/me/gr%C3%B6%C3%9Fe.py") == "/home/me/größe.py");
  CHECK(path("file:///home/me/größe.py") == "/home/me/größe.py");
  CHECK(path("file:///a%20b/%7Ex/%2e%2e/c.py") == "/a b/c.py");
  CHECK(path("file:///a//b/./c.py") == "/a/b/c.py");
  CHECK(path("FILE:///a/b.py") == "/a/b.py");
  CHECK(path("file://localhost/a/b.py") == "/a/b.py");
  CHECK(path("file://home/me/a.py") == "/home/me/a.py");
  CHECK(path("file:/a/b.py") == "/a/b.py");
  CHECK(path("file:///c%3A/work/a.py") == "c:/work/a.py");
  CHECK(path("file:///C:/work/a.py") == "c:/work/a.py");
  CHECK(path("file://C:/work/a.py") == "c:/work/a.py");
  CHECK(path("file:///a%zz%4") == "/a%zz%4");
  CHECK(path("file:///a#b?c.py") == "/a#b?c.py");
  CHECK(DocumentUri::from_string("file:///c%3a/x") == DocumentUri::from_string("file:///C:/x"));
}

TEST_CASE("paths become URIs that editors write", "[protocol]") {
  CHECK(DocumentUri::from_path("/home/me/a b.py").string() == "file:///home/me/a%20b.py");
  CHECK(DocumentUri::from_path("/größe.py").string() == "file:///gr%C3%B6%C3%9Fe.py");
  CHECK(DocumentUri::from_path("/a%b#c.py").string() == "file:///a%25b%23c.py");
  CHECK(DocumentUri::from_path("c:/x/y.py").string() == "file:///c%3A/x/y.py");
}

TEST_CASE("what is no file keeps its letters", "[protocol]") {
  const DocumentUri untitled = DocumentUri::from_string("untitled:Untitled-1");
  CHECK(untitled.string() == "untitled:Untitled-1");
  CHECK_FALSE(untitled.is_file());
  CHECK(DocumentUri::from_string("").path().empty());
  CHECK(DocumentUri::from_string("vscode-notebook-cell:/a.ipynb#X").string() ==
        "vscode-notebook-cell:/a.ipynb#X");
}

TEST_CASE("a canonical URI stays what it is", "[protocol]") {
  for (const char* text : {"file:///a/b.py", "file:///c:/..", "file:///C:/../x", "file://",
                           "file:", "file:///", "file:///%00x", "file:///%2E%2e/..", "file:////x",
                           "file://c", "file:///c%3A", "etlens:/edge-program/forward.txt"}) {
    const DocumentUri once = DocumentUri::from_string(text);
    INFO(text << " -> " << once.string());
    CHECK(DocumentUri::from_string(once.string()) == once);
    CHECK(DocumentUri::from_string(once.string()).path() == once.path());
    if (once.is_file()) CHECK(DocumentUri::from_path(once.path()) == once);
  }
}

}  // namespace etlens::uri_test
