// SPDX-License-Identifier: Apache-2.0
// What answers of tools have in common: what was measured, places in the sources, and their size:
// an answer goes into the context of a model, so it is no longer than it was asked to be, and says
// what it left out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/fields_schema.h"
#include "core/facts/headline.h"
#include "core/workspace/anchored_source.h"
#include "mcp/arguments.h"
#include "protocol/json_text.h"

namespace etlens::mcp {

inline constexpr size_t kMaxBytes = 8000;  // of an answer, unless the caller wants more
inline constexpr size_t kMaxRows = 20;     // of its longest list, likewise
inline constexpr size_t kMaxText = 200;    // characters of one name or source line
inline constexpr ArgumentRow kLimitArgument{"limit", ArgumentType::Count,
                                            "At most so many rows of each list (default: 20)"};
inline constexpr ArgumentRow kBytesArgument{
    "max_bytes", ArgumentType::Count,
    "The answer's JSON has at most so many bytes (default: 8000)"};

// What a tool answers, described by what writes it.
template <typename Answer>
std::string schema_text() {
  JsonWriter out(JsonStyle::Message);
  write_schema<Answer>(out, OtherFields::Refused);
  return out.take();
}

// As many digits as anybody reads, in fewer bytes.
double rounded(double value);
// The first kMaxText characters.
std::string clipped(std::string_view text, size_t limit = kMaxText);
// Of a string that may be missing.
std::optional<std::string> given(std::string_view text);

// What numbers are of, as in the command line's JSON. Times are in `unit`, of one execution.
struct Measured {
  std::string measure;
  std::string unit;
  std::optional<std::string> method;
  std::string block;
  uint64_t executions = 0;
  uint64_t executions_used = 0;
  std::string executions_shown;
  std::string statistic;
  double total = 0;
  std::string etdump;
  std::optional<std::string> etrecord;
  std::optional<std::string> pte;
};
FIELDS(Measured, measure, unit, method, block, executions, executions_used, executions_shown,
       statistic, total, etdump, etrecord, pte)

// A source line: where it is in the workspace now; where it is not there any more, as recorded.
struct Place {
  std::optional<std::string> path;
  std::optional<uint32_t> line;  // 1-based
  std::optional<std::string> recorded_path;
  std::optional<uint32_t> recorded_line;
  std::optional<std::string> function;
  std::optional<std::string> text;
};
FIELDS(Place, path, line, recorded_path, recorded_line, function, text)

struct LeftOut {
  std::string list;
  uint64_t count = 0;
};
FIELDS(LeftOut, list, count)
void leave_out(std::vector<LeftOut>& rows, const char* list, uint64_t count);

// Lines of one code, with the sources of today.
class Sources {
 public:
  Sources(const FileSystem& files, const Code& code, const std::vector<SourceLocation>& locations,
          const CancelToken& cancel)
      : code_(code),
        locations_(locations),
        anchored_(read_and_anchor(files, code, locations, &problems_, cancel)) {}

  const std::vector<AnchoredSource>& anchored() const { return anchored_; }
  const Anchor& anchor(LineId line) const {
    return anchored_[code_.lines[line.value].file.value].of(code_, line);
  }
  // Of those that are left out.
  const LoadReport& problems() const { return problems_; }
  // With function and text, or as short as a reference can be.
  Place place(LineId line) const;
  Place reference(LineId line) const;
  std::vector<Place> references(std::span<const LineId> lines, size_t limit) const;

 private:
  const Code& code_;
  const std::vector<SourceLocation>& locations_;
  LoadReport problems_;
  std::vector<AnchoredSource> anchored_;
};

// Times are in milliseconds; cycles in cycles.
TimeScale shown_scale(const Facts& facts);

// Numbers of the facts in the unit of the answer.
class Units {
 public:
  explicit Units(const Facts& facts);
  double of(double value) const { return rounded(value / factor_); }
  double of(const Cost& cost) const { return of(cost.value); }

 private:
  double factor_;
};

Measured measured(const Facts& facts, const Headline& head);

// How much of an answer was asked for.
class Room {
 public:
  explicit Room(const Arguments& arguments)
      : rows_(arguments.count("limit", kMaxRows)),
        bytes_(arguments.count("max_bytes", kMaxBytes)) {}

  size_t rows() const { return rows_; }

  // Takes rows from the end of a list until the answer fits. Lists are cut in the order of the
  // calls: the least important first.
  template <typename Answer, typename Row>
  void cut(Answer& answer, std::vector<Row> Answer::*list, const char* name) const {
    std::vector<Row>& rows = answer.*list;
    const size_t all = rows.size();
    if (rows.size() > rows_) rows.resize(rows_);
    size_t bytes = lsp::to_json_text(answer).size();
    if (bytes > bytes_ || rows.size() < all) bytes += kLeftOutBytes;
    while (bytes > bytes_ && !rows.empty()) {
      bytes -= std::min(bytes, lsp::to_json_text(rows.back()).size() + 1);
      rows.pop_back();
    }
    if (rows.size() < all) leave_out(answer.left_out, name, all - rows.size());
  }
  // The answer's JSON, if it fits.
  template <typename Answer>
  Result<std::string> text(const Answer& answer) const {
    std::string json = lsp::to_json_text(answer);
    if (json.size() > bytes_) return too_small(json.size());
    return json;
  }

 private:
  static constexpr size_t kLeftOutBytes = 40;
  Error too_small(size_t bytes) const;

  size_t rows_;
  size_t bytes_;
};

}  // namespace etlens::mcp
