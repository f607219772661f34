// SPDX-License-Identifier: Apache-2.0
#include "core/export/trend_picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/export/markup.h"
#include "core/export/picture.h"
#include "core/render/display_width.h"
#include "core/render/fleet_table.h"
#include "core/render/format.h"

namespace etlens {
namespace {

constexpr double kTrendHeading = 22;
constexpr double kTrendHeight = 90;
constexpr double kTrendAxis = 24;
constexpr double kTrendGap = 14;
constexpr double kTrendLeft = 76;
constexpr double kTrendRight = kPictureWidth - 24;
constexpr size_t kMaxCurves = 12;
constexpr size_t kMaxBuildNames = 12;

class TrendPicture {
 public:
  TrendPicture(const Fleet& fleet, const Trend& trend, Sink& sink)
      : trend_(trend), scale_(*parse_time_scale(fleet.tick)), sink_(sink) {}

  void run(PlaceKind by) {
    std::vector<const TrendPlace*> shown;
    for (const TrendPlace& row : trend_.places) {
      const bool is_total = row.place->place.kind == PlaceKind::Total;
      if (is_total) shown.insert(shown.begin(), &row);
      else if (row.place->place.kind == by && row.first && shown.size() < kMaxCurves)
        shown.push_back(&row);
    }
    constexpr double kCurve = kTrendHeading + kTrendHeight + kTrendAxis + kTrendGap;
    double y = picture_top(PictureKind::File);
    begin_picture(PictureKind::File, y + kCurve * static_cast<double>(shown.size()),
                  fmt::format("medians of {}; a bar is where a place changed first",
                              counted(trend_.builds.size(), "build")),
                  sink_);
    for (const TrendPlace* row : shown) {
      draw(*row, y);
      y += kCurve;
    }
    end_picture(sink_);
  }

 private:
  double x_of(size_t build) const {
    return kTrendLeft + (kTrendRight - kTrendLeft) * static_cast<double>(build) /
                            static_cast<double>(trend_.builds.size() - 1);
  }

  void text(double x, double y, std::string_view words, std::string_view anchor) {
    sink_ << fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y,
                         anchor, escape_markup(printable(words)));
  }

  void draw(const TrendPlace& row, double top) {
    const double base = top + kTrendHeading + kTrendHeight;
    const double most = std::max(*std::max_element(row.medians.begin(), row.medians.end()), 1e-9);
    std::string heading = place_name(row.place->place, TableStyle::Human);
    if (row.first) {
      heading += fmt::format(" {}{} with {}", row.change > 0 ? "+" : "", format_share(row.change),
                             group_name({trend_.builds[*row.first]}));
    }
    heading += "  " + row.place->place.text;
    text(kPicturePadding, top + 15, fitted_text(printable(heading), kPictureWidth), "start");
    text(kTrendLeft - 6, top + kTrendHeading + 10, format_time(most, {scale_}), "end");
    text(kTrendLeft - 6, base, "0", "end");
    std::string path;
    for (size_t b = 0; b < row.medians.size(); ++b) {
      if (row.medians[b] < 0) continue;
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x_of(b),
                          base - kTrendHeight * row.medians[b] / most);
    }
    if (row.first) {
      const double x = (x_of(*row.first) + x_of(*row.first - 1)) / 2;
      sink_ << fmt::format("<path class=\"peak\" d=\"M{0:.1f} {1:.1f}V{2:.1f}\"/>\n", x,
                           top + kTrendHeading, base);
    }
    sink_ << "<path class=\"axis\" stroke-width=\"2\" d=\"" << path << "\"/>\n";
    sink_ << fmt::format("<path class=\"axis\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", kTrendLeft, base,
                         kTrendRight);
    const size_t step = trend_.builds.size() / kMaxBuildNames + 1;
    for (size_t b = 0; b < trend_.builds.size(); b += step) {
      const bool is_last = b + 1 == trend_.builds.size();
      text(x_of(b), base + 16, group_name({trend_.builds[b]}),
           b == 0    ? "start"
           : is_last ? "end"
                     : "middle");
    }
  }

  const Trend& trend_;
  TimeScale scale_;
  Sink& sink_;
};

}  // namespace

void write_trend_picture(const Fleet& fleet, const Trend& trend, PlaceKind by, Sink& sink) {
  TrendPicture(fleet, trend, sink).run(by);
}

}  // namespace etlens
