// SPDX-License-Identifier: Apache-2.0
// Anchors: where a recorded source line stands in the text as it is now. A recorded line carries
// its own text, so a wrong placement can be told from a right one.
//
// The ladder; each anchor names the rung that it stands on:
//   same line   every recorded line of the file is where it was, in the function that it was in
//   edits       carried through the editor's changes by arithmetic (edited_anchors.h)
//   git blob    aligned like `syntax`, with every line of the version in git that fits all recorded
//               ones (git_blob.h, recorded_file.h)
//   syntax      the cheapest edit of the file that explains where the recorded lines are now
//               (line_alignment.h), lines moved within their function or to a helper, functions
//               found whole, lines edited between others
//   (none)      abstention: every other placement that is nearly as good would have been a guess
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/source/document.h"
#include "core/source/python/python_syntax.h"

namespace etlens {

enum class AnchorVerdict : uint8_t {
  Exact,  // same line number, same text
  Moved,  // the same statement, placed elsewhere or with changed text
  Stale,  // only the enclosing function is known
  Lost,   // not even that
};
std::string_view name_of(AnchorVerdict verdict);

enum class AnchorRung : uint8_t { None, SameLine, Edits, GitBlob, Syntax };

struct RecordedLine {
  uint32_t line = 0;          // 1-based
  std::string_view function;  // co_name: not qualified; may be <lambda> and the like
  std::string_view text;      // stripped; "" if it was not recorded
  // Types of the modules whose forward this line was seen in: "mlp.FeedForward". Evidence, not
  // proof: the function may belong to a base class.
  std::vector<std::string_view> classes = {};
  // The line is where `function` is defined, and no text was recorded (definitions.h). All lines of
  // a file are such lines, or none is.
  bool is_definition = false;
};

struct Anchor {
  AnchorVerdict verdict = AnchorVerdict::Lost;
  uint32_t line = 0;    // 1-based, in the document; 0 if Stale or Lost
  bool edited = false;  // the statement's tokens differ from the recorded ones; a formatter's
                        // changes are no edit
  AnchorRung rung = AnchorRung::None;
  uint32_t function_line = 0;  // 1-based, of the def of the function; 0 if it is not known

  friend bool operator==(const Anchor&, const Anchor&) = default;
};

// What is known beside the document's text; everything may be missing.
struct AnchorEvidence {
  std::shared_ptr<const PythonSyntax> syntax;  // of the document; parsed here if it is needed
  // The file as it was recorded; not looked at unless every line is in it.
  std::shared_ptr<const Document> recorded = nullptr;
  // 1-based lines that are certain already, per recorded line, 0 for the others.
  std::span<const uint32_t> known = {};
};

// One anchor per recorded line. Two recorded lines share a line of the document only if they were
// lines of one statement that is now written on one line.
std::vector<Anchor> anchor_lines(const std::shared_ptr<const Document>& document,
                                 const std::vector<RecordedLine>& lines,
                                 const AnchorEvidence& evidence = {});

// Fills in verdict and edited of an anchor whose line is known and text may have changed.
// `syntax`: of the document; null if it is not at hand.
void describe_anchor(const Document& document, const PythonSyntax* syntax, const RecordedLine& line,
                     Anchor& anchor);

}  // namespace etlens
