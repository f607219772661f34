// SPDX-License-Identifier: Apache-2.0
// What a reader can do about a finding, without saying how: core names a control, each surface words
// it as its own. "Choose one{method}." is "Choose one with --method." on the command line, names a
// setting in an editor and an argument for an agent, and is "Choose one." where there is no such
// control.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace etlens {

enum class Control : uint8_t {
  Dump,
  Record,
  Program,
  Profile,
  Reference,
  ReferenceRecord,
  DebugBuffer,
  Method,
  Executions,
  Mean,
  Recovery,
  FindFile,
  ChooseFile,
  ShowFile,
  SourceTimeScale,
  FleetFacts,
  Jobs,
  AllRows,
  Details,
  Allocations,
  Values,
  Size,
  kCount,
};

// Words of each, by Control: a clause with the blank or sign before it; "" for what a surface lacks.
using ControlWords = std::array<std::string_view, static_cast<size_t>(Control::kCount)>;

struct ControlRow {
  Control control;
  std::string_view words;
};

constexpr ControlWords control_words(std::initializer_list<ControlRow> rows) {
  ControlWords words{};
  for (const ControlRow& row : rows) words[static_cast<size_t>(row.control)] = row.words;
  return words;
}

// The words of the surface that this process serves; `words` outlives it. Once, before anything is
// worded. Without it no control has words.
void use_controls(const ControlWords& words);

std::string_view words_of(Control control);

// The name between braces in a text: "method".
std::string_view name_of(Control control);

// `text` with each {name} of a control replaced by its words; other braces stay.
std::string worded(std::string_view text);

}  // namespace etlens
