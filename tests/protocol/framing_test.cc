// SPDX-License-Identifier: Apache-2.0
#include "protocol/framing.h"

#include <catch2/catch.hpp>

namespace etlens::framing_test {

using namespace etlens::lsp;

namespace {

struct Read {
  std::vector<std::string> messages;
  std::vector<std::string> errors;
};

Read read_in_pieces(const std::string& bytes, size_t piece) {
  FrameReader reader;
  Read read;
  for (size_t at = 0; at < bytes.size(); at += piece) {
    reader.push(std::string_view(bytes).substr(at, piece));
    while (auto frame = reader.pull()) {
      if (*frame) read.messages.push_back(**frame);
      else read.errors.push_back(frame->error().message);
    }
  }
  return read;
}

std::string header(const std::string& length) { return "Content-Length: " + length + "\r\n\r\n"; }

}  // namespace

TEST_CASE("frames come out as they went in, in pieces of any size", "[protocol]") {
  const std::vector<std::string> messages{R"({"a":1})", "", std::string(70'000, 'x'),
                                          "[\"\xC3\xA9\"]"};
  std::string bytes;
  for (const std::string& message : messages) bytes += frame(message);
  for (const size_t piece :
       {size_t{1}, size_t{2}, size_t{3}, size_t{7}, size_t{4096}, bytes.size()}) {
    const Read read = read_in_pieces(bytes, piece);
    CHECK(read.messages == messages);
    CHECK(read.errors.empty());
  }
}

TEST_CASE("headers may be written in any case, with other fields, with bare line feeds",
          "[protocol]") {
  const std::string bytes =
      "content-LENGTH:3  \r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\nabc"
      "Content-Length: 2\n\nde";
  CHECK(read_in_pieces(bytes, 1).messages == std::vector<std::string>{"abc", "de"});
}

TEST_CASE("empty lines at the very beginning cost no message", "[protocol]") {
  const std::string bytes = "\n\n" + frame("abc");
  for (const size_t piece : {size_t{1}, size_t{7}, bytes.size()}) {
    CHECK(read_in_pieces(bytes, piece).messages == std::vector<std::string>{"abc"});
  }
}

TEST_CASE("what is no frame is one error, and the next frame is found", "[protocol]") {
  const std::string good = frame("{}");
  const auto check = [&](const std::string& garbage, const std::string& reason) {
    for (const size_t piece : {size_t{1}, size_t{5}, size_t{100'000}}) {
      const Read read = read_in_pieces(good + garbage + good + good, piece);
      INFO(garbage.substr(0, 60) << " in pieces of " << piece);
      CHECK(read.messages == std::vector<std::string>{"{}", "{}", "{}"});
      REQUIRE(read.errors.size() == 1);
      CHECK(read.errors.front() == reason);
    }
  };
  check(header("-5"), "Content-Length is not a number of bytes");
  check(header("99999999999999999999"), "Content-Length is not a number of bytes");
  check(header("67108865"), "a message is larger than 64 MiB");
  check(header("0x10"), "Content-Length is not a number of bytes");
  check(header("12 34"), "Content-Length is not a number of bytes");
  check("Content-Type: text/plain\r\n\r\n", "a header lacks Content-Length");
  check("Content-Length: 3\r\nContent-Length: 4\r\n\r\n",
        "a header has two values of Content-Length");
  check(std::string(20'000, 'x'), "a header is larger than 8 KiB");
  check("Content-Length: 5\r\n" + std::string(20'000, ' '), "a header is larger than 8 KiB");
  check(header("-1") + "text\r\n\r\n" + header("x") + header("-2"),
        "Content-Length is not a number of bytes");
}

TEST_CASE("a line that a stray print left in front of a header is passed over", "[protocol]") {
  CHECK(read_in_pieces("Warning: deprecated\nhello\n" + frame("{}"), 3).messages ==
        std::vector<std::string>{"{}"});
}

TEST_CASE("a header larger than 8 KiB is refused even if it ends", "[protocol]") {
  const std::string large =
      "X-Padding: " + std::string(9000, 'p') + "\r\nContent-Length: 2\r\n\r\n{}";
  const Read read = read_in_pieces(large + frame("[]"), 100'000);
  CHECK(read.errors == std::vector<std::string>{"a header is larger than 8 KiB"});
  // The length that stands in it is found by itself.
  CHECK(read.messages == std::vector<std::string>{"{}", "[]"});
}

TEST_CASE("garbage takes time in proportion to its length", "[protocol]") {
  // Every piece of it looks like the beginning of a header: 4 MB of it must not be looked at again
  // and again.
  std::string garbage;
  while (garbage.size() < (4u << 20)) garbage += "Content-Length:";
  const Read read = read_in_pieces(garbage + "\r\n\r\n" + frame("{}"), 64 * 1024);
  CHECK(read.messages == std::vector<std::string>{"{}"});
  CHECK(read.errors.size() == 1);  // not an answer to every piece
}

TEST_CASE("a length that is too short costs its own message, not the next", "[protocol]") {
  const std::string good = frame(R"({"id":2})");
  const std::string torn = R"({"id":1,"method":"a: b","text":"Content-Length: 9"})";
  for (const size_t length : {size_t{0}, size_t{5}, torn.size() - 1}) {
    const std::string bytes = header(std::to_string(length)) + torn + good + good;
    for (const size_t piece : {size_t{1}, size_t{7}, bytes.size()}) {
      const Read read = read_in_pieces(bytes, piece);
      INFO(length << " of " << torn.size() << " in pieces of " << piece);
      REQUIRE(read.messages.size() == 3);
      CHECK(read.messages[0] == torn.substr(0, length));
      CHECK(read.messages[1] == R"({"id":2})");
      CHECK(read.messages[2] == R"({"id":2})");
    }
  }
  // What is left is longer than any header.
  const std::string large = "{\"text\":\"" + std::string(20'000, 'x') + "\"}";
  const Read read = read_in_pieces(header("10") + large + good + good, 1000);
  REQUIRE(read.messages.size() == 3);
  CHECK(read.messages[2] == R"({"id":2})");
}

TEST_CASE("a message per line: in pieces of any size, with any line ends, none for empty lines",
          "[protocol]") {
  const std::string bytes = "{\"a\":1}\n\r\n  \n{\"b\":2}\r\n" + frame("[1,\n2]", Framing::Lines);
  for (const size_t piece : {size_t{1}, size_t{3}, size_t{8}, bytes.size()}) {
    FrameReader reader(Framing::Lines);
    std::vector<std::string> messages;
    for (size_t at = 0; at < bytes.size(); at += piece) {
      reader.push(std::string_view(bytes).substr(at, piece));
      while (auto frame = reader.pull()) messages.push_back(**frame);
    }
    CHECK(messages == std::vector<std::string>{"{\"a\":1}", "{\"b\":2}", "[1, 2]"});
  }
}

TEST_CASE("a line that is too long is told once and passed over", "[protocol]") {
  FrameReader reader(Framing::Lines);
  const std::string part(1 << 20, 'x');
  size_t errors = 0;
  for (size_t n = 0; n < 70; ++n) {
    reader.push(part);
    while (auto frame = reader.pull()) errors += frame->has_value() ? 100 : 1;
  }
  CHECK(errors == 1);
  reader.push("\n{}\n");
  const auto next = reader.pull();
  REQUIRE(next);
  REQUIRE(next->has_value());
  CHECK(**next == "{}");
}

}  // namespace etlens::framing_test
