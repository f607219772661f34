// SPDX-License-Identifier: Apache-2.0
#include "core/source/python/python_syntax.h"

#include <catch2/catch.hpp>
#include <random>

// C that C++ has warnings for.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wunused-function"
#include "node_modules/tree-sitter/vendor/tree-sitter/lib/src/clock.h"
#pragma GCC diagnostic pop

namespace etlens::python_syntax_test {

namespace {

const char* const kSource =
    "import torch\n"
    "class Block(nn.Module, Base):\n"
    "    def __init__(self):\n"
    "        self.up = nn.Linear(3, 4)\n"
    "        self.a, self.b = 1, 2\n"
    "    @torch.no_grad()\n"
    "    def forward(self, x):\n"
    "        \"\"\"Doc.\"\"\"\n"
    "        def inner(y): return y + 1\n"
    "        if x.any():\n"
    "            x = F.relu(\n"
    "                self.up(x), inplace=True)\n"
    "        return inner(x)\n";

std::shared_ptr<const PythonSyntax> parse(const std::string& text) {
  return PythonSyntax::parse(std::make_shared<Document>(text));
}

void check_equal(const PythonSyntax& a, const PythonSyntax& b) {
  REQUIRE(a.is_valid() == b.is_valid());
  REQUIRE(a.scopes().size() == b.scopes().size());
  for (size_t i = 0; i < a.scopes().size(); ++i) {
    REQUIRE(a.scopes()[i].name == b.scopes()[i].name);
    REQUIRE(a.scopes()[i].parent == b.scopes()[i].parent);
    REQUIRE(a.scopes()[i].header_line == b.scopes()[i].header_line);
    REQUIRE(a.scopes()[i].last_line == b.scopes()[i].last_line);
  }
  REQUIRE(a.statements().size() == b.statements().size());
  for (size_t i = 0; i < a.statements().size(); ++i) {
    REQUIRE(a.statements()[i].begin == b.statements()[i].begin);
    REQUIRE(a.statements()[i].end == b.statements()[i].end);
    REQUIRE(a.statements()[i].scope == b.statements()[i].scope);
  }
}

}  // namespace

TEST_CASE("python syntax: classes, functions, statements", "[syntax]") {
  const auto syntax = parse(kSource);
  REQUIRE(syntax->is_valid());
  REQUIRE(syntax->scopes().size() == 4);
  CHECK(syntax->qualified_name(0) == "Block");
  CHECK(syntax->scopes()[0].bases == "nn.Module, Base");
  CHECK(syntax->qualified_name(2) == "Block.forward");
  CHECK(syntax->scopes()[2].first_line == 5);
  CHECK(syntax->scopes()[2].header_line == 6);
  CHECK(syntax->qualified_name(3) == "Block.forward.inner");
  const PythonStatement* wrapped = syntax->statement_at(11);
  REQUIRE(wrapped != nullptr);
  CHECK(syntax->document().line_at(wrapped->begin) == 10);
  const auto attributes = syntax->attribute_assignments(0);
  REQUIRE(attributes.size() == 3);
  CHECK(attributes[0].name == "up");
  CHECK(attributes[2].name == "b");
}

TEST_CASE("python syntax: text that is being typed is outlined by its indentation", "[syntax]") {
  const auto syntax = parse(
      "class A:\n\tdef forward(self, x):\n\t\ty = f(x\n\t\tz = g(y)\n\n\tdef "
      "other(self):\n\t\treturn (1,\n");
  CHECK_FALSE(syntax->is_valid());
  REQUIRE(syntax->scopes().size() == 3);
  CHECK(syntax->qualified_name(1) == "A.forward");
  CHECK(syntax->qualified_name(2) == "A.other");
}

TEST_CASE("python syntax: a re-parse is what a parse would be", "[syntax]") {
  std::mt19937_64 random(11);
  std::string text;
  for (int i = 0; i < 6; ++i) text += kSource;
  auto syntax = parse(text);
  const std::string pieces[] = {
      "x", "\n", "(", ")", "    ", "ä", "\ndef f(a):\n    return a\n", "\"\"\"", "#"};
  for (int i = 0; i < 300; ++i) {
    std::vector<TextEdit> edits(1 + random() % 2);
    auto after = std::make_shared<Document>(syntax->document());
    for (TextEdit& edit : edits) {
      edit.begin = random() % (after->text().size() + 1);
      edit.end = edit.begin + random() % 4;
      edit.text = pieces[random() % std::size(pieces)];
      after = std::make_shared<Document>(after->edited(edit));
    }
    syntax = syntax->edited(edits, after);
    check_equal(*syntax, *PythonSyntax::parse(after));
    if (i % 20 == 19) syntax = parse(text);  // most texts are broken by now
  }
}

TEST_CASE("python syntax: edits that do not lead to the text are not believed", "[syntax]") {
  const auto syntax = parse(kSource);
  const auto other = std::make_shared<Document>("def f(x):\n    return x\n");
  const TextEdit edit{0, 0, "# "};
  check_equal(*syntax->edited(std::span(&edit, 1), other), *PythonSyntax::parse(other));
}

// tree-sitter 0.20 gave up whenever the clock's next full second began during a parse.
TEST_CASE("python syntax: no parse is given up at a full second", "[syntax]") {
  const TSClock begin{100, 999'999'999};
  const TSClock end = clock_after(begin, 500'000);
  CHECK_FALSE(clock_is_gt(begin, end));
  CHECK_FALSE(clock_is_gt(TSClock{101, 0}, end));
  CHECK_FALSE(clock_is_gt(TSClock{101, 499'999'000}, end));
  CHECK(clock_is_gt(TSClock{101, 500'000'000}, end));
  CHECK(clock_is_gt(TSClock{102, 0}, end));
}

// tree-sitter 0.20 counted the children of a node in 16 bits.
TEST_CASE("python syntax: more than 65,535 tokens that belong to nothing", "[syntax][hostile]") {
  const auto times = [](const char* text, size_t count) {
    std::string all;
    for (size_t i = 0; i < count; ++i) all += text;
    return all;
  };
  for (const std::string& text :
       {times("[", 70'000), times("-", 70'000), times("not ", 70'000) + ")",
        times("lambda: ", 70'000), times("(x\n", 70'000), times("f(", 70'000) + times(")", 70'000),
        "x = [" + times("1, ", 70'000), "x = [" + times("1, ", 70'000) + "]\n"}) {
    const auto syntax = parse("def f():\n    pass\n" + text);
    REQUIRE(syntax->scopes().size() >= 1);
    CHECK(syntax->qualified_name(0) == "f");
    const TextEdit edit{0, 3, "class"};
    const auto after = std::make_shared<Document>(syntax->document().edited(edit));
    CHECK(syntax->edited(std::span(&edit, 1), after)->scopes()[0].is_class);
  }
}

}  // namespace etlens::python_syntax_test
