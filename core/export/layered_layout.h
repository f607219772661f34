// SPDX-License-Identifier: Apache-2.0
// Where the boxes of a graph stand in a picture: in layers from top to bottom, each node below all
// that it reads, neighbours close to each other (the method of Sugiyama, Tagawa and Toda).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace etlens {

struct BoxSize {
  double width = 0;
  double height = 0;
};

struct BoxLink {
  uint32_t from = 0;  // rows of boxes
  uint32_t to = 0;
};

struct PicturePoint {
  double x = 0;
  double y = 0;
};

struct LayeredLayout {
  std::vector<PicturePoint> boxes;               // top left, one per box
  std::vector<std::vector<PicturePoint>> links;  // the way of each, between boxes
  double width = 0;
  double height = 0;
};

// Links lead from earlier boxes to later ones; those that lead back do not count for the layers,
// and their way is straight.
LayeredLayout lay_out(std::span<const BoxSize> boxes, std::span<const BoxLink> links);

}  // namespace etlens
