// SPDX-License-Identifier: Apache-2.0
#include "core/compare/recorded_text.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "core/source/anchor/recorded_file.h"
#include "core/source/git/git_blob.h"

namespace etlens {
namespace {

constexpr std::string_view kIndent = "    ";

// "tiny_llama.Attention" -> "Attention"; "" if nothing tells the class.
std::string_view class_of(const Code& code, const CodeLine& line) {
  if (line.owner_types.empty()) return {};
  const std::string_view type = code.text(line.owner_types.front());
  return type.substr(type.rfind('.') + 1);
}

class TextWriter {
 public:
  explicit TextWriter(const Code& code) : code_(code) {}

  void add(LineId id) {
    const CodeLine& line = code_.lines[id.value];
    const std::string_view owner = class_of(code_, line);
    const std::string_view function = code_.text(line.function);
    const bool is_function = !function.empty() && !function.starts_with('<');
    if (owner != owner_ || function != function_) {
      if (is_function && !owner.empty() && owner != owner_)
        put("class " + std::string(owner) + ":", 0, LineId());
      if (is_function)
        put("def " + std::string(function) + "(self):", owner.empty() ? 0 : 1, LineId());
      owner_ = owner;
      function_ = function;
    }
    put(code_.text(line.text), is_function ? (owner.empty() ? 1 : 2) : 0, id);
  }

  RecordedText finish() && {
    result_.document = std::make_shared<const Document>(std::move(text_));
    result_.line_of.resize(result_.document->line_count());
    return std::move(result_);
  }

 private:
  void put(std::string_view text, int depth, LineId id) {
    for (int i = 0; i < depth; ++i) text_ += kIndent;
    text_.append(text).append("\n");
    result_.line_of.push_back(id);
  }

  const Code& code_;
  std::string_view owner_;
  std::string_view function_;
  std::string text_;
  RecordedText result_;
};

}  // namespace

SourceTexts read_recorded_texts(const FileSystem& files, const Code& code,
                                const std::vector<SourceLocation>& sources,
                                const CancelToken& cancel) {
  SourceTexts texts(code.files.size());
  for (size_t f = 0; f < std::min(texts.size(), sources.size()); ++f) {
    const std::string& path = sources[f].path;
    if (path.empty()) continue;
    const Result<Bytes> text = files.read(path);
    if (!text) continue;
    const std::vector<RecordedLine> lines = recorded_lines(code, FileId(f));
    auto document = std::make_shared<const Document>(std::string(text->text()));
    texts[f] = fits_all_lines(*document, lines) ? std::move(document)
                                                : find_recorded_version(files, path, lines, cancel);
  }
  return texts;
}

RecordedText text_of_record(const Code& code, FileId file) {
  const CodeFile& row = code.files[file.value];
  TextWriter writer(code);
  for (uint32_t l = 0; l < row.line_count; ++l) writer.add(LineId(row.first_line + l));
  return std::move(writer).finish();
}

RecordedText text_of_file(const Code& code, FileId file,
                          const std::shared_ptr<const Document>& document) {
  if (document == nullptr || !fits_all_lines(*document, recorded_lines(code, file)))
    return text_of_record(code, file);
  RecordedText text;
  text.document = document;
  text.line_of.resize(document->line_count());
  const CodeFile& row = code.files[file.value];
  for (uint32_t l = row.first_line; l < row.first_line + row.line_count; ++l)
    text.line_of[code.lines[l].number - 1] = LineId(l);
  return text;
}

}  // namespace etlens
