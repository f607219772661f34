// SPDX-License-Identifier: Apache-2.0
// What the pictures have in common: SVG without a script, light, dark and on paper, as a file of
// its own or as an element of a page.
#pragma once

#include <string>
#include <string_view>

#include "core/export/sink.h"

namespace etlens {

inline constexpr double kPictureWidth = 1200;
inline constexpr double kPicturePadding = 4;  // before a text

enum class PictureKind : uint8_t {
  File,     // with its styles, a ground and its title
  Element,  // of a page that has kPictureStyle
};

// Room above the picture, for the title.
double picture_top(PictureKind kind);
// Opens the picture; `height` includes picture_top.
void begin_picture(PictureKind kind, double height, std::string_view title, Sink& sink);
void end_picture(Sink& sink);

// As much of the text as fits into a width; "" if that says nothing.
std::string fitted_text(std::string_view text, double width);

// CSS of what is in a picture: frames of module (m), part (p), disturbance (d) and heat
// (h0 to h4), curves, axes.
extern const std::string_view kPictureStyle;

}  // namespace etlens
