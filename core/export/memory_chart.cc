// SPDX-License-Identifier: Apache-2.0
#include "core/export/memory_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/export/markup.h"
#include "core/render/display_width.h"
#include "core/render/format.h"
#include "core/render/memory_report.h"

namespace etlens {
namespace {

constexpr double kPlotLeft = 76;  // of the axis: addresses are in front of it
constexpr double kPlotRight = kPictureWidth - 2;
constexpr double kHeadingHeight = 22;
constexpr double kCurveHeight = 72;
constexpr double kBoxesHeight = 280;
constexpr double kAxisHeight = 24;
constexpr double kGapHeight = 10;
constexpr double kLowestText = 13;     // of a box that has room for a word
constexpr double kThinnestBox = 0.6;   // of a box that would be thinner
constexpr size_t kMaxBoxes = 3000;     // of a buffer: the largest
constexpr size_t kMaxBuffers = 16;     // with most in use at their peak
constexpr uint64_t kMaxMarks = 12;     // on the axis of instructions
constexpr uint64_t kAddressMarks = 4;  // parts of the axis of addresses
constexpr size_t kMaxSteps = 1120;     // of a curve; more share one, with the most of them

std::string planned_bytes_text(uint64_t bytes) {
  return format_reported(static_cast<double>(bytes), DelegateUnit::Bytes);
}

// 1, 2 or 5 times a power of ten, so that there are few of them in `count`.
uint64_t step_of_marks(uint64_t count) {
  uint64_t step = 1;
  for (size_t i = 0; count / step > kMaxMarks; ++i) step = i % 3 == 1 ? step / 2 * 5 : step * 2;
  return step;
}

class MemoryChart {
 public:
  MemoryChart(const MemoryFacts& facts, PictureKind kind, Sink& sink)
      : facts_(facts), kind_(kind), sink_(sink) {
    for (const PlannedBuffer& buffer : facts.buffers()) {
      if (!buffer.live.empty() && buffer.size > 0) shown_.push_back(&buffer);
    }
    std::stable_sort(shown_.begin(), shown_.end(),
                     [](const auto* a, const auto* b) { return a->peak > b->peak; });
    if (shown_.size() > kMaxBuffers) shown_.resize(kMaxBuffers);
    tensors_.resize(shown_.size());
    for (size_t row = 0; row < facts.tensor_count(); ++row) {
      const TensorFacts tensor = facts.tensor(row);
      if (tensor.view_of || tensor.bytes == 0) continue;
      for (size_t b = 0; b < shown_.size(); ++b) {
        if (shown_[b]->id == tensor.memory_id) tensors_[b].push_back(tensor);
      }
    }
  }

  void run() {
    constexpr double kBuffer =
        kHeadingHeight + kCurveHeight + kGapHeight + kBoxesHeight + kAxisHeight;
    double y = picture_top(kind_);
    begin_picture(kind_, y + kBuffer * static_cast<double>(shown_.size()), title(), sink_);
    for (size_t b = 0; b < shown_.size(); ++b, y += kBuffer) draw(*shown_[b], tensors_[b], y);
    end_picture(sink_);
  }

 private:
  std::string title() const {
    const std::string& method = facts_.method().name;
    if (shown_.empty()) return fmt::format("{}: no planned memory", method);
    return fmt::format("{}: {} of planned memory in use at the peak, instruction {} {}", method,
                       planned_bytes_text(facts_.peak()), facts_.peak_instruction(),
                       facts_.op_at(facts_.peak_instruction()));
  }

  void text(double x, double y, std::string_view words, std::string_view anchor = "start") {
    sink_ << fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y,
                         anchor, escape_markup(words));
  }

  // Where an instruction begins.
  static double x_of(const PlannedBuffer& buffer, uint64_t instruction) {
    return kPlotLeft + (kPlotRight - kPlotLeft) * static_cast<double>(instruction) /
                           static_cast<double>(buffer.live.size());
  }

  void draw(const PlannedBuffer& buffer, std::vector<TensorFacts>& tensors, double top) {
    const size_t left_out = tensors.size() > kMaxBoxes ? tensors.size() - kMaxBoxes : 0;
    std::string heading =
        fmt::format("memory {}: {} of {} in use at its peak, instruction {} {}", buffer.id,
                    planned_bytes_text(buffer.peak), planned_bytes_text(buffer.size),
                    buffer.peak_instruction, facts_.op_at(buffer.peak_instruction));
    if (left_out > 0)
      heading += fmt::format("; {} are not drawn", counted(left_out, "small tensor"));
    text(kPicturePadding, top + 15, fitted_text(printable(heading), kPictureWidth));
    const double curve = top + kHeadingHeight;
    const double boxes = curve + kCurveHeight + kGapHeight;
    draw_curve(buffer, curve);
    draw_axes(buffer, curve, boxes);
    if (left_out > 0) keep_largest(tensors);
    for (const TensorFacts& tensor : tensors) draw_box(buffer, tensor, boxes);
    const double peak = (x_of(buffer, buffer.peak_instruction) +
                         x_of(buffer, uint64_t{buffer.peak_instruction} + 1)) /
                        2;
    sink_ << fmt::format("<path class=\"peak\" d=\"M{0:.1f} {1:.1f}V{2:.1f}\"/>\n", peak, curve,
                         boxes + kBoxesHeight);
  }

  static void keep_largest(std::vector<TensorFacts>& tensors) {
    const auto area = [](const TensorFacts& tensor) {
      return static_cast<double>(tensor.bytes) * (1.0 + tensor.last - tensor.first);
    };
    std::stable_sort(tensors.begin(), tensors.end(),
                     [&](const auto& a, const auto& b) { return area(a) > area(b); });
    tensors.resize(kMaxBoxes);
  }

  void draw_curve(const PlannedBuffer& buffer, double top) {
    const size_t count = buffer.live.size();
    const size_t step = (count + kMaxSteps - 1) / kMaxSteps;
    const double bottom = top + kCurveHeight;
    std::string path = fmt::format("M{:.1f} {:.1f}", kPlotLeft, bottom);
    for (size_t first = 0; first < count; first += step) {
      const size_t end = std::min(first + step, count);
      const uint64_t most = *std::max_element(buffer.live.begin() + static_cast<ptrdiff_t>(first),
                                              buffer.live.begin() + static_cast<ptrdiff_t>(end));
      const double share = static_cast<double>(most) / static_cast<double>(buffer.size);
      path += fmt::format("V{:.1f}H{:.1f}", bottom - kCurveHeight * std::min(share, 1.0),
                          x_of(buffer, end));
    }
    sink_ << fmt::format("<path class=\"area\" d=\"{}V{:.1f}Z\"/>\n", path, bottom);
    text(kPlotLeft - kPicturePadding, top + 10, planned_bytes_text(buffer.size), "end");
    text(kPlotLeft - kPicturePadding, bottom, "in use", "end");
  }

  void draw_axes(const PlannedBuffer& buffer, double curve, double boxes) {
    sink_ << fmt::format(
        "<path class=\"axis\" d=\"M{0:.1f} {1:.1f}H{2:.1f}M{0:.1f} {3:.1f}V{4:.1f}H{2:.1f}V{3:.1f}Z"
        "\"/>\n",
        kPlotLeft, curve, kPlotRight, boxes, boxes + kBoxesHeight);
    for (uint64_t part = 0; part <= kAddressMarks; ++part) {
      const double y =
          boxes + kBoxesHeight - kBoxesHeight * static_cast<double>(part) / kAddressMarks;
      const auto address = static_cast<double>(buffer.size) * static_cast<double>(part) /
                           static_cast<double>(kAddressMarks);
      text(kPlotLeft - kPicturePadding, part == kAddressMarks ? y + 10 : y,
           planned_bytes_text(static_cast<uint64_t>(address)), "end");
    }
    const uint64_t step = step_of_marks(buffer.live.size());
    for (uint64_t i = 0; i < buffer.live.size(); i += step)
      text((x_of(buffer, i) + x_of(buffer, i + 1)) / 2, boxes + kBoxesHeight + 15,
           std::to_string(i), "middle");
  }

  std::string line_of(const TensorFacts& tensor) const {
    if (!tensor.line.valid()) return "";
    const CodeLine& line = facts_.code().lines[tensor.line.value];
    return fmt::format("{}:{}", base_name(facts_.code().recorded_path(line.file)), line.number);
  }

  // "layers.py:43", "aten::expand_copy.out", "8.39 MB": what there is of it.
  std::vector<std::string> labels_of(const TensorFacts& tensor) const {
    std::vector<std::string> parts;
    for (std::string part :
         {line_of(tensor), std::string(tensor.op), join(role_names(tensor), ", ")}) {
      if (!part.empty()) parts.push_back(std::move(part));
    }
    parts.push_back(planned_bytes_text(tensor.bytes));
    return parts;
  }

  std::string words_of(const TensorFacts& tensor) const {
    std::string words =
        fmt::format("{}\n{}, bytes {} to {}, instructions {} to {}", join(labels_of(tensor), ", "),
                    tensor_text(tensor), tensor.offset, tensor.offset + tensor.bytes, tensor.first,
                    tensor.last);
    if (tensor.at_peak > 0) words += fmt::format(", {} of the peak", format_share(tensor.share));
    if (!tensor.node.empty()) words += fmt::format("\nnode {}", tensor.node);
    if (tensor.module_path) words += fmt::format("\nmodule {}", *tensor.module_path);
    return words;
  }

  void draw_box(const PlannedBuffer& buffer, const TensorFacts& tensor, double top) {
    const auto y_of = [&](uint64_t address) {
      const double share = static_cast<double>(address) / static_cast<double>(buffer.size);
      return top + kBoxesHeight * (1 - std::min(share, 1.0));
    };
    const double x = x_of(buffer, tensor.first);
    const double right =
        x_of(buffer, std::min<uint64_t>(uint64_t{tensor.last} + 1, buffer.live.size()));
    const double y = y_of(tensor.offset + tensor.bytes);
    const double width = std::max(right - x - 1, kThinnestBox);
    const double height = std::max(y_of(tensor.offset) - y - 1, kThinnestBox);
    sink_ << fmt::format(
        "<g class=\"{}\" data-bytes=\"{}\" data-at-peak=\"{}\"><title>{}</title>"
        "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" rx=\"1\"/>",
        tensor.at_peak > 0 ? fmt::format("h{}", heat_level(tensor.share)) : "p", tensor.bytes,
        tensor.at_peak, escape_markup(words_of(tensor)), x, y, width, height);
    write_labels(tensor, x, y, width, height);
    sink_ << "</g>\n";
  }

  // In one row, or below each other where there is room for all.
  void write_labels(const TensorFacts& tensor, double x, double y, double width, double height) {
    if (height < kLowestText) return;
    std::vector<std::string> rows = labels_of(tensor);
    if (height < kLowestText * static_cast<double>(rows.size())) rows = {join(rows, ", ")};
    double baseline = y + std::min(height / static_cast<double>(rows.size()) / 2 + 4, 12.0);
    for (const std::string& row : rows) {
      if (const std::string words = fitted_text(printable(row), width); !words.empty()) {
        sink_ << fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\">{}</text>", x + kPicturePadding,
                             baseline, escape_markup(words));
      }
      baseline += kLowestText;
    }
  }

  const MemoryFacts& facts_;
  PictureKind kind_;
  Sink& sink_;
  std::vector<const PlannedBuffer*> shown_;
  std::vector<std::vector<TensorFacts>> tensors_;  // of each, without views
};

}  // namespace

void write_memory_chart(const MemoryFacts& facts, PictureKind kind, Sink& sink) {
  MemoryChart(facts, kind, sink).run();
}

}  // namespace etlens
