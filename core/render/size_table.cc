// SPDX-License-Identifier: Apache-2.0
// The tables of `etlens size`, and its report for people.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/path.h"
#include "core/render/cells.h"
#include "core/render/display_width.h"
#include "core/render/format.h"
#include "core/render/size_report.h"

namespace etlens {
namespace {

// Rows for people; the data forms have all of them.
constexpr size_t kMaxSizeRows = 20;

std::string source_text(std::string_view path, uint32_t line, TableStyle style) {
  if (line == 0) return "";
  return fmt::format("{}:{}", style == TableStyle::Human ? base_name(path) : path, line);
}

std::string kinds_text(const SizeFacts& facts) {
  Table table;
  table.columns = {{"", Align::Left}, {"", Align::Right}, {"", Align::Right}};
  for (const FilePartKind kind :
       {FilePartKind::Constant, FilePartKind::DelegateConstant, FilePartKind::DelegateOther,
        FilePartKind::Program, FilePartKind::Padding}) {
    const uint64_t bytes = facts.bytes_of(kind);
    if (bytes == 0) continue;
    table.rows.push_back({fmt::format("  {}", describe(kind)), bytes_text(bytes, TableStyle::Human),
                          format_share(facts.share(bytes))});
  }
  table.rows.push_back({fmt::format("= {}", printable(base_name(facts.program().path))),
                        bytes_text(facts.file_bytes(), TableStyle::Human),
                        fmt::format("({} bytes)", facts.file_bytes())});
  if (const uint64_t external = facts.bytes_of(FilePartKind::External); external > 0) {
    table.rows.push_back({fmt::format("  next to it: {}", describe(FilePartKind::External)),
                          bytes_text(external, TableStyle::Human), ""});
  }
  std::string text = to_text(table);
  return text.erase(0, text.find('\n') + 1);  // the empty header
}

}  // namespace

std::string_view describe(FilePartKind kind) {
  switch (kind) {
    case FilePartKind::Constant:
      return "constants of kernels";
    case FilePartKind::DelegateConstant:
      return "constants of delegates";
    case FilePartKind::DelegateOther:
      return "other data of delegates";
    case FilePartKind::Program:
      return "instructions, values and names";
    case FilePartKind::Padding:
      return "padding";
    case FilePartKind::External:
      break;
  }
  return "in other files";
}

Table size_parts_table(const SizeFacts& facts, TableStyle style) {
  Table table;
  table.columns = {{"bytes", Align::Right},     {"share", Align::Right},    {"kind", Align::Left},
                   {"name", Align::Left},       {"module", Align::Left},    kLineColumn,
                   {"partition", Align::Right}, {"shared by", Align::Right}};
  for (size_t i = 0; i < facts.part_count(); ++i) {
    const SizePartFacts part = facts.part(style == TableStyle::Human ? facts.ranked()[i] : i);
    table.rows.push_back({bytes_text(part.bytes, style), share_text(part.share, style),
                          std::string(name_of(part.kind)), std::string(part.name),
                          std::string(part.module_path.value_or("")),
                          source_text(part.recorded_path, part.line, style),
                          part.partition > 0 ? std::to_string(part.partition) : "",
                          part.users > 1 ? std::to_string(part.users) : ""});
  }
  return table;
}

Table size_modules_table(const SizeFacts& facts, TableStyle style) {
  Table table;
  table.columns = {{"module", Align::Left},
                   {"bytes", Align::Right},
                   {"share", Align::Right},
                   {"own", Align::Right}};
  for (const ModuleBytes& module : facts.modules()) {
    std::string name = module.path;
    if (style == TableStyle::Human) {
      const size_t dot = module.path.rfind('.');
      name = module.path.empty() ? std::string("(whole file)")
                                 : std::string(2 * module.depth, ' ') +
                                       module.path.substr(dot == std::string::npos ? 0 : dot + 1);
    }
    table.rows.push_back(
        {std::move(name), bytes_text(module.inclusive, style),
         share_text(facts.share(module.inclusive), style),
         module.own > 0 || style == TableStyle::Data ? bytes_text(module.own, style) : ""});
  }
  return table;
}

Table size_lines_table(const SizeFacts& facts, TableStyle style) {
  Table table;
  table.columns = {kLineColumn,
                   {"bytes", Align::Right},
                   {"share", Align::Right},
                   {"parts", Align::Right},
                   {.name = "text", .is_prose = true}};
  for (const LineBytes& line : facts.lines()) {
    table.rows.push_back({source_text(line.path, line.number, style), bytes_text(line.bytes, style),
                          share_text(facts.share(line.bytes), style), std::to_string(line.parts),
                          line.text});
  }
  return table;
}

std::string size_text(const SizeFacts& facts, TablePrinter& printer) {
  std::string text = kinds_text(facts);
  if (facts.modules().size() > 1)
    text += "\nby module\n" +
            printer.beside(size_modules_table(facts, TableStyle::Human), kMaxSizeRows);
  if (!facts.lines().empty())
    text +=
        "\nby line\n" + printer.beside(size_lines_table(facts, TableStyle::Human), kMaxSizeRows);
  text += "\nlargest parts\n";
  text += printer.ranked(size_parts_table(facts, TableStyle::Human), kMaxSizeRows);
  if (facts.constants() > 0 && facts.modules().size() > 1) {
    text += fmt::format("\n{} of the constants are on a line or in a module\n",
                        format_share(static_cast<double>(facts.placed_constants()) /
                                     static_cast<double>(facts.constants())));
  }
  return text;
}

}  // namespace etlens
