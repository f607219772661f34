// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etrecord/stack_trace.h"

namespace etlens::stack_trace_test {

using etlens::parse_stack_trace;
using etlens::ParsedStack;

TEST_CASE("stack trace: strict export, torch 2.6", "[stack_trace]") {
  const ParsedStack stack = parse_stack_trace(
      "  File \"/m/mlp.py\", line 39, in forward\n    x = torch.tanh(self.embed(r))\n"
      "  File \"/m/mlp.py\", line 35, in normalise\n    mean = x.mean(dim=-1)\n");
  REQUIRE(stack.frames.size() == 2);
  CHECK(stack.indented);
  CHECK(stack.frames[0].file == "/m/mlp.py");
  CHECK(stack.frames[0].line == 39);
  CHECK(stack.frames[0].function == "forward");
  CHECK(stack.frames[0].text == "x = torch.tanh(self.embed(r))");
  CHECK(stack.frames[1].line == 35);
  CHECK(stack.frames[1].function == "normalise");
  CHECK(stack.frames[1].mark_end == 0);
}

TEST_CASE("stack trace: caret lines of strict export", "[stack_trace]") {
  const ParsedStack stack = parse_stack_trace(
      "  File \"/m/mlp.py\", line 36, in normalise\n"
      "    return (x - mean) / (x.std(dim=-1) + 1e-5)\n"
      "            ~~^~~~~~\n"
      "  File \"/m/mlp.py\", line 40, in forward\n    x = self.first(x)\n");
  REQUIRE(stack.frames.size() == 2);
  const auto& frame = stack.frames[0];
  CHECK(frame.text.substr(frame.mark_begin, frame.mark_end - frame.mark_begin) == "x - mean");
  CHECK(stack.frames[1].text == "x = self.first(x)");
  CHECK(stack.frames[1].mark_end == 0);
}

TEST_CASE("stack trace: carets count characters, marks are bytes", "[stack_trace]") {
  const ParsedStack stack = parse_stack_trace(
      "  File \"größe.py\", line 7, in forward\n"
      "    höhe = self.größe(x)\n"
      "           ~~~~~~~~~~^^^\n");
  REQUIRE(stack.frames.size() == 1);
  const auto& frame = stack.frames[0];
  CHECK(frame.text.substr(frame.mark_begin, frame.mark_end - frame.mark_begin) == "self.größe(x)");
}

TEST_CASE("stack trace: a caret line of blanks only", "[stack_trace]") {
  // Newer Pythons write four blanks under an expression that spans several lines.
  const ParsedStack stack = parse_stack_trace(
      "  File \"a.py\", line 3, in forward\n    y = torch.cat([y,\n    \n"
      "  File \"b.py\", line 4, in f\n    return y\n");
  REQUIRE(stack.frames.size() == 2);
  CHECK(stack.frames[0].text == "y = torch.cat([y,");
  CHECK(stack.frames[0].mark_end == 0);
  CHECK(stack.frames[1].file == "b.py");
}

TEST_CASE("stack trace: non-strict export is stripped at both ends", "[stack_trace]") {
  const ParsedStack stack = parse_stack_trace(
      "File \"/m/a.py\", line 1, in forward\n    x = self.b(x)\n"
      "  File \"/usr/lib/python3/dist-packages/torch/nn/modules/linear.py\", line 134, in forward\n"
      "    return F.linear(input, self.weight, self.bias)");
  REQUIRE(stack.frames.size() == 2);
  CHECK_FALSE(stack.indented);
  CHECK(stack.frames[0].text == "x = self.b(x)");
  CHECK(stack.frames[1].text == "return F.linear(input, self.weight, self.bias)");
}

TEST_CASE("stack trace: repeated lines, also last", "[stack_trace]") {
  const ParsedStack stack = parse_stack_trace(
      "  File \"r.py\", line 5, in f\n    return f(n - 1)\n"
      "  [Previous line repeated 12 more times]\n"
      "  File \"r.py\", line 4, in f\n    return g(x)\n"
      "  [Previous line repeated 1 more time]\n");
  REQUIRE(stack.frames.size() == 2);
  CHECK(stack.frames[0].text == "return f(n - 1)");
  CHECK(stack.frames[1].line == 4);
  CHECK(stack.frames[1].text == "return g(x)");
}

TEST_CASE("stack trace: missing source lines", "[stack_trace]") {
  const ParsedStack stack = parse_stack_trace(
      "  File \"<eval_with_key>.13\", line 15, in forward\n"
      "  File \"a.py\", line 2, in g\n  [Previous line repeated 3 more times]\n"
      "  File \"b.py\", line 3, in h\n    x + 1\n");
  REQUIRE(stack.frames.size() == 3);
  CHECK(stack.frames[0].file == "<eval_with_key>.13");
  CHECK(stack.frames[0].text.empty());
  CHECK(stack.frames[1].text.empty());
  CHECK(stack.frames[2].text == "x + 1");
}

TEST_CASE("stack trace: Windows paths, quotes and odd names in headers", "[stack_trace]") {
  const ParsedStack stack = parse_stack_trace(
      "  File \"C:\\Users\\me\\my \"best\", line 3, model.py\", line 12, in <lambda>\n    y = "
      "f(x)\n"
      "  File \"/a, in b/c.py\", line 7, in Outer.<locals>.inner\n    z = y\n");
  REQUIRE(stack.frames.size() == 2);
  CHECK(stack.frames[0].file == "C:\\Users\\me\\my \"best\", line 3, model.py");
  CHECK(stack.frames[0].line == 12);
  CHECK(stack.frames[0].function == "<lambda>");
  CHECK(stack.frames[1].file == "/a, in b/c.py");
  CHECK(stack.frames[1].function == "Outer.<locals>.inner");
}

TEST_CASE("stack trace: a source line that looks like a header is source", "[stack_trace]") {
  const ParsedStack stack =
      parse_stack_trace("  File \"a.py\", line 2, in g\n    File \"x\", line 3, in y\n");
  REQUIRE(stack.frames.size() == 1);
  CHECK(stack.frames[0].text == "File \"x\", line 3, in y");
}

TEST_CASE("stack trace: only line feeds end a line", "[stack_trace]") {
  const ParsedStack stack =
      parse_stack_trace("  File \"a.py\", line 2, in g\n    s = \"a\xE2\x80\xA8 b\"\n");
  REQUIRE(stack.frames.size() == 1);
  CHECK(stack.frames[0].text == "s = \"a\xE2\x80\xA8 b\"");
}

TEST_CASE("stack trace: nothing of use gives no frames", "[stack_trace]") {
  CHECK(parse_stack_trace("").frames.empty());
  CHECK(parse_stack_trace("no trace here\n   at all").frames.empty());
  CHECK(parse_stack_trace("  File \"a.py\", line x, in g\n").frames.empty());
  CHECK(parse_stack_trace("  File \"a.py\", line 99999999999, in g\n").frames.empty());
}

}  // namespace etlens::stack_trace_test
