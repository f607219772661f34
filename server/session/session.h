// SPDX-License-Identifier: Apache-2.0
// Session: what the server knows between two messages. Owned by the loop thread; features read it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/render/edge_program.h"
#include "core/workspace/other_models.h"
#include "protocol/feature_types.h"
#include "server/capabilities.h"
#include "server/config.h"
#include "server/load/budget_checker.h"
#include "server/load/run_keeper.h"
#include "server/session/documents.h"
#include "server/session/line_texts.h"
#include "server/session/line_words.h"
#include "server/session/sources.h"

namespace etlens {

enum class StudyState { None, Loading, Ready, Failed };

// A path as a person in a workspace of these folders says it.
std::string short_path(const std::vector<std::string>& roots, const std::string& path);

class Session {
 public:
  explicit Session(const FileSystem& file_system)
      : files(file_system),
        source_worker(file_system),
        sources(file_system, documents, source_worker),
        texts_(sources) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const FileSystem& files;
  ClientCapabilities client;
  Config config;
  std::vector<std::string> roots;
  Documents documents;
  SourceWorker source_worker;
  Sources sources;

  StudyState state = StudyState::Loading;         // until the first look is over
  std::string message = "looking for artifacts";  // what is shown, or why nothing is
  std::string other_models;  // that the folder holds, in one sentence; "" for none
  struct ModelBeside {
    std::string etdump;
    ModelSources sources;
  };
  std::vector<ModelBeside> models_beside;  // the same, with their lines
  std::optional<LastRun> last_run;         // the stored run before the shown one; nullopt: unknown
  std::vector<NamedRun> earlier_runs;      // stored runs that people compare the shown one with
  std::optional<CheckedBudgets>
      budgets;           // of the workspace's policy; nullopt: it has none, or it is not known yet
  std::string replaced;  // what another dump took the place of, likewise; "" for nothing
  // What there is to wait for, in a few words, and why that was found; "" for nothing.
  std::string waiting;
  std::string waiting_details;
  bool reads_fleet = false;
  std::string fleet_message;  // about the fleet, in one sentence; "" for none

  // Null before the first study. The last good one stays.
  const OpenStudy* study() const { return study_.get(); }
  // The same, for what goes on in the background.
  std::shared_ptr<const OpenStudy> kept_study() const { return study_; }
  // Of the measure that is chosen, which lines, modules and lists are shown by.
  const Facts* facts() const { return facts_; }
  // Of time, whatever is chosen: what is about events alone (fallbacks, delegate calls, the graph
  // of the method) and about the dump as a whole.
  const Facts* time_facts() const { return study_ ? &study_->time().facts : nullptr; }
  // The sources of the measure's code: `sources`, or others where its code is another.
  Sources& sources_of(const Facts& facts);
  // Of the baseline with what is shown; null without.
  const Comparison* comparison() const { return study_ ? study_->comparison.get() : nullptr; }
  // The same while the time is what is shown: a comparison is of nothing else.
  const Comparison* shown_comparison() const {
    return facts_ != nullptr && facts_ == time_facts() ? comparison() : nullptr;
  }
  // The fleet beside it; null without.
  const FleetView* fleet() const { return fleet_view_ ? &*fleet_view_ : nullptr; }
  uint64_t generation() const { return generation_; }
  // The one that was shown: to free it takes a while.
  std::shared_ptr<const OpenStudy> publish(std::shared_ptr<const OpenStudy> study);
  // Null: there is none any more.
  void set_fleet(std::shared_ptr<const Fleet> fleet);
  void set_config(Config new_config);
  // By its id; "" is time, and so is what the study does not have. True if another one is shown
  // now: ids of contributions that were given before are no longer valid.
  bool choose_measure(std::string id);
  // Why the measure that was chosen is not shown; "" if it is.
  std::string measure_note() const;
  void forget(const lsp::DocumentUri& uri);

  // A line of now (0-based) as the measures that are not chosen have it. `id`: of the chosen one;
  // invalid if it has nothing there.
  std::vector<MeasuredLine> further_lines(const SourceView& view, uint32_t line, LineId id);
  // The hover of a recorded line as the client wants it written.
  std::string line_hover_text(const SourceView& view, LineId line);
  // Its hint; nullopt if it has none. `edited`: its text is no longer the recorded one. Valid until
  // something is asked about the same line again.
  const std::optional<WordedHint>& hint_of(LineId line, bool edited);
  // The interval of its own cost.
  const std::optional<Interval>& interval_of(LineId line);
  // What changed there since the baseline; null without a baseline, and while another measure than
  // the time is shown.
  const Change* change_of(LineId line, bool is_inclusive) const {
    return facts_ == nullptr ? nullptr : line_words().change(line, is_inclusive);
  }
  lsp::MarkupContent markup(const HoverInfo& hover) const;
  // Adds a paragraph to what markup() wrote.
  void append(std::string& text, const HoverInfo& more) const;
  HoverOptions hover_options();
  // Of the shown method; only with a study.
  const EdgeProgram& edge_program();

 private:
  void find_measure();
  void view_fleet();
  LineWords line_words() const;

  std::shared_ptr<const OpenStudy> study_;
  const Facts* facts_ = nullptr;  // of the study
  std::string measure_;           // that was chosen
  std::shared_ptr<const Fleet> fleet_;
  std::optional<FleetView> fleet_view_;  // of the fleet and the study
  // Of other codes than the chosen measure's; made when they are first asked for.
  std::unordered_map<const Code*, std::unique_ptr<Sources>> more_sources_;
  uint64_t generation_ = 0;
  LineTexts texts_;
  std::optional<EdgeProgram> edge_program_;
};

}  // namespace etlens
