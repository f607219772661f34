// SPDX-License-Identifier: Apache-2.0
// OpenStudy: what the session shows, with its sources as they were on disk when it was loaded.
// Immutable and shared: the next one replaces it whole.
#pragma once

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "core/base/file_system.h"
#include "core/facts/advice.h"
#include "core/facts/headline.h"
#include "core/facts/other_methods.h"
#include "core/facts/reasons.h"
#include "core/facts/value_facts.h"
#include "core/source/python/python_syntax.h"
#include "core/workspace/anchored_source.h"
#include "server/load/artifact_set.h"

namespace etlens {

struct DiskSource {
  FileStamp stamp;
  AnchoredSource anchored;
  std::shared_ptr<const PythonSyntax> syntax;  // null if the file was not found or not readable
};

struct OpenMeasure {
  Facts facts;
  Headline headline;  // of the facts
};

struct OpenStudy {
  std::vector<OpenMeasure> measures;                  // as Study::measures
  std::vector<DiskSource> sources;                    // one per Code::files of the join
  std::vector<std::vector<DiskSource>> more_sources;  // as Study::more_sources
  std::shared_ptr<const ValuesFacts> values;          // null where the dump logged none
  // Rows of the first value with a NaN and of the first with an infinity; looked for where loading
  // need not wait for it.
  std::vector<size_t> odd_values;
  std::vector<Advice> advice;           // of time
  std::vector<OperatorReason> reasons;  // likewise: all_reasons
  OtherMethods others;                  // than the one of time
  LoadKey used;                         // the artifacts that were chosen, with their stamps
  // Of the baseline with it, by its time; null without.
  std::shared_ptr<const Comparison> comparison;
  std::string baseline_problem;  // a sentence: why it cannot be compared; "" if nothing is wrong
  // Likewise: why the record that was found is left out.
  std::string record_problem;
  bool is_exported_again = false;  // that record is newer than the dump: of the next export
  LoadReport source_problems;      // of sources that are left out

  const Study& study() const { return measures.front().facts.study(); }
  // Of an export that has not run: the operators.
  const OpenMeasure& time() const { return measures.front(); }
  // Null if the study has no such measure.
  const OpenMeasure* find(std::string_view id) const {
    const auto at = std::ranges::find(
        measures, id, [](const OpenMeasure& row) { return row.facts.quantity().id; });
    return at == measures.end() ? nullptr : &*at;
  }
  // The measure to show when this one was chosen: it, or what there is instead.
  const OpenMeasure& choose(std::string_view id) const {
    const OpenMeasure* row = find(id);
    const bool says_something = row != nullptr && row->facts.contribution_count() > 0;
    return says_something ? *row : measures[study().first_measure()];
  }
  // Of a measure's code.
  const std::vector<DiskSource>& sources_of(const Code& code) const {
    const std::vector<CodeSources>& more = study().more_sources;
    for (size_t c = 0; c < more.size(); ++c) {
      if (more[c].code.get() == &code) return more_sources[c];
    }
    return sources;
  }
};

}  // namespace etlens
