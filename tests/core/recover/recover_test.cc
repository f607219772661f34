// SPDX-License-Identifier: Apache-2.0
// Lines inside helpers against the frames that a strict export kept.
#include "core/recover/recover.h"

#include <fstream>
#include <map>

#include "core/base/file_system.h"
#include "core/formats/etrecord/etrecord_reader.h"
#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/helper_truth.h"

using namespace etlens;
using namespace etlens::test;

namespace {

std::string case_folder(const std::string& name) { return ETLENS_TEST_DATA "/helpers/" + name; }

// A row of found.tsv: what was found of a model, which is the least that has to be found again.
struct Found {
  std::string model;
  bool is_traced = false;  // trace.py stood in for PyTorch
  size_t lines = 0;
  size_t stacks = 0;
  size_t twins = 0;  // most lines that are wrong in changed sources: README.md
};

std::vector<Found> found_rows() {
  std::vector<Found> rows;
  std::ifstream in(ETLENS_TEST_DATA "/helpers/found.tsv");
  std::string made;
  for (Found row; in >> row.model >> made >> row.lines >> row.stacks >> row.twins;
       rows.push_back(row))
    row.is_traced = made == "traced";
  return rows;
}

std::shared_ptr<const PythonSyntax> read_mlp(std::string_view path) {
  if (!path.ends_with("/mlp.py")) return nullptr;
  return PythonSyntax::parse(
      std::make_shared<const Document>(read_file(ETLENS_TEST_DATA "/models/mlp.py")));
}

}  // namespace

TEST_CASE("lines inside helpers are found again, and none is wrong", "[recover]") {
  size_t lost = 0;
  size_t placed = 0;
  size_t models = 0;
  for (const Found& found : found_rows()) {
    const HelperScore score = score_helpers(case_folder(found.model));
    INFO(found.model);
    for (const std::string& note : score.notes) UNSCOPED_INFO(note);
    CHECK(score.wrong() == 0);
    CHECK(score.right_chains == score.chains);
    CHECK(score.placed >= found.lines);
    CHECK(score.chains >= found.stacks);
    ++models;
    if (found.is_traced) continue;
    lost += score.lost;
    placed += score.placed;
  }
  CHECK(models == helper_cases().size());
  CHECK(lost >= 2011);
  CHECK(placed * 1000 >= lost * 995);
}

namespace {

// Of every fourth model, so that four of these can run at a time: together they take the longest of
// all tests.
void check_changed_sources(size_t first) {
  constexpr size_t kEvery = 11;
  const std::vector<Found> rows = found_rows();
  size_t texts = 0;
  size_t placed = 0;
  for (size_t row = first; row < rows.size(); row += 4) {
    const Found& found = rows[row];
    const std::vector<HelperMutation> mutations = helper_mutations(case_folder(found.model));
    size_t wrong = 0;
    for (size_t m = found.model.size() % kEvery; m < mutations.size(); m += kEvery) {
      const HelperScore score = score_helpers(case_folder(found.model), &mutations[m]);
      ++texts;
      placed += score.placed;
      wrong += score.wrong();
      if (score.wrong() == 0) continue;
      UNSCOPED_INFO(mutations[m].what << " in " << mutations[m].path);
      for (const std::string& note : score.notes) {
        if (note.starts_with("wrong")) UNSCOPED_INFO(note);
      }
    }
    INFO(found.model);
    CHECK(wrong <= found.twins);
  }
  CHECK(texts > 100);
  CHECK(placed > 2000);
}

}  // namespace

TEST_CASE("changed sources cost lines, and give no wrong ones: one in four models",
          "[recover][simulation]") {
  check_changed_sources(0);
}
TEST_CASE("changed sources cost lines, and give no wrong ones: the second in four",
          "[recover][simulation]") {
  check_changed_sources(1);
}
TEST_CASE("changed sources cost lines, and give no wrong ones: the third in four",
          "[recover][simulation]") {
  check_changed_sources(2);
}
TEST_CASE("changed sources cost lines, and give no wrong ones: the fourth in four",
          "[recover][simulation]") {
  check_changed_sources(3);
}

TEST_CASE("a text whose recorded lines read otherwise is not used", "[recover]") {
  const std::string folder = case_folder("dev4");
  HelperMutation mutation;
  for (HelperMutation& one : helper_mutations(folder)) {
    if (one.path.ends_with("model.py")) mutation = std::move(one);
  }
  const size_t at = mutation.text.find("self.mix(x, gates)");
  REQUIRE(at != std::string::npos);
  mutation.text.insert(at, "1 * ");
  const HelperScore score = score_helpers(folder, &mutation);
  CHECK(score.lost > 0);
  CHECK(score.placed == 0);
}

TEST_CASE("a number that quantization froze is a number of the source", "[recover]") {
  Result<EtRecord> record = read_etrecord(
      real_file_system(), ETLENS_TEST_DATA "/release-1.5/mlp-xnnpack-int8/model.etrecord");
  REQUIRE(record);
  const Recovery recovery =
      recover_lines(*record, record->methods.front().edge, project_files(*record), read_mlp);
  std::map<std::string, uint32_t> lines;
  for (const RecoveredNode& said : recovery.nodes) {
    const Node& node = record->nodes[said.node.value];
    lines[std::string(record->text(node.name))] =
        recovery.frames[said.first_frame + said.frame_count - 1].line;
  }
  CHECK(recovery.unrecovered.empty());
  CHECK(lines["aten_mean_dim"] == 35);
  // x.std(…) + 1e-5 is an addition of two tensors there.
  for (const char* node :
       {"aten_sub_tensor", "aten_sqrt_default", "aten_add_tensor", "aten_div_tensor"}) {
    INFO(node);
    CHECK(lines[node] == 36);
  }
  CHECK(lines["aten_tanh_default"] == 39);

  // Of a damaged record: inputs without names.
  for (GraphInput& input : record->graphs[record->methods.front().edge.value].inputs)
    input.name = StringId();
  CHECK(recover_lines(*record, record->methods.front().edge, project_files(*record), read_mlp)
            .nodes.size() < recovery.nodes.size());
}

TEST_CASE("a helper in a file that cannot be read takes no line of its caller", "[recover]") {
  const std::string folder = case_folder("vision");
  HelperMutation mutation;
  for (HelperMutation& one : helper_mutations(folder)) {
    if (one.path.ends_with("layers.py")) mutation = std::move(one);
  }
  REQUIRE(!mutation.path.empty());
  mutation.text = "(";
  mutation.moved.clear();
  const HelperScore score = score_helpers(folder, &mutation);
  for (const std::string& note : score.notes) UNSCOPED_INFO(note);
  CHECK(score.wrong() == 0);
  CHECK(score.placed < score.lost);
}

TEST_CASE("packages are run for what they register, but no more than so much of them",
          "[recover]") {
  const std::string folder = case_folder("tower");
  HelperMutation package{"/home/user/tower/__init__.py", "from . import clappers, ropes\n", "", {}};
  const HelperScore whole = score_helpers(folder, &package);
  CHECK(whole.placed == whole.lost);
  package.text += std::string(300 << 10, '#') + "\n";
  const HelperScore part = score_helpers(folder, &package);
  CHECK(part.wrong() == 0);
  CHECK(part.placed < whole.placed);
}

TEST_CASE("a call whose tensor has a name is the same call", "[recover]") {
  const std::string folder = case_folder("swin");
  const std::string path = "/home/user/swin/model.py";
  std::string text(helper_sources(folder)(path)->document().text());
  const std::string call = "qkv.permute(2, 0, 3, 1, 4).unbind(0)";
  REQUIRE(text.find(call) != std::string::npos);
  text.replace(text.find(call), call.size(),
               "torch.unbind(dim=0, input=qkv.permute(2, 0, 3, 1, 4))");
  const HelperMutation mutation{path, text, "named", {}};
  const HelperScore score = score_helpers(folder, &mutation);
  CHECK(score.wrong() == 0);
  CHECK(score.placed == score_helpers(folder).placed);
}

TEST_CASE("hostile sources end at a limit and say nothing wrong", "[recover]") {
  const std::string folder = case_folder("dev4");
  const std::vector<std::string> files = helper_files(folder);
  const auto model = std::ranges::find_if(
      files, [](const std::string& path) { return path.ends_with("/model.py"); });
  REQUIRE(model != files.end());
  const std::string text(helper_sources(folder)(*model)->document().text());
  const auto with = [&](const std::string& body) {
    const HelperMutation mutation{*model, text + "\n\n" + body + "\n", "hostile", {}};
    return score_helpers(folder, &mutation);
  };
  // What is added is run: lines are found as long as it does no harm.
  REQUIRE(with("x = 1").placed == 47);
  std::string deep(5000, '(');
  CHECK(with("x = " + deep + "1" + std::string(5000, ')')).wrong() == 0);
  CHECK(with("x = " + std::string(200, '-') + "1").wrong() == 0);
  CHECK(with("geglu = lambda x: geglu(x)").wrong() == 0);
  CHECK(with("def geglu(x):\n    while True:\n        x = [x, x]\n    return x").wrong() == 0);
  CHECK(with("def geglu(x):\n    for a in range(10**9):\n        for b in range(10**9):\n"
             "            x = x * b\n    return x")
            .wrong() == 0);
  CHECK(with("geglu = [0] * (1 << 40)").wrong() == 0);
  CHECK(with("geglu = 10 ** 10 ** 10 // 0 % 0").wrong() == 0);
  CHECK(
      with(
          "least = -9223372036854775807 - 1\ngeglu = [least // -1, least % -1, -least, abs(least)]")
          .wrong() == 0);
  CHECK(
      with("none = float('inf') - float('inf')\ngeglu = [int(none), round(none), range(int(none))]")
          .wrong() == 0);
  CHECK(
      with("class A:\n    def __iter__(self):\n        return self\n\n"
           "def geglu(x):\n    for y in zip(A(), iter(A()), map(geglu, A())):\n        x = x * y\n"
           "    return [x for x in A()]\n\nlate = [x for x in A()]")
          .wrong() == 0);
  CHECK(
      with("it = iter([1])\nit = map(next, zip(it, it))\ngeglu = [next(it) for x in it]").wrong() ==
      0);
  CHECK(with("class A(B): pass\nclass B(A): pass\ngeglu = A()").wrong() == 0);
  CHECK(with("class A:\n    def add(self): pass\n\ndef geglu(x):\n"
             "    return torch.add(input=x, other=x)")
            .wrong() == 0);
  CHECK(with("from .model import *\nfrom . import model as geglu").wrong() == 0);
  CHECK(with("def geglu(x):\n    yield from geglu(x)").wrong() == 0);
  // What is defined later is what runs, and does a part of the same: its lines are said.
  constexpr size_t kTwins = 2;
  CHECK(with("import operator\ndef geglu(x):\n    return operator.mul(F.gelu(x), operator.neg(x))")
            .wrong() <= kTwins);
  CHECK(with("count = 0\ndef geglu(x):\n    global count\n    count += 1\n    geglu.seen = x\n"
             "    return F.gelu(x) * x if geglu.seen is x else count")
            .wrong() <= kTwins);
  std::string flags = "def geglu(x):\n";
  for (int i = 0; i < 40; ++i)
    flags += "    if a" + std::to_string(i) + "(): x = x * 1.0\n    else: x = x + 1.0\n";
  CHECK(with(flags + "    return F.gelu(x) * x").wrong() == 0);
}
