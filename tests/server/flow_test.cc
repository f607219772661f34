// SPDX-License-Identifier: Apache-2.0
// Ten thousand random requests, edits and cancellations, seeded: every request is answered once,
// hints stand where the client's own copy of the text ends its lines, and a new dump is one
// refresh. Then clients that flood.
#include <catch2/catch.hpp>
#include <random>
#include <span>

#include "tests/support/language_client.h"
#include "tests/support/sanitized.h"
#include "tests/support/server_workspace.h"

namespace etlens::flow_test {

using namespace etlens::test;

namespace {

constexpr int kSteps = kSanitized ? 2500 : 10'000;
constexpr int kStepsPerDump = 500;
constexpr int kSettled = 1000;

std::u16string to_utf16(std::string_view text) {
  std::u16string wide;
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    char32_t code = length == 1 ? lead : lead & (0x7Fu >> length);
    for (size_t k = 1; k < length; ++k)
      code = code << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3Fu);
    i += length;
    if (code < 0x10000) {
      wide += static_cast<char16_t>(code);
    } else {
      wide += static_cast<char16_t>(0xD800 + ((code - 0x10000) >> 10));
      wide += static_cast<char16_t>(0xDC00 + ((code - 0x10000) & 0x3FF));
    }
  }
  return wide;
}

// The client's copy of a document, in UTF-16 as the protocol counts.
class Mirror {
 public:
  explicit Mirror(std::string_view text) : text_(to_utf16(text)) {}

  size_t line_count() const { return starts().size(); }
  size_t length_of(size_t line) const {
    const std::vector<size_t> begins = starts();
    size_t end = line + 1 < begins.size() ? begins[line + 1] : text_.size();
    while (end > begins[line] && (text_[end - 1] == u'\n' || text_[end - 1] == u'\r')) --end;
    return end - begins[line];
  }
  // A position that is inside no character.
  json position(size_t line, size_t character) const {
    const size_t length = length_of(line);
    character = std::min(character, length);
    const size_t at = starts()[line] + character;
    if (character > 0 && at < text_.size() && (text_[at] & 0xFC00) == 0xDC00) --character;
    return {{"line", line}, {"character", character}};
  }
  void edit(const json& range, std::string_view text) {
    const size_t begin = offset(range["start"]);
    text_.replace(begin, offset(range["end"]) - begin, to_utf16(text));
  }
  void reset(std::string_view text) { text_ = to_utf16(text); }

 private:
  std::vector<size_t> starts() const {
    std::vector<size_t> begins{0};
    for (size_t i = 0; i < text_.size(); ++i) {
      if (text_[i] == u'\n' ||
          (text_[i] == u'\r' && (i + 1 == text_.size() || text_[i + 1] != u'\n')))
        begins.push_back(i + 1);
    }
    return begins;
  }
  size_t offset(const json& position) const {
    return starts()[position["line"].get<size_t>()] + position["character"].get<size_t>();
  }

  std::u16string text_;
};

class RandomClient {
 public:
  explicit RandomClient(uint32_t seed) : random_(seed), files_(model_workspace()), client_(files_) {
    client_.initialize();
    client_.open(kModelPath, model_source());
    client_.take("workspace/inlayHint/refresh");
  }

  void step() {
    switch (below(8)) {
      case 0:
      case 1:
      case 2:
        request();
        break;
      case 3:
      case 4:
        edit();
        break;
      case 5:
        cancel();
        break;
      case 6:
        batch_ += lsp::frame("{\"jsonrpc\":\"2.0\",\"method\":\"$/unheardOf\"}");
        break;
      default:
        flush();
    }
  }

  void replace_dump() {
    flush();
    client_.advance(kSettled);  // what is still to be said of edits
    client_.take("workspace/inlayHint/refresh");
    files_.put(kDumpPath, model_dump(1 + ++dumps_ % 7));
    client_.notify("workspace/didChangeWatchedFiles",
                   {{"changes", {{{"uri", uri_of(kDumpPath)}, {"type", 2}}}}});
    client_.advance(kSettled);
    CHECK(client_.take("workspace/inlayHint/refresh").size() == 1);
  }

  void check_hints() {
    flush();
    const json hints =
        client_.request("textDocument/inlayHint",
                        {{"textDocument", document()},
                         {"range", {{"start", place(0, 0)}, {"end", place(100'000, 0)}}}});
    for (const json& hint : hints) {
      const auto line = hint["position"]["line"].get<size_t>();
      REQUIRE(line < mirror_.line_count());
      CHECK(hint["position"]["character"] == mirror_.length_of(line));
      CHECK(mirror_.length_of(line) > 0);
    }
    hints_seen_ += hints.size();
  }

  void flush() {
    client_.feed(std::exchange(batch_, {}));
    answers_ += client_.take_responses().size();
    client_.take("window/showDocument");
    client_.take("window/logMessage");
  }

  size_t asked() const { return asked_; }
  size_t answers() const { return answers_; }
  size_t hints_seen() const { return hints_seen_; }
  size_t cancelled() const { return cancelled_; }
  LanguageClient& client() { return client_; }

 private:
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }
  static json place(uint32_t line, uint32_t character) {
    return {{"line", line}, {"character", character}};
  }
  static json document() { return {{"uri", uri_of(kModelPath)}}; }
  json random_position() {
    return mirror_.position(below(static_cast<uint32_t>(mirror_.line_count())), below(40));
  }

  void add(json message) {
    message["jsonrpc"] = "2.0";
    batch_ += lsp::frame(message.dump());
  }

  void request() {
    const std::vector<std::pair<const char*, json>> all{
        {"textDocument/inlayHint",
         {{"textDocument", document()},
          {"range", {{"start", place(0, 0)}, {"end", place(below(60), 0)}}}}},
        {"textDocument/hover", {{"textDocument", document()}, {"position", random_position()}}},
        {"textDocument/codeLens", {{"textDocument", document()}}},
        {"etlens/delegateLines", {{"textDocument", document()}, {"position", random_position()}}},
        {"textDocument/prepareCallHierarchy",
         {{"textDocument", document()}, {"position", random_position()}}},
        {"workspace/symbol", {{"query", below(2) == 0 ? "lin" : ""}}},
        {"workspace/executeCommand",
         {{"command", "etlens.nextHotLine"},
          {"arguments", {{{"uri", uri_of(kModelPath)}, {"position", random_position()}}}}}},
        {"etlens/status", json::object()},
        {"etlens/events", {{"limit", below(5)}}},
        {"etlens/lineCosts", {{"textDocument", document()}}},
        {"textDocument/hover", {{"position", "nowhere"}}},
        {"no/such", json::object()},
    };
    const auto& [method, params] = all[below(static_cast<uint32_t>(all.size()))];
    const json id = below(2) == 0 ? json(static_cast<int>(1'000'000 + asked_))
                                  : json("r" + std::to_string(asked_));
    ++asked_;
    ids_.push_back(id);
    add({{"id", id}, {"method", method}, {"params", params}});
  }

  void edit() {
    const std::vector<std::string> texts{
        "x", "", "\n", "\r\n", "é", "😀", "\t", "        x = torch.relu(x)\n", "# c", "  "};
    json changes = json::array();
    for (uint32_t n = below(3); n < 3; ++n) {
      const std::string& text = texts[below(static_cast<uint32_t>(texts.size()))];
      const auto line = below(static_cast<uint32_t>(mirror_.line_count()));
      const json start = mirror_.position(line, below(30));
      json end = start;
      if (below(3) == 0) {
        const size_t last = std::min<size_t>(line + below(2), mirror_.line_count() - 1);
        end = mirror_.position(last, start["character"].get<uint32_t>() + below(6));
        if (last == line && end["character"] < start["character"]) end = start;
      }
      const json range{{"start", start}, {"end", end}};
      changes.push_back({{"range", range}, {"text", text}});
      mirror_.edit(range, text);
    }
    if (below(50) == 0) {  // everything anew
      changes = json::array({{{"text", model_source()}}});
      mirror_.reset(model_source());
    }
    add({{"method", "textDocument/didChange"},
         {"params",
          {{"textDocument", {{"uri", uri_of(kModelPath)}, {"version", ++version_}}},
           {"contentChanges", changes}}}});
  }

  // Any of the last requests: still in the same read, or answered long ago.
  void cancel() {
    if (ids_.empty()) return;
    ++cancelled_;
    const size_t back = below(static_cast<uint32_t>(std::min<size_t>(ids_.size(), 5)));
    add({{"method", "$/cancelRequest"}, {"params", {{"id", ids_[ids_.size() - 1 - back]}}}});
  }

  std::mt19937 random_;
  MemoryFileSystem files_;
  LanguageClient client_;
  Mirror mirror_{model_source()};
  std::string batch_;
  std::vector<json> ids_;
  int version_ = 1;
  int dumps_ = 0;
  size_t asked_ = 0;
  size_t answers_ = 0;
  size_t hints_seen_ = 0;
  size_t cancelled_ = 0;
};

}  // namespace

TEST_CASE("no reply is lost or doubled in ten thousand random requests, edits and cancellations",
          "[server][long]") {
  const uint32_t seed = GENERATE(1u, 20261121u);
  RandomClient random(seed);
  for (int i = 0; i < kSteps; ++i) {
    random.step();
    if (i % 50 == 0) random.check_hints();
    if (i % kStepsPerDump == kStepsPerDump - 1) random.replace_dump();
  }
  random.flush();
  CHECK(random.answers() == random.asked());
  CHECK(random.client().server().unanswered() == 0);
  CHECK(random.asked() > kSteps / 3);
  CHECK(random.cancelled() > kSteps / 10);
  CHECK(random.hints_seen() > kSteps / 50);
}

TEST_CASE("a flood in one read is answered in order", "[server]") {
  MemoryFileSystem files = model_workspace();
  LanguageClient client(files);
  client.initialize();
  client.open(kModelPath, model_source());
  std::string flood;
  constexpr int kFlood = kSanitized ? 2000 : 20'000;
  for (int i = 0; i < kFlood; ++i) {
    flood += lsp::frame(R"({"jsonrpc":"2.0","id":)" + std::to_string(1000 + i) +
                        R"(,"method":"etlens/status"})");
  }
  client.take_responses();
  client.feed(flood);
  const std::vector<json> answers = client.take_responses();
  REQUIRE(answers.size() == kFlood);
  for (int i = 0; i < kFlood; ++i) REQUIRE(answers[static_cast<size_t>(i)]["id"] == 1000 + i);
}

TEST_CASE("a client that never answers does not make the server grow", "[server]") {
  MemoryFileSystem files = model_workspace();
  LanguageClient client(files);
  client.initialize();
  client.answers_requests = false;
  client.open(kModelPath, model_source());
  const size_t before = client.count("workspace/configuration");
  for (int i = 0; i < 3000; ++i) {
    client.notify("workspace/didChangeConfiguration", {{"settings", nullptr}});
  }
  CHECK(client.count("workspace/configuration") == before + 3000);
  CHECK(client.hints(kModelPath).size() == 10);
}

}  // namespace etlens::flow_test
