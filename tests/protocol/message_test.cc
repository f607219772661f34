// SPDX-License-Identifier: Apache-2.0
#include "protocol/message.h"

#include <catch2/catch.hpp>

#include "protocol/parse_json.h"

#include "protocol/feature_types.h"

namespace etlens::message_test {

using namespace etlens::lsp;

TEST_CASE("requests, notifications and responses are told apart", "[protocol]") {
  const Message request =
      parse_message(R"({"jsonrpc":"2.0","id":7,"method":"m","params":{"a":1}})");
  REQUIRE(std::holds_alternative<Request>(request));
  CHECK(std::get<Request>(request).id == RequestId(int64_t{7}));
  CHECK(std::get<Request>(request).params["a"] == 1);
  CHECK(std::get<Request>(parse_message(R"({"id":"x","method":"m"})")).id == RequestId("x"));
  CHECK(std::holds_alternative<Notification>(parse_message(R"({"method":"m"})")));
  const Message response = parse_message(R"({"id":3,"error":{"code":-32601,"message":"no"}})");
  REQUIRE(std::holds_alternative<Response>(response));
  CHECK(std::get<Response>(response).error->code == ResponseCode::MethodNotFound);
  CHECK(std::get<Response>(parse_message(R"({"id":3,"result":null})")).result.is_null());
}

TEST_CASE("malformed messages say what to answer", "[protocol]") {
  const auto code = [](std::string_view text) {
    const Message message = parse_message(text);
    REQUIRE(std::holds_alternative<Malformed>(message));
    return std::get<Malformed>(message).error.code;
  };
  CHECK(code("") == ResponseCode::ParseError);
  CHECK(code("{") == ResponseCode::ParseError);
  CHECK(code("{\"method\":\"\xFF\"}") == ResponseCode::ParseError);
  CHECK(code("{} trailing") == ResponseCode::ParseError);
  CHECK(code("[]") == ResponseCode::InvalidRequest);
  CHECK(code("null") == ResponseCode::InvalidRequest);
  CHECK(code("{}") == ResponseCode::InvalidRequest);
  CHECK(code(R"({"id":1,"method":3})") == ResponseCode::InvalidRequest);
  CHECK(code(R"({"id":1,"method":"m","params":3})") == ResponseCode::InvalidRequest);
  CHECK(code(R"({"id":null,"method":"m"})") == ResponseCode::InvalidRequest);
  CHECK(code(R"({"id":1.5,"method":"m"})") == ResponseCode::InvalidRequest);
  CHECK(code(R"({"id":[1],"method":"m"})") == ResponseCode::InvalidRequest);
  // The id of what could be a request comes back; a broken response is never answered.
  CHECK(std::get<Malformed>(parse_message(R"({"id":1,"method":3})")).id == RequestId(int64_t{1}));
  CHECK_FALSE(std::get<Malformed>(parse_message(R"({"result":1})")).wants_answer);
}

TEST_CASE("deep JSON is refused before it is built", "[protocol]") {
  const auto nested = [](size_t depth) {
    return R"({"method":"m","params":)" + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  CHECK(std::holds_alternative<Notification>(parse_message(nested(kMaxJsonDepth - 1))));
  CHECK(std::holds_alternative<Malformed>(parse_message(nested(kMaxJsonDepth))));
  CHECK(std::holds_alternative<Malformed>(parse_message(nested(5'000'000))));
  // Brackets inside strings do not count, nor quotes that are escaped.
  CHECK(std::holds_alternative<Notification>(
      parse_message(R"({"method":"\"[[[","params":[")" + std::string(10'000, '[') + "\"]}")));
}

TEST_CASE("a message of very many values is refused before it is built", "[protocol]") {
  const auto list = [](size_t count, const std::string& value) {
    std::string text = R"({"method":"m","params":[)" + value;
    for (size_t i = 1; i < count; ++i) (text += ',') += value;
    return text + "]}";
  };
  CHECK(std::holds_alternative<Notification>(parse_message(list(kMaxJsonValues - 8, "1"))));
  for (const std::string value : {"1", "[]", "{}", "\"\"", R"({"a":1})"})
    CHECK(std::holds_alternative<Malformed>(parse_message(list(kMaxJsonValues + 1, value))));
  // One value of any length is one value.
  const std::string commas = "\"" + std::string(4 << 20, ',') + "\"";
  CHECK(std::holds_alternative<Notification>(parse_message(list(1, commas))));
}

TEST_CASE("messages hold nothing unseen, and addresses and names come back whole", "[message]") {
  const auto uri = DocumentUri::from_string("untitled:a\u200Bb");
  CHECK(to_json_text(uri) == R"("untitled:a\u200bb")");
  CHECK(to_json_text(Json("a\u200B\U000E0041")) == R"("a\u200b\udb40\udc41")");  // a token
  CHECK(to_json_text(std::string("a\u200B")) == R"("a<U+200B>")");
  Json names{{"a", {"x<U+200B>y<U+E0041>", 1, nullptr}}, {"b", "<U+0041> & <U+"}};
  put_back(names);
  CHECK(names == Json{{"a", {"x\u200By\U000E0041", 1, nullptr}}, {"b", "<U+0041> & <U+"}});
}

TEST_CASE("a client's id comes back as it was", "[protocol]") {
  const RequestId id(std::string("a\x1b\u202e\""));
  CHECK(result_text(id, "1") == R"({"jsonrpc":"2.0","id":"a\u001b\u202e\"","result":1})");
}

TEST_CASE("messages are read as nlohmann reads them, fast or slow", "[protocol]") {
  const std::string texts[] = {
      R"({"id":1,"method":"m","params":{"a":[1,-1,0,1.5,-0.0,1e300,true,false,null,""],"b":{}}})",
      R"({"a":1,"a":2,"":[[],{}]})",
      R"("\u00e9\ud83d\ude00\u0000\n\\\"")",
      "\"\xF0\x9F\x98\x80\"",
      "18446744073709551615",
      "18446744073709551616",  // beyond all integers
      "-9223372036854775809",
      "1e400",
      " [1 , 2] ",
      "",
      "{",
      "[1,]",
      "\"\xFF\"",
      "nul",
      "{} {}",
  };
  for (const std::string& text : texts) {
    CAPTURE(text);
    const Json expected = Json::parse(text, nullptr, false);
    const Result<Json> parsed = parse_json(text);
    REQUIRE(bool(parsed) == !expected.is_discarded());
    if (!parsed) continue;
    CHECK(*parsed == expected);
    CHECK(parsed->type() == expected.type());
    CHECK(parsed->dump() == expected.dump());
  }
}

TEST_CASE("decoding names the place of what is wrong", "[protocol]") {
  const auto error = [](std::string_view text) {
    const auto decoded = decode<InlayHintParams>(Json::parse(text));
    return decoded ? std::string("fine") : decoded.error().message;
  };
  const std::string range =
      R"("range":{"start":{"line":0,"character":0},"end":{"line":1,"character":0}})";
  CHECK(error(R"({"textDocument":{"uri":"file:///a"},)" + range + R"(,"more":1})") == "fine");
  CHECK(error("{" + range + "}") == "/textDocument: is missing");
  CHECK(error(R"({"textDocument":{"uri":4},)" + range + "}") == "/textDocument/uri: is not a URI");
  CHECK(
      error(
          R"({"textDocument":{"uri":"a"},"range":{"start":{"line":-1,"character":0},"end":{}}})") ==
      "/range/start/line: is not a number from 0 on");
  CHECK(error("[]") == "/: is not an object");
  const auto changes = decode<DidChangeTextDocumentParams>(Json::parse(
      R"({"textDocument":{"uri":"a","version":1},"contentChanges":[{"text":"x"},{"text":1}]})"));
  REQUIRE_FALSE(changes);
  CHECK(changes.error().message == "/contentChanges/1/text: is not a string");
}

TEST_CASE("whole numbers may be written with a point, and null is an absent field", "[protocol]") {
  const auto position = decode<Position>(Json::parse(R"({"line":3.0,"character":4})"));
  REQUIRE(position);
  CHECK(position->line == 3);
  const auto init = decode<InitializeParams>(
      Json::parse(R"({"capabilities":{},"processId":null,"rootUri":null})"));
  REQUIRE(init);
  CHECK_FALSE(init->processId);
  CHECK_FALSE(init->workspaceFolders);
}

TEST_CASE("JSON is written with escapes, and bytes that are no UTF-8 are replaced", "[protocol]") {
  CHECK(to_json_text(std::string("a\"\\\n\t\r\x01\x1f")) == "\"a\\\"\\\\\\n\\t\\r\uFFFD\uFFFD\"");
  CHECK(to_json_text(std::string("x\xFFy")) == "\"x\xEF\xBF\xBDy\"");
  CHECK(to_json_text(std::string("größe 😀")) == "\"größe 😀\"");
  CHECK(to_json_text(0.1) == "0.1");
  CHECK(to_json_text(std::numeric_limits<double>::quiet_NaN()) == "null");
  CHECK(to_json_text(std::vector<int>{1, 2}) == "[1,2]");
  CHECK(to_json_text(std::optional<Hover>()) == "null");
  CHECK(
      to_json_text(Diagnostic{{}, DiagnosticSeverity::Hint, "c", "s", "m"}) ==
      R"({"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"severity":4,"code":"c","source":"s","message":"m"})");
  CHECK(error_text(std::nullopt, {ResponseCode::ParseError, "x"}) ==
        R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}})");
}

TEST_CASE("what is written can be read again", "[protocol]") {
  CallHierarchyItem item;
  item.name = "layers.0";
  item.uri = DocumentUri::from_path("/work/a b.py");
  item.range = {{1, 2}, {3, 4}};
  item.detail = "Block · 3 ms";
  item.data = Json{{"module", "layers.0"}};
  const auto back = decode<CallHierarchyItem>(Json::parse(to_json_text(item)));
  REQUIRE(back);
  CHECK(back->name == item.name);
  CHECK(back->uri == item.uri);
  CHECK(back->range == item.range);
  CHECK(back->detail == item.detail);
  CHECK(back->data == item.data);
}

// What JavaScript writes for half of a character, while it is typed.
TEST_CASE("json: half characters are replaced, so that the edit is not lost", "[json]") {
  const auto text_of = [](const char* text) {
    const Result<Json> parsed = parse_json(text);
    REQUIRE(parsed);
    return parsed->at("t").get<std::string>();
  };
  CHECK(text_of(R"({"t":"a\ud83db"})") == "a\uFFFDb");
  CHECK(text_of(R"({"t":"\ude00\ud83d\ude00\ud83d"})") == "\uFFFD\U0001F600\uFFFD");
  CHECK(text_of(R"({"t":"\\ud83d \ud83d\n"})") == "\\ud83d \uFFFD\n");
  CHECK_FALSE(parse_json(R"({"t":"\ud83)"));
}

}  // namespace etlens::message_test
