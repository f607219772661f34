// SPDX-License-Identifier: Apache-2.0
#include "bench/anchoring/truth.h"

#include <algorithm>
#include <memory>
#include <set>

#include "bench/anchoring/baselines.h"
#include "core/base/text.h"
#include "core/source/python/python_syntax.h"
#include "core/source/python/python_tokens.h"
#include "core/source/python/token_form.h"

namespace etlens::bench {
namespace {

constexpr double kAlike = 0.6;     // a line and what it was edited to
constexpr double kUnlike = 0.35;   // lines that have nothing to do with each other
constexpr float kPieceWeight = 2;  // of a line that may be a piece of a longer one

TokenForm form_of(std::string_view text) { return token_form(python_tokens(text)); }

// One version: its lines (1-based), and the name of the function that each is in.
struct Side {
  explicit Side(const std::string& text)
      : document(std::make_shared<Document>(text)), syntax(PythonSyntax::parse(document)) {
    forms.emplace_back();
    for (size_t line = 0; line < document->line_count(); ++line)
      forms.push_back(form_of(document->line(line)));
    for (const PythonScope& scope : syntax->scopes()) {
      if (!scope.is_class) functions.emplace(scope.name);
    }
  }

  uint32_t line_count() const { return static_cast<uint32_t>(document->line_count()); }
  bool is_blank(uint32_t line) const { return forms[line].token_count == 0; }
  std::string_view function_of(uint32_t line) const {
    const PythonStatement* statement = syntax->statement_at(line - 1);
    return statement == nullptr || statement->scope == kNone
               ? ""
               : syntax->scopes()[statement->scope].name;
  }

  std::shared_ptr<const Document> document;
  std::shared_ptr<const PythonSyntax> syntax;
  std::vector<TokenForm> forms;
  std::set<std::string_view> functions;
};

// Old lines between `first` and `last` became the new ones between `new_first` and `new_last`; all
// exclusive.
struct Passage {
  uint32_t first = 0, last = 0, new_first = 0, new_last = 0;
};

class Judge {
 public:
  Judge(const std::string& before, const std::string& after, Reading reading)
      : histogram_(git_diff(before, after)),
        minimal_(git_diff(before, after, "--minimal")),
        old_(before),
        new_(after),
        reading_(reading) {}

  Fates run() {
    Fates fates(old_.line_count() + 1, kInDoubt);
    if (!histogram_.is_known || !minimal_.is_known) return fates;
    is_new_.assign(new_.line_count() + 2, true);
    for (uint32_t line = 1; line <= old_.line_count(); ++line) {
      if (!is_agreed(line)) continue;
      fates[line] = histogram_.new_line[line];
      is_new_[fates[line]] = false;
    }
    Passage passage;
    for (uint32_t line = 1; line <= old_.line_count() + 1; ++line) {
      const bool is_end = line == old_.line_count() + 1;
      // Blank lines are alike everywhere: that two diffs agree on one says nothing of its
      // neighbours.
      if (!is_end && (!is_agreed(line) || old_.is_blank(line))) continue;
      passage.last = line;
      passage.new_last = is_end ? new_.line_count() + 1 : fates[line];
      if (passage.new_last > passage.new_first) judge(passage, fates);
      passage.first = passage.last;
      passage.new_first = passage.new_last;
    }
    return fates;
  }

 private:
  bool is_agreed(uint32_t line) const {
    return histogram_.new_line[line] != 0 && minimal_.new_line[line] == histogram_.new_line[line];
  }

  void judge(const Passage& passage, Fates& fates) const {
    const bool is_one_for_one =
        passage.last - passage.first == passage.new_last - passage.new_first;
    for (uint32_t line = passage.first + 1; line < passage.last; ++line) {
      if (fates[line] != kInDoubt) continue;
      double best = 0;
      bool is_joined = false;
      for (uint32_t now = passage.new_first + 1; now < passage.new_last; ++now) {
        best = std::max(best, alike(line, now));
        is_joined |= find_run(old_.forms[line], new_.forms[now]) != SIZE_MAX;
      }
      const uint32_t place = passage.new_first + (line - passage.first);
      const double counterpart = is_one_for_one ? alike(line, place) : 0;
      if (counterpart >= kAlike && counterpart >= best) fates[line] = place;
      else if (best < kUnlike && !is_joined && is_gone_beyond(line, passage)) fates[line] = kGone;
    }
  }

  double alike(uint32_t line, uint32_t now) const {
    return similarity(old_.forms[line], new_.forms[now]);
  }

  bool is_gone_beyond(uint32_t line, const Passage& passage) const {
    if (reading_ == Reading::Lenient) return !may_be_elsewhere(line, passage);
    for (uint32_t now = passage.new_first + 1; now < passage.new_last; ++now) {
      const bool is_telling = new_.forms[now].weight >= kPieceWeight;
      if (is_telling && find_run(new_.forms[now], old_.forms[line]) != SIZE_MAX) return false;
    }
    return true;
  }

  // Moved as it is; or moved and edited: within its function, or out of it into a new one.
  bool may_be_elsewhere(uint32_t line, const Passage& passage) const {
    const std::string_view function = old_.function_of(line);
    for (uint32_t now = 1; now <= new_.line_count(); ++now) {
      if (new_.forms[now].key == old_.forms[line].key) return true;
      if (!is_new_[now] || alike(line, now) < kAlike) continue;
      const std::string_view there = new_.function_of(now);
      if (there == function || is_extracted(there, function, passage)) return true;
    }
    return false;
  }

  // A new function, named on a new line of the passage or of the function that the passage is in.
  // Or perhaps that function under another name, if its own is gone.
  bool is_extracted(std::string_view function, std::string_view from,
                    const Passage& passage) const {
    if (function.empty() || old_.functions.contains(function)) return false;
    if (!from.empty() && !new_.functions.contains(from)) return true;
    const uint64_t name = hash_of(function);
    for (uint32_t now = 1; now <= new_.line_count(); ++now) {
      const std::vector<uint64_t>& names = new_.forms[now].names;
      if (!is_new_[now] || std::find(names.begin(), names.end(), name) == names.end()) continue;
      if ((now > passage.new_first && now < passage.new_last) || new_.function_of(now) == from)
        return true;
    }
    return false;
  }

  GitDiff histogram_, minimal_;
  Side old_, new_;
  Reading reading_;
  std::vector<bool> is_new_;  // per new line: no old one is there that both diffs agree on
};

}  // namespace

Fates fates_between(const std::string& before, const std::string& after, Reading reading) {
  return Judge(before, after, reading).run();
}

Fates chain(const Fates& first, const Fates& then) {
  Fates fates = first;
  for (uint32_t& fate : fates) {
    if (fate != kGone && fate != kInDoubt) fate = fate < then.size() ? then[fate] : kInDoubt;
  }
  return fates;
}

Fates confirmed(Fates fates, const std::string& before, const std::string& after) {
  if (std::find(fates.begin(), fates.end(), kGone) == fates.end()) return fates;
  const Fates direct = fates_between(before, after);
  for (size_t line = 0; line < fates.size(); ++line) {
    if (fates[line] == kGone && direct[line] != kGone) fates[line] = kInDoubt;
  }
  return fates;
}

bool is_text_there(const Document& document, std::string_view text) {
  const uint64_t key = form_of(text).key;
  for (size_t n = 0; n < document.line_count(); ++n) {
    if (form_of(document.line(n)).key == key) return true;
  }
  return false;
}

}  // namespace etlens::bench
