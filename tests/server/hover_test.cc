// SPDX-License-Identifier: Apache-2.0
// What a client sees of a profile in hovers.
#include <catch2/catch.hpp>

#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/mutation.h"
#include "tests/support/open_model.h"

namespace etlens::hover_test {

using namespace etlens::test;

namespace {

json hover_at(int line) {
  return {{"textDocument", {{"uri", uri_of(kModelPath)}}},
          {"position", {{"line", line}, {"character", 8}}}};
}

struct Hovered : OpenModel {
  using OpenModel::OpenModel;

  std::string hover(int line) {
    const json result = client.request("textDocument/hover", hover_at(line));
    return result.is_null() ? "" : result["contents"]["value"].get<std::string>();
  }
};

using Catch::Matchers::Contains;

}  // namespace

TEST_CASE("the hover has a picture of the executions for clients that show it, and for no other",
          "[server]") {
  json capabilities = full_capabilities();
  capabilities["experimental"]["etlens"]["hoverImages"] = true;
  Hovered loaded(nullptr, capabilities);
  CHECK_THAT(loaded.hover(kTopkLine), !Contains("data:image"));  // two executions: numbers say more
  loaded.files.put(kDumpPath, model_dump(1, 6));
  loaded.client.advance(3000);
  CHECK_THAT(loaded.hover(kTopkLine),
             Contains("![6 executions, from 9.00 µs to 9.00 µs](data:image/svg+xml;base64,PHN2Zy"));
  Hovered plain;
  plain.files.put(kDumpPath, model_dump(1, 6));
  plain.client.advance(3000);
  CHECK_THAT(plain.hover(kTopkLine), !Contains("data:image"));
}

TEST_CASE("a hover leads to the lines that it names, for clients that follow links", "[server]") {
  json capabilities = full_capabilities();
  capabilities["experimental"]["etlens"]["hoverLinks"] = true;
  Hovered loaded(nullptr, capabilities);
  CHECK_THAT(loaded.hover(kReluLine), Contains("fused into [L12](file:///work/model.py#L12), "));
  CHECK_THAT(loaded.hover(kCallLine), Contains("| [`model.py:12`](file:///work/model.py#L12) |"));
  CHECK_THAT(loaded.hover(kTopkLine),
             Contains(" between [XNNPACK #1](file:///work/model.py#L14) and "
                      "[XNNPACK #2](file:///work/model.py#L27): "));
  // Numbers and links follow the text.
  const json above{{"start", {{"line", 0}, {"character", 0}}},
                   {"end", {{"line", 0}, {"character", 0}}}};
  loaded.client.change(kModelPath, 2, json::array({{{"range", above}, {"text", "# one\n"}}}));
  CHECK_THAT(loaded.hover(kReluLine + 1), Contains("[L13](file:///work/model.py#L13)"));
  CHECK_THAT(loaded.hover(kCallLine + 1),
             Contains("| [`model.py:13`](file:///work/model.py#L13) |"));
  Hovered plain;
  CHECK_THAT(plain.hover(kCallLine), Contains("| `model.py:12` |"));
  CHECK_THAT(plain.hover(kTopkLine), !Contains("]("));
}

TEST_CASE("a link of a hover is one, whatever the folder is called", "[server]") {
  const std::string path = "/work/a](http:x) `[b|<i>#1%41\n\\\"/model.py";
  MemoryFileSystem files = model_workspace();
  files.remove(kModelPath);
  files.put(path, model_source());
  LanguageClient client(files);
  json capabilities = full_capabilities();
  capabilities["experimental"]["etlens"]["hoverLinks"] = true;
  client.initialize(capabilities);
  client.open(path, model_source());
  const json hover =
      client.request("textDocument/hover", {{"textDocument", {{"uri", uri_of(path)}}},
                                            {"position", {{"line", kReluLine}, {"character", 8}}}});
  CHECK_THAT(hover["contents"]["value"].get<std::string>(),
             Contains("[L12](file:///work/a%5D%28http%3Ax%29%20%60%5Bb%7C%3Ci%3E%231%2541%0A%5C%22/"
                      "model.py#L12), "));
}

TEST_CASE("what is too cold for a hint still has its hover", "[server]") {
  Hovered loaded(json{{"hints", {{"thresholdPercent", 40}}}});
  const std::map<int, std::string> hints = loaded.client.hints(kModelPath);
  for (const int line : {kUpLine, kHeadAttributeLine, kHeadLine}) {
    CAPTURE(line);
    CHECK_FALSE(hints.contains(line));
    CHECK_FALSE(loaded.hover(line).empty());
  }
  CHECK_THAT(loaded.hover(kHeadAttributeLine), Contains("in `self.head`"));
  CHECK(hints.contains(kBlocksAttributeLine));
}

TEST_CASE("hover: headline, table, notes, nothing where nothing is known", "[server]") {
  Hovered loaded;
  const std::string text = loaded.hover(kUpCallLine);
  CHECK_THAT(text,
             Contains("**56.0 µs** self · 35% of `forward` (159 µs) · XNNPACK · line exact · ×2"));
  CHECK_THAT(text, Contains("| `linear` | `1` | `blocks.0.up` | 30.5\u00A0µs |"));
  CHECK_THAT(text, Contains("| `linear` | `11` | `blocks.1.up` | 25.5\u00A0µs |"));
  CHECK_THAT(text, Contains("does the work of L13 as well"));
  CHECK_THAT(text, Contains("source: exact"));
  CHECK_THAT(loaded.hover(kReluLine), Contains("fused into L12, which carries the time"));
  CHECK_THAT(loaded.hover(kTopkLine),
             Contains("9.00 µs on the CPU between XNNPACK #1 and XNNPACK #2"));
  CHECK_THAT(loaded.hover(kTopkLine), Contains("CPU, not delegated"));
  CHECK_THAT(loaded.hover(kCallLine), Contains("**92.0 µs** in what it calls"));
  CHECK_THAT(loaded.hover(kBlockClassLine),
             Contains("in `Block` · 58% of `forward` (159 µs) · 2 instances"));
  CHECK_THAT(loaded.hover(kHeadAttributeLine), Contains("in `self.head`"));
  CHECK(loaded.hover(0).empty());
  CHECK(loaded.hover(5000).empty());
}

TEST_CASE("hover: plain text for a client that shows no Markdown", "[server]") {
  json capabilities = full_capabilities();
  capabilities["textDocument"]["hover"]["contentFormat"] = {"plaintext"};
  Hovered loaded(nullptr, capabilities);
  const json contents =
      loaded.client.request("textDocument/hover", hover_at(kTopkLine))["contents"];
  CHECK(contents["kind"] == "plaintext");
  CHECK_THAT(contents["value"].get<std::string>(),
             !Contains("`") && !Contains("**") && Contains("9.00 µs self"));
}

TEST_CASE("strings of an artifact are letters, whatever they hold", "[server]") {
  // A kernel's name that would be Markdown, HTML and a link.
  MemoryFileSystem files = model_workspace();
  Bytes dump = model_dump();
  const std::string hostile = "`|<b>[x](";
  std::string text(dump.text());
  const std::string name = "native_call_topk.values";
  size_t count = 0;
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at), ++count) {
    text.replace(at, name.size(), ("native_call_topk." + hostile).substr(0, name.size()));
  }
  REQUIRE(count > 0);
  files.put(kDumpPath, text);
  LanguageClient client(files);
  client.initialize();
  client.open(kModelPath, model_source());
  const json hover = client.request("textDocument/hover", hover_at(kTopkLine));
  const std::string value = hover["contents"]["value"];
  CHECK_THAT(value, Contains("| `topk` |"));  // of the record; the kernel's own name is not shown
  CHECK_THAT(value, !Contains("<b>"));
}

// A backend may be called anything.
TEST_CASE("hover: what an advice names is letters, whatever it holds", "[server]") {
  const std::string folder = ETLENS_SOURCE "/examples/storyteller/";
  const std::string name = "XnnpackBackend";
  for (const std::string evil : {"[x](command:a)", "![](http://ab)", "<img src=//ab>"}) {
    CAPTURE(evil);
    ArtifactParts parts =
        parts_of({read_file(folder + "model.etdp"), read_file(folder + "model.etrecord")});
    const auto renamed = [&](std::string text) {
      for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at))
        text.replace(at, name.size(), evil);
      return text;
    };
    for (auto& [member, content] : parts.members) {
      if (member == "delegate_map") content = renamed(content);
    }
    const HostilePair pair = pair_of(parts);
    MemoryFileSystem files;
    files.put("/work/model.etdp", pair.etdump);
    files.put("/work/model.etrecord", pair.etrecord);
    files.put("/work/model.pte", renamed(read_file(folder + "model.pte")));
    LanguageClient client(files);
    for (const std::string file : {"layers.py", "model.py"})
      files.put("/work/" + file, read_file(folder + file));
    client.initialize();
    for (const std::string file : {"layers.py", "model.py"})
      client.open("/work/" + file, read_file(folder + file));
    size_t advised = 0;
    for (int line = 0; line < 128; ++line) {
      const std::string path = line < 64 ? "/work/layers.py" : "/work/model.py";
      const json hover = client.request("textDocument/hover",
                                        {{"textDocument", {{"uri", uri_of(path)}}},
                                         {"position", {{"line", line % 64}, {"character", 8}}}});
      if (hover.is_null()) continue;
      const std::string text = hover["contents"]["value"];
      const size_t advice = text.find("To do: ");
      advised += advice != std::string::npos && text.find(evil, advice) != std::string::npos;
      // As code, or escaped: never as it is.
      for (size_t at = text.find(evil); at != std::string::npos; at = text.find(evil, at + 1)) {
        CHECK(text[at - 1] == '`');
        CHECK(text[at + evil.size()] == '`');
      }
    }
    CHECK(advised > 0);
  }
}

}  // namespace etlens::hover_test
