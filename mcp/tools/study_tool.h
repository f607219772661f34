// SPDX-License-Identifier: Apache-2.0
// What tools about one run have in common: their arguments, and the study that these choose.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/facts/facts.h"
#include "core/facts/headline.h"
#include "mcp/answer.h"
#include "mcp/tool.h"

namespace etlens::mcp {

// `own`, and the arguments that choose a study.
std::vector<ArgumentRow> with_study_arguments(std::vector<ArgumentRow> own);
inline constexpr ArgumentRow kMeasureArgument{
    "measure", ArgumentType::Text,
    "What to show: time (default), memory, size, or error, where the dump logged values"};

StudyChoice study_choice(const Arguments& arguments);

// What a question is answered from.
struct Asked {
  std::shared_ptr<const OpenedStudy> opened;
  Facts facts;
  Headline head;
  Sources sources;
  Units units;

  Asked(std::shared_ptr<const OpenedStudy> study, Facts of, const FileSystem& files)
      : opened(std::move(study)),
        facts(std::move(of)),
        head(headline(facts)),
        sources(files, facts.code(), facts.sources()),
        units(facts) {}
};
// Of the measure that the arguments name. NotFound if there is none of it.
Result<std::unique_ptr<const Asked>> ask(const Arguments& arguments, Workspace& workspace,
                                         const CancelToken& cancel);

// Sentences about what was chosen among several.
std::vector<std::string> notes_of(const OpenedStudy& opened);

}  // namespace etlens::mcp
