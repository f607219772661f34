// SPDX-License-Identifier: Apache-2.0
// A model of tests/data/helpers, one of its sources and edits of that -> lines inside helpers,
// within the budget of a load. The record's own lines are not compared with the text, or hardly any
// edit would be read.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/budget.h"
#include "core/base/file_system.h"
#include "core/formats/etrecord/etrecord_reader.h"
#include "test_paths.h"
#include "tests/support/helper_truth.h"

namespace {

using namespace etlens;
using namespace etlens::test;

constexpr size_t kEditBytes = 4;
constexpr size_t kMaxEdits = 24;

// Those that are found in a few thousand steps: an input takes milliseconds.
constexpr std::string_view kNames[] = {"closures", "dev2",     "dev4",    "family", "gan",
                                       "mixer",    "patterns", "records", "rnn",    "ropeformer",
                                       "streams",  "unet",     "vision"};

struct Model {
  EtRecord record;
  std::vector<bool> is_project;
  std::map<std::string, std::shared_ptr<const PythonSyntax>, std::less<>> sources;  // as recorded
};

Model model_of(std::string_view name) {
  const std::string folder = ETLENS_TEST_DATA "/helpers/" + std::string(name);
  Result<EtRecord> record = read_etrecord(real_file_system(), folder + "/model.etrecord");
  if (!record) std::abort();
  Model model{std::move(*record), {}, {}};
  model.is_project = project_files(model.record);
  for (Frame& frame : model.record.frames) frame.text = {};
  const ReadSource read = helper_sources(folder);
  for (const std::string& path : helper_files(folder)) model.sources[path] = read(path);
  return model;
}

// Words and whole lines that edits put in: those of the file itself, and some that none may have.
std::string_view word_of(const Document& document, uint8_t choice) {
  static constexpr std::string_view kWords[] = {"None",
                                                "x",
                                                "self",
                                                "-1",
                                                "0",
                                                "9223372036854775807",
                                                "[]",
                                                "()",
                                                "{}",
                                                "**kwargs",
                                                "*args",
                                                "lambda: x",
                                                "yield x",
                                                "return",
                                                "(x for x in x)",
                                                "[x for x in self]",
                                                "x[::-1]",
                                                "x[None]",
                                                "not x",
                                                "super()",
                                                "getattr(self, x)",
                                                "*x, y = x",
                                                "x if x else x",
                                                "torch.add(x, x)",
                                                ":=",
                                                "forward",
                                                "__init__",
                                                "operator.add(x, 1)",
                                                "range(x)",
                                                "zip(x, x)",
                                                "map(x, x)"};
  if (choice < 128) return kWords[choice % std::size(kWords)];
  return document.line(choice * 7919u % document.line_count());
}

// Each edit: what is done, at which line, with what, at which word.
std::string edited(std::string text, const uint8_t* data, size_t size) {
  for (size_t i = 0; i + kEditBytes <= size && i < kMaxEdits * kEditBytes; i += kEditBytes) {
    const Document document(text);
    if (document.line_count() < 2) break;
    const size_t line = (data[i] / 4 * 256u + data[i + 1]) % document.line_count();
    const std::string_view old = document.line(line);
    const std::string_view put = word_of(document, data[i + 2]);
    const size_t at = document.line_start(line);
    const size_t space = old.find(' ', old.empty() ? 0 : data[i + 3] % old.size());
    const size_t word = space == std::string_view::npos ? old.size() : space;
    const size_t end =
        std::min(old.find_first_of(" ,)(", std::min(word + 1, old.size())), old.size());
    switch (data[i] % 4) {
      case 0:
        text.replace(at, old.size(), "");
        break;
      case 1:
        text.replace(at + word, 0, " " + std::string(put));
        break;
      case 2:
        text.replace(at + word, end - word, " " + std::string(put));
        break;
      default:
        text.insert(at, std::string(put) + "\n");
        break;
    }
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static std::vector<std::optional<Model>> models(std::size(kNames));
  if (size < 2) return 0;
  const size_t choice = data[0] % std::size(kNames);
  std::optional<Model>& model = models[choice];
  if (!model) model = model_of(kNames[choice]);
  auto changed = model->sources.begin();
  std::advance(changed, data[1] % model->sources.size());
  const auto edited_syntax = PythonSyntax::parse(std::make_shared<const Document>(
      edited(std::string(changed->second->document().text()), data + 2, size - 2)));
  const ReadSource read = [&](std::string_view asked) -> std::shared_ptr<const PythonSyntax> {
    const auto source = model->sources.find(asked);
    if (source == model->sources.end()) return nullptr;
    return source == changed ? edited_syntax : source->second;
  };
  const Result<Recovery> recovery = within_budget({}, [&]() -> Result<Recovery> {
    return recover_lines(model->record, model->record.methods.front().edge, model->is_project,
                         read);
  });
  if (!recovery) return 0;
  for (const RecoveredNode& node : recovery->nodes) {
    if (node.first_frame + node.frame_count > recovery->frames.size()) std::abort();
  }
  return 0;
}
