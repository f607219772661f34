// SPDX-License-Identifier: Apache-2.0
#include "core/measure/size.h"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace etlens {
namespace {

class PartLander {
 public:
  PartLander(const Code& code, size_t method) : code_(code), method_(method) {
    for (size_t p = 0; p < code.places.size(); ++p) {
      const Place& place = code.places[p];
      if (!place.line.valid()) continue;
      places_.try_emplace({place.line, place.module}, p);
      places_.try_emplace({place.line, ModuleId()}, p);
    }
  }

  Landing land(const FilePart& part) const {
    Landing row;  // what belongs to no operator of the method: Part::Framework
    const bool is_constant =
        part.kind == FilePartKind::Constant || part.kind == FilePartKind::DelegateConstant;
    if (part.method != method_) return row;
    row.partition = part.partition;
    if (part.line.valid()) {
      row.place = place_of(part);
      row.part = row.place.valid() ? Part::Line : Part::Unattributed;
      if (row.place.valid()) row.line = part.line;
      row.module = part.module.valid() ? part.module : ModuleId(0);
    } else if (part.partition.valid()) {
      row.part = Part::OpaquePartition;
      row.module = part.module.valid() ? part.module : ModuleId(0);
    } else if (is_constant) {
      row.part = Part::Unattributed;
      row.module = part.module.valid() ? part.module : ModuleId(0);
    }
    return row;
  }

 private:
  PlaceId place_of(const FilePart& part) const {
    auto at = places_.find({part.line, part.module});
    if (at == places_.end()) at = places_.find({part.line, ModuleId()});
    return at == places_.end() ? PlaceId() : at->second;
  }

  const Code& code_;
  size_t method_;
  std::map<std::pair<LineId, ModuleId>, PlaceId> places_;
};

std::string_view words_of(FilePartKind kind) {
  switch (kind) {
    case FilePartKind::Constant:
      return "constant";
    case FilePartKind::DelegateConstant:
      return "constant of a delegate";
    case FilePartKind::DelegateOther:
      return "rest of a delegate's payload";
    case FilePartKind::Program:
      return "instructions, values and names";
    case FilePartKind::Padding:
    case FilePartKind::External:
      break;
  }
  return "padding";
}

ContributionLabel label_of(const FilePart& part) {
  ContributionLabel label{part.name, std::string(words_of(part.kind))};
  if (label.name.empty()) label.name = name_of(part.kind);
  if (part.users > 1) label.remark += fmt::format(", shared by {}", part.users);
  return label;
}

}  // namespace

Measure measure_size(std::shared_ptr<const Code> code, size_t method, const FileBytes& bytes) {
  const PartLander lander(*code, method);
  auto landings = std::make_shared<Landings>();
  landings->code = std::move(code);
  std::vector<int64_t> sizes;
  std::vector<ContributionLabel> labels;
  for (const FilePart& part : bytes.parts) {
    if (part.kind == FilePartKind::External) continue;
    landings->rows.push_back(lander.land(part));
    sizes.push_back(static_cast<int64_t>(part.bytes));
    labels.push_back(label_of(part));
  }
  index_landings(*landings, std::vector<bool>(landings->rows.size(), false));
  Quantity quantity;
  quantity.id = quantity.label = kSizeId;
  quantity.dimension = Dimension::Bytes;
  quantity.over_samples = OverSamples::Last;
  quantity.whole = "the file";
  quantity.framework = "the rest of the file";
  Measure measure = measure_once(quantity, std::move(landings), sizes);
  measure.labels = std::move(labels);
  return measure;
}

}  // namespace etlens
