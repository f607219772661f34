// SPDX-License-Identifier: Apache-2.0
// A bundle shows the numbers of its originals, redacted or not, on the same lines: every document of the study is the same,
// once the words are given back.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/fields_json.h"
#include "core/bundle/bundle.h"
#include "core/bundle/renamer.h"
#include "core/facts/timeline.h"
#include "core/join/program_code.h"
#include "core/render/delegation_report.h"
#include "core/render/report_json.h"
#include "core/view/memory_view.h"
#include "core/workspace/load.h"
#include "core/workspace/load_delegation.h"
#include "core/workspace/load_program.h"
#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/sanitized.h"

namespace etlens::bundle_test {

using namespace etlens::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr const char* kDump = "/case/model.etdp";
constexpr const char* kRecord = "/case/model.etrecord";
constexpr const char* kProgram = "/case/model.pte";

struct Originals {
  std::string dump;  // paths of files on disk; "" for none
  std::string record;
  std::string program;
};

MemoryFileSystem files_of(const Originals& originals) {
  MemoryFileSystem files;
  if (!originals.dump.empty()) files.put(kDump, read_file(originals.dump));
  if (!originals.record.empty()) files.put(kRecord, read_file(originals.record));
  if (!originals.program.empty()) files.put(kProgram, read_file(originals.program));
  return files;
}

BundleRequest request_for(const Originals& originals, bool is_redacted) {
  BundleRequest request;
  if (!originals.dump.empty()) request.etdump = kDump;
  if (!originals.record.empty()) request.etrecord = kRecord;
  if (!originals.program.empty()) request.pte = kProgram;
  request.is_redacted = is_redacted;
  return request;
}

MemoryFileSystem files_of(const Bundle& bundle) {
  MemoryFileSystem files;
  for (const ZipPart& part : bundle.parts)
    files.put("/case/" + part.name, part.content.range(0, part.content.size()));
  return files;
}

// Of each execution, every event: how deep, when and how long.
json executions_of(const Facts& facts) {
  json executions;
  Timeline timeline(facts);
  for (size_t e = 0; e < timeline.size(); ++e) {
    json slices = json::array({timeline.number(e)});
    for (const Slice& slice : timeline.read(e))
      slices.push_back(
          {slice.event.value, slice.depth, slice.start, slice.length.value, slice.is_in_order});
    executions.push_back(std::move(slices));
  }
  return executions;
}

json memory_of(const FileSystem& files, bool has_record) {
  json methods = json::array();
  const Result<LoadedProgram> loaded = load_program(files, kProgram, has_record ? kRecord : "");
  if (!loaded) return loaded.error().message;
  for (size_t m = 0; m < loaded->program->methods.size(); ++m) {
    const MemoryFacts facts(loaded->program, m,
                            code_of_program(loaded->record, loaded->program->methods[m], {}));
    methods.push_back(json::parse(json_text(memory_view(facts, std::nullopt, {}))));
  }
  return methods;
}

// Everything that there is to know, by document; sentences where there is no study.
std::map<std::string, json> documents_of(const FileSystem& files, const Originals& originals) {
  std::map<std::string, json> documents;
  LoadRequest request;
  if (!originals.dump.empty()) request.etdump = kDump;
  if (!originals.record.empty()) request.etrecord = kRecord;
  if (!originals.program.empty()) request.pte = kProgram;
  request.looks_at_others = false;
  const TimeScale unit = TimeScale::Milliseconds;
  const auto study = load_study(files, request);
  if (study) {
    const Facts facts(*study);
    documents["lines"] =
        json::parse(lines_json(facts, read_and_anchor(files, facts.code(), facts.sources()), unit));
    documents["modules"] = json::parse(modules_json(facts, "", unit));
    documents["events"] = json::parse(
        events_json(facts, read_and_anchor(files, facts.code(), facts.sources()), unit));
    documents["partitions"] = json::parse(partitions_json(facts, unit));
    if (!facts.study().is_of_export()) documents["executions"] = executions_of(facts);
  } else {
    documents["study"] = study.error().message;
  }
  if (!originals.program.empty()) documents["memory"] = memory_of(files, !originals.record.empty());
  if (!originals.record.empty()) {
    const Result<LoadedDelegation> delegation = load_delegation(files, request);
    documents["delegation"] = delegation
                                  ? json::parse(delegation_json(delegation_view(*delegation)))
                                  : json(delegation.error().message);
  }
  return documents;
}

// With the words that they had before. Rows may come in another order, where names decide it.
json given_back(json document, const std::map<std::string, std::string, std::less<>>& words) {
  if (document.is_string()) {
    std::string text = document.get<std::string>();
    each_word(std::string(text), [&](size_t at, size_t size) {
      const auto word = words.find(std::string_view(text).substr(at, size));
      if (word != words.end()) text.replace(at, size, word->second);
    });
    return text;
  }
  if (document.is_object())
    for (auto& [key, value] : document.items()) value = given_back(std::move(value), words);
  if (document.is_array()) {
    for (json& value : document) value = given_back(std::move(value), words);
    if (document.empty() || document.front().is_number()) return document;
    std::map<std::string, std::vector<json>> by_text;
    for (json& value : document)
      by_text[value.dump(-1, ' ', false, json::error_handler_t::replace)].push_back(
          std::move(value));
    json sorted = json::array();
    for (auto& [text, rows] : by_text)
      for (json& row : rows) sorted.push_back(std::move(row));
    return sorted;
  }
  return document;
}

void check_same(const Originals& originals) {
  CAPTURE(originals.dump, originals.record, originals.program);
  const MemoryFileSystem files = files_of(originals);
  const auto expected = documents_of(files, originals);
  for (const bool is_redacted : {false, true}) {
    CAPTURE(is_redacted);
    const Result<Bundle> bundle = make_bundle(files, request_for(originals, is_redacted));
    if (!bundle) FAIL(bundle.error().message);
    std::map<std::string, std::string, std::less<>> words;
    for (const auto& [word, name] : bundle->replaced) words[name] = word;
    CHECK(words.size() == bundle->replaced.size());
    const auto shown = documents_of(files_of(*bundle), originals);
    CHECK(shown.size() == expected.size());
    for (const auto& [name, document] : expected) {
      CAPTURE(name);
      REQUIRE(shown.contains(name));
      const json was = given_back(document, {}), is = given_back(shown.at(name), words);
      if (was != is)
        FAIL_CHECK("differs: " + json::diff(is, was)
                                     .dump(-1, ' ', false, json::error_handler_t::replace)
                                     .substr(0, 600));
    }
  }
}

// Every dump with the records of its folder and the program there.
std::vector<Originals> originals_in(const std::vector<std::string>& folders) {
  std::vector<Originals> all;
  for (const std::string& folder : folders) {
    std::string program;
    for (const char* name : {"/model.pte", "/model.pte.gz"})
      if (program.empty() && fs::exists(folder + name)) program = folder + name;
    for (const Pair& pair : pairs_of(folder)) all.push_back({pair.etdump, pair.etrecord, program});
  }
  return all;
}

bool is_of_corpus(const Originals& originals) {
  return !originals.dump.starts_with(ETLENS_TEST_DATA) &&
         !originals.dump.starts_with(ETLENS_EXAMPLES);
}

}  // namespace

TEST_CASE("bundle: every document of every pair is the same, redacted or not") {
  std::vector<Originals> all = originals_in(case_folders());
  std::erase_if(all, is_of_corpus);
  REQUIRE(all.size() > 20);
  constexpr size_t kEvery = kSanitized ? 4 : 1;
  for (size_t i = 0; i < all.size(); i += kEvery) check_same(all[i]);
}

TEST_CASE("bundle: so it is for exports that have not run") {
  const std::string data = ETLENS_TEST_DATA;
  for (const char* name : {"/delegation/own.gated-xnnpack", "/delegation/own.gated-vulkan",
                           "/delegation/own.gated-ethosu-arm", "/delegation/mix-xnnpack-passes"})
    check_same({"", data + name + "/model.etrecord", data + name + "/model.pte"});
  check_same({"", "", data + "/memory/delegates/greedy.pte"});
  check_same({"", data + "/memory/state/model.etrecord", data + "/memory/state/greedy.pte"});
  check_same({"", data + "/helpers/dev1/model.etrecord", ""});
}

// A sample, which keeps the suite quick.
TEST_CASE("bundle: so it is for real artifacts of all releases", "[needs:corpus/release-1.5]") {
  constexpr size_t kSample = 24, kMostBytes = 4 << 20;
  std::vector<Originals> all = originals_in(case_folders());
  std::erase_if(all, [](const Originals& one) {
    return !is_of_corpus(one) || fs::file_size(one.dump) > kMostBytes ||
           fs::file_size(one.record) > kMostBytes;
  });
  REQUIRE(all.size() >= kSample);
  for (size_t i = 0; i < kSample; ++i) check_same(all[i * all.size() / kSample]);
}

}  // namespace etlens::bundle_test
