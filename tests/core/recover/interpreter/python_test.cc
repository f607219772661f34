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

TEST_CASE("a tensor lies on some device", "[recover]") {
  CHECK(asked("", "x.device is None") == "no");
  CHECK(asked("device = x.device", "device is not None") == "yes");
  CHECK(asked("", "x.grad_fn is None") == kOpen);
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
  CHECK(answer({"x = 1\n" + many, "", "e = d + [1]", "len(e) == 4001"}) == "yes");
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

TEST_CASE("what others than a constructor set is not what the constructor says", "[recover]") {
  const std::string init = "def __init__(self):\n    self.flag = False\n    self.parts = [1]\n";
  CHECK(answer({"", init, "", "self.flag"}) == "no");
  CHECK(answer({"", init, "", "len(self.parts) == 1"}) == "yes");
  CHECK(answer({"", init + "def enable(self):\n    self.flag = True", "", "self.flag"}) == kOpen);
  CHECK(answer({"", init + "def enable(self):\n    self.parts.append(2)", "",
                "len(self.parts) == 1"}) == kOpen);
  CHECK(answer({"", init + "def more(self):\n    self.parts[0] += 2", "", "self.parts[0] == 1"}) ==
        kOpen);
  CHECK(answer({"def fused(model):\n    model.child.flag = True\n", init, "", "self.flag"}) ==
        kOpen);
  CHECK(answer({"def fused(model):\n    setattr(model, 'flag', True)\n", init, "", "self.flag"}) ==
        kOpen);
  // What a constructor calls is a part of it; another class is another one.
  CHECK(answer({"", "def __init__(self):\n    self.set()\ndef set(self):\n    self.flag = True", "",
                "self.flag"}) == "yes");
  CHECK(answer({"class Other:\n    def enable(self):\n        self.flag = True\n", init, "",
                "self.flag"}) == "no");
  // A constructor that fills what it made.
  CHECK(answer({"", "def __init__(self):\n    self.parts = []\n    self.parts.append(1)", "",
                "len(self.parts) == 0"}) == kOpen);
  // An attribute hides a method of that name, but no property.
  const std::string methods = "def act(self):\n    return True\n";
  CHECK(answer({"", "def __init__(self):\n    self.act = lambda: False\n" + methods, "",
                "self.act()"}) == "no");
  CHECK(answer({"", "@property\n" + methods, "", "self.act"}) == "yes");
}

TEST_CASE("what functions change of a file is not what its top level leaves", "[recover]") {
  const std::string file =
      "FLAG = False\nPARTS = [1]\nCONFIG = {'a': 1}\n"
      "class Options:\n    wide = False\n    def __init__(self):\n"
      "        self.deep = False\nOPTIONS = Options()\n";
  CHECK(answer({file, "", "", "FLAG"}) == "no");
  CHECK(answer({file, "", "", "len(PARTS) == 1"}) == "yes");
  CHECK(answer({file, "", "", "CONFIG['a'] == 1"}) == "yes");
  CHECK(answer({file, "", "", "Options.wide or OPTIONS.deep"}) == "no");
  const auto with = [&](const std::string& change, const std::string& condition) {
    return answer({file + "def change():\n    " + change + "\n", "", "", condition});
  };
  CHECK(with("global FLAG; FLAG = True", "FLAG") == kOpen);
  CHECK(with("PARTS.append(1)", "len(PARTS) == 1") == kOpen);
  CHECK(with("CONFIG['a'] = 2", "CONFIG['a'] == 1") == kOpen);
  CHECK(with("CONFIG.update(a=2)", "CONFIG['a'] == 1") == kOpen);
  CHECK(with("Options.wide = True", "Options.wide") == kOpen);
  CHECK(with("Options.wide = True", "OPTIONS.wide") == kOpen);
  CHECK(with("OPTIONS.deep = True", "OPTIONS.deep") == kOpen);
  CHECK(with("PARTS = []; PARTS.append(1)", "len(PARTS) == 1") == "yes");
  // What the top level does itself is known, and so is what decorators do.
  CHECK(answer({file + "PARTS.append(2)\n", "", "", "len(PARTS) == 2"}) == "yes");
  CHECK(answer({file + "def entered(f):\n    CONFIG[f.__name__] = f\n    return f\n"
                       "@entered\ndef one(): pass\n",
                "", "", "'one' in CONFIG"}) == "yes");
  CHECK(answer({file + "def entered():\n    CONFIG['one'] = 1\nif __name__ == '__main__':\n"
                       "    entered()\n",
                "", "", "'one' in CONFIG"}) == kOpen);
  // Around a function.
  CHECK(answer({"def counter():\n    count = 0\n    def more():\n        nonlocal count\n"
                "        count += 1\n        return count\n    return more\nmore = counter()\n",
                "", "", "more() == 1"}) == kOpen);
}

TEST_CASE("what may have been done otherwise is not known", "[recover]") {
  // In a run.
  CHECK(asked("try:\n    flag = compute()\n    flag = True\nexcept ValueError:\n    flag = False",
              "flag") == kOpen);
  CHECK(asked("try:\n    compute()\n    flag = True\nexcept ValueError:\n    raise TypeError",
              "flag") == "yes");
  CHECK(asked("try:\n    flag = True\nexcept ValueError:\n    flag = False", "flag") == "yes");
  CHECK(asked("flag = False\ntry:\n    compute()\nexcept ValueError:\n    pass\nelse:\n"
              "    flag = True\nfinally:\n    last = True",
              "last") == "yes");
  // Of a file.
  CHECK(answer({"try:\n    compute()\n    flag = True\nexcept ValueError:\n    flag = False\n", "",
                "", "flag"}) == kOpen);
  const auto open = [&](const std::string& statement) {
    return answer(
        {"import os\ndef f(): return True\nclass C: a = True\nflag = True\nparts = [1]\n"
         "same = parts\nif os.environ:\n    " +
             statement + "\n",
         "", "", "f() and C.a and flag and len(same) == 1"});
  };
  CHECK(open("pass") == "yes");
  CHECK(open("def f(): return False") == kOpen);
  CHECK(open("class C: a = False") == kOpen);
  CHECK(open("from os import flag") == kOpen);
  CHECK(open("import os.path as flag") == kOpen);
  CHECK(open("del flag") == kOpen);
  CHECK(open("(flag := False)") == kOpen);
  CHECK(open("for flag in [False]: pass") == kOpen);
  CHECK(open("with os as flag: pass") == kOpen);
  CHECK(open("parts.append(2)") == kOpen);
  CHECK(open("parts[0:1] = []") == kOpen);
  CHECK(open("del parts[0]") == kOpen);
}

TEST_CASE("loops, with and del do what Python does", "[recover]") {
  const std::string loop = "flag = False\nfor i in [1, 2]:\n    if i == 2:\n        ";
  CHECK(asked(loop + "pass\nelse:\n    flag = True", "flag") == "yes");
  CHECK(asked(loop + "break\nelse:\n    flag = True", "flag") == "no");
  CHECK(asked("i = 0\nwhile i < 2:\n    i += 1\nelse:\n    i = 5", "i == 5") == "yes");
  CHECK(asked("i = 0\nwhile i < 2:\n    break\nelse:\n    i = 5", "i == 5") == "no");
  CHECK(asked("a = [1, 2]\ndel a[0]", "len(a) == 2") == kOpen);
  CHECK(asked("a = {'b': 1}\ndel a['b']", "'b' in a") == kOpen);
  CHECK(answer({"class A:\n    pass\n", "", "a = A()\na.b = 1\ndel a.b", "a.b == 1"}) == kOpen);
  CHECK(answer({"done = []\ndef f(made):\n    try:\n        return True\n    finally:\n"
                "        made.append(1)\n",
                "", "made = []\nf(made)", "made"}) == "yes");
  CHECK(answer({"class A:\n    def __enter__(self):\n        return False\n", "",
                "with A() as flag:\n    pass", "flag"}) == "no");
}

TEST_CASE("containers hold what Python puts there, or what nobody knows", "[recover]") {
  for (const std::string change : {"a.remove(1)", "a.sort()", "a.clear()", "a[0:1] = []",
                                   "a.pop(unknown_name())", "a.update([3])"}) {
    INFO(change);
    CHECK(asked("a = [1, 2]\nb = a\n" + change, "len(b) == 2 and b[0] == 1") != std::string("yes"));
  }
  for (const std::string change : {"a.popitem()", "a.clear()", "a.setdefault(unknown_name(), 1)"}) {
    INFO(change);
    CHECK(asked("a = {'b': 1}\n" + change, "len(a) == 1") == kOpen);
  }
  // The same of an object that is a dictionary.
  for (const std::string change :
       {"a.popitem()", "del a['b']", "a.setdefault(unknown_name(), 1)"}) {
    INFO(change);
    for (const std::string question : {"a.get('b', 0) == 1", "len(a.items()) == 1"}) {
      CHECK(answer({"class D(dict):\n    pass\n", "", "a = D()\na['b'] = 1\n" + change,
                    question}) == kOpen);
    }
  }
  CHECK(asked("a = {1, 1, 2}", "len(a) == 2") == "yes");
  CHECK(asked("a = set([1, 1, 2])\na.add(2)", "len(a) == 2") == "yes");
  CHECK(asked("a = {1, unknown_name()}", "len(a) == 2") == kOpen);
  CHECK(asked("a = {'b': 1, 'b': 2}", "len(a) == 1 and a['b'] == 2") == "yes");
  CHECK(asked("a = {'b': 1}\na[unknown_name()] = 2", "a['b'] == 1") == kOpen);
  CHECK(asked("import copy\na = [1]\nb = copy.copy(a)\nb.append(2)", "len(a) == 1") == "yes");
  CHECK(asked("import copy\na = [[1]]\nb = copy.deepcopy(a)\nb[0].append(2)", "len(a[0]) == 1") ==
        "yes");
}

TEST_CASE("texts are what Python reads, or not known", "[recover]") {
  CHECK(asked("", "len('a\\n') == 3") == kOpen);
  CHECK(asked("", "len(r'a\\n') == 3") == "yes");
  CHECK(asked("", "b'a' == 'a'") == kOpen);
  CHECK(asked("a = 'b'", "f'{a}' == 'b'") == "yes");
  CHECK(asked("a = 'b'", "f'{a!r}' == 'b'") == kOpen);
  CHECK(asked("a = 'b'", "f'{a:>3}' == 'b'") == kOpen);
  CHECK(asked("a = 'b'", "f'{{a}}' == '{{a}}'") == kOpen);
}

TEST_CASE("truth and classes are known where Python's are", "[recover]") {
  const std::string classes =
      "import enum, collections\nclass N(enum.IntEnum):\n    ZERO = 0\n"
      "class L(list): pass\nclass P: pass\n";
  const auto truth = [&](const std::string& condition) {
    return answer({classes, "", "", condition});
  };
  CHECK(truth("P()") == "yes");
  CHECK(truth("L()") == kOpen);
  CHECK(truth("N.ZERO") == kOpen);
  CHECK(truth("isinstance(1, collections.abc.Hashable)") == kOpen);
  CHECK(truth("collections.name == 1") == kOpen);
  CHECK(truth("1 is 1.0") == "no");
}

TEST_CASE("how many items an unknown value has in a display is not known", "[recover]") {
  CHECK(asked("sizes = (*unknown_name(), 1)", "len(sizes) == 6") == kOpen);
  CHECK(asked("sizes = [2, *unknown_name()]", "len(sizes) == 6") == kOpen);
  CHECK(asked("sizes = (*(2, 3), 1)", "len(sizes) == 3") == "yes");
}
