// SPDX-License-Identifier: Apache-2.0
#include "core/export/picture.h"

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/export/markup.h"
#include "core/render/display_width.h"

namespace etlens {
namespace {

constexpr double kTitleHeight = 26;
constexpr double kLetterWidth = 6.7;  // width of an average letter, generously

}  // namespace

double picture_top(PictureKind kind) { return kind == PictureKind::File ? kTitleHeight : 0; }

void begin_picture(PictureKind kind, double height, std::string_view title, Sink& sink) {
  sink << fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture\" viewBox=\"0 0 {} {}\" "
      "font-family=\"ui-sans-serif, system-ui, sans-serif\" font-size=\"12\" role=\"img\" "
      "aria-label=\"{}\"",
      kPictureWidth, height, escape_markup(title));
  if (kind == PictureKind::Element) {
    sink << ">\n";
    return;
  }
  sink << fmt::format(" width=\"{}\" height=\"{}\">\n", kPictureWidth, height);
  sink << "<style>" << kPictureStyle << "</style>\n";
  sink << fmt::format("<rect class=\"ground\" width=\"{}\" height=\"{}\"/>\n", kPictureWidth,
                      height);
  sink << fmt::format("<text x=\"{}\" y=\"17\">{}</text>\n", kPicturePadding,
                      escape_markup(fitted_text(title, kPictureWidth)));
}

void end_picture(Sink& sink) { sink << "</svg>\n"; }

std::string fitted_text(std::string_view text, double width) {
  const double room = (width - 2 * kPicturePadding) / kLetterWidth;
  const auto letters = room > 0 ? static_cast<size_t>(room) : 0;
  if (display_width(text) <= letters) return std::string(text);
  if (letters < 3) return "";
  std::string out;
  size_t taken = 0;
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    taken += display_width(text.substr(0, length));
    if (taken > letters - 1) break;
    out += text.substr(0, length);
    text.remove_prefix(length);
  }
  return out + "…";
}

const std::string_view kPictureStyle =
    ".picture .ground{fill:#fff}.picture text{fill:#1c1c1c}"
    ".picture .m rect{fill:#c9d6e6}.picture .p rect{fill:#dcdcdc}"
    ".picture .d rect{fill:none;stroke:#8a8a8a;stroke-dasharray:3 2}"
    ".picture .h0 rect{fill:#f2efe9}.picture .h1 rect{fill:#fbe3b6}"
    ".picture .h2 rect{fill:#fbcb7d}.picture .h3 rect{fill:#f8ab58}.picture .h4 rect{fill:#f58a5c}"
    ".picture .area{fill:#c9d6e6;stroke:#47699a}.picture .axis{fill:none;stroke:#8a8a8a}"
    ".picture .peak{stroke:#b3261e;stroke-width:1.5;fill:none}"
    "@media (prefers-color-scheme:dark){.picture .ground{fill:#16181c}.picture text{fill:#f2f2f2}"
    ".picture .m rect{fill:#33475e}.picture .p rect{fill:#43464b}"
    ".picture .h0 rect{fill:#38342d}.picture .h1 rect{fill:#57431c}"
    ".picture .h2 rect{fill:#6b4710}.picture .h3 rect{fill:#804312}.picture .h4 rect{fill:#973a1d}"
    ".picture .area{fill:#33475e;stroke:#8db4e2}.picture .axis{stroke:#8a8a8a}"
    ".picture .peak{stroke:#ff8a80}}"
    "@media print{.picture .ground{fill:#fff}.picture text{fill:#1c1c1c}"
    ".picture .m rect{fill:#c9d6e6}.picture .p rect{fill:#dcdcdc}"
    ".picture .h0 rect{fill:#f2efe9}.picture .h1 rect{fill:#fbe3b6}"
    ".picture .h2 rect{fill:#fbcb7d}.picture .h3 rect{fill:#f8ab58}.picture .h4 rect{fill:#f58a5c}"
    ".picture .area{fill:#c9d6e6;stroke:#47699a}.picture .peak{stroke:#b3261e}}";

}  // namespace etlens
