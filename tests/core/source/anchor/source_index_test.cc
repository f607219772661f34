// SPDX-License-Identifier: Apache-2.0
#include "core/source/anchor/source_index.h"

#include <catch2/catch.hpp>

namespace etlens::source_index_test {

namespace {

TokenForm form(std::string_view text) { return token_form(python_tokens(text)); }

}  // namespace

TEST_CASE("token form: what a formatter changes is seen through", "[anchor]") {
  CHECK(is_reformatted(form("f(a, 'b')"), form("f(\n    a,\n    \"b\",\n)")));
  CHECK(is_reformatted(form("x = (a + b)"), form("x = a + b")));
  CHECK_FALSE(is_reformatted(form("f(a, b)"), form("f(b, a)")));
  CHECK(form("f(x)  # why").key == form("f( x )").key);
  CHECK(form("x = 1_000E3").key == form("x = 1000e3").key);
  CHECK(form("größe = α(ß)").key != form("größe = α(s)").key);
  CHECK_FALSE(form("y = f(a,").is_balanced);
  CHECK(form("return x").starts_statement);
}

TEST_CASE("token form: likeness weighs names, most those of called functions", "[anchor]") {
  const TokenForm line = form("y = self.conv(x)");
  CHECK(similarity(line, line) == Approx(1));
  CHECK(similarity(line, form("y = self.conv(x, 2)")) > 0.8);
  CHECK(similarity(line, form("z = self.conv(q)")) > similarity(line, form("y = self.pool(q)")));
  CHECK(similarity(line, form("raise ValueError('no')")) < 0.2);
  CHECK(similarity(line, form("")) == 0);
  CHECK(overlap(form("self.conv(x)"), form("y = F.relu(self.conv(x))")) > 0.9);
  CHECK(find_run(form("b, c"), form("f(a, b, c)")) != SIZE_MAX);
  CHECK(find_run(form("c, b"), form("f(a, b, c)")) == SIZE_MAX);
}

TEST_CASE("source index: lines and statements by their tokens", "[anchor]") {
  const auto document = std::make_shared<Document>(
      "\xEF\xBB\xBF"
      "class A:\r\n\tdef f(self, x):\r\n\t\t'''doc\r\n\t\tmore'''\r\n\t\ty = g(x,\r\n\t\t\t1)  # "
      "wrapped\r\n"
      "\t\treturn y; print(y)\r\n\r\ndef g(x, n): return x\r\n");
  const auto syntax = PythonSyntax::parse(document);
  const SourceIndex index(*syntax);
  REQUIRE(index.lines().size() == document->line_count());
  CHECK(index.has_code(0));
  CHECK_FALSE(index.has_code(2));  // a docstring
  CHECK_FALSE(index.has_code(7));
  REQUIRE(index.lines_with(form("y = g(x,").key).size() == 1);
  CHECK(index.lines_with(form("y = g(x,").key)[0] == 4);
  REQUIRE(index.statements_with(form("y = g(x, 1)").loose_key).size() == 1);
  const IndexedStatement& wrapped =
      index.statements()[index.statements_with(form("y = g(x, 1)").loose_key)[0]];
  CHECK(wrapped.first_line == 4);
  CHECK(wrapped.last_line == 5);
  CHECK(syntax->qualified_name(wrapped.scope) == "A.f");
  CHECK(index.lines()[5].statement == index.lines()[4].statement);
  CHECK(index.called_names(4, 6) == std::vector<std::string_view>{"g", "print"});
  CHECK(index.scopes_named(hash_of("g")).size() == 1);
  CHECK(index.statements_naming(hash_of("y"), 64).size() == 3);
  CHECK(index.statements_naming(hash_of("y"), 2).empty());
  CHECK(index.line_of_loose(index.lines()[4].statement, 5) == 5);
}

TEST_CASE("source index: text without code", "[anchor]") {
  for (const char* text : {"", "\n\n", "# only\r# comments", "\"\"\"open"}) {
    const auto syntax = PythonSyntax::parse(std::make_shared<Document>(text));
    const SourceIndex index(*syntax);
    CHECK(index.lines().size() == syntax->document().line_count());
    CHECK(index.called_names(0, 0).empty());
  }
}

}  // namespace etlens::source_index_test
