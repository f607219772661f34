// SPDX-License-Identifier: Apache-2.0
// LoadStatus: the newest dump of a folder is shown. If others there are of other models, the status
// says so in one sentence, and files of theirs by a lens: looked for in the background, when the
// numbers are on the lines already.
#include "core/workspace/other_models.h"

#include <algorithm>
#include <memory>

#include "core/base/path.h"
#include "server/load_status.h"

namespace etlens {

struct LoadStatus::Look {
  std::vector<FoundArtifact> found;
  std::string etdump;
  std::string etrecord;
  bool is_chosen;  // somebody named the dump
  CancelToken cancel = {};
  std::vector<Session::ModelBeside> models = {};

  void run(const FileSystem& files) {
    for (OtherModel& model : other_models(files, found, etdump, etrecord, cancel)) {
      if (cancel.cancelled()) return;
      models.push_back(
          {std::move(model.etdump), ModelSources::read(files, model.etrecord, cancel)});
    }
  }
};

void LoadStatus::look_for_other_models() {
  session_.other_models.clear();
  session_.models_beside.clear();
  const Study& study = session_.study()->study();
  workers_.other_models.start(
      std::make_shared<Look>(Look{workers_.study.found(), study.etdump_path, study.etrecord_path,
                                  !workers_.study.settings().etdump.empty()}),
      [&files = session_.files](Look& look) { look.run(files); },
      [this](Look& look) { show_other_models(look); });
}

void LoadStatus::show_other_models(Look& look) {
  if (look.models.empty()) return;
  session_.models_beside = std::move(look.models);
  // Files that the shown model has no line of say now where they were measured.
  const auto& open = session_.documents.all();
  const bool is_asked = std::ranges::any_of(open, [&](const auto& row) {
    const OpenDocument& document = row.second;
    return document.uri.is_file() && !session_.sources.has(document.uri) &&
           std::ranges::any_of(session_.models_beside, [&](const auto& model) {
             return model.sources.has(document.uri.path(), *document.text);
           });
  });
  if (is_asked) publisher_.refresh();
  if (look.is_chosen) return;
  std::vector<std::string> names;
  for (const Session::ModelBeside& model : session_.models_beside)
    names.push_back(short_path(session_.roots, model.etdump));
  session_.other_models = other_models_text(names);
  base_.log.info(session_.other_models);
  publisher_.notify_profile_changed();
}

}  // namespace etlens
