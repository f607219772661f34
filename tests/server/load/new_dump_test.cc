// SPDX-License-Identifier: Apache-2.0
// How soon a new dump is shown: at once where it alone changed and is whole, later where more may come.
#include <chrono>

#include "server/timing.h"
#include "tests/support/watched.h"

namespace etlens::new_dump_test {

using namespace etlens::test;

namespace {

constexpr int kSoon = 75;  // the second look at a dump that changed alone

}  // namespace

TEST_CASE("a dump alone is shown soon", "[server]") {
  Watched watched;
  watched.files.put(kDumpPath, model_dump(2));
  watched.tell(kDumpPath);
  watched.client.advance(kSoon - 10);
  CHECK(watched.hint() == "9.00 µs 5.7% CPU");
  watched.client.advance(20);
  CHECK(watched.hint() == "18.0 µs 5.7% CPU");
  watched.client.advance(60'000);
  CHECK(watched.refreshes() == 1);
}

TEST_CASE("a dump that changes between two looks is read later", "[server]") {
  Watched watched;
  watched.files.put(kDumpPath, model_dump(2));
  watched.tell(kDumpPath);
  watched.client.advance(50);
  watched.files.put(kDumpPath, model_dump(3));
  watched.tell(kDumpPath);
  watched.client.advance(200);
  CHECK(watched.hint() == "9.00 µs 5.7% CPU");
  watched.client.advance(kSettled);
  CHECK(watched.hint() == "27.0 µs 5.7% CPU");
  CHECK(watched.refreshes() == 1);
}

TEST_CASE("a part of a dump that stands still for a moment is no error", "[server]") {
  Watched watched;
  const Bytes whole = model_dump(2);
  watched.files.put(kDumpPath, whole.text().substr(0, whole.size() / 2));
  watched.tell(kDumpPath);
  watched.client.advance(kSoon + 50);  // it was read, and nobody hears of it
  CHECK(watched.client.request("etlens/status")["state"] != "failed");
  CHECK(watched.hint() == "9.00 µs 5.7% CPU");
  watched.files.put(kDumpPath, whole);
  watched.tell(kDumpPath);
  watched.client.advance(2 * kSettled);
  CHECK(watched.hint() == "18.0 µs 5.7% CPU");
  CHECK(watched.refreshes() == 1);
  CHECK(watched.client.take("window/showMessage").empty());
}

// One run writes both, in one order or the other: neither an error nor a pair of old and new.
TEST_CASE("a record and a dump that follow each other are shown together", "[server]") {
  const bool record_first = GENERATE(false, true);
  CAPTURE(record_first);
  Watched watched;
  watched.files.set_clock(wall_clock_ns());
  const auto put = [&](const std::string& path, const Bytes& content) {
    watched.files.put(path, content);
    watched.tell(path);
  };
  const auto look = [&](int milliseconds) {
    for (int t = 0; t < milliseconds; t += 10) {
      watched.client.advance(10);
      CHECK(watched.client.request("etlens/status")["state"] != "failed");
      CHECK(watched.hint() == "9.00 µs 5.7% CPU");
    }
  };
  if (record_first) put(kRecordPath, other_model_record());
  else put(kDumpPath, other_model_dump());
  look(150);
  if (record_first) put(kDumpPath, other_model_dump());
  else put(kRecordPath, other_model_record());
  look(150);
  watched.client.advance(3 * kSettled);
  const json status = watched.client.request("etlens/status");
  CHECK(status["state"] == "ready");
  CHECK_FALSE(status.contains("waiting"));
  CHECK(watched.hint() != "9.00 µs 5.7% CPU");
  CHECK(watched.client.request("etlens/events")["count"] > 0);
  CHECK(watched.refreshes() == 1);
  CHECK(watched.client.take("window/showMessage").empty());
}

TEST_CASE("a dump is not shown soon if its record is still to come", "[server]") {
  Watched watched;
  watched.files.set_clock(wall_clock_ns() -
                          std::chrono::nanoseconds(std::chrono::seconds(30)).count());
  watched.files.put("/work/model.pte", std::string("\x1c\0\0\0ET12", 8) + std::string(64, '\0'));
  watched.tell("/work/model.pte");
  watched.client.advance(5 * kSettled);
  watched.files.put(kDumpPath, model_dump(2));
  watched.tell(kDumpPath);
  watched.client.advance(kSoon + 100);
  CHECK(watched.hint() == "9.00 µs 5.7% CPU");
  watched.client.advance(kSettled);
  CHECK(watched.hint() == "18.0 µs 5.7% CPU");
}

}  // namespace etlens::new_dump_test
