// SPDX-License-Identifier: Apache-2.0
// Chrome's trace events and Perfetto's packets, read back: executions have the lengths that etlens
// counts, and slices are nested.
#include <cmath>
#include <map>
#include <optional>
#include <protozero/pbf_reader.hpp>
#include <set>

#include "core/base/text.h"
#include "core/facts/headline.h"
#include "test_paths.h"
#include "tests/core/export/exported.h"
#include "tests/core/export/programs.h"
#include "tests/support/each.h"

namespace etlens::traces_test {

using namespace etlens::test;
using nlohmann::json;

namespace {

// What both kinds of traces say of a slice, in nanoseconds.
struct TraceSlice {
  std::string name;
  std::string category;
  int64_t start = 0;
  int64_t length = 0;
  json labels;

  int64_t end() const { return start + length; }
};

// Executions in order have the lengths that etlens counts; no two slices overlap in part.
void check_slices(const Exported& exported, const std::vector<TraceSlice>& slices) {
  const Headline head = headline(exported.facts);
  std::vector<double> totals;
  std::vector<const TraceSlice*> open;
  for (const TraceSlice& slice : slices) {
    if (slice.category == "execution") totals.push_back(static_cast<double>(slice.length));
    while (!open.empty() && open.back()->end() <= slice.start) open.pop_back();
    REQUIRE_OF_EACH(open.empty() || slice.end() <= open.back()->end());
    open.push_back(&slice);
    const bool is_placed = slice.labels.contains("source");
    REQUIRE_OF_EACH(slice.labels.contains("confidence") >= is_placed);
  }
  std::vector<double> expected;
  for (const uint32_t sample : head.used) expected.push_back(head.totals[sample]);
  CHECK(totals == expected);
}

// Decimal microseconds of a token, exactly.
int64_t nanoseconds_of(const std::string& token) {
  const size_t dot = token.find('.');
  std::string fraction = dot == std::string::npos ? "" : token.substr(dot + 1);
  fraction.resize(3, '0');
  return std::stoll(token.substr(0, dot)) * 1000 + std::stoll(fraction);
}

// Whole nanoseconds of the number behind the last such key of a line: doubles would round it.
int64_t time_behind(std::string_view line, std::string_view key) {
  const size_t at = line.rfind(key);
  REQUIRE_OF_EACH(at != std::string_view::npos);
  const size_t begin = at + key.size();
  return nanoseconds_of(std::string(line.substr(begin, line.find_first_of(",}", begin) - begin)));
}

// Ends what was opened last, and says the same of it.
std::vector<TraceSlice> read_chrome(const std::string& text) {
  const json file = json::parse(text);
  std::vector<TraceSlice> slices;
  std::vector<size_t> open;
  std::vector<std::string_view> lines;
  for (size_t at = text.find("\n{"); at != std::string::npos; at = text.find("\n{", at + 1))
    lines.push_back(std::string_view(text).substr(at + 1, text.find('\n', at + 1) - at - 1));
  size_t next = 0;
  int64_t time = 0;
  for (const json& event : file["traceEvents"]) {
    REQUIRE_OF_EACH(event.contains("ph"));
    REQUIRE_OF_EACH(event["pid"].is_number());
    REQUIRE_OF_EACH(event["name"].is_string());
    if (event["ph"] == "M") continue;
    REQUIRE_OF_EACH(event["ts"].is_number());
    const std::string_view line = lines[next++];
    const int64_t now = time_behind(line, "\"ts\":");
    if (event["tid"] != 1) {
      REQUIRE_OF_EACH(event["ph"] == "X");
      REQUIRE_OF_EACH(event["dur"].get<double>() >= 0);
      continue;
    }
    REQUIRE_OF_EACH(now >= time);  // in the order of time
    time = now;
    if (event["ph"] == "B") {
      open.push_back(slices.size());
      slices.push_back({event["name"], event["cat"], now, 0, event["args"]});
      continue;
    }
    REQUIRE_OF_EACH(event["ph"] == "E");
    REQUIRE_OF_EACH(!open.empty());
    TraceSlice& slice = slices[open.back()];
    open.pop_back();
    REQUIRE_OF_EACH(slice.name == event["name"]);
    slice.length = now - slice.start;
  }
  CHECK(open.empty());
  return slices;
}

using Texts = std::map<uint64_t, std::string>;

void read_entry(protozero::pbf_reader entry, Texts& texts) {
  uint64_t iid = 0;
  while (entry.next()) {
    if (entry.tag() == 1) iid = entry.get_uint64();
    else texts[iid] = entry.get_string();
  }
}

// Reads what the writer promises to write, and nothing else.
class PerfettoReader {
 public:
  std::vector<TraceSlice> read(const std::string& bytes) {
    protozero::pbf_reader trace(bytes);
    while (trace.next(1)) read_packet(trace.get_message());
    CHECK(open_.empty());
    return slices_;
  }

 private:
  void read_packet(protozero::pbf_reader packet) {
    int64_t time = 0;
    std::optional<protozero::pbf_reader> event;
    while (packet.next()) {
      switch (packet.tag()) {
        case 8:
          time = static_cast<int64_t>(packet.get_uint64());
          break;
        case 11:
          event = packet.get_message();
          break;
        case 12: {
          protozero::pbf_reader data = packet.get_message();
          while (data.next()) {
            Texts* const texts[] = {&categories_, &names_, &labels_};
            Texts& into = data.tag() == 29 ? strings_ : *texts[data.tag() - 1];
            read_entry(data.get_message(), into);
          }
          break;
        }
        default:
          packet.skip();
      }
    }
    if (event) read_event(*event, time);
  }

  void read_event(protozero::pbf_reader event, int64_t time) {
    TraceSlice slice;
    slice.start = time;
    int32_t type = 0;
    uint64_t track = 0;
    while (event.next()) {
      switch (event.tag()) {
        case 3:
          slice.category = categories_.at(event.get_uint64());
          break;
        case 4:
          read_label(event.get_message(), slice.labels);
          break;
        case 9:
          type = event.get_int32();
          break;
        case 10:
          slice.name = names_.at(event.get_uint64());
          break;
        case 11:
          track = event.get_uint64();
          break;
        default:
          event.skip();
      }
    }
    REQUIRE_OF_EACH(type == 1 || type == 2);
    if (track != 2) return;  // what is beside the executions
    if (type == 1) {
      open_.push_back(slices_.size());
      slices_.push_back(slice);
    } else {
      REQUIRE_OF_EACH(!open_.empty());
      slices_[open_.back()].length = time - slices_[open_.back()].start;
      open_.pop_back();
    }
  }

  void read_label(protozero::pbf_reader label, json& labels) {
    std::string name;
    while (label.next()) {
      if (label.tag() == 1) name = labels_.at(label.get_uint64());
      else if (label.tag() == 4) labels[name] = label.get_int64();
      else labels[name] = strings_.at(label.get_uint64());
    }
  }

  Texts categories_, names_, labels_, strings_;
  std::vector<TraceSlice> slices_;
  std::vector<size_t> open_;
};

}  // namespace

TEST_CASE("chrome: executions add up, slices are nested and say where they are", "[export]") {
  for_each_example([](const Exported& exported) {
    const std::vector<TraceSlice> slices = read_chrome(exported.to("chrome"));
    check_slices(exported, slices);
  });
}

TEST_CASE("perfetto: the same slices as chrome's", "[export]") {
  for_each_example([](const Exported& exported) {
    const std::vector<TraceSlice> slices = PerfettoReader().read(exported.to("perfetto"));
    check_slices(exported, slices);
    const std::vector<TraceSlice> others = read_chrome(exported.to("chrome"));
    REQUIRE(slices.size() == others.size());
    for (size_t i = 0; i < slices.size(); ++i) {
      const TraceSlice& a = slices[i];
      const TraceSlice& b = others[i];
      const bool is_same = a.name == b.name && a.category == b.category && a.start == b.start &&
                           a.length == b.length && a.labels == b.labels;
      if (is_same) continue;
      CAPTURE(i, a.name, b.name, a.labels.dump(), b.labels.dump());
      REQUIRE(is_same);
    }
  });
}

TEST_CASE("traces: whole microseconds of a delegate are said, not refined", "[export]") {
  size_t delegated = 0;
  for_each_example([&](const Exported& exported) {
    for (const TraceSlice& slice : read_chrome(exported.to("chrome"))) {
      if (!slice.labels.contains("start")) continue;
      REQUIRE_OF_EACH(slice.labels["start"].get<std::string>().find("whole multiples of 1.00 µs") !=
                      std::string::npos);
      REQUIRE_OF_EACH(slice.length % 1000 == 0);
      ++delegated;
    }
  });
  CHECK(delegated > 0);
}

TEST_CASE("perfetto: protoc decodes it by the published field numbers",
          "[export][process][needs:protoc]") {
  for_each_example([](const Exported& exported) {
    const TemporaryFile file(exported.to("perfetto"), ".pftrace");
    const Ran ran = run_program("protoc --decode=perfetto.protos.Trace -I '" ETLENS_TEST_DATA
                                "/export' perfetto.proto <'" +
                                file.path() + "'");
    CAPTURE(ran.output.substr(0, 1000));
    REQUIRE(ran.status == 0);
    size_t begins = 0;
    size_t ends = 0;
    for (size_t at = 0; (at = ran.output.find("type: TYPE_SLICE_", at)) != std::string::npos; ++at)
      ++(ran.output.compare(at + 17, 5, "BEGIN") == 0 ? begins : ends);
    CHECK(begins > 0);
    CHECK(begins == ends);
    // A field that the schema does not have is printed as a number.
    for (const std::string_view line : split_lines(ran.output)) {
      const std::string_view name = trim(line);
      CHECK((name.empty() || !(name.front() >= '0' && name.front() <= '9')));
    }
  });
}

TEST_CASE("pprof: protoc decodes it by the published field numbers",
          "[export][process][needs:protoc]") {
  for_each_example([](const Exported& exported) {
    const TemporaryFile file(gunzip(exported.to("pprof")), ".pb");
    const Ran ran = run_program("protoc --decode=perftools.profiles.Profile -I '" ETLENS_TEST_DATA
                                "/export' pprof.proto <'" +
                                file.path() + "'");
    CAPTURE(ran.output.substr(0, 1000));
    REQUIRE(ran.status == 0);
    CHECK(ran.output.find("sample_type {") != std::string::npos);
    for (const std::string_view line : split_lines(ran.output)) {
      const std::string_view name = trim(line);
      CHECK((name.empty() || !(name.front() >= '0' && name.front() <= '9')));
    }
  });
}

TEST_CASE("traces: hostile names stay text", "[export]") {
  const Exported exported(hostile_study());
  const std::vector<TraceSlice> slices = read_chrome(exported.to("chrome"));
  CHECK(slices.size() == 10);
  CHECK(PerfettoReader().read(exported.to("perfetto")).size() == 10);
}

}  // namespace etlens::traces_test
