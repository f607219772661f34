// SPDX-License-Identifier: Apache-2.0
// A record with recovered lines says what its strict twin says.
#include "core/recover/apply.h"

#include "core/base/file_system.h"
#include "core/code/project_frames.h"
#include "core/formats/etrecord/etrecord_reader.h"
#include "test_paths.h"
#include "tests/support/helper_truth.h"

using namespace etlens;
using namespace etlens::test;

namespace {

struct Applied {
  EtRecord record;
  size_t marked = 0;
};

Applied applied(const std::string& name) {
  const std::string folder = ETLENS_TEST_DATA "/helpers/" + name;
  Result<EtRecord> record = read_etrecord(real_file_system(), folder + "/model.etrecord");
  REQUIRE(record);
  Applied result{std::move(*record)};
  const std::vector<bool> is_project = project_files(result.record);
  const ReadSource read = helper_sources(folder);
  const Recovery recovery =
      recover_lines(result.record, result.record.methods.front().edge, is_project, read);
  result.marked = apply_recovery(result.record, is_project, recovery, read);
  return result;
}

std::string innermost(const EtRecord& record, const ProjectFrames& frames, const Node& node) {
  const FrameId self = frames.self_of(node.stack);
  if (!self.valid()) return {};
  const Frame& frame = record.frames[self.value];
  return std::string(record.text(frame.function)) + ": " + std::string(record.text(frame.text));
}

}  // namespace

TEST_CASE("nodes land on lines of helpers, with all calls on the way", "[recover]") {
  const Applied rope = applied("ropeformer");
  CHECK(rope.marked == 156);
  const ProjectFrames frames(rope.record, {});
  size_t turned = 0;
  for (const Node& node : rope.record.nodes) {
    const std::string line = innermost(rope.record, frames, node);
    if (line != "apply_rope: return x * cos + turned * sin") continue;
    CHECK(node.is_recovered);
    ++turned;
    std::string calls;
    for (const FrameId id : rope.record.frames_of(node.stack))
      calls += std::string(rope.record.text(rope.record.frames[id.value].function)) + " ";
    CHECK(calls == "forward _encode forward forward _qkv apply_rope ");
  }
  CHECK(turned == 12);  // two products and a sum, of q and k in two blocks
}

TEST_CASE("frames of libraries stay innermost", "[recover]") {
  const Applied net = applied("dev1");
  const ProjectFrames frames(net.record, {});
  bool has_layer = false;
  for (const Node& node : net.record.nodes) {
    if (!node.is_recovered) continue;
    const std::span<const FrameId> stack = net.record.frames_of(node.stack);
    const Frame& last = net.record.frames[stack.back().value];
    if (net.record.text(last.file).find("torch/nn/modules") == std::string_view::npos) continue;
    has_layer = true;
    CHECK(innermost(net.record, frames, node).find("forward: return self.act(out)") ==
          std::string::npos);
  }
  CHECK(has_layer);
}

TEST_CASE("applying twice changes nothing more", "[recover]") {
  Applied once = applied("gatedmlp");
  CHECK(once.marked == 176);
  // Now the record keeps frames of helpers: it lost nothing.
  const std::vector<bool> is_project = project_files(once.record);
  const Recovery again = recover_lines(once.record, once.record.methods.front().edge, is_project,
                                       helper_sources(ETLENS_TEST_DATA "/helpers/gatedmlp"));
  CHECK(again.nodes.empty());
}
