// SPDX-License-Identifier: Apache-2.0
#include "core/base/controls.h"

#include "core/base/load_report.h"
#include "tests/support/surface_words.h"

namespace etlens::controls_test {

namespace {

constexpr ControlWords kSome =
    control_words({{Control::Method, " with --method"}, {Control::FindFile, " Map it."}});

}  // namespace

TEST_CASE("controls: a text names a control, the surface says how it is called", "[controls]") {
  CHECK(worded("Choose one{method}.") == "Choose one.");
  const SurfaceWords words(kSome);
  CHECK(worded("Choose one{method}.") == "Choose one with --method.");
  CHECK(worded("{method}{find_file}{executions}") == " with --method Map it.");
  CHECK(words_of(Control::Executions).empty());
  CHECK(advice_of(Oddity::SourceNotFound) == "A recorded file was not found here. Map it.");
}

TEST_CASE("controls: other braces stay as they are", "[controls]") {
  const SurfaceWords words(kSome);
  for (const char* text :
       {"", "{", "}", "{}", "{method", "method}", "{methods}", "{{", "devices/{device}/x"})
    CHECK(worded(text) == text);
  CHECK(worded("{{method}}") == "{ with --method}");
}

TEST_CASE("controls: each has a name of its own, and every name in the table of oddities is one",
          "[controls]") {
  for (size_t a = 0; a < static_cast<size_t>(Control::kCount); ++a) {
    CHECK_FALSE(name_of(static_cast<Control>(a)).empty());
    for (size_t b = 0; b < a; ++b)
      CHECK(name_of(static_cast<Control>(a)) != name_of(static_cast<Control>(b)));
  }
  for (size_t o = 0; o < static_cast<size_t>(Oddity::kCount); ++o) {
    const std::string advice = advice_of(static_cast<Oddity>(o));
    CAPTURE(advice);
    CHECK(advice.find('{') == std::string::npos);
    CHECK(advice.ends_with('.'));
  }
}

}  // namespace etlens::controls_test
