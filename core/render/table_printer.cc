// SPDX-License-Identifier: Apache-2.0
#include "core/render/table_printer.h"

#include <fmt/format.h>

#include "core/base/controls.h"
#include "core/base/text.h"
#include "core/render/cell_value.h"
#include "core/render/colors.h"
#include "core/render/fit_table.h"
#include "core/render/format.h"

namespace etlens {
namespace {

// Shares by their heat, verdicts by what they mean.
std::string_view color_of(const Column& column, std::string_view cell) {
  if (column.name == "share") {
    const std::optional<double> share = cell_value(cell);
    return share ? kHeatColors[static_cast<size_t>(heat_level(*share))] : std::string_view();
  }
  if (column.name != "verdict") return "";
  if (cell.ends_with("slower")) return kRed;
  return cell.ends_with("faster") ? kGreen : "";
}

}  // namespace

std::string TablePrinter::ranked(const Table& table, size_t most) {
  Arrangement by = style_.arrangement;
  if (!by.top) by.top = most;
  return print(table, std::move(by));
}

std::string TablePrinter::beside(const Table& table, size_t most) {
  Arrangement by;
  by.top = style_.arrangement.top.value_or(most);
  return print(table, std::move(by));
}

std::string TablePrinter::print(const Table& table, Arrangement by) {
  Result<Table> shown = arranged(table, by);
  if (!shown) {
    problem_ = shown.error();
    return "";
  }
  if (style_.explains) legend_.add(*shown);
  if (style_.width > 0) fit_table(*shown, style_.width);
  std::string text = to_text(*shown, style_.in_color ? color_of : nullptr);
  if (const size_t more = table.rows.size() - shown->rows.size(); more > 0)
    text += fmt::format("  and {}{}\n", counted(more, "more row"), words_of(Control::AllRows));
  return text;
}

std::string TablePrinter::words(std::string text) {
  if (style_.explains) legend_.add(text);
  return text;
}

std::string TablePrinter::legend() const {
  const std::string text = legend_.text();
  return style_.explains && !text.empty() ? "\n" + text : "";
}

}  // namespace etlens
