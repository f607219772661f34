// SPDX-License-Identifier: Apache-2.0
// How packages of models are written: decorators that hand on, mappings of functions, outputs with
// fields.
#include "tests/core/recover/interpreter/small_model.h"

using namespace etlens;
using namespace etlens::test;

namespace {

// The lines of a model whose forward calls `run`, each without its comment.
std::vector<std::string> lines_inside(const std::string& before, const std::string& run,
                                      const std::vector<std::string>& operators) {
  return lines_of("import torch\nfrom functools import wraps\n" + before +
                      "\nclass Net(torch.nn.Module):\n"
                      "    def forward(self, x):\n"
                      "        return self.run(x)  # forward\n\n" +
                      indented(run, "    "),
                  operators);
}

const std::string kStep = "def step(x, scale=1):\n    return torch.relu(x)\n";

}  // namespace

TEST_CASE("a decorator that hands on what it is given hides no line", "[recover]") {
  const std::string run = "def run(self, x):\n    return step(x)\n";
  const auto with = [&](const std::string& decorator) {
    return lines_inside(decorator + "@handed\n" + kStep, run, {"relu"}).front();
  };
  CHECK(with("def handed(func):\n    return func\n") == "return torch.relu(x)");
  // Names of arguments are looked at, and nothing that a tensor goes through.
  CHECK(with("def handed(func):\n"
             "    @wraps(func)\n"
             "    def wrapper(*args, **kwargs):\n"
             "        name = args[0].__class__.__name__\n"
             "        if 'old' in kwargs and unknown_name():\n"
             "            kwargs['scale'] = kwargs.pop('old')\n"
             "            warn(f'{name} of {func.__name__}')\n"
             "        return func(*args, **kwargs)\n"
             "    return wrapper\n") == "return torch.relu(x)");
  CHECK(with("def handed(func):\n"
             "    def wrapper(x, *args, **kwargs):\n"
             "        out = func(x, *args, **kwargs)\n"
             "        if unknown_name():\n"
             "            out = out.to_tuple()\n"
             "        return out\n"
             "    return wrapper\n") == "return torch.relu(x)");
}

TEST_CASE("what a decorator does with tensors is run", "[recover]") {
  const std::string run = "def run(self, x):\n    return step(x)\n";
  const std::string doubled =
      "def handed(func):\n"
      "    def wrapper(*args, **kwargs):\n"
      "        y = torch.sin(args[0])\n"
      "        return torch.cos(func(y, **kwargs))\n"
      "    return wrapper\n";
  CHECK(lines_inside(doubled + "@handed\n" + kStep, run, {"sin", "relu", "cos"}) ==
        std::vector<std::string>{"y = torch.sin(args[0])", "return torch.relu(x)",
                                 "return torch.cos(func(y, **kwargs))"});
  const std::string scaled =
      "def handed(func):\n"
      "    def wrapper(*args, **kwargs):\n"
      "        out = func(*args, **kwargs)\n"
      "        return torch.cos(out)\n"
      "    return wrapper\n";
  CHECK(lines_inside(scaled + "@handed\n" + kStep, run, {"relu", "cos"}) ==
        std::vector<std::string>{"return torch.relu(x)", "return torch.cos(out)"});
}

TEST_CASE("a mapping of functions gives the one that the record shows", "[recover]") {
  const std::string functions =
      "from collections.abc import MutableMapping\n"
      "def fused(x):\n    return torch.sin(x)\n"
      "def paged(x):\n    return torch.cos(x)\n"
      "def eager(x):\n    return torch.relu(x)\n"
      "class Functions(MutableMapping):\n"
      "    _all = {'fused': fused, 'paged': paged}\n"
      "    def __init__(self):\n        self._own = {}\n"
      "    def __getitem__(self, key):\n"
      "        if key in self._own:\n            return self._own[key]\n"
      "        return self._all[key]\n"
      "    def __setitem__(self, key, value):\n        self._own.update({key: value})\n"
      "    def __delitem__(self, key):\n        del self._own[key]\n"
      "    def __iter__(self):\n        return iter({**self._all, **self._own})\n"
      "    def __len__(self):\n        return len(self._all)\n"
      "    @classmethod\n"
      "    def register(cls, key, value):\n        cls._all.update({key: value})\n"
      "    def choose(self, name, otherwise):\n"
      "        if name is None:\n            warn(name)\n"
      "        elif name != 'eager' and name not in self:\n            raise KeyError(name)\n"
      "        return super().get(name, otherwise)\n"
      "ALL = Functions()\n";
  const std::string run =
      "def run(self, x):\n"
      "    act = ALL.choose(self.config._kind, eager)\n"
      "    return act(x)\n"
      "def __init__(self, config):\n    self.config = config\n";
  CHECK(lines_inside(functions, run, {"sin"}).front() == "return torch.sin(x)");
  CHECK(lines_inside(functions, run, {"cos"}).front() == "return torch.cos(x)");
  CHECK(lines_inside(functions, run, {"relu"}).front() == "return torch.relu(x)");
  // None of them runs, so no line is found.
  CHECK(lines_inside(functions, run, {"tanh"}).front().empty());
  const std::string by_index =
      "def run(self, x):\n"
      "    return ALL[self.config._kind](x)\n"
      "def __init__(self, config):\n    self.config = config\n";
  CHECK(lines_inside(functions, by_index, {"cos"}).front() == "return torch.cos(x)");
}

TEST_CASE("a copy that must leave its node tells functions with equal nodes apart", "[recover]") {
  const std::string functions =
      "def plain(x):\n    return torch.sin(x)\n"
      "def paged(x):\n    x = x.contiguous()\n    return torch.sin(x)\n"
      "ALL = {'plain': plain, 'paged': paged}\n";
  const auto sine_behind = [&](const std::string& before,
                               const std::vector<std::string>& operators) {
    return lines_inside(functions,
                        "def run(self, x):\n" + indented(before, "    ") +
                            "    return ALL[self.config._kind](x)\n"
                            "def __init__(self, config):\n    self.config = config\n",
                        operators)
        .back();
  };
  const std::string plain = "return torch.sin(x)";
  const std::string transposed = "x = torch.mm(x, x).transpose(0, 1)";
  CHECK(sine_behind(transposed, {"mm", "transpose(1,0)", "sin"}) == plain);
  CHECK(sine_behind(transposed + "\nx = x * 2", {"mm", "transpose(1,0)", "mul", "sin"}) == plain);
  CHECK(sine_behind("x = torch.mm(x, x).view(2, 3).transpose(0, 1)",
                    {"mm", "view", "transpose(1,0)", "sin"}) == plain);
  // Of a tensor in order the copy leaves no node. Where the order is unknown, no line is found.
  CHECK(sine_behind("x = torch.mm(x, x)", {"mm", "sin"}) == "");
  CHECK(sine_behind("x = torch.mm(x, x).transpose(0, 1).transpose(0, 1)",
                    {"mm", "transpose(1,0)", "transpose(1,0)", "sin"}) == "");
  CHECK(sine_behind("x = torch.cos(x).transpose(0, 1)", {"cos", "transpose(1,0)", "sin"}) == "");
  CHECK(sine_behind(transposed + "\nx = torch.cumsum(x, 0)",
                    {"mm", "transpose(1,0)", "cumsum", "sin"}) == "");
  // What lies in another order may be asked for.
  const std::string other_order =
      "def run(self, x):\n"
      "    x = torch.mm(x, x).transpose(0, 1)\n"
      "    if self.flag:\n        return torch.sin(x)  # plain\n"
      "    x = x.contiguous(memory_format=torch.channels_last)\n"
      "    return torch.sin(x)  # copied\n"
      "def __init__(self, flag):\n    self.flag = flag\n";
  CHECK(lines_inside("", other_order, {"mm", "transpose(1,0)", "sin"}).back() == "");
}

TEST_CASE("what is imported under a condition is what runs", "[recover]") {
  // Python finds no other meaning of the name.
  const auto sine = [](const std::string& top) {
    return lines_inside(
               "def plain(x):\n    return torch.sin(x)\n"
               "from library import is_there\n" +
                   top +
                   "def flexible(x):\n    return attention(x)\n"
                   "ALL = {'plain': plain, 'flexible': flexible}\n",
               "def run(self, x):\n    return ALL[self.config._kind](x)\n"
               "def __init__(self, config):\n    self.config = config\n",
               {"sin"})
        .front();
  };
  const std::string import = "from torch.nn.attention import attention\n";
  CHECK(sine("if is_there():\n    " + import) == "return torch.sin(x)");
  CHECK(sine("if is_there():\n    import os\n    " + import + "VERSION = 1\n") ==
        "return torch.sin(x)");
  // Something else may have the name.
  CHECK(sine("if is_there():\n    " + import + "else:\n    attention = other()\n") == "");
  CHECK(sine("attention = other()\nif is_there():\n    " + import) == "");
  CHECK(sine("if is_there():\n    " + import + "    attention = other(attention)\n") == "");
  CHECK(sine("if is_there():\n    " + import + "if is_old():\n    attention = other()\n") == "");
}

TEST_CASE("what all ways of an open condition leave in an attribute is called", "[recover]") {
  // torch.compile gives a function that computes the same.
  const auto sine = [](const std::string& constructor, const std::string& functions) {
    return lines_inside(
               "from torch.nn.attention import attention\n"
               "from library import is_there, make\n"
               "def plain(x):\n    return torch.sin(x)\n"
               "def other(x):\n    return torch.sin(x)  # other\n"
               "class Holder:\n"
               "    compiled = None\n"
               "    def __init__(self):\n" +
                   indented(constructor, "        ") +
                   "    def __call__(self):\n        return self.compiled\n"
                   "def held(x):\n    return Holder()()(x)\n"
                   "ALL = {" +
                   functions + "}\n",
               "def run(self, x):\n    return ALL[self.config._kind](x)\n"
               "def __init__(self, config):\n    self.config = config\n",
               {"sin"})
        .front();
  };
  const std::string both = "'plain': plain, 'held': held";
  const std::string compiled = "self.compiled = torch.compile(attention)\n";
  const std::string either = "if is_there():\n    " + compiled +
                             "else:\n    self.compiled = torch.compile(attention, dynamic=True)\n";
  CHECK(sine(either, both) == "return torch.sin(x)");
  CHECK(sine("if is_there():\n    " + compiled, both) == "return torch.sin(x)");
  // A function of the project may be what is there.
  const std::string own = "if is_there():\n    " + compiled + "else:\n    self.compiled = other\n";
  CHECK(sine(own, "'held': held") == "return torch.sin(x)  # other");
  CHECK(sine(own, both) == "");
  // An unknown value may be there, too.
  CHECK(sine("if is_there():\n    self.compiled = make(attention)\n", both) == "");
  CHECK(sine(either + "if is_there():\n    self.compiled = make(attention)\n", both) == "");
  CHECK(sine("self.compiled = make()\n" + either, both) == "");
  CHECK(sine("if is_there():\n    " + compiled + "    self.compiled = make(self.compiled)\n",
             both) == "");
}

TEST_CASE("an output with fields holds what it was made with", "[recover]") {
  const std::string output =
      "from collections import OrderedDict\nfrom dataclasses import dataclass\n"
      "class Output(OrderedDict):\n"
      "    def __init__(self, *args, **kwargs):\n        super().__init__(*args, **kwargs)\n"
      "    def __post_init__(self):\n"
      "        for field in fields_of(self):\n            self[field] = getattr(self, field)\n"
      "@dataclass\nclass Last(Output):\n    last: torch.Tensor = None\n    other: tuple = None\n"
      "def made(x):\n    return Last(last=torch.sin(x))\n";
  CHECK(lines_inside(output,
                     "def run(self, x):\n    out = made(x)\n    if out.last is None:\n"
                     "        return torch.relu(x)\n    return torch.relu(out.last)\n",
                     {"sin", "relu"}) ==
        std::vector<std::string>{"return Last(last=torch.sin(x))", "return torch.relu(out.last)"});
  CHECK(answer({output, "", "y = Last(last=x)", "y['last'] is None"}) == "no");
  CHECK(answer({output, "", "y = Last(last=x)", "'other' in y"}) == "no");
}

TEST_CASE("an attribute that the constructor always sets is there", "[recover]") {
  const std::string init =
      "def __init__(self, config):\n    self.groups = config.heads // config.groups\n";
  CHECK(answer({"", init, "", "hasattr(self, 'groups')"}) == "yes");
  CHECK(answer({"", init, "", "hasattr(self, 'other')"}).empty());
  CHECK(
      answer({"", "def __init__(self, config):\n    if config.a:\n        self.groups = config.b\n",
              "", "hasattr(self, 'groups')"})
          .empty());
}

TEST_CASE("what is None has no attribute, and a default takes its place", "[recover]") {
  CHECK(answer({"", "", "cache = None", "getattr(cache, 'grows', False)"}) == "no");
  CHECK(answer({"", "", "cache = None", "hasattr(cache, 'grows')"}) == "no");
  CHECK(answer({"from elsewhere import Paged\n", "", "cache = None",
                "isinstance(cache, (torch.Tensor, Paged))"}) == "no");
  CHECK(answer({"", "", "cache = None", "isinstance(cache, (int, type(None)))"}) == "yes");
}

TEST_CASE("helpers that ask whether the model is exported have one answer", "[recover]") {
  const std::string asks =
      "def is_exporting():\n"
      "    try:\n        import torch\n        return torch.compiler.is_exporting()\n"
      "    except Exception:\n        return False\n"
      "def is_proxy(x):\n"
      "    try:\n        import torch.fx\n        return isinstance(x, torch.fx.Proxy)\n"
      "    except Exception:\n        return False\n";
  CHECK(answer({asks, "", "", "is_exporting()"}) == "yes");
  CHECK(answer({asks, "", "", "is_proxy(x)"}) == "no");
}

TEST_CASE("of one of several tensors those sizes are known in which they agree", "[recover]") {
  // What a child gives back may be its own input.
  const auto with = [](const std::string& condition) {
    return lines_inside("",
                        "def run(self, x):\n    a, b = self.child(torch.sin(x))\n    if " +
                            condition +
                            ":\n        return torch.relu(a)  # yes\n"
                            "    return torch.relu(a)  # no\n",
                        {"sin", "child.exp", "relu"})
        .back();
  };
  CHECK(with("len(a.shape) == 2") == "return torch.relu(a)  # yes");
  CHECK(with("a.size(-1) != 3") == "return torch.relu(a)  # no");
  CHECK(with("unknown_name(a.shape)") == "");
}

TEST_CASE("a layer's view that bears the name of the call after it has its own line", "[recover]") {
  const std::string run =
      "def __init__(self):\n    self.child = torch.nn.Flatten()\n"
      "def run(self, x):\n    x = torch.relu(x)\n    x = self.child(x)\n"
      "    x = torch.dropout(x, 0.1, False)\n    return torch.sin(x)\n";
  CHECK(lines_inside("", run, {"relu", "layer.view.2", "dropout", "sin"}) ==
        std::vector<std::string>{"x = torch.relu(x)", "x = self.child(x)",
                                 "x = torch.dropout(x, 0.1, False)", "return torch.sin(x)"});
  // Without a layer that it may be it has none.
  CHECK(lines_inside("",
                     "def run(self, x):\n    x = torch.dropout(torch.relu(x), 0.1, False)\n"
                     "    return torch.sin(x)\n",
                     {"relu", "layer.view.2", "dropout", "sin"})[1] == "");
}

TEST_CASE("a run that has passed the line of the next node goes no further", "[recover]") {
  std::string flags;
  for (int i = 0; i < 12; ++i)
    flags += fmt::format("            if self.flag_{}:\n                y = x\n", i);
  // Without the node of its line, all flags behind it would be tried both ways.
  const std::string source =
      "import torch\nclass Net(torch.nn.Module):\n"
      "    def forward(self, x):\n"
      "        y = self.run(x)  # forward\n"
      "        if y is None:\n" +
      flags +
      "        return y\n\n"
      "    def run(self, x):\n        if self.skips:\n"
      "            return None\n        return torch.relu(x)\n";
  size_t runs = 0;
  CHECK(lines_of(source, {"relu"}, {}, &runs) == std::vector<std::string>{"return torch.relu(x)"});
  CHECK(runs < 10);
}
