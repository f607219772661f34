// SPDX-License-Identifier: Apache-2.0
// The file about a run: hashes decide which record and program belong to a dump, where instructions
// cannot.
#include "core/workspace/run_check.h"

#include "core/workspace/discovery.h"
#include "core/workspace/load.h"
#include "core/workspace/resolve.h"
#include "tests/support/dump_builder.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/program_builder.h"
#include "tests/support/record_builder.h"
#include "tests/support/run_files.h"

namespace etlens::run_check_test {

using namespace etlens::test;

namespace {

std::string dump() {
  DumpBuilder builder;
  builder.block("Execute").operator_call("add.out", 0, 10, 20).framework("Method::execute", 0, 30);
  return std::string(builder.build().text());
}

// Of two exports of one graph: their instructions are the same. Names have equal lengths.
std::string record(const std::string& name = "int8") {
  RecordBuilder builder;
  builder.node({name, "aten.add.Tensor", 1, "", "", {}}).map(0, {1});
  return std::string(builder.build().text());
}

std::string program(const std::string& op = "aten::add.out") {
  return ProgramBuilder().method("forward", {{'k', op}}).build();
}

LoadRequest wish(const std::string& etrecord, const std::string& pte = "") {
  LoadRequest request;
  request.etdump = "/w/m.etdp";
  request.etrecord = etrecord;
  request.pte = pte;
  return request;
}

// What resolve() makes of a wish for the dump alone.
LoadRequest resolved(const FileSystem& files) {
  StudyWish named;
  named.etdump = "/w/m.etdp";
  const auto study = resolve(files, find_artifacts(files, {{"/w"}, {}}), named);
  REQUIRE(study);
  return study->request;
}

// Counts the bytes that are read of one file.
class CountedFiles final : public FileSystem {
 public:
  CountedFiles(const FileSystem& files, std::string path) : files_(files), path_(std::move(path)) {}

  uint64_t bytes = 0;

  Result<FileStamp> stat(std::string_view path) const override { return files_.stat(path); }
  Result<Bytes> read(std::string_view path) const override { return files_.read(path); }
  Result<Bytes> read_range(std::string_view path, uint64_t offset, uint64_t size) const override {
    Result<Bytes> read = files_.read_range(path, offset, size);
    if (read && path == path_) const_cast<CountedFiles*>(this)->bytes += read->size();
    return read;
  }
  Result<std::vector<DirectoryEntry>> list(std::string_view folder) const override {
    return files_.list(folder);
  }

 private:
  const FileSystem& files_;
  std::string path_;
};

}  // namespace

TEST_CASE("run: a record of the same instructions that did not run is refused", "[run]") {
  MemoryFileSystem files;
  files.put("/w/m.etdp", dump());
  files.put("/w/fp32.etrecord", record("fp32"));
  // By its instructions it is a match.
  const auto before = load_study(files, wish("/w/fp32.etrecord"));
  REQUIRE(before);
  CHECK((*before)->fit->score == 1);
  CHECK((*before)->run == nullptr);
  CHECK(pair_confidence((*before)->run.get()) == "inferred");

  files.put("/w/m.etdp.json", run_file_of(dump(), record("int8"), ""));
  const auto study = load_study(files, wish("/w/fp32.etrecord"));
  REQUIRE_FALSE(study);
  CHECK(study.error().code == ErrorCode::Mismatch);
  CHECK(study.error().message ==
        "/w/fp32.etrecord is not the record of the run that wrote /w/m.etdp: its SHA-256 is not "
        "the one of m.etrecord in m.etdp.json; give that record, run the program of this record "
        "again, or delete m.etdp.json to compare instructions alone");
  // One of another size is not hashed.
  files.put("/w/fp32.etrecord", record("float32"));
  const auto longer = load_study(files, wish("/w/fp32.etrecord"));
  REQUIRE_FALSE(longer);
  CHECK(longer.error().message.find("its size is not") != std::string::npos);
  // In two steps as well.
  const auto artifacts = load_artifacts(files, wish("/w/fp32.etrecord"));
  REQUIRE(artifacts);
  CHECK_FALSE(build_study(files, *artifacts, wish("/w/fp32.etrecord")));
}

TEST_CASE("run: one that nobody named is left out", "[run]") {
  MemoryFileSystem files;
  files.put("/w/m.etdp", dump());
  files.put("/w/m.etrecord", record("fp32"));
  files.put("/w/m.etdp.json", run_file_of(dump(), record("int8"), ""));
  const auto study = load_study(files, resolved(files));
  REQUIRE(study);
  CHECK((*study)->etrecord_path.empty());
  CHECK((*study)->report.find(Oddity::RecordLeftOut) != nullptr);
}

TEST_CASE("run: hashes that agree make the pair certain", "[run]") {
  MemoryFileSystem files;
  files.put("/w/m.etdp", dump());
  files.put("/w/m.etrecord", record());
  files.put("/w/m.pte", program());
  const LoadRequest all = wish("/w/m.etrecord", "/w/m.pte");
  files.put("/w/m.etdp.json", run_file_of(dump(), record(), program()));
  const auto study = load_study(files, all);
  REQUIRE(study);
  REQUIRE((*study)->run);
  CHECK((*study)->run->record == HashVerdict::Agrees);
  CHECK((*study)->run->program == HashVerdict::Agrees);
  CHECK(pair_confidence((*study)->run.get()) == "certain");

  // A record that only has the program's name may be of an earlier export.
  const nlohmann::json by_name{{"paired_by", "name"}};
  files.put("/w/m.etdp.json", run_file_of(dump(), record(), program(), by_name));
  const auto named = load_study(files, all);
  REQUIRE(named);
  CHECK((*named)->run->record == HashVerdict::Agrees);
  CHECK(pair_confidence((*named)->run.get()) == "inferred");
}

TEST_CASE("run: hashes do not make a match of other instructions", "[run]") {
  MemoryFileSystem files;
  RecordBuilder other;
  other.node({"n", "aten.sigmoid.default", 1, "", "", {}}).map(0, {1});
  const std::string record(other.build().text());
  files.put("/w/m.etdp", dump());
  files.put("/w/m.etrecord", record);
  files.put("/w/m.etdp.json", run_file_of(dump(), record, ""));
  const auto study = load_study(files, wish("/w/m.etrecord"));
  REQUIRE_FALSE(study);
  CHECK(study.error().message.find("do not belong together (score 0.00") != std::string::npos);
}

TEST_CASE("run: a program that did not run is not used", "[run]") {
  MemoryFileSystem files;
  files.put("/w/m.etdp", dump());
  files.put("/w/m.etrecord", record());
  files.put("/w/m.pte", program());
  files.put("/w/m.etdp.json", run_file_of(dump(), record(), program() + " "));
  const auto study = load_study(files, wish("/w/m.etrecord", "/w/m.pte"));
  REQUIRE(study);
  CHECK((*study)->pte_path.empty());
  const ReportRow* row = (*study)->report.find(Oddity::ProgramDiffers);
  REQUIRE(row != nullptr);
  CHECK(row->first ==
        "/w/m.pte is not the program that ran: its size is not the one in m.etdp.json");
  CHECK(pair_confidence((*study)->run.get()) == "inferred");
  // Inside of a bundled program it has another hash, which proves nothing.
  files.put("/w/m.bpte", bundled(program()));
  files.put("/w/m.etdp.json", run_file_of(dump(), record(), program()));
  const auto inside = load_study(files, wish("/w/m.etrecord", "/w/m.bpte"));
  REQUIRE(inside);
  CHECK((*inside)->pte_path == "/w/m.bpte");
  CHECK((*inside)->run->program == HashVerdict::Unchecked);
}

TEST_CASE("run: it chooses among records and programs", "[run]") {
  MemoryFileSystem files;
  files.put("/w/m.etdp", dump());
  files.put("/w/m.etrecord", record("fp32"));  // the likeliest by its name
  files.put("/w/z/int8.etrecord", record("int8"));
  for (int i = 0; i < 20; ++i)
    files.put("/w/old/" + std::to_string(i) + ".etrecord", record("export" + std::to_string(i)));
  files.put("/w/m.pte", program());
  files.put("/w/z/int8.pte", program() + std::string(16, '\0'));
  CHECK(resolved(files).etrecord == "/w/m.etrecord");
  CHECK(resolved(files).pte == "/w/m.pte");
  files.put("/w/m.etdp.json",
            run_file_of(dump(), record("int8"), program() + std::string(16, '\0')));
  const LoadRequest request = resolved(files);
  CHECK(request.etrecord == "/w/z/int8.etrecord");
  CHECK(request.pte == "/w/z/int8.pte");
  const auto study = load_study(files, request);
  REQUIRE(study);
  CHECK(pair_confidence((*study)->run.get()) == "certain");
  // What it chose, and the file itself, are what the answer depends on.
  StudyWish named;
  named.etdump = "/w/m.etdp";
  const FileStamps stamps = looked_at(files, find_artifacts(files, {{"/w"}, {}}), named);
  for (const char* path : {"/w/m.etdp.json", "/w/z/int8.etrecord", "/w/z/int8.pte"}) {
    CAPTURE(path);
    CHECK(stamps.contains(path));
    CHECK(used_by(request, stamps).contains(path));
  }
}

TEST_CASE("run: a file about another dump, or none at all, decides nothing", "[run]") {
  MemoryFileSystem files;
  files.put("/w/m.etdp", dump());
  files.put("/w/m.etrecord", record());
  const auto [text, oddity] = GENERATE_COPY(table<std::string, Oddity>(
      {{run_file_of(dump() + " ", "x", "y"), Oddity::RunOfAnotherDump},
       {run_file_of(std::string(dump().size(), ' '), "x", "y"), Oddity::RunOfAnotherDump},
       {"{", Oddity::RunUnreadable},
       {std::string(kMaxRunFileBytes + 10, ' '), Oddity::RunUnreadable}}));
  files.put("/w/m.etdp.json", text);
  const auto study = load_study(files, wish("/w/m.etrecord"));
  REQUIRE(study);
  CHECK((*study)->run == nullptr);
  CHECK((*study)->fit->score == 1);
  const ReportRow* row = (*study)->report.find(oddity);
  REQUIRE(row != nullptr);
  CHECK(row->first.starts_with("/w/m.etdp.json"));
}

TEST_CASE("run: a record is hashed only if a file about the run is there, and once", "[run]") {
  MemoryFileSystem memory;
  memory.put("/w/m.etdp", dump());
  memory.put("/w/m.etrecord", record());
  CountedFiles files(memory, "/w/m.etrecord");
  const auto bytes_of_load = [&](const LoadRequest& request) {
    files.bytes = 0;
    const auto study = load_study(files, request);
    REQUIRE(study);
    return std::pair(files.bytes, *study);
  };
  const auto [plain, study] = bytes_of_load(wish("/w/m.etrecord"));
  memory.put("/w/m.etdp.json", run_file_of(dump(), record(), ""));
  const auto [hashed, checked] = bytes_of_load(wish("/w/m.etrecord"));
  CHECK(hashed == plain + record().size());
  LoadRequest again = wish("/w/m.etrecord");
  again.earlier = checked;
  const auto [later, same] = bytes_of_load(again);
  CHECK(later < record().size());
  CHECK(pair_confidence(same->run.get()) == "certain");
}

TEST_CASE("run: files that are too large for a hash are compared by their sizes", "[run]") {
  class LargeFile final : public FileSystem {
   public:
    Result<FileStamp> stat(std::string_view) const override {
      return FileStamp{kMaxHashedBytes + 1, 1, 1, false};
    }
    Result<Bytes> read(std::string_view) const override { return Error{ErrorCode::Io, "read"}; }
    Result<Bytes> read_range(std::string_view, uint64_t, uint64_t) const override {
      return Error{ErrorCode::Io, "read"};
    }
    Result<std::vector<DirectoryEntry>> list(std::string_view) const override {
      return std::vector<DirectoryEntry>();
    }
  };
  const LargeFile files;
  FileIdentity identity;
  const RunArtifact same{"m", std::string(64, 'a'), kMaxHashedBytes + 1};
  CHECK(compare_with_run(files, "/m", same, nullptr, identity) == HashVerdict::Unchecked);
  CHECK(identity.sha256.empty());
  const RunArtifact other{"m", std::string(64, 'a'), kMaxHashedBytes + 2};
  CHECK(compare_with_run(files, "/m", other, nullptr, identity) == HashVerdict::Differs);
}

}  // namespace etlens::run_check_test
