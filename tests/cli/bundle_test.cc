// SPDX-License-Identifier: Apache-2.0
// `etlens bundle`: it shows the same numbers, and nothing of the user is left in it.
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "core/base/file_system.h"
#include "core/bundle/public_words.h"
#include "core/bundle/renamer.h"
#include "core/formats/etrecord/zip_archive.h"
#include "core/formats/pte/pte_reader.h"
#include "tests/cli/sandbox.h"
#include "tests/support/corpus.h"
#include "tests/support/run_files.h"

namespace etlens::bundle_test {

using namespace etlens::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

struct Case {
  std::string folder;
  std::string dump;
};

// Models of several releases and backends, with their programs where there are such.
std::vector<Case> cases() {
  return {{std::string(ETLENS_EXAMPLES) + "/storyteller", "model.etdp"},
          {ETLENS_TEST_DATA "/release-1.5/mlp-portable-fp32", "run10.etdp"},
          {ETLENS_TEST_DATA "/release-1.5/mlp-xnnpack-int8", "run10.etdp"},
          {ETLENS_TEST_DATA "/release-1.5/methods-forward-portable", "run10.etdp"}};
}

// The artifacts alone, so that no source is near.
void put_case(Sandbox& sandbox, const Case& one) {
  sandbox.put("in/model.etdp", read_file(one.folder + "/" + one.dump));
  sandbox.put("in/model.etrecord", read_file(one.folder + "/model.etrecord"));
  if (fs::exists(one.folder + "/model.pte"))
    sandbox.put("in/model.pte", read_file(one.folder + "/model.pte"));
}

void unpack(Sandbox& sandbox, const std::string& zip, const std::string& folder) {
  const Result<ZipArchive> archive = ZipArchive::open(real_file_system(), sandbox.path(zip));
  REQUIRE(archive);
  for (const ZipMember& member : archive->members()) {
    const Result<Bytes> content = archive->read(member);
    REQUIRE(content);
    sandbox.put(folder + "/" + member.name, content->text());
  }
}

// Everything in the bundle as it is uncompressed, members of the record too. `has_texts`: with the
// texts, whose words are etlens's own.
std::string all_bytes(const Sandbox& sandbox, const std::string& folder, bool has_texts) {
  std::string bytes;
  for (const auto& file : fs::directory_iterator(sandbox.path(folder)))
    if (has_texts || file.path().extension() != ".txt") bytes += slurp(file.path()) + "\n";
  return bytes;
}

json document(const Sandbox& sandbox, const std::string& command, const std::string& folder) {
  const Outcome outcome = sandbox.run(command + " --format json " + folder);
  CAPTURE(command, folder, outcome.err);
  REQUIRE(outcome.status == 0);
  return json::parse(outcome.out);
}

bool is_public(std::string_view word) {
  return (" " + std::string(public_words())).find(" " + std::string(word) + " ") !=
         std::string::npos;
}

// Names and paths of a record's own JSON: modules, parameters, files, functions and the text of lines.
std::set<std::string> names_in(const std::string& record) {
  std::set<std::string> names;
  const Result<ZipArchive> archive = ZipArchive::open(real_file_system(), record);
  REQUIRE(archive);
  for (const ZipMember& member : archive->members()) {
    const Result<Bytes> content = archive->read(member);
    if (!content || !content->text().starts_with("{\"graph_module")) continue;
    const std::string text(content->text());
    for (const std::regex& form :
         {std::regex("File \\\\\"([^\"\\\\]+)\\\\\", line"),
          std::regex("\"parameter_name\": \"([^\"]+)\""), std::regex("\"fqn\": \"([^\"]+)\""),
          std::regex("\"name\": \"([^\"]+)\"")})
      for (std::sregex_iterator at(text.begin(), text.end(), form), end; at != end; ++at)
        names.insert((*at)[1]);
  }
  return names;
}

}  // namespace

TEST_CASE("bundle: unpacked, it is a folder as any other", "[cli]") {
  Sandbox sandbox;
  put_case(sandbox, cases().front());
  REQUIRE(sandbox.run("bundle in -o plain.zip").status == 0);
  REQUIRE(sandbox.run("bundle in --redact -o redacted.zip").status == 0);
  unpack(sandbox, "plain.zip", "plain");
  unpack(sandbox, "redacted.zip", "redacted");
  const json original = document(sandbox, "lines", "in"),
             redacted = document(sandbox, "lines", "redacted");
  CHECK(document(sandbox, "lines", "plain")["files"] == original["files"]);
  CHECK(redacted["files"] != original["files"]);
  CHECK(redacted["total"] == original["total"]);
  CHECK(redacted["reconciliation"] == original["reconciliation"]);
}

TEST_CASE("bundle: two runs write the same bytes", "[cli]") {
  Sandbox sandbox;
  put_case(sandbox, cases().front());
  for (const std::string options : {"", "--redact "}) {
    REQUIRE(sandbox.run("bundle in " + options + "-o first.zip").status == 0);
    fs::rename(sandbox.path("in"), sandbox.path("elsewhere"));
    REQUIRE(sandbox.run("bundle elsewhere " + options + "-o second.zip").status == 0);
    fs::rename(sandbox.path("elsewhere"), sandbox.path("in"));
    CHECK(slurp(sandbox.path("first.zip")) == slurp(sandbox.path("second.zip")));
  }
}

TEST_CASE("bundle: no name, path or source line of the original is in a redacted one", "[cli]") {
  for (const Case& one : cases()) {
    Sandbox sandbox;
    put_case(sandbox, one);
    CAPTURE(one.folder);
    REQUIRE(sandbox.run("bundle in --redact -o redacted.zip").status == 0);
    unpack(sandbox, "redacted.zip", "redacted");
    const std::string bytes = all_bytes(sandbox, "redacted", true);
    const std::set<std::string> names = names_in(sandbox.path("in/model.etrecord"));
    REQUIRE(names.size() > 10);
    std::set<std::string> words;
    for (const std::string& name : names)
      each_word(name, [&](size_t at, size_t size) {
        if (size > 3 && !is_public(name.substr(at, size))) words.insert(name.substr(at, size));
      });
    REQUIRE_FALSE(words.empty());
    const std::string artifacts = all_bytes(sandbox, "redacted", false);
    each_word(artifacts, [&](size_t at, size_t size) {
      if (size > 3 && words.contains(artifacts.substr(at, size)))
        FAIL_CHECK("left: " + artifacts.substr(at, size));
    });
    for (const std::string& name : names) {
      bool has_own = false;
      each_word(name, [&](size_t at, size_t size) {
        has_own |= size > 3 && !is_public(name.substr(at, size));
      });
      if (has_own && bytes.find(name) != std::string::npos) FAIL_CHECK("left: " + name);
    }
    const json lines = document(sandbox, "lines", "in");
    size_t looked_at = 0;
    for (const json& file : lines["files"])
      for (const json& line : file["lines"]) {
        const std::string text = line["text"];
        bool has_own = false;
        each_word(text, [&](size_t at, size_t size) {
          has_own |= size > 3 && !is_public(text.substr(at, size));
        });
        if (!has_own) continue;
        ++looked_at;
        CAPTURE(text);
        CHECK(bytes.find(text) == std::string::npos);
      }
    CHECK(looked_at > 0);
  }
}

// Words of identifiers, strings and comments in the Python files of a folder.
std::set<std::string> words_of_sources(const std::string& folder) {
  std::set<std::string> words;
  for (const auto& file : fs::directory_iterator(folder)) {
    if (file.path().extension() != ".py") continue;
    const std::string text = slurp(file.path());
    each_word(text, [&](size_t at, size_t size) {
      if (size > 1 && !is_public(text.substr(at, size))) words.insert(text.substr(at, size));
    });
  }
  return words;
}

TEST_CASE("bundle: no word of the sources is in the bytes of a redacted one", "[cli]") {
  for (const char* name : {"storyteller", "pricer"}) {
    const std::string folder = std::string(ETLENS_EXAMPLES) + "/" + name;
    CAPTURE(folder);
    Sandbox sandbox;
    put_case(sandbox, {folder, "model.etdp"});
    REQUIRE(sandbox.run("bundle in --redact -o redacted.zip").status == 0);
    unpack(sandbox, "redacted.zip", "redacted");
    const std::string original = all_bytes(sandbox, "in", false),
                      zip = slurp(sandbox.path("redacted.zip"));
    std::set<std::string> words;  // that could be in it
    const std::set<std::string> of_sources = words_of_sources(folder);
    each_word(original, [&](size_t at, size_t size) {
      if (size < 40 && of_sources.contains(original.substr(at, size)))
        words.insert(original.substr(at, size));
    });
    CHECK(words.size() > 15);
    const std::string record = slurp(sandbox.path("redacted/model.etrecord"));
    each_word(record, [&](size_t at, size_t size) {
      if (size < 40 && words.contains(record.substr(at, size)))
        FAIL_CHECK("left in the record: " + record.substr(at, size));
    });
    // Shorter runs of letters come about by chance in numbers.
    const std::string artifacts = all_bytes(sandbox, "redacted", false);
    for (const std::string& word : words) {
      if (word.size() < 5) continue;
      CAPTURE(word);
      CHECK(artifacts.find(word) == std::string::npos);
      CHECK(zip.find(word) == std::string::npos);
    }
  }
}

TEST_CASE("bundle: no weight is in it", "[cli]") {
  Sandbox sandbox;
  put_case(sandbox, cases().front());
  REQUIRE(sandbox.run("bundle in -o plain.zip").status == 0);
  unpack(sandbox, "plain.zip", "plain");
  const std::string original = slurp(sandbox.path("in/model.pte")),
                    cleared = slurp(sandbox.path("plain/model.pte"));
  REQUIRE(original.size() == cleared.size());
  const Result<EtProgram> program = read_program(real_file_system(), sandbox.path("in/model.pte"));
  REQUIRE(program);
  uint64_t zeros = 0;
  for (const ByteRange& range : program->constants) {
    const std::string part = cleared.substr(range.offset, range.size);
    CHECK(part.find_first_not_of('\0') == std::string::npos);
    zeros += part.size();
  }
  for (const NamedData& data : program->named_data) {
    const std::string part = cleared.substr(data.range.offset, data.range.size);
    CHECK(part.find_first_not_of('\0') == std::string::npos);
    zeros += part.size();
  }
  CHECK(zeros > 10'000);
  CHECK(fs::file_size(sandbox.path("plain/model.etrecord")) * 10 <
        fs::file_size(sandbox.path("in/model.etrecord")) * 8);
  CHECK(slurp(sandbox.path("plain/versions.txt")).starts_with("etlens "));
  CHECK(slurp(sandbox.path("plain/check.txt")).find("placed") != std::string::npos);
}

TEST_CASE("bundle: versions are those of the run, and nothing else of the machine is", "[cli]") {
  Sandbox sandbox;
  put_case(sandbox, cases().front());
  const json device{{"system", "Linux"}, {"machine", "secretbox"}, {"processor", nullptr}};
  const json of_run{
      {"python", "3.11.2"}, {"torch", "2.13.0+secretbox"}, {"executorch", "1.5.1 of secretbox"}};
  sandbox.put("in/model.etdp.json", run_file_of(slurp(sandbox.path("in/model.etdp")), "", "",
                                                {{"device", device}, {"versions", of_run}}));
  const Outcome outcome = sandbox.run("bundle in --redact -o redacted.zip");
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == 0);
  unpack(sandbox, "redacted.zip", "redacted");
  const std::string versions = slurp(sandbox.path("redacted/versions.txt"));
  CHECK(versions.starts_with("etlens "));
  CHECK(versions.ends_with("\npython 3.11.2\ntorch 2.13.0\n"));
  CHECK(all_bytes(sandbox, "redacted", true).find("secretbox") == std::string::npos);
}

TEST_CASE("bundle: what cannot be is one sentence, and leaves no file", "[cli]") {
  Sandbox sandbox;
  check_refused(sandbox.run("bundle"), {"-o"}, 2);
  check_refused(sandbox.run("bundle -o x.zip"), {"no ETDump"});
  put_case(sandbox, cases().front());
  const std::string record = slurp(sandbox.path("in/model.etrecord")),
                    program = slurp(sandbox.path("in/model.pte"));
  sandbox.put("in/model.etrecord", record.substr(0, record.size() / 2));
  check_refused(sandbox.run("bundle --etdump in/model.etdp --etrecord in/model.etrecord -o x.zip"),
                {"in/model.etrecord"});
  sandbox.put("in/model.etrecord", record);
  sandbox.put("in/model.pte", program.substr(0, 1000));
  check_refused(sandbox.run("bundle --etdump in/model.etdp --pte in/model.pte -o x.zip"),
                {"in/model.pte"});
  sandbox.put("in/model.pte", program);
  check_refused(sandbox.run("bundle in -o no/x.zip"), {"no/x.zip"});
  CHECK_FALSE(fs::exists(sandbox.path("x.zip")));
}

TEST_CASE("bundle: a ZIP file that was not unpacked is named", "[cli]") {
  Sandbox sandbox;
  put_case(sandbox, cases().front());
  REQUIRE(sandbox.run("bundle in -o case.zip").status == 0);
  check_refused(sandbox.run("lines case.zip"), {"case.zip", "unpack it"});
  check_refused(sandbox.run("lines --etdump case.zip"), {"case.zip", "unpack it"});
  check_refused(sandbox.run("memory case.zip"), {"case.zip", "unpack it"});
}

}  // namespace etlens::bundle_test
