// SPDX-License-Identifier: Apache-2.0
// The first arguments of the commands (methods.h), and what those that show a place answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "protocol/types.h"

namespace etlens::extensions {

struct JumpToEventArguments {
  uint32_t event = 0;
  std::optional<uint64_t> generation;  // refused if another profile was loaded since
};
FIELDS(JumpToEventArguments, event, generation)

struct HotLineArguments {
  std::optional<lsp::DocumentUri> uri;
  std::optional<lsp::Position> position;
  std::optional<lsp::Range> within;  // only lines of this range: the hottest one
};
FIELDS(HotLineArguments, uri, position, within)

struct ChangedLineArguments {
  std::optional<lsp::DocumentUri> uri;
  std::optional<lsp::Position> position;
};
FIELDS(ChangedLineArguments, uri, position)

// Of the client's own commands, which lenses name where the client can run a model.
inline constexpr const char* kProfileCommand = "etlens.profileModel";
inline constexpr const char* kRunAgainCommand = "etlens.runAgain";

struct ProfileModelArguments {
  lsp::DocumentUri uri;  // of the file with the model
  std::string model;     // the name of its class
};
FIELDS(ProfileModelArguments, uri, model)

struct SelectProfileArguments {
  std::string etdump;
  std::optional<std::string> etrecord;
  std::optional<std::string> pte;
};
FIELDS(SelectProfileArguments, etdump, etrecord, pte)

struct SelectBaselineArguments {
  std::vector<std::string> paths;  // dumps, folders, globs, or such of a git revision
  std::optional<std::string> etrecord;
  std::optional<std::string> pte;
};
FIELDS(SelectBaselineArguments, paths, etrecord, pte)

struct SelectFleetArguments {
  std::vector<std::string> paths;                   // dumps, folders of dumps, or one file of rows
  std::optional<std::vector<std::string>> groupBy;  // names of facts
};
FIELDS(SelectFleetArguments, paths, groupBy)

struct SelectMethodArguments {
  std::optional<std::string> method;
  std::optional<std::string> block;
};
FIELDS(SelectMethodArguments, method, block)

struct SelectStatisticArguments {
  std::string statistic;
};
FIELDS(SelectStatisticArguments, statistic)

struct SelectMeasureArguments {
  std::string measure;  // an id of StatusResult::measures
};
FIELDS(SelectMeasureArguments, measure)

struct SelectGroupArguments {
  std::string group;  // as the setting etlens.group takes it
};
FIELDS(SelectGroupArguments, group)

struct SelectExecutionsArguments {
  std::string executions;
};
FIELDS(SelectExecutionsArguments, executions)

struct JumpTarget {
  Spread<lsp::Location> place;
  std::optional<uint64_t> rank;  // 1-based, among lines; absent for an event, as is the count
  std::optional<uint64_t> count;
  std::optional<uint64_t> elsewhere;  // further lines, which are not in any text here
};
FIELDS(JumpTarget, place, rank, count, elsewhere)

}  // namespace etlens::extensions
