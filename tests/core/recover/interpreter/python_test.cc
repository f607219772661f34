// SPDX-License-Identifier: Apache-2.0
// What a run knows of Python: it knows it right, or leaves it open.
#include "tests/core/recover/interpreter/small_model.h"

using namespace etlens;
using namespace etlens::test;

namespace {

// Nobody knows: no line may be said.
const std::string kOpen;

std::string asked(const std::string& inside, const std::string& condition) {
  return answer({"", "", inside, condition});
}

}  // namespace

TEST_CASE("which of two equal lines ran is what the text before them says", "[recover]") {
  CHECK(asked("", "1 < 2") == "yes");
  CHECK(asked("", "1 > 2") == "no");
  CHECK(asked("", "unknown_name()") == kOpen);
}

TEST_CASE("what all runs have is not changed by one", "[recover]") {
  // Each open flag is a run more; what the one before wrote is gone by then.
  const std::string flags = "if open_flag():\n    pass\nif other_flag():\n    pass\n";
  const std::string members =
      "import enum\nclass Mode(enum.Enum):\n    A = []\n    B = {}\nlazy = iter([1])\n"
      "pairs = enumerate([1, 2])\nparts = (part for part in [1, 2])\n";
  CHECK(answer({members, "", flags + "Mode.A.value.append(x)\nmade = len(Mode.A.value)",
                "made == 1"}) == "yes");
  CHECK(answer({members, "", flags + "Mode.B.value['x'] = x", "len(Mode.B.value) == 1"}) == "yes");
  for (const std::string lazy : {"lazy", "pairs", "parts"}) {
    INFO(lazy);
    CHECK(
        answer({members, "", flags + "first = next(" + lazy + ", None)", "first is None"}).empty());
    CHECK(
        answer({members, "", flags + "found = []\nfor one in " + lazy + ":\n    found.append(x)\n",
                "len(found) == 2"})
            .empty());
  }
  // A default that is open is open in every run.
  CHECK(answer({"from dataclasses import dataclass\nopen_value = unknown_name()\n"
                "@dataclass\nclass Options:\n    flag: bool = open_value\n",
                "", "options = Options()", "options.flag"}) == kOpen);
  CHECK(asked("def made(flag):\n    class Made:\n        def ask(self):\n            return flag\n"
              "    return Made()\nmade(open_flag()).ask()\n",
              "unknown_name().ask()") == kOpen);
}

TEST_CASE("what nests or grows without end is not known", "[recover]") {
  CHECK(asked("a = []\na.append(a)\nb = []\nb.append(b)", "a == b") == kOpen);
  CHECK(asked("a = 1\nb = 1\nfor i in range(300):\n    a = [a]\n    b = [b]", "a == b") == kOpen);
  CHECK(asked("a = 1\nb = 1\nfor i in range(300):\n    a = [a, a]\n    b = [b, b]", "a == b") ==
        kOpen);
  CHECK(asked("a = [] * 9223372036854775807", "len(a) == 0") == "yes");
  CHECK(asked("a = [1] * 9223372036854775807", "len(a) == 4096") == kOpen);
  CHECK(asked("a = [1, 2, 3] * 1366", "len(a) == 4098") == kOpen);
  CHECK(asked("a = [1, 2] * -1", "a") == "no");
  CHECK(asked("a = 'ab'\nfor i in range(40):\n    a = a + a", "len(a) > 5000") == kOpen);
  CHECK(asked("a = 'ab'\nfor i in range(40):\n    a = f'{a}{a}'", "len(a) > 5000") == kOpen);
  CHECK(asked("a = 'ab'\nfor i in range(40):\n    a = a.replace('a', 'aa')", "len(a) > 5000") ==
        kOpen);
  CHECK(asked("a = 'ab'\nfor i in range(40):\n    a = a.join([a, a])", "len(a) > 5000") == kOpen);
  CHECK(asked("f = torch.relu\nfor i in range(500):\n    f = map(f, f)\nfor y in f: pass", "1") ==
        kOpen);
  CHECK(answer({"import functools\nf = len\nfor i in range(500):\n    for j in range(500):\n"
                "        f = functools.partial(f)\n",
                "", "", "f(()) == 1"}) == kOpen);
  CHECK(answer({"class A: pass\nA.__call__ = A()\n", "", "A()()", "1"}) == kOpen);
  CHECK(asked("t = int\nfor i in range(500):\n    t = (t,)", "isinstance(1, t)") == kOpen);
  std::string clauses = "a = [1";
  for (int i = 0; i < 3000; ++i) clauses += " for b in [1]";
  CHECK(asked(clauses + "]", "len(a) == 1") == kOpen);
  // Deep in each other.
  std::string deep;
  for (int i = 0; i < 60; ++i) deep += std::string(static_cast<size_t>(i), ' ') + "if True:\n";
  CHECK(asked(deep + std::string(60, ' ') + "a = 1", "a == 1") == "yes");
  const std::string many = "a = [x] * 4000\nb = [a] * 4000\nc = [b] * 4000\nd = [c] * 4000\n";
  CHECK(answer({"x = 1\n" + many, "", "d.append(1)", "len(d) == 4001"}) == "yes");
  std::string either = "f = len\n";
  for (int i = 0; i < 60; ++i) either += "f = f if unknown_name() else f\n";
  CHECK(answer({either, "def __init__(self, f=f):\n    self.f = f", "", "self.f"}) == kOpen);
}

TEST_CASE("integers that the run cannot hold are not known", "[recover]") {
  const std::string most = "m = 9223372036854775807\n";
  CHECK(asked(most, "m + 1 < m") == kOpen);
  CHECK(asked(most, "m * 2 > m") == kOpen);
  CHECK(asked(most, "-m - 2 < 0") == kOpen);
  CHECK(asked(most, "2 ** 64 > m") == kOpen);
  CHECK(asked(most, "m == m - 1") == "no");
  CHECK(asked(most, "m > m - 1") == "yes");
  CHECK(asked(most + "least = -m - 1", "least // 3 < 0") == "yes");
  CHECK(asked(most + "least = -m - 1", "least % 3 == 1") == "yes");
  CHECK(asked(most + "n = 0\nfor n, y in enumerate([1, 2, 3], m): pass", "n == m") == kOpen);
  CHECK(asked(most + "n = 0\nfor n in range(m, unknown_name()):\n    pass", "n < 0") == kOpen);
  CHECK(asked("n = 0\nfor n, y in enumerate([1, 2, 3], unknown_name()): pass", "n == 2") == kOpen);
  CHECK(asked("", "3j == 3") == kOpen);
  CHECK(asked("", "len('\xC3\xA9') == 2") == kOpen);
}
