// SPDX-License-Identifier: Apache-2.0
// What people see of real artifacts: each tests/golden/surfaces/*.txtar names a pair in its
// request.json and has a section for every surface that it looks at:
//   hover model.py:12            a line, as recorded; `plain hover …` as plain text, `… with
//   picture` hover class model.Block      all instances of a class; `hover attribute
//   model.Block.attn` lenses model.py              what stands above classes and functions and
//   behind attributes annotate model.py            annotated source edge program 40 its first
//   lines; all without a number footer
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/render/annotate.h"
#include "core/render/edge_program.h"
#include "core/render/hover.h"
#include "core/render/scope_text.h"
#include "core/render/summary.h"
#include "core/workspace/load.h"
#include "test_paths.h"
#include "tests/support/txtar.h"

namespace etlens::golden_surfaces_test {

using namespace etlens::test;

namespace {

// The text behind the prefix; nullopt if it does not begin with it.
std::optional<std::string> behind(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return std::nullopt;
  return std::string(text.substr(prefix.size()));
}

class Surfaces {
 public:
  explicit Surfaces(const nlohmann::json& request) {
    const std::string folder = join_path(ETLENS_SOURCE, request.at("folder").get<std::string>());
    LoadRequest load;
    load.etdump = join_path(folder, request.value("etdump", "model.etdp"));
    load.etrecord = join_path(folder, "model.etrecord");
    if (request.value("pte", true)) load.pte = join_path(folder, "model.pte");
    load.roots = {join_path(ETLENS_SOURCE, request.at("sources").get<std::string>())};
    load.time.statistic = *parse_statistic(request.value("statistic", "typical"));
    load.time.executions = request.value("executions", "");
    load.finds_reasons = true;
    const auto study = load_study(real_file_system(), load);
    if (!study) FAIL(study.error().message);
    const std::string measure = request.value("measure", "time");
    for (size_t m = 0; m < (*study)->measures.size(); ++m) {
      if ((*study)->measures[m].quantity.id == measure) facts_.emplace(*study, m);
      else further_.emplace_back(*study, m);
    }
    REQUIRE(facts_.has_value());
    sources_ = read_and_anchor(real_file_system(), code(), facts_->study().sources);
    advice_ = advise(*facts_, headline(*facts_));
    if (request.contains("unit")) unit_ = parse_time_scale(request.at("unit").get<std::string>());
  }

  // nullopt: the section is not a surface.
  std::optional<std::string> show(std::string_view section) const {
    if (section == "footer") return summary_text(headline(*facts_), *facts_, unit_);
    if (const auto lines = behind(section, "edge program")) return edge_program(trim(*lines));
    if (const auto file = behind(section, "annotate ")) return annotated(*file);
    if (const auto file = behind(section, "lenses ")) return lenses(file_of(*file));
    if (const auto name = behind(section, "hover class ")) return class_hover(*name);
    if (const auto name = behind(section, "hover attribute ")) return attribute_hover(*name);
    if (const auto line = behind(section, "plain hover ")) return hover(*line, to_plain_text);
    if (const auto line = behind(section, "linked hover ")) return linked_hover(*line) + "\n";
    if (const auto line = behind(section, "hover ")) return hover(*line, to_markdown) + "\n";
    return std::nullopt;
  }

 private:
  const Code& code() const { return facts_->code(); }

  FileId file_of(std::string_view name) const {
    for (size_t f = 0; f < code().files.size(); ++f) {
      if (base_name(code().recorded_path(FileId(f))) == name) return FileId(f);
    }
    FAIL("no recorded file " << name);
    return {};
  }

  LineId line_of(std::string_view place) const {
    const size_t colon = place.find(':');
    const FileId file = file_of(place.substr(0, colon));
    const auto number = parse_int(place.substr(colon + 1));
    for (size_t l = 0; l < code().lines.size(); ++l) {
      const CodeLine& line = code().lines[l];
      if (line.file == file && number == int64_t{line.number}) return LineId(l);
    }
    FAIL("no recorded line " << place);
    return {};
  }

  std::string hover(std::string place, std::string (*write)(const HoverInfo&)) const {
    constexpr std::string_view kPicture = " with picture";
    HoverOptions options{.unit = unit_, .pictures = place.ends_with(kPicture), .advice = advice_};
    if (options.pictures) place.erase(place.size() - kPicture.size());
    return hover(place, options, write);
  }

  // As in an editor in whose text every line is where it was recorded.
  std::string linked_hover(std::string_view place) const {
    HoverOptions options{.unit = unit_, .advice = advice_};
    options.current_line = [this](LineId id) { return code().lines[id.value].number; };
    options.address = [](std::string_view path, uint32_t line) {
      return fmt::format("at:{}:{}", base_name(path), line);
    };
    return hover(place, options, to_markdown);
  }

  std::string hover(std::string_view place, const HoverOptions& options,
                    std::string (*write)(const HoverInfo&)) const {
    const LineId line = line_of(place);
    std::vector<MeasuredLine> further;
    for (const Facts& facts : further_) further.push_back({&facts, line});
    return write(line_hover(*facts_, line, options, further));
  }

  std::string class_hover(std::string_view name) const {
    for (const ClassRow& row : facts_->classes().classes) {
      if (code().text(row.type) == name)
        return to_markdown(
                   modules_hover(*facts_, name, row.inclusive, row.instances, {unit_, {}})) +
               "\n";
    }
    FAIL("no class " << name);
    return "";
  }

  std::string attribute_hover(std::string_view name) const {
    for (const AttributeRow& row : facts_->classes().attributes) {
      if (fmt::format("{}.{}", code().text(row.type), row.name) == name)
        return to_markdown(
                   modules_hover(*facts_, row.name, row.inclusive, row.instances, {unit_, {}})) +
               "\n";
    }
    FAIL("no attribute " << name);
    return "";
  }

  std::string lenses(FileId file) const {
    const AnchoredSource& source = sources_[file.value];
    REQUIRE(source.document != nullptr);
    const std::shared_ptr<const PythonSyntax> syntax = PythonSyntax::parse(source.document);
    std::vector<std::pair<uint32_t, std::string>> rows;
    for (const ScopeFacts& scope : scope_facts(*facts_, source, *syntax, 0.005)) {
      rows.emplace_back(scope.line, fmt::format("{}: {}", syntax->qualified_name(scope.scope),
                                                scope_title(*facts_, scope, unit_)));
    }
    for (const AttributeFacts& attribute : attribute_facts(*facts_, file, *syntax, 0.005)) {
      rows.emplace_back(attribute.line, fmt::format("self.{}: {}", attribute.row->name,
                                                    attribute_text(*facts_, attribute, unit_)));
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string text;
    for (const auto& [line, words] : rows) text += fmt::format("{:>4} {}\n", line + 1, words);
    return text;
  }

  std::string annotated(std::string_view file) const {
    AnnotateOptions options;
    options.unit = unit_;
    std::string text = annotate_source(*facts_, sources_[file_of(file).value], options);
    const std::string_view root = ETLENS_SOURCE "/";
    if (text.starts_with(root)) text.erase(0, root.size());
    return text;
  }

  std::string edge_program(std::string_view limit) const {
    const EdgeProgram program = etlens::edge_program(*facts_, unit_);
    const int64_t count = parse_int(limit).value_or(static_cast<int64_t>(program.lines.size()));
    std::string text;
    for (const EdgeProgramLine& line : program.lines) {
      if (&line - program.lines.data() == count) break;
      text += line.text + "\n";
    }
    return text;
  }

  std::optional<Facts> facts_;
  std::vector<Facts> further_;
  std::vector<AnchoredSource> sources_;
  std::vector<Advice> advice_;
  std::optional<TimeScale> unit_;
};

}  // namespace

TEST_CASE("golden: surfaces", "[golden]") {
  const std::vector<std::string> paths = golden_files("surfaces");
  REQUIRE_FALSE(paths.empty());
  for (const std::string& path : paths) {
    CAPTURE(path);
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    std::vector<Section> sections = parse_txtar(text.str());
    std::optional<Surfaces> surfaces;
    for (Section& section : sections) {
      CAPTURE(section.name);
      if (section.name == "request.json") surfaces.emplace(nlohmann::json::parse(section.text));
      if (!surfaces) continue;
      if (const std::optional<std::string> shown = surfaces->show(section.name))
        section.text = *shown;
    }
    const std::string rendered = format_txtar(sections);
    if (update_golden()) std::ofstream(path, std::ios::binary) << rendered;
    else CHECK(rendered == text.str());
  }
}

}  // namespace etlens::golden_surfaces_test
