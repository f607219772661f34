// SPDX-License-Identifier: Apache-2.0
// From dumps to rows: the record that each belongs to, the numbers of its facts, what is broken.
#include "core/fleet/dump_reader.h"

#include <fmt/format.h>

#include "core/facts/facts.h"
#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/dump_builder.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/run_files.h"

namespace etlens::dump_reader_test {

using namespace etlens::test;

namespace {

const std::string kMlp = ETLENS_TEST_DATA "/release-1.5/mlp-portable-fp32";

MemoryFileSystem workspace() {
  MemoryFileSystem files;
  files.put("/w/model.etrecord", read_file(kMlp + "/model.etrecord"));
  files.put("/w/wide/wide.etrecord", read_file(ETLENS_TEST_DATA "/compare/wider.etrecord.gz"));
  files.put("/w/a/run.etdp", read_file(ETLENS_TEST_DATA "/compare/base-1.dump.gz"));
  files.put("/w/wide/run.etdp", read_file(ETLENS_TEST_DATA "/compare/wider-1.dump.gz"));
  return files;
}

DumpOutcome read(const FileSystem& files, const std::string& path, bool each_execution = false) {
  const Result<DumpSearch> search = find_dumps(files, {"/w"});
  REQUIRE(search);
  DumpReaderOptions options;
  options.partners = search->partners;
  options.here = "/w";
  options.each_execution = each_execution;
  return DumpReader(files, options).read(path);
}

BrokenReason reason_of(const FileSystem& files, const std::string& path) {
  const DumpOutcome outcome = read(files, path);
  const auto* broken = std::get_if<BrokenDump>(&outcome);
  REQUIRE(broken != nullptr);
  CHECK(!broken->sentence.empty());
  CHECK(broken->name == path.substr(3));
  return broken->reason;
}

}  // namespace

TEST_CASE("dump reader: finds dumps and what is named like one", "[fleet]") {
  MemoryFileSystem files = workspace();
  files.put("/w/b/empty.etdp", "");
  files.put("/w/b/notes.etdump", "no dump at all");
  files.put("/w/b/notes.txt", "nothing");
  const Result<DumpSearch> search = find_dumps(files, {"/w"});
  REQUIRE(search);
  CHECK(search->dumps == std::vector<std::string>{"/w/a/run.etdp", "/w/b/empty.etdp",
                                                  "/w/b/notes.etdump", "/w/wide/run.etdp"});
  CHECK(search->partners.size() == 2);
  CHECK(find_dumps(files, {"/w/none"}).error().code == ErrorCode::NotFound);
  // One that is named finds the record beside it.
  const Result<DumpSearch> named = find_dumps(files, {"/w/wide/run.etdp"});
  REQUIRE(named);
  CHECK(named->partners.size() == 1);
}

TEST_CASE("dump reader: every dump goes with the record that fits it best", "[fleet]") {
  const MemoryFileSystem files = workspace();
  for (const std::string path : {"/w/a/run.etdp", "/w/wide/run.etdp"}) {
    const DumpOutcome outcome = read(files, path);
    const auto* rows = std::get_if<DumpRows>(&outcome);
    REQUIRE(rows != nullptr);
    CHECK(rows->head.name == path.substr(3));
    CHECK(rows->head.id.size() == 40);
    CHECK(rows->head.program.starts_with("forward "));
  }
}

TEST_CASE("dump reader: a dump goes only with the record of its run", "[fleet]") {
  MemoryFileSystem files = workspace();
  const std::string dump(read_file(ETLENS_TEST_DATA "/compare/base-1.dump.gz"));
  const std::string record(read_file(kMlp + "/model.etrecord"));
  // Two dumps of one reader, which hashes the record once.
  files.put("/w/b/run.etdp", dump);
  files.put("/w/b/run.etdp.json", run_file_of(dump, record, ""));
  files.put("/w/c/run.etdp", dump);
  files.put("/w/c/run.etdp.json", run_file_of(dump, record + "of another export", ""));
  const Result<DumpSearch> search = find_dumps(files, {"/w"});
  REQUIRE(search);
  DumpReaderOptions options;
  options.partners = search->partners;
  options.here = "/w";
  DumpReader reader(files, options);
  for (const char* path : {"/w/a/run.etdp", "/w/b/run.etdp"}) {
    const DumpOutcome outcome = reader.read(path);
    CHECK(std::get_if<DumpRows>(&outcome) != nullptr);
  }
  const DumpOutcome other = reader.read("/w/c/run.etdp");
  const auto* broken = std::get_if<BrokenDump>(&other);
  REQUIRE(broken != nullptr);
  CHECK(broken->reason == BrokenReason::OtherProgram);
  CHECK(broken->sentence.find("not the record of the run") != std::string::npos);
}

TEST_CASE("dump reader: rows are the numbers of the facts", "[fleet]") {
  const MemoryFileSystem files = workspace();
  const DumpOutcome outcome = read(files, "/w/a/run.etdp", true);
  const auto* rows = std::get_if<DumpRows>(&outcome);
  REQUIRE(rows != nullptr);
  LoadRequest request;
  request.etdump = "/w/a/run.etdp";
  request.etrecord = "/w/model.etrecord";
  const auto study = load_study(files, request);
  REQUIRE(study);
  const Facts facts(*study);
  int64_t lines = 0;
  size_t hottest = 0;
  std::map<std::pair<PlaceKind, std::string>, std::pair<int64_t, size_t>> executions;
  for (const DumpRow& row : rows->rows) {
    const double self = static_cast<double>(row.self_ticks) / row.samples(rows->head);
    if (row.execution > 0) {
      auto& [sum, count] = executions[{row.place.kind, row.place.key}];
      sum += row.self_ticks;
      ++count;
      continue;
    }
    if (row.place.kind == PlaceKind::Module) {
      const ModuleId id = facts.code().find_module(row.place.key);
      CHECK(facts.module(id).inclusive.amount.value == row.inclusive_ticks);
      CHECK(facts.module(id).self.amount.value == row.self_ticks);
    }
    if (row.place.kind != PlaceKind::Line) continue;
    lines += row.self_ticks;
    hottest += row.is_hottest ? 1 : 0;
    for (size_t l = 0; l < facts.line_count(); ++l) {
      const LineFacts line = facts.line(LineId(l));
      if (line.number != row.place.line) continue;
      CHECK(line.self.value == self);
      CHECK((facts.hot_lines().front() == line.id) == row.is_hottest);
    }
  }
  CHECK(hottest == 1);
  CHECK(lines == facts.measure().total[Part::Line].value);
  CHECK(rows->rows.front().self_ticks == facts.measure().total.typical().value);
  CHECK(rows->rows.front().inclusive_ticks == facts.measure().total.total.value);
  // Executions add up to what was measured.
  const auto& [sum, count] = executions[{PlaceKind::Total, "total"}];
  CHECK(count == rows->head.executions);
  CHECK(sum == facts.measure().total.total.value);
}

TEST_CASE("dump reader: what is broken has a reason", "[fleet]") {
  MemoryFileSystem files = workspace();
  const std::string dump = read_file(ETLENS_TEST_DATA "/compare/base-1.dump.gz");
  files.put("/w/empty.etdp", "");
  files.put("/w/foreign.etdp", "PK\x03\x04 and so on, but no dump of anything at all");
  files.put("/w/cut.etdp", dump.substr(0, dump.size() / 2));
  files.put("/w/idle.etdp",
            DumpBuilder().block("Default").framework("Method::init", 1, 9).build().text());
  files.put("/w/other.etdp", read_file(ETLENS_TEST_DATA "/examples/convnet/model.etdp"));
  CHECK(reason_of(files, "/w/empty.etdp") == BrokenReason::Empty);
  CHECK(reason_of(files, "/w/foreign.etdp") == BrokenReason::Foreign);
  CHECK(reason_of(files, "/w/cut.etdp") == BrokenReason::Damaged);
  CHECK(reason_of(files, "/w/idle.etdp") == BrokenReason::NoExecution);
  CHECK(reason_of(files, "/w/other.etdp") == BrokenReason::OtherProgram);
  CHECK(reason_of(files, "/w/none.etdp") == BrokenReason::Unreadable);
}

TEST_CASE("dump reader: records that cannot be used are said, each once", "[fleet]") {
  MemoryFileSystem files = workspace();
  files.put("/w/a/cut.etrecord", read_file(kMlp + "/model.etrecord").substr(0, 4000));
  const Result<DumpSearch> search = find_dumps(files, {"/w"});
  REQUIRE(search);
  DumpReaderOptions options;
  options.partners = search->partners;
  options.here = "/w";
  DumpReader reader(files, options);
  CHECK(std::holds_alternative<DumpRows>(reader.read("/w/a/run.etdp")));
  const std::vector<std::string> said = reader.take_left_out();
  REQUIRE(said.size() == 1);
  CHECK(said.front().find("/w/a/cut.etrecord ") != std::string::npos);
  CHECK(reader.take_left_out().empty());
  CHECK(std::holds_alternative<DumpRows>(reader.read("/w/a/run.etdp")));
  CHECK(reader.take_left_out().empty());
}

TEST_CASE("dump reader: time stands on the lines that the record lost, as in a study", "[fleet]") {
  const std::string folder = ETLENS_TEST_DATA "/helpers/ropeformer";
  MemoryFileSystem files;
  files.put("/d/run.etdp", read_file(folder + "/run10.etdp.gz"));
  files.put("/d/model.etrecord", read_file(folder + "/model.etrecord"));
  for (const char* name : {"__init__.py", "layers.py", "model.py", "rope.py"})
    files.put(std::string("/s/ropeformer/") + name,
              read_file(folder + "/sources/ropeformer/" + name));
  const Result<DumpSearch> search = find_dumps(files, {"/d"});
  REQUIRE(search);
  const auto lines_with = [&](const StudyWish& wish) {
    DumpReaderOptions options;
    options.load = {wish};
    options.partners = search->partners;
    const DumpOutcome outcome = DumpReader(files, options).read("/d/run.etdp");
    const auto* rows = std::get_if<DumpRows>(&outcome);
    REQUIRE(rows != nullptr);
    std::map<std::string, int64_t> lines;
    for (const DumpRow& row : rows->rows) {
      if (row.place.kind == PlaceKind::Line) lines[row.place.key] += row.self_ticks;
    }
    return lines;
  };
  StudyWish below_roots;
  below_roots.roots = {"/s"};
  StudyWish mapped;
  mapped.path_mappings = {{"/home/user", "/s"}};
  StudyWish not_recovered = below_roots;
  not_recovered.recovers = false;

  const auto lines = lines_with(below_roots);
  const auto gate = std::ranges::find_if(lines, [](const auto& row) {
    return row.first.find("g = self.gate_proj(x)") != row.first.npos;
  });
  CHECK(gate != lines.end());
  CHECK(lines_with(mapped) == lines);
  const auto on_forward = lines_with(not_recovered);
  CHECK(on_forward.size() < lines.size());
  CHECK(lines_with({}) == on_forward);  // no source is here
  // All of it stays where it was found, only on other lines.
  const auto sum = [](const std::map<std::string, int64_t>& rows) {
    int64_t ticks = 0;
    for (const auto& [line, self] : rows) ticks += self;
    return ticks;
  };
  CHECK(sum(lines) == sum(on_forward));

  // The same lines as those of a study of the dump.
  LoadRequest request{below_roots};
  request.etdump = "/d/run.etdp";
  request.etrecord = "/d/model.etrecord";
  const auto study = load_study(files, request);
  REQUIRE(study);
  const Facts facts(*study);
  std::map<std::string, int64_t> of_study;
  for (size_t l = 0; l < facts.line_count(); ++l) {
    const int64_t self = facts.line(LineId(l)).self.amount.value;
    if (self != 0) of_study[place_of_line(facts.code(), LineId(l)).key] += self;
  }
  CHECK(of_study == lines);
}

}  // namespace etlens::dump_reader_test
