// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them, and as Python prints them.
#include <limits>

#include "core/render/format.h"

using namespace etlens;

TEST_CASE("format: Python's floats", "[format]") {
  CHECK(python_float(1) == "1.0");
  CHECK(python_float(0.1) == "0.1");
  CHECK(python_float(1e-5) == "1e-05");
  CHECK(python_float(0.0001) == "0.0001");
  CHECK(python_float(1e16) == "1e+16");
  CHECK(python_float(123456.789) == "123456.789");
  CHECK(python_float(-0.0) == "-0.0");
  CHECK(python_float(std::numeric_limits<double>::quiet_NaN()) == "nan");
  CHECK(python_float(-std::numeric_limits<double>::infinity()) == "-inf");
}

TEST_CASE("format: times", "[format]") {
  const auto ns = [](double ticks) { return format_time(ticks, TimeScale::Nanoseconds); };
  CHECK(ns(0) == "0 ns");
  CHECK(ns(1) == "1.00 ns");
  CHECK(ns(999.4) == "999 ns");
  CHECK(ns(999.6) == "1.00 µs");
  CHECK(ns(12'345) == "12.3 µs");
  CHECK(ns(904'000) == "904 µs");
  CHECK(ns(3.1e6) == "3.10 ms");
  CHECK(ns(12.4e6) == "12.4 ms");
  CHECK(ns(5e9) == "5.00 s");
  CHECK(ns(-400'000) == "-400 µs");
  CHECK(format_time(2, TimeScale::Microseconds) == "2.00 µs");
  CHECK(format_time(6.5e6, TimeScale::Cycles) == "6.50 Mcyc");
}

TEST_CASE("format: shares, heat", "[format]") {
  CHECK(format_share(0) == "0%");
  CHECK(format_share(0.0004) == "<0.1%");
  CHECK(format_share(0.0441) == "4.4%");
  CHECK(format_share(0.61) == "61%");
  CHECK(format_share(0.998) == "99.8%");
  CHECK(format_share(0.99999) == "99.9%");
  CHECK(format_share(1) == "100%");
  CHECK(heat_level(0) == 0);
  CHECK(heat_level(0.006) == 1);
  CHECK(heat_level(0.5) == 4);
}
