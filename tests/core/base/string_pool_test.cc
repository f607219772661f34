// SPDX-License-Identifier: Apache-2.0
#include "core/base/string_pool.h"

#include <string>
#include <vector>

namespace etlens::string_pool_test {

TEST_CASE("string pool: one id per distinct string, views stay valid", "[base]") {
  StringPool pool;
  CHECK(pool.intern("") == kEmptyString);
  std::vector<StringId> ids;
  std::vector<std::string_view> views;
  for (int i = 0; i < 20'000; ++i) {
    ids.push_back(pool.intern("name " + std::to_string(i)));
    views.push_back(pool[ids.back()]);
  }
  for (int i = 0; i < 20'000; ++i) {
    REQUIRE(pool.intern("name " + std::to_string(i)) == ids[i]);
    REQUIRE(views[i] == "name " + std::to_string(i));
  }
  CHECK(pool.size() == 20'001);
  CHECK(pool.find("name 7") == ids[7]);
  CHECK_FALSE(pool.find("name 20000").valid());
  CHECK(pool[StringId()] == "");
}

TEST_CASE("string pool: long strings and zero bytes", "[base]") {
  StringPool pool;
  const std::string big(1 << 20, 'x');
  const std::string zeros("a\0b", 3);
  const StringId a = pool.intern(big);
  const StringId b = pool.intern(zeros);
  CHECK(pool[a] == big);
  CHECK(pool[b] == zeros);
  CHECK(pool.intern("a") != b);
}

TEST_CASE("string pool: two texts that differ in one byte are two, whatever their length",
          "[base]") {
  StringPool pool;
  std::vector<std::string> texts{""};
  for (size_t size = 1; size <= 70; ++size) {
    const std::string zeros(size, '\0');
    texts.push_back(zeros);
    for (size_t at = 0; at < size; ++at) {
      texts.push_back(zeros);
      texts.back()[at] = 'x';
    }
  }
  std::vector<StringId> ids;
  for (const std::string& text : texts) ids.push_back(pool.intern(text));
  CHECK(pool.size() == texts.size());
  for (size_t i = 0; i < texts.size(); ++i) {
    REQUIRE(pool[ids[i]] == texts[i]);
    REQUIRE(pool.find(texts[i]) == ids[i]);
  }
}

}  // namespace etlens::string_pool_test
