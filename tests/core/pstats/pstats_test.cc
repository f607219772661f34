// SPDX-License-Identifier: Apache-2.0
// Against what Python's own pstats printed: tests/data/pstats/python.txt (make.py wrote it), and
// the texts beside every .prof of tests/data and of the corpus.
#include <cstdlib>
#include <filesystem>

#include "core/base/budget.h"
#include "core/base/fields_json.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/formats/pstats/pstats_reader.h"
#include "core/pstats/print.h"
#include "core/pstats/stats.h"
#include "core/pstats/stats_view.h"
#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/txtar.h"

namespace etlens::pstats_test {

namespace fs = std::filesystem;

namespace {

const std::string kData = ETLENS_TEST_DATA "/pstats/";

PythonProfile read(const std::string& path) {
  const std::string bytes = test::read_file(path);
  Result<PythonProfile> profile =
      read_python_profile({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
  if (!profile) FAIL(path + " " + profile.error().message);
  return std::move(*profile);
}

// As a shell reads them: blanks separate, quotes hold together.
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  char quote = '\0';
  bool is_word = false;
  for (const char c : line) {
    if (quote != '\0' ? c == quote : c == '\'' || c == '"') {
      quote = quote == '\0' ? c : '\0';
      is_word = true;
    } else if (c == ' ' && quote == '\0') {
      if (is_word) words.push_back(std::exchange(word, {}));
      is_word = false;
    } else {
      word += c;
      is_word = true;
    }
  }
  if (is_word) words.push_back(word);
  return words;
}

// One line of make.py's cases.
struct Case {
  std::string method;
  std::vector<std::string> files;
  pstats::ListOptions options;
  bool strips = false;
};

Case parse_case(std::string_view line) {
  const std::vector<std::string> words = words_of(line);
  Case parsed;
  parsed.method = words[0];
  for (size_t w = 1; w < words.size(); ++w) {
    if (words[w] == "--sort") {
      std::vector<std::string> keys;
      for (const std::string_view key : split(words[++w], ',')) keys.emplace_back(key);
      parsed.options.order = *pstats::parse_order(keys);
    } else if (words[w] == "--restrict") {
      parsed.options.restrictions.push_back(*pstats::parse_restriction(words[++w]));
    } else if (words[w] == "--reverse") {
      parsed.options.is_reversed = true;
    } else if (words[w] == "--strip-dirs") {
      parsed.strips = true;
    } else {
      parsed.files.push_back(words[w]);
    }
  }
  return parsed;
}

std::string printed(const Case& wanted) {
  PythonProfile all = read(kData + wanted.files[0]);
  for (size_t f = wanted.files.size(); f-- > 1;)
    all = pstats::merged(all, read(kData + wanted.files[f]));
  if (wanted.strips) all = pstats::without_folders(all);
  const pstats::FunctionList list = pstats::list_functions(all, wanted.options);
  if (wanted.method == "callers") return pstats::callers_text(all, list);
  if (wanted.method == "callees") return pstats::callees_text(all, list);
  return pstats::stats_text(all, {}, list);
}

// Every .prof that has pstats' own output beside it.
std::vector<std::string> oracle_profiles() {
  std::vector<std::string> folders{kData};
  if (const char* corpus = std::getenv("ETLENS_CORPUS")) folders.emplace_back(corpus);
  std::vector<std::string> stems;
  for (const std::string& folder : folders) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".prof") continue;
      std::string stem = entry.path().string();
      stem.resize(stem.size() - std::string_view(".prof").size());
      if (fs::exists(stem + ".cumulative.txt") && fs::exists(stem + ".callers.txt"))
        stems.push_back(stem);
    }
  }
  return stems;
}

pstats::ListOptions by(const std::string& key) {
  pstats::ListOptions options;
  options.order = *pstats::parse_order(std::vector<std::string>{key});
  return options;
}

}  // namespace

TEST_CASE("pstats: letter for letter what Python prints", "[pstats]") {
  const std::vector<test::Section> sections =
      test::parse_txtar(test::read_file(kData + "python.txt"));
  CHECK(sections.size() == 18);
  for (const test::Section& section : sections) {
    CAPTURE(section.name);
    CHECK(printed(parse_case(section.name)) == section.text);
  }
}

TEST_CASE("pstats: the texts beside every profile", "[pstats][oracle]") {
  const std::vector<std::string> stems = oracle_profiles();
  CHECK(stems.size() >= 4);
  for (const std::string& stem : stems) {
    CAPTURE(stem);
    const PythonProfile profile = read(stem + ".prof");
    const pstats::FunctionList list = pstats::list_functions(profile, by("cumulative"));
    const std::string wanted = test::read_file(stem + ".cumulative.txt");
    const std::string file = wanted.substr(0, wanted.find('\n'));  // says when it was written
    CHECK(pstats::stats_text(profile, {file}, list) == wanted);
    CHECK(pstats::callers_text(profile, list) == test::read_file(stem + ".callers.txt"));
  }
}

TEST_CASE("pstats: sort keys and their beginnings", "[pstats]") {
  const auto label = [](const std::string& word) {
    const Result<pstats::SortOrder> order = pstats::parse_order(std::vector<std::string>{word});
    return order ? order->label : "";
  };
  CHECK(label("cu") == "cumulative time");
  CHECK(label("cumul") == "cumulative time");
  CHECK(label("f") == "file name");
  CHECK(label("nf") == "name/file/line");
  CHECK(label("na") == "function name");
  CHECK(label("p") == "primitive call count");
  CHECK(label("to") == "internal time");
  CHECK(label("ti") == "internal time");
  CHECK(label("-1") == "standard name");
  CHECK(label("2") == "cumulative time");
  for (const char* word : {"c", "cum", "n", "t", "x", "", "callss", "3", "None"})
    CHECK(label(word).empty());
  CHECK(pstats::parse_order(std::vector<std::string>{"none"})->is_none());
  CHECK(pstats::parse_order({})->is_none());
  CHECK(!pstats::parse_order(std::vector<std::string>{"none", "calls"}));
  CHECK(!pstats::parse_order(std::vector<std::string>{"1", "2"}));
}

TEST_CASE("pstats: restrictions as its browser reads them", "[pstats]") {
  CHECK(std::get<int64_t>(*pstats::parse_restriction("12")) == 12);
  CHECK(std::get<double>(*pstats::parse_restriction("0.25")) == 0.25);
  CHECK(std::get<double>(*pstats::parse_restriction(".5")) == 0.5);
  CHECK(std::get<std::string>(*pstats::parse_restriction("nan")) == "nan");
  CHECK(std::get<std::string>(*pstats::parse_restriction("1x")) == "1x");
  CHECK(pstats::parse_restriction("1.5").error().code == ErrorCode::InvalidParams);
  CHECK(!pstats::parse_restriction("-0.5"));
}

TEST_CASE("pstats: a pattern that would search for ever gives up", "[pstats]") {
  PythonProfileBuilder builder;
  const PythonFunctionId f = builder.function(std::string(5000, 'a') + ".py", 1, "f");
  builder.list(f);
  const PythonProfile profile = builder.finish({});
  std::vector<PythonFunctionId> functions = profile.listed;
  const std::string said = pstats::restrict_functions(profile, std::string("^(a+)+$"), functions);
  CHECK(functions.empty());
  CHECK_THAT(said, Catch::StartsWith("   List reduced from 1 to 0"));
}

TEST_CASE("pstats: names command no terminal", "[pstats]") {
  PythonProfileBuilder builder;
  const PythonFunctionId f = builder.function("/tmp/a\x1b[31m.py", 1, "f\ng");
  builder.list(f);
  const PythonProfile profile = builder.finish({});
  const pstats::FunctionList list = pstats::list_functions(profile, by("name"));
  for (const std::string& text :
       {pstats::stats_text(profile, {}, list), pstats::callers_text(profile, list),
        pstats::callees_text(profile, list)}) {
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK_THAT(text, Catch::Contains("/tmp/a [31m.py:1(f g)"));
  }
}

TEST_CASE("pstats: callers that only differ by folder", "[pstats]") {
  // pstats adds functions that become one, but of callers that do keeps the last.
  PythonProfileBuilder builder;
  const PythonFunctionId f = builder.function("/x/m.py", 1, "f");
  for (const char* file : {"/a/n.py", "/b/n.py"}) {
    const PythonFunctionId caller = builder.function(file, 5, "g");
    builder.list(caller);
    builder.row(caller).cost = {3, 3, 1, 2};
    bool is_new = false;
    builder.caller(f, caller, is_new).cost = {file[1] == 'a' ? 7 : 9, 1, 0.5, 0.5};
  }
  builder.list(f);
  const PythonProfile stripped = pstats::without_folders(builder.finish({}));
  REQUIRE(stripped.listed.size() == 2);
  CHECK(stripped.row(stripped.listed[0]).cost.calls == 6);
  REQUIRE(stripped.callers_of(stripped.listed[1]).size() == 1);
  CHECK(stripped.callers_of(stripped.listed[1])[0].cost.calls == 9);
}

TEST_CASE("pstats: JSON has everything, unrounded", "[pstats]") {
  const PythonProfile profile = read(kData + "recursive.dynamo-eager.prof");
  const pstats::FunctionList list = pstats::list_functions(profile, by("cumulative"));
  const auto json = nlohmann::json::parse(json_text(pstats::stats_view(profile, {"a.prof"}, list)));
  CHECK(json["schema"] == "etlens/pstats@1");
  CHECK(json["profiles"] == nlohmann::json::array({"a.prof"}));
  CHECK(json["calls"] == 31);
  REQUIRE(json["functions"].size() == 3);
  const auto& walk = json["functions"][1];
  CHECK(walk["function"] == "walk");
  CHECK(walk["calls"] == 15);
  CHECK(walk["primitive_calls"] == 1);
  CHECK(walk["callers"].size() == 2);
  CHECK(walk["callees"].size() == 2);
  double own = 0;
  for (const auto& function : json["functions"]) own += function["own"].get<double>();
  CHECK(own == Approx(json["total"].get<double>()));
}

TEST_CASE("pstats: whichever allocation of a pattern fails, there is a sentence", "[pstats]") {
  const PythonProfile profile;
  const auto restricted = [&] {
    return within_budget({}, [&]() -> Result<std::string> {
      std::vector<PythonFunctionId> functions;
      return pstats::restrict_functions(profile, std::string("(a|b)+c[^d]{2,9}"), functions);
    });
  };
  CHECK(restricted());
  const int64_t count = counted_allocations();
  REQUIRE(count > 4);
  for (int64_t n = 1; n <= count; ++n) {
    fail_allocation(n);
    const Result<std::string> text = restricted();
    fail_allocation(0);
    CHECK_FALSE(text);
  }
}

}  // namespace etlens::pstats_test
