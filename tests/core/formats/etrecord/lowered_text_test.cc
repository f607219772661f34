// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etrecord/lowered_text.h"

#include <string>

namespace etlens::lowered_text_test {

namespace {

std::string escaped(const nlohmann::ordered_json& inner) {
  const std::string quoted = nlohmann::json(inner.dump()).dump(-1, ' ', true);
  return quoted.substr(1, quoted.size() - 2);
}

}  // namespace

TEST_CASE("lowered text: unescaped without its blobs", "[lowered_text]") {
  nlohmann::ordered_json inner;
  inner["backend_id"] = "XnnpackBackend";
  inner["processed_bytes"] = std::string(5000, 'A') + "==";
  inner["compile_specs"] = nlohmann::json::array();
  inner["original_module"] = {{"text", "größe \"quoted\" \\ \n🚀"}};
  inner["original_state_dict"] = std::string(9000, 'B');
  const std::string raw = escaped(inner);
  const LoweredText text = unescape_lowered(raw);
  CHECK(text.processed_bytes == std::string(5000, 'A') + "==");
  CHECK(text.json.size() < 400);
  const auto parsed = nlohmann::json::parse(text.json.text());
  CHECK(parsed["backend_id"] == "XnnpackBackend");
  CHECK(parsed["processed_bytes"] == "");
  CHECK(parsed["original_module"]["text"] == "größe \"quoted\" \\ \n🚀");
}

TEST_CASE("lowered text: a user's string that looks like a blob key stays", "[lowered_text]") {
  nlohmann::ordered_json inner;
  inner["a"] = "\"processed_bytes\": \"x\"";
  const std::string raw = escaped(inner);
  const LoweredText text = unescape_lowered(raw);
  CHECK(nlohmann::json::parse(text.json.text())["a"] == "\"processed_bytes\": \"x\"");
  CHECK(text.processed_bytes.empty());
}

TEST_CASE("lowered text: every prefix and broken escapes are survived", "[lowered_text]") {
  nlohmann::ordered_json inner;
  inner["processed_bytes"] = "QUJD";
  inner["b"] = "\xF0\x9F\x9A\x80 \t";
  const std::string raw = escaped(inner);
  for (size_t size = 0; size <= raw.size(); ++size) {
    const std::string prefix = raw.substr(0, size);
    const LoweredText text = unescape_lowered(prefix);
    REQUIRE(text.json.size() <= prefix.size());
  }
  for (const std::string odd : {"\\u12", "\\uZZZZ", "\\ud83d", "\\ud83d\\u0041", "\\x", "\\"}) {
    const LoweredText text = unescape_lowered(odd);
    CHECK(text.json.size() <= odd.size());
  }
}

}  // namespace etlens::lowered_text_test
