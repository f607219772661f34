// SPDX-License-Identifier: Apache-2.0
#include "core/export/layered_layout.h"

#include <algorithm>
#include <numeric>

#include "core/base/budget.h"
#include "core/base/id.h"

namespace etlens {
namespace {

constexpr double kGapBeside = 14;
constexpr double kGapBelow = 34;
constexpr double kLinkWidth = 4;  // of a link that passes a layer
constexpr int kSweeps = 8;
constexpr size_t kMaxPassing = 60'000;  // links through layers; more are straight

// A box, or a place where a link passes a layer.
struct Item {
  uint32_t box = kNone;
  uint32_t layer = 0;
  double width = kLinkWidth;
  double x = 0;  // of its middle
  std::vector<uint32_t> above;
  std::vector<uint32_t> below;
};

class LayoutFinder {
 public:
  LayoutFinder(std::span<const BoxSize> boxes, std::span<const BoxLink> links)
      : boxes_(boxes), links_(links), items_(boxes.size()), chains_(links.size()) {}

  LayeredLayout find() {
    find_layers();
    add_chains();
    fill_rows();
    for (int sweep = 0; sweep < kSweeps; ++sweep) order(sweep % 2 == 0);
    place_at_first();
    for (int sweep = 0; sweep < kSweeps; ++sweep) move(sweep % 2 == 0);
    return finish();
  }

 private:
  void find_layers() {
    std::vector<uint32_t> by_end(links_.size());
    std::iota(by_end.begin(), by_end.end(), 0);
    std::ranges::stable_sort(by_end, {}, [&](uint32_t l) { return links_[l].to; });
    std::vector<bool> is_read_from(boxes_.size());
    for (const uint32_t l : by_end) {
      go_on();
      const BoxLink& link = links_[l];
      if (link.from >= link.to) continue;
      items_[link.to].layer = std::max(items_[link.to].layer, items_[link.from].layer + 1);
      is_read_from[link.to] = true;
    }
    // What reads nothing stands right above its first reader.
    std::vector<uint32_t> first(boxes_.size(), kNone);
    for (const BoxLink& link : links_)
      if (link.from < link.to) first[link.from] = std::min(first[link.from], items_[link.to].layer);
    for (uint32_t b = 0; b < boxes_.size(); ++b) {
      items_[b].box = b;
      items_[b].width = boxes_[b].width;
      if (!is_read_from[b] && first[b] != kNone) items_[b].layer = first[b] - 1;
    }
  }

  void add_chains() {
    size_t passing = 0;
    for (const BoxLink& link : links_)
      if (link.from < link.to) passing += items_[link.to].layer - items_[link.from].layer - 1;
    for (uint32_t l = 0; l < links_.size(); ++l) {
      const BoxLink& link = links_[l];
      if (link.from >= link.to) continue;
      uint32_t at = link.from;
      for (uint32_t layer = items_[link.from].layer + 1;
           passing <= kMaxPassing && layer < items_[link.to].layer; ++layer) {
        go_on();
        const auto next = static_cast<uint32_t>(items_.size());
        items_.emplace_back().layer = layer;
        join(at, next);
        chains_[l].push_back(next);
        at = next;
      }
      join(at, link.to);
    }
  }

  void join(uint32_t above, uint32_t below) {
    items_[above].below.push_back(below);
    items_[below].above.push_back(above);
  }

  void fill_rows() {
    for (uint32_t i = 0; i < items_.size(); ++i) {
      if (items_[i].layer >= rows_.size()) rows_.resize(items_[i].layer + 1);
      items_[i].x = static_cast<double>(rows_[items_[i].layer].size());
      rows_[items_[i].layer].push_back(i);
    }
  }

  double middle_of(const Item& item, bool from_above) const {
    const std::vector<uint32_t>& others = from_above ? item.above : item.below;
    if (others.empty()) return item.x;
    double sum = 0;
    for (const uint32_t other : others) sum += items_[other].x;
    return sum / static_cast<double>(others.size());
  }

  // Each row by where its neighbours in the row before stand.
  void order(bool downwards) {
    for (size_t r = 0; r < rows_.size(); ++r) {
      std::vector<uint32_t>& row = rows_[downwards ? r : rows_.size() - 1 - r];
      go_on(1 + row.size());
      std::vector<std::pair<double, uint32_t>> keys;
      for (const uint32_t i : row) keys.emplace_back(middle_of(items_[i], downwards), i);
      std::ranges::stable_sort(keys, {}, &std::pair<double, uint32_t>::first);
      for (size_t i = 0; i < row.size(); ++i) {
        row[i] = keys[i].second;
        items_[row[i]].x = static_cast<double>(i);
      }
    }
  }

  void place_at_first() {
    for (const std::vector<uint32_t>& row : rows_) {
      double x = 0;
      for (const uint32_t i : row) {
        items_[i].x = x + items_[i].width / 2;
        x += items_[i].width + kGapBeside;
      }
    }
  }

  double apart(uint32_t left, uint32_t right) const {
    return (items_[left].width + items_[right].width) / 2 + kGapBeside;
  }

  // To the middle of its neighbours, as far as the others of the row leave room: half way between
  // what is free from the left and from the right.
  void move(bool downwards) {
    for (size_t r = 0; r < rows_.size(); ++r) {
      const std::vector<uint32_t>& row = rows_[downwards ? r : rows_.size() - 1 - r];
      go_on(1 + row.size());
      std::vector<double> left;
      for (const uint32_t i : row) left.push_back(middle_of(items_[i], downwards));
      std::vector<double> right = left;
      for (size_t i = 1; i < row.size(); ++i)
        left[i] = std::max(left[i], left[i - 1] + apart(row[i - 1], row[i]));
      for (size_t i = row.size(); i > 1; --i)
        right[i - 2] = std::min(right[i - 2], right[i - 1] - apart(row[i - 2], row[i - 1]));
      for (size_t i = 0; i < row.size(); ++i) items_[row[i]].x = (left[i] + right[i]) / 2;
    }
  }

  LayeredLayout finish() {
    LayeredLayout layout;
    double least = 0;
    for (const Item& item : items_) least = std::min(least, item.x - item.width / 2);
    std::vector<double> tops;
    double y = 0;
    for (const std::vector<uint32_t>& row : rows_) {
      tops.push_back(y);
      double height = 0;
      for (const uint32_t i : row)
        if (items_[i].box != kNone) height = std::max(height, boxes_[items_[i].box].height);
      y += height + kGapBelow;
    }
    layout.height = std::max(0.0, y - kGapBelow);
    for (uint32_t b = 0; b < boxes_.size(); ++b) {
      layout.boxes.push_back({items_[b].x - items_[b].width / 2 - least, tops[items_[b].layer]});
      layout.width = std::max(layout.width, layout.boxes.back().x + boxes_[b].width);
    }
    for (uint32_t l = 0; l < links_.size(); ++l) layout.links.push_back(way_of(l, least, tops));
    for (const auto& link : layout.links)
      for (const PicturePoint& point : link) layout.width = std::max(layout.width, point.x);
    return layout;
  }

  std::vector<PicturePoint> way_of(uint32_t l, double least,
                                   const std::vector<double>& tops) const {
    const BoxLink& link = links_[l];
    const Item& from = items_[link.from];
    const Item& to = items_[link.to];
    std::vector<PicturePoint> way{{from.x - least, tops[from.layer] + boxes_[link.from].height}};
    for (const uint32_t passing : chains_[l]) {
      go_on();
      const Item& item = items_[passing];
      const double bottom =
          item.layer + 1 < tops.size() ? tops[item.layer + 1] - kGapBelow : tops[item.layer];
      way.push_back({item.x - least, tops[item.layer]});
      way.push_back({item.x - least, bottom});
    }
    way.push_back({to.x - least, tops[to.layer]});
    return way;
  }

  std::span<const BoxSize> boxes_;
  std::span<const BoxLink> links_;
  std::vector<Item> items_;                    // boxes first
  std::vector<std::vector<uint32_t>> chains_;  // per link the items between its ends
  std::vector<std::vector<uint32_t>> rows_;    // items of each layer, from left to right
};

}  // namespace

LayeredLayout lay_out(std::span<const BoxSize> boxes, std::span<const BoxLink> links) {
  return LayoutFinder(boxes, links).find();
}

}  // namespace etlens
