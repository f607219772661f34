// SPDX-License-Identifier: Apache-2.0
// One declaration of a struct's fields: what is written, and the schema that describes it.
#include <cmath>

#include "core/base/fields_json.h"
#include "core/base/fields_schema.h"

namespace etlens::fields_test {

namespace {

using nlohmann::json;

struct Inner {
  uint32_t number = 7;
  std::optional<std::string> name;
};
FIELDS(Inner, number, name)

struct Shared {
  bool first = true;
  double second = 0.5;
};
FIELDS(Shared, first, second)

struct Nothing {};
FIELDS(Nothing)

struct Outer {
  Literal<"test/outer@1"> schema;
  Spread<Shared> shared;
  Nullable<std::string_view> text;
  std::optional<Nullable<int32_t>> both;
  std::array<uint64_t, 2> pair{1, 2};
  std::tuple<std::string, uint32_t> place{"a.py", 3};
  std::vector<std::pair<std::string, double>> named;
  std::vector<Inner> inner;
  Rows<Inner> rows;
  Nothing nothing;
};
FIELDS(Outer, schema, shared, text, both, pair, place, named, inner, rows, nothing)

struct May {
  SpreadIfAny<Shared> shared;
  std::optional<Nullable<Real>> number;
  std::vector<Real> numbers;
};
FIELDS(May, shared, number, numbers)

template <typename T>
json schema(OtherFields others) {
  JsonWriter out;
  write_schema<T>(out, others);
  return json::parse(out.take());
}

}  // namespace

TEST_CASE("fields: what is empty is left out, or null, as its type has it", "[fields]") {
  const Outer outer;
  CHECK(json_text(outer) ==
        R"({"schema": "test/outer@1", "first": true, "second": 0.5, "text": null, "pair": [1, 2], )"
        R"("place": ["a.py", 3], "named": {}, "inner": [], "rows": [], "nothing": {}})"
        "\n");
}

TEST_CASE("fields: all that there is to write", "[fields]") {
  Outer outer;
  outer.shared = Shared{false, 1};
  outer.text = std::string_view("text");
  outer.both = Nullable<int32_t>();
  outer.named = {{"b", 1}, {"a", 2}};  // in this order
  outer.inner = {{1, "one"}, {2, std::nullopt}};
  outer.rows = Rows<Inner>([](const Rows<Inner>::Take& take) {
    for (uint32_t i = 0; i < 3; ++i) take({i, std::nullopt});
  });
  CHECK(json_text(outer, JsonStyle::Compact) ==
        R"({"schema":"test/outer@1","first":false,"second":1,"text":"text","both":null,)"
        R"("pair":[1,2],"place":["a.py",3],"named":{"b":1,"a":2},)"
        R"("inner":[{"number":1,"name":"one"},{"number":2}],)"
        R"("rows":[{"number":0},{"number":1},{"number":2}],"nothing":{}})");
  JsonWriter out(JsonStyle::Compact);
  out.begin_object().field("before", 1);
  write_members(out, Shared{false, 1});
  CHECK(out.end_object().take() == R"({"before":1,"first":false,"second":1})");
}

TEST_CASE("fields: the schema of a struct", "[fields]") {
  const json outer = schema<Outer>(OtherFields::Allowed);
  CHECK(outer["type"] == "object");
  CHECK(outer["required"] == json({"schema", "first", "second", "text", "pair", "place", "named",
                                   "inner", "rows", "nothing"}));
  CHECK_FALSE(outer.contains("additionalProperties"));
  const json& fields = outer["properties"];
  CHECK(fields["schema"] == json{{"const", "test/outer@1"}});
  CHECK(fields["first"] == json{{"type", "boolean"}});
  CHECK(fields["second"] == json{{"type", "number"}});
  const json null{{"type", "null"}};
  CHECK(fields["text"] == json{{"anyOf", {{{"type", "string"}}, null}}});
  CHECK(fields["both"] == json{{"anyOf", {{{"type", "integer"}}, null}}});
  CHECK(fields["pair"] == json::parse(R"({"type": "array", "items": {"type": "integer"},
                                          "minItems": 2, "maxItems": 2})"));
  CHECK(fields["place"] ==
        json::parse(R"({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}],
                        "items": false, "minItems": 2})"));
  CHECK(fields["named"] ==
        json::parse(R"({"type": "object", "additionalProperties": {"type": "number"}})"));
  CHECK(fields["rows"] == fields["inner"]);
  CHECK(fields["inner"]["items"]["required"] == json({"number"}));
  CHECK(fields["nothing"]["required"] == json::array());
  const json refused = schema<Outer>(OtherFields::Refused);
  CHECK(refused["additionalProperties"] == false);
  CHECK(refused["properties"]["inner"]["items"]["additionalProperties"] == false);
}

TEST_CASE("fields: fields that are there together, or not at all", "[fields]") {
  May may;
  CHECK(json_text(may) == "{\"numbers\": []}\n");
  may.shared = Shared{false, 1};
  CHECK(json_text(may) == "{\"first\": false, \"second\": 1, \"numbers\": []}\n");
  const json described = schema<May>(OtherFields::Allowed);
  CHECK(described["required"] == json({"numbers"}));
  CHECK(described["properties"]["first"] == json{{"type", "boolean"}});
  CHECK(described["properties"]["second"] == json{{"type", "number"}});
}

TEST_CASE("fields: a number that need not be finite", "[fields]") {
  May may;
  may.number = Nullable<Real>();
  may.numbers = {1.5, NAN, -INFINITY};
  CHECK(json_text(may) == "{\"number\": null, \"numbers\": [1.5, \"NaN\", \"-Infinity\"]}\n");
  CHECK(schema<May>(OtherFields::Allowed)["properties"]["numbers"]["items"] ==
        json::parse(R"({"anyOf": [{"type": "number"}, {"const": "NaN"}, {"const": "Infinity"},
                                  {"const": "-Infinity"}]})"));
}

TEST_CASE("fields: a struct knows what it is called", "[fields]") {
  CHECK(struct_name(std::type_identity<Inner>()) == "Inner");
  CHECK(struct_name(std::type_identity<Nothing>()) == "Nothing");
  CHECK(HasFields<Outer>);
  CHECK_FALSE(HasFields<json>);
}

}  // namespace etlens::fields_test
