// SPDX-License-Identifier: Apache-2.0
// The memory of runs on a real disk: what is stored, what makes room, and what survives.
#include "core/runs/run_store.h"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "core/base/folder_lock.h"
#include "core/base/output_folder.h"
#include "core/runs/choose_run.h"
#include "core/runs/earlier_runs.h"
#include "tests/support/corpus.h"

namespace etlens::run_store_test {

namespace fs = std::filesystem;
using namespace etlens::test;

namespace {

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("etlens-runs-" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_);
    path_ = fs::canonical(path_);
  }
  ~Folder() {
    fs::permissions(path_, fs::perms::owner_all);
    fs::remove_all(path_);
  }
  std::string path(const std::string& name = "") const {
    return name.empty() ? path_.string() : (path_ / name).string();
  }
  void put(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
  }
  size_t count(const std::string& name) const {
    if (!fs::exists(path_ / name)) return 0;
    return static_cast<size_t>(std::distance(fs::directory_iterator(path_ / name), {}));
  }

 private:
  fs::path path_;
};

RunToStore wanted(const Folder& folder, const std::string& dump, double total = 1000) {
  RunToStore run;
  run.etdump = folder.path(dump);
  const Result<FileStamp> stamp = real_file_system().stat(run.etdump);
  if (stamp) run.stamp = *stamp;
  run.run.dump_path = dump;
  run.run.time_ms = 1'764'230'000'000;
  run.run.method = "forward";
  run.run.total = RunTotal{total, "ns", "typical", 10};
  return run;
}

RunToStore with_record(const Folder& folder, const std::string& dump, double total = 1000) {
  RunToStore run = wanted(folder, dump, total);
  run.etrecord = folder.path("model.etrecord");
  return run;
}

// Stores `count` runs of other dumps with the same record.
void store_many(const Folder& folder, size_t count, const RunLimits& limits, size_t bytes = 100) {
  folder.put("model.etrecord", std::string(5000, 'r'));
  for (size_t i = 0; i < count; ++i) {
    folder.put("model.etdp", std::string(bytes, 'd') + std::to_string(i));
    const Result<StoreOutcome> stored =
        store_run(folder.path(), with_record(folder, "model.etdp"), limits);
    REQUIRE(stored);
    REQUIRE(stored->is_new);
  }
}

StoredRuns listed(const Folder& folder) {
  Result<StoredRuns> stored = list_runs(real_file_system(), folder.path());
  REQUIRE(stored);
  return std::move(*stored);
}

}  // namespace

TEST_CASE("runs: a stored run is a copy that is for the user alone, and git ignores it") {
  const Folder folder;
  folder.put("model.etdp", "dump");
  folder.put("model.etdp.json", "sidecar");
  folder.put("model.etrecord", "record");
  folder.put("model.sources.json", "sources");
  folder.put("model.pte", "program");
  RunToStore run = with_record(folder, "model.etdp");
  run.pte = folder.path("model.pte");
  const Result<StoreOutcome> stored = store_run(folder.path(), run);
  REQUIRE(stored);
  CHECK(stored->run.number == 1);
  folder.put("model.etdp", "overwritten in place");
  const StoredRuns all = listed(folder);
  REQUIRE(all.runs.size() == 1);
  const RunFiles files = files_of(all, all.runs[0]);
  CHECK(read_file(files.etdump) == "dump");
  CHECK(read_file(files.etdump + ".json") == "sidecar");
  CHECK(read_file(files.etrecord) == "record");
  CHECK(read_file(files.etrecord.substr(0, files.etrecord.rfind('.')) + ".sources.json") ==
        "sources");
  CHECK(read_file(files.pte) == "program");
  CHECK(read_file(folder.path(".etlens/runs/.gitignore")) == "*\n");
  for (const std::string name :
       {".etlens", ".etlens/runs", ".etlens/runs/1", ".etlens/runs/kept"}) {
    CAPTURE(name);
    struct stat status {};
    REQUIRE(::stat(folder.path(name).c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0700);
  }
  struct stat dump {};
  REQUIRE(::stat(files.etdump.c_str(), &dump) == 0);
  CHECK(dump.st_nlink == 1);
}

TEST_CASE("runs: the same dump is stored once, the same record is kept once") {
  const Folder folder;
  store_many(folder, 3, {});
  const Result<StoreOutcome> again = store_run(folder.path(), with_record(folder, "model.etdp"));
  REQUIRE(again);
  CHECK_FALSE(again->is_new);
  CHECK(again->run.number == 3);
  CHECK(listed(folder).runs.size() == 3);
  CHECK(folder.count(".etlens/runs/kept") == 1);
  CHECK(listed(folder).bytes == 5000 + 3 * 101);
}

TEST_CASE("runs: 200 of them stay within the limit, the oldest go first, pinned ones stay") {
  const Folder folder;
  const RunLimits limits{.bytes = 25'000, .runs = 500};
  store_many(folder, 2, limits, 1000);
  REQUIRE(pin_run(folder.path(), 1, true));
  for (size_t i = 0; i < 198; ++i) {
    folder.put("model.etdp", std::string(1000, 'e') + std::to_string(i));
    REQUIRE(store_run(folder.path(), with_record(folder, "model.etdp"), limits));
    REQUIRE(listed(folder).bytes <= limits.bytes);
  }
  const StoredRuns all = listed(folder);
  CHECK(all.runs.front().number == 1);
  CHECK(all.runs.back().number == 200);
  REQUIRE(all.runs.size() > 10);
  CHECK(all.runs[1].number == 200 - all.runs.size() + 2);  // without gaps behind the pinned one
  CHECK(folder.count(".etlens/runs/kept") == 1);
  REQUIRE(pin_run(folder.path(), 1, false));
  CHECK(*trim_runs(folder.path(), {.bytes = 1, .runs = 500}) ==
        all.runs.size() - 1);  // the newest stays
  CHECK(listed(folder).runs.size() == 1);
  REQUIRE(trim_runs(folder.path(), {.bytes = 25'000, .runs = 1}));
  REQUIRE(remove_run(folder.path(), 200));
  CHECK(folder.count(".etlens/runs/kept") == 0);  // a record that no run has goes with the last
}

TEST_CASE("runs: a limit on their number, and a run that is larger than all may be") {
  const Folder folder;
  store_many(folder, 6, {.bytes = 1 << 20, .runs = 4});
  CHECK(listed(folder).runs.front().number == 3);
  folder.put("model.etdp", std::string(3000, 'x'));
  const Result<StoreOutcome> large =
      store_run(folder.path(), wanted(folder, "model.etdp"), {.bytes = 2000, .runs = 4});
  REQUIRE_FALSE(large);
  CHECK(large.error().code == ErrorCode::Unsupported);
  CHECK(listed(folder).runs.size() == 4);
  folder.put("model.pte", std::string(3000, 'p'));
  RunToStore run = wanted(folder, "model.etdp");
  run.pte = folder.path("model.pte");
  const Result<StoreOutcome> without = store_run(folder.path(), run, {.bytes = 8000, .runs = 4});
  REQUIRE(without);
  CHECK_FALSE(without->run.program);
  CHECK_FALSE(without->run.left_out.empty());
}

TEST_CASE("runs: what a crash leaves is no run, and goes with the next one") {
  const Folder folder;
  store_many(folder, 1, {});
  const std::string runs = folder.path(".etlens/runs/");
  fs::create_directory(runs + ".2.etlens-999999-0");
  std::ofstream(runs + ".2.etlens-999999-0/model.etdp") << "half";
  std::ofstream(runs + "kept/.x.etlens-999999-0") << "half";
  CHECK(listed(folder).runs.size() == 1);
  CHECK(listed(folder).damaged == 0);
  // A machine that lost power may have the folder, and not all of its bytes.
  fs::create_directory(runs + "2");
  fs::copy_file(runs + "1/run", runs + "2/run");
  std::ofstream(runs + "2/model.etdp") << "short";
  CHECK(listed(folder).runs.size() == 1);
  CHECK(listed(folder).damaged == 1);
  folder.put("model.etdp", "next");
  const Result<StoreOutcome> next = store_run(folder.path(), with_record(folder, "model.etdp"));
  REQUIRE(next);
  CHECK(next->run.number == 3);
  CHECK_FALSE(fs::exists(runs + ".2.etlens-999999-0"));
  CHECK(folder.count(".etlens/runs/kept") == 1);
}

TEST_CASE("runs: several processes store at once, and nothing is lost", "[process]") {
  const Folder folder;
  folder.put("model.etrecord", std::string(5000, 'r'));
  constexpr int kWriters = 4, kEach = 5;
  for (int w = 0; w < kWriters; ++w)
    for (int i = 0; i < kEach; ++i)
      folder.put(std::to_string(w) + std::to_string(i) + ".etdp",
                 std::to_string(w) + " " + std::to_string(i));
  std::vector<pid_t> children;
  for (int w = 0; w < kWriters; ++w) {
    const pid_t child = ::fork();
    if (child == 0) {
      bool is_good = true;
      for (int i = 0; i < kEach; ++i) {
        const std::string dump = std::to_string(w) + std::to_string(i) + ".etdp";
        is_good &= store_run(folder.path(), with_record(folder, dump)).has_value();
      }
      ::_exit(is_good ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  std::set<std::string> names;
  for (const StoredRun& run : listed(folder).runs) names.insert(run.dump_path);
  CHECK(names.size() == kWriters * kEach);
}

TEST_CASE("runs: a writer that does not end is waited for, then named") {
  const Folder folder;
  folder.put("lock", "");
  const Result<FolderLock> first = FolderLock::take(folder.path("lock"), 0);
  REQUIRE(first);
  const Result<FolderLock> second = FolderLock::take(folder.path("lock"), 40);
  REQUIRE_FALSE(second);
  CHECK(second.error().message.find("another etlens") != std::string::npos);
}

TEST_CASE("runs: a file that changed since it was read is not stored") {
  const Folder folder;
  folder.put("model.etdp", "one");
  RunToStore run = wanted(folder, "model.etdp");
  folder.put("model.etdp", "another");
  const Result<StoreOutcome> stored = store_run(folder.path(), run);
  REQUIRE_FALSE(stored);
  CHECK(stored.error().code == ErrorCode::Incomplete);
  CHECK_FALSE(fs::exists(folder.path(".etlens")));
}

TEST_CASE("runs: a link or a file in the place of the folder is not followed") {
  const Folder folder;
  folder.put("model.etdp", "dump");
  fs::create_directory(folder.path("elsewhere"));
  fs::create_directory_symlink(folder.path("elsewhere"), folder.path(".etlens"));
  Result<StoreOutcome> stored = store_run(folder.path(), wanted(folder, "model.etdp"));
  REQUIRE_FALSE(stored);
  CHECK(stored.error().code == ErrorCode::Io);
  CHECK(folder.count("elsewhere") == 0);
  fs::remove(folder.path(".etlens"));
  folder.put(".etlens", "");
  stored = store_run(folder.path(), wanted(folder, "model.etdp"));
  REQUIRE_FALSE(stored);
  CHECK(stored.error().code == ErrorCode::Io);
}

TEST_CASE("runs: runs are chosen by words, and a wrong one lists what there is") {
  const Folder folder;
  const double totals[]{30, 10, 20, 25};
  for (int i = 0; i < 4; ++i) {
    folder.put("model.etdp", "dump " + std::to_string(i));
    RunToStore run = wanted(folder, "model.etdp", totals[i]);
    run.run.time_ms = 1'764'230'000'000 - i * int64_t{86'400'000};  // a clock that goes back
    run.run.branch = i % 2 == 0 ? "main" : "topic";
    run.run.commit = std::to_string(i) + std::string(39, 'f');
    REQUIRE(store_run(folder.path(), run));
  }
  const StoredRuns all = listed(folder);
  const auto chosen = [&](const std::string& name, uint32_t current) {
    const StoredRun* now = all.find(current);
    const Result<StoredRun> run =
        choose_run(all, name, now == nullptr ? std::optional<StoredRun>() : *now);
    return run ? run->number : 0;
  };
  CHECK(chosen("@prev", 4) == 3);
  CHECK(chosen("@prev", 2) == 1);
  CHECK(chosen("@prev", 1) == 0);
  CHECK(chosen("@prev", 0) == 4);
  CHECK(chosen("@best", 4) == 2);
  CHECK(chosen("@best", 2) == 3);
  CHECK(chosen("@1", 4) == 1);
  CHECK(chosen("@main", 4) == 3);
  CHECK(chosen("@main", 3) == 1);
  CHECK(chosen("@topic", 4) == 2);
  CHECK(chosen("@1ffffff", 4) == 2);
  CHECK(chosen("@" + day_and_time(all.runs[1].time_ms).substr(0, 10), 4) == 2);
  const Result<StoredRun> none = choose_run(all, "@nightly", all.runs[3]);
  REQUIRE_FALSE(none);
  CHECK(none.error().message.find("@main, @topic") != std::string::npos);
  CHECK(none.error().message.find("runs 1 to 4") != std::string::npos);
  CHECK(*change_since(all.runs[2], all.runs[3]) == Approx(0.25));
  CHECK(run_before(all, all.runs[0]) == nullptr);
  CHECK(run_of_dump(real_file_system(), all, folder.path("model.etdp"))->number == 4);
}

TEST_CASE(
    "runs: the best, the last of an earlier day, and the newest of the main branch are found") {
  const Folder folder;
  struct Row {
    double total;
    int days_ago;
    std::string branch;
  };
  const Row rows[]{
      {30, 9, "master"}, {10, 3, "topic"}, {40, 3, "topic"}, {12, 0, "topic"}, {15, 0, "topic"}};
  for (size_t i = 0; i < std::size(rows); ++i) {
    folder.put("model.etdp", "dump " + std::to_string(i));
    RunToStore run = wanted(folder, "model.etdp", rows[i].total);
    run.run.time_ms = 1'764'230'000'000 - rows[i].days_ago * int64_t{86'400'000};
    run.run.branch = rows[i].branch;
    REQUIRE(store_run(folder.path(), run));
  }
  StoredRuns all = listed(folder);
  const auto names = [&](size_t shown) {
    std::string text;
    for (const EarlierRun& run : earlier_runs(all, all.runs[shown]))
      text += fmt::format("{} {} {:+.0f}; ", run.name, run.run.number, run.change * 100);
    return text;
  };
  const auto day = [&](size_t run) { return day_and_time(all.runs[run].time_ms).substr(0, 10); };
  CHECK(names(4) == "the best run 2 +50; " + day(2) + " 3 -62; master 1 -50; ");
  CHECK(names(1) == "the best run 1 -67; " + day(0) + " 1 -67; master 1 -67; ");
  CHECK(names(0).empty());
  // main before master, and of other models nothing.
  all.runs[3].branch = "main";
  all.runs[1].method = "other";
  CHECK(names(4) == "the best run 4 +25; " + day(2) + " 3 -62; main 4 +25; ");
  all.runs[2].total.reset();
  CHECK(names(4) == "the best run 4 +25; " + day(0) + " 1 -50; main 4 +25; ");
}

TEST_CASE("runs: folders that a repository brings are read as hostile") {
  const Folder folder;
  store_many(folder, 1, {});
  const std::string runs = folder.path(".etlens/runs/");
  std::ofstream(runs + "1/run", std::ios::app) << "dump_name ../../model.etdp\n";
  CHECK(listed(folder).runs.empty());
  CHECK(listed(folder).damaged == 1);
  for (const std::string name : {"0", "00001", "99999999999", "-1", "x"})
    fs::create_directory(runs + name);
  CHECK(listed(folder).damaged == 1);
  CHECK_FALSE(pin_run(folder.path(), 7, true));
  CHECK_FALSE(remove_run(folder.path(), 1));
}

}  // namespace etlens::run_store_test
