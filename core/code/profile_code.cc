// SPDX-License-Identifier: Apache-2.0
#include "core/code/profile_code.h"

#include <limits>
#include <map>
#include <unordered_map>
#include <utility>

namespace etlens {
namespace {

bool has_line(const PythonFunction& function) {
  return function.key.line > 0 && function.key.line <= std::numeric_limits<int32_t>::max();
}

// Files in the order in which they are first seen, lines ascending within each.
class Lines {
 public:
  explicit Lines(const PythonProfile& profile) : profile_(profile) {
    for (size_t f = 0; f < profile.functions.size(); ++f) {
      const PythonFunction& function = profile.functions[f];
      if (!has_line(function)) continue;
      const auto [file, is_new] = order_.try_emplace(function.key.file, files_.size());
      if (is_new) files_.push_back(function.key.file);
      functions_.try_emplace(std::pair(file->second, number_of(function)), PythonFunctionId(f));
    }
  }

  void store(Code& code) {
    code.files.resize(files_.size());
    for (size_t f = 0; f < files_.size(); ++f) code.files[f].recorded_path = files_[f];
    for (const auto& [where, function] : functions_) {
      CodeFile& file = code.files[where.first];
      const LineId id(code.lines.size());
      if (file.line_count++ == 0) file.first_line = id.value;
      CodeLine line;
      line.file = FileId(where.first);
      line.number = where.second;
      line.function = profile_.row(function).key.name;
      line.text = kEmptyString;
      code.lines.push_back(std::move(line));
      Place place;  // row for row with the lines
      place.line = id;
      place.stack = {id};
      place.module = ModuleId(0);
      place.owners = {ModuleId(0)};
      code.places.push_back(std::move(place));
      lines_.emplace(where, id);
    }
  }

  LineId find(const PythonFunction& function) const {
    if (!has_line(function)) return {};
    return lines_.at(std::pair(order_.at(function.key.file), number_of(function)));
  }

 private:
  static uint32_t number_of(const PythonFunction& function) {
    return static_cast<uint32_t>(function.key.line);
  }

  const PythonProfile& profile_;
  std::unordered_map<StringId, size_t> order_;
  std::vector<StringId> files_;
  std::map<std::pair<size_t, uint32_t>, PythonFunctionId> functions_;
  std::map<std::pair<size_t, uint32_t>, LineId> lines_;
};

}  // namespace

std::shared_ptr<const Landings> land_profile(std::shared_ptr<const PythonProfile> profile) {
  auto code = std::make_shared<Code>();
  code->strings = std::shared_ptr<const StringPool>(profile, &profile->strings);
  code->has_definitions = true;
  code->modules.emplace_back();
  Lines lines(*profile);
  lines.store(*code);
  auto landings = std::make_shared<Landings>();
  for (const PythonFunction& function : profile->functions) {
    Landing row;
    row.line = lines.find(function);
    row.part = row.line.valid() ? Part::Line : Part::Framework;
    if (row.line.valid()) {
      row.place = PlaceId(row.line.value);
      row.module = ModuleId(0);
    }
    landings->rows.push_back(row);
  }
  landings->code = std::move(code);
  index_landings(*landings, std::vector<bool>(landings->rows.size(), false));
  return landings;
}

}  // namespace etlens
