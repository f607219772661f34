// SPDX-License-Identifier: Apache-2.0
// The log of edits: every reader gets what came after the revision that it saw, whoever else read.
#include "server/session/edit_log.h"

#include <catch2/catch.hpp>
#include <random>
#include <string>

namespace etlens::edit_log_test {
namespace {

std::string after(std::string text, const std::vector<TextEdit>& edits) {
  for (const TextEdit& edit : edits) text.replace(edit.begin, edit.end - edit.begin, edit.text);
  return text;
}

}  // namespace

TEST_CASE("every reader gets the edits since its own revision, those that meet as one",
          "[server]") {
  EditLog log(7);
  log.add(8, {2, 2, "a"});
  log.add(8, {3, 3, "b"});
  log.add(9, {0, 1, ""});
  log.add(11, {3, 4, "xyz"});  // another document had the tenth revision
  REQUIRE(log.since(7));
  CHECK(log.since(7)->size() == 3);
  CHECK(after("0123", *log.since(7)) == "1abxyz3");
  CHECK(log.since(8)->size() == 2);
  CHECK(log.since(9)->size() == 1);
  CHECK(log.since(9)->front().text == "xyz");
  CHECK(log.since(10)->size() == 1);
  CHECK(log.since(11)->empty());
  CHECK_FALSE(log.since(6));  // before the document was opened
  CHECK_FALSE(log.since(0));
}

TEST_CASE("a log that forgot the oldest edits says so", "[server]") {
  EditLog many(1);
  for (uint64_t r = 2; r < 5000; ++r) many.add(r, {0, 0, "x"});
  CHECK_FALSE(many.since(1));
  CHECK_FALSE(many.since(3000));
  REQUIRE(many.since(4990));
  CHECK(after("", *many.since(4990)) == "xxxxxxxxx");
  EditLog large(1);
  large.add(2, {0, 0, std::string(900'000, 'x')});
  large.add(3, {0, 0, std::string(200'000, 'y')});
  CHECK_FALSE(large.since(1));
  CHECK(large.since(2)->size() == 1);
  large.add(4, {0, 0, std::string(2'000'000, 'z')});
  CHECK_FALSE(large.since(3));
  CHECK(large.since(4)->empty());
  EditLog torn(1);  // all edits of one message go together
  for (int i = 0; i < 999; ++i) torn.add(2, {0, 0, "x"});
  torn.add(3, {0, 0, "y"});
  torn.add(3, {0, 0, "z"});
  CHECK_FALSE(torn.since(1));
  CHECK(torn.since(2)->size() == 1);
}

TEST_CASE("joined edits lead where the edits led", "[server]") {
  std::mt19937 random(1);
  const auto below = [&](size_t limit) { return static_cast<size_t>(random() % limit); };
  for (int run = 0; run < 200; ++run) {
    EditLog log(1);
    std::vector<std::string> texts{"The quick brown fox"};
    for (uint64_t r = 2; r < 10; ++r) {
      std::string text = texts.back();
      const size_t begin = below(text.size() + 1);
      const size_t end = begin + below(text.size() - begin + 1);
      const TextEdit edit{begin, end, std::string(below(4), static_cast<char>('a' + r))};
      log.add(r, edit);
      texts.push_back(after(text, {edit}));
    }
    for (uint64_t r = 1; r < 10; ++r) CHECK(after(texts[r - 1], *log.since(r)) == texts.back());
  }
}

}  // namespace etlens::edit_log_test
