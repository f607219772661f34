// SPDX-License-Identifier: Apache-2.0
// speedscope, pprof and rows, read back: their totals are etlens's, number for number.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <protozero/pbf_reader.hpp>

#include "core/base/text.h"
#include "core/facts/headline.h"
#include "tests/core/export/exported.h"
#include "tests/core/export/programs.h"

namespace etlens::profiles_test {

using namespace etlens::test;
using nlohmann::json;

TEST_CASE("speedscope: both profiles have the total, and every line's own time", "[export]") {
  for_each_example([](const Exported& exported) {
    const Facts& facts = exported.facts;
    const Headline head = headline(facts);
    const auto samples = static_cast<double>(head.used.size());
    const json file = json::parse(exported.to("speedscope"));
    CHECK(file["$schema"] == "https://www.speedscope.app/file-format-schema.json");
    REQUIRE(file["profiles"].size() == 2);
    const json& frames = file["shared"]["frames"];
    for (const json& profile : file["profiles"]) {
      CHECK(profile["unit"] == "nanoseconds");
      CHECK(profile["endValue"].get<double>() == head.total.value);
      REQUIRE(profile["samples"].size() == profile["weights"].size());
      int64_t sum = 0;
      std::map<std::string, int64_t> by_frame;  // the one above the leaf
      for (size_t i = 0; i < profile["weights"].size(); ++i) {
        const int64_t ticks = std::llround(profile["weights"][i].get<double>() * samples);
        sum += ticks;
        const json& stack = profile["samples"][i];
        REQUIRE(stack.size() >= 2);
        for (const json& frame : stack) REQUIRE(frame.get<size_t>() < frames.size());
        by_frame[frames[stack[stack.size() - 2].get<size_t>()].dump()] += ticks;
      }
      CHECK(sum == head.total.amount.value);
      std::map<std::string, int64_t> of_lines;
      for (const LineId line : facts.hot_lines()) {
        const LineFacts row = facts.line(line);
        of_lines[":" + std::to_string(row.number) + ")"] += row.self.amount.value;
      }
      int64_t on_lines = 0;
      for (const auto& [frame, ticks] : by_frame)
        on_lines += json::parse(frame).contains("line") ? ticks : 0;
      int64_t expected = 0;
      for (const auto& [line, ticks] : of_lines) expected += ticks;
      CHECK(on_lines == expected);
    }
  });
}

namespace {

struct PprofSample {
  std::vector<uint64_t> locations;
  std::vector<int64_t> values;
};

struct Pprof {
  std::vector<std::string> strings;
  std::vector<PprofSample> samples;
  std::vector<std::pair<int64_t, int64_t>> types;
  std::map<uint64_t, std::pair<uint64_t, int64_t>> locations;  // function, line
  std::map<uint64_t, std::pair<int64_t, int64_t>> functions;   // name, file
};

Pprof read_pprof(const std::string& bytes) {
  Pprof profile;
  protozero::pbf_reader reader(bytes);
  while (reader.next()) {
    switch (reader.tag()) {
      case 1: {
        protozero::pbf_reader row = reader.get_message();
        std::pair<int64_t, int64_t> type;
        while (row.next()) (row.tag() == 1 ? type.first : type.second) = row.get_int64();
        profile.types.push_back(type);
        break;
      }
      case 2: {
        protozero::pbf_reader row = reader.get_message();
        PprofSample sample;
        while (row.next()) {
          if (row.tag() == 1) {
            const auto range = row.get_packed_uint64();
            sample.locations.assign(range.begin(), range.end());
          } else if (row.tag() == 2) {
            const auto range = row.get_packed_int64();
            sample.values.assign(range.begin(), range.end());
          } else {
            row.skip();
          }
        }
        profile.samples.push_back(sample);
        break;
      }
      case 4: {
        protozero::pbf_reader row = reader.get_message();
        uint64_t id = 0;
        std::pair<uint64_t, int64_t> place;
        while (row.next()) {
          if (row.tag() == 1) {
            id = row.get_uint64();
            continue;
          }
          protozero::pbf_reader line = row.get_message();
          while (line.next()) {
            if (line.tag() == 1) place.first = line.get_uint64();
            else place.second = line.get_int64();
          }
        }
        profile.locations[id] = place;
        break;
      }
      case 5: {
        protozero::pbf_reader row = reader.get_message();
        uint64_t id = 0;
        std::pair<int64_t, int64_t> function;
        while (row.next()) {
          if (row.tag() == 1) id = row.get_uint64();
          else if (row.tag() == 2) function.first = row.get_int64();
          else if (row.tag() == 4) function.second = row.get_int64();
          else row.skip();
        }
        profile.functions[id] = function;
        break;
      }
      case 6:
        profile.strings.push_back(reader.get_string());
        break;
      default:
        reader.skip();
    }
  }
  return profile;
}

}  // namespace

TEST_CASE("pprof: lines and the whole are etlens's, tick for tick", "[export]") {
  for_each_example([](const Exported& exported) {
    const Facts& facts = exported.facts;
    const Headline head = headline(facts);
    const Pprof profile = read_pprof(gunzip(exported.to("pprof")));
    REQUIRE(profile.strings.front().empty());
    REQUIRE(profile.types.size() == 3);
    CHECK(profile.strings[static_cast<size_t>(profile.types[0].second)] == "nanoseconds");
    int64_t one = 0;
    int64_t all = 0;
    std::map<std::pair<std::string, int64_t>, int64_t> by_line;  // file here, line
    for (const PprofSample& sample : profile.samples) {
      REQUIRE(sample.values.size() == 3);
      one += sample.values[0];
      all += sample.values[1];
      REQUIRE(!sample.locations.empty());
      const auto& [function, line] = profile.locations.at(sample.locations.front());
      const int64_t file = profile.functions.at(function).second;
      if (line != 0)
        by_line[{profile.strings[static_cast<size_t>(file)], line}] += sample.values[1];
    }
    CHECK(all == head.total.amount.value);
    CHECK(std::abs(static_cast<double>(one) - head.total.value) <= 0.5);
    for (const LineId id : facts.hot_lines()) {
      const LineFacts line = facts.line(id);
      const Anchor& anchor = exported.sources[line.file.value].of(facts.code(), id);
      REQUIRE(anchor.line != 0);
      const std::string& path = facts.sources()[line.file.value].path;
      CAPTURE(path, anchor.line);
      CHECK(by_line[{path, anchor.line}] == line.self.amount.value);
    }
  });
}

TEST_CASE("pprof: go reads it", "[export][process][needs:go]") {
  for_each_example([](const Exported& exported) {
    const TemporaryFile file(exported.to("pprof"), ".pb.gz");
    const Ran top = run_program("go tool pprof -top -nodecount=5 '" + file.path() + "'");
    CAPTURE(top.output);
    CHECK(top.status == 0);
    CHECK(top.output.find("Type: time") != std::string::npos);
    CHECK(top.output.find("flat%") != std::string::npos);
    if (exported.facts.line_count() == 0) return;
    // The source is found, and each line has its time beside it.
    const LineFacts hottest = exported.facts.line(exported.facts.hot_lines().front());
    const Ran list = run_program("go tool pprof -list '" + std::string(hottest.function) +
                                 " ' -unit=ns '" + file.path() + "'");
    CAPTURE(list.output, hottest.text);
    CHECK(list.status == 0);
    CHECK(list.output.find(std::string(hottest.text)) != std::string::npos);
  });
}

TEST_CASE("rows: CSV and NDJSON have every event, and their ticks add up", "[export]") {
  for_each_example([](const Exported& exported) {
    const Facts& facts = exported.facts;
    const Headline head = headline(facts);
    const std::string text = exported.to("ndjson");
    int64_t ticks = 0;
    size_t rows = 0;
    std::vector<std::string> names;
    for (const std::string_view line : split_lines(text)) {
      const json row = json::parse(line);
      ticks += row["ticks"].get<int64_t>();
      ++rows;
      REQUIRE(row["schema"] == "etlens/event-rows@1");
      const EventFacts event = facts.event(ContributionId(row["event"].get<size_t>()));
      CHECK(row["self"].get<double>() == event.self.value);
      CHECK(row["name"] == event.name);
      if (names.empty()) {
        const auto ordered = nlohmann::ordered_json::parse(line);
        for (const auto& [name, value] : ordered.items()) names.push_back(name);
      } else {
        CHECK(row.size() == names.size());
      }
    }
    CHECK(ticks == head.total.amount.value);
    CHECK(rows == facts.ranked().size());
    const std::string csv = exported.to("csv");
    CHECK(split_lines(csv).front() == join(names, ","));
  });
}

TEST_CASE("rows: a cell is no formula", "[export]") {
  const std::string csv = Exported(hostile_study()).to("csv");
  CHECK(csv.find("\"'=x(") != std::string::npos);
  CHECK(csv.find(",=") == std::string::npos);
  CHECK(csv.find("\"=") == std::string::npos);
  // Every row has as many cells as the header, however its cells are quoted.
  size_t cells = 1;
  std::vector<size_t> counts;
  bool is_quoted = false;
  for (const char c : csv) {
    if (c == '"') is_quoted = !is_quoted;
    else if (c == ',' && !is_quoted) ++cells;
    else if (c == '\n' && !is_quoted) {
      counts.push_back(cells);
      cells = 1;
    }
  }
  CHECK(!is_quoted);
  for (const size_t count : counts) CHECK(count == counts.front());
}

TEST_CASE("prof: Python's own pstats reads it, and says the same total",
          "[export][process][needs:python3]") {
  for_each_example([](const Exported& exported) {
    const Facts& facts = exported.facts;
    const TemporaryFile file(exported.to("prof"), ".prof");
    const Ran ran = run_program(
        "python3 -c \"import pstats, json\n"
        "s = pstats.Stats('" +
        file.path() +
        "')\n"
        "print(json.dumps([s.total_tt, [[f, n, v[2], v[3], len(v[4]), l] for (f, l, n), v in "
        "s.stats.items()]]))\"");
    CAPTURE(ran.output);
    REQUIRE(ran.status == 0);
    const json read = json::parse(ran.output);
    const double total = headline(facts).total.value / 1e9;
    CHECK(read[0].get<double>() == Approx(total).epsilon(1e-9));
    // Per file, functions have the time of its lines.
    std::map<std::string, double> expected;
    for (const LineId id : facts.hot_lines()) {
      const LineFacts line = facts.line(id);
      const std::string& here = facts.sources()[line.file.value].path;
      expected[here.empty() ? std::string(line.recorded_path) : here] += line.self.value / 1e9;
    }
    std::map<std::string, double> own;
    for (const json& row : read[1]) own[row[0].get<std::string>()] += row[2].get<double>();
    for (const auto& [path, seconds] : expected) {
      CAPTURE(path);
      CHECK(own[path] == Approx(seconds).epsilon(1e-9));
    }
    for (const json& row : read[1]) CHECK(row[2].get<double>() <= row[3].get<double>() + 1e-12);
    // One function is called by nobody: the method, with all time in it.
    size_t roots = 0;
    for (const json& row : read[1]) {
      if (row[4] != 0) continue;
      ++roots;
      CHECK(row[3].get<double>() == Approx(total).epsilon(1e-9));
    }
    CHECK(roots == 1);
    // Functions stand on their def.
    for (const json& row : read[1]) {
      const FileId source = facts.find_source(row[0].get<std::string>());
      if (!source.valid() || row[1].get<std::string>().starts_with('<')) continue;
      const Document& document = *exported.sources[source.value].document;
      const std::string_view text = document.line(row[5].get<size_t>() - 1);
      CHECK(text.find("def " + row[1].get<std::string>()) != std::string_view::npos);
    }
  });
}

}  // namespace etlens::profiles_test
