// SPDX-License-Identifier: Apache-2.0
// Server: the newest dump of a folder is shown. If others there are of other models, the status
// says so in one sentence, and files of theirs by a lens: looked for in the background, when the
// numbers are on the lines already.
#include "core/workspace/other_models.h"

#include <algorithm>
#include <memory>

#include "core/base/path.h"
#include "server/server.h"

namespace etlens {

void Server::look_for_other_models() {
  session_.other_models.clear();
  session_.models_beside.clear();
  other_models_look_.cancel();
  const bool is_chosen = !loader_->settings().etdump.empty();
  other_models_look_ = CancelToken();
  struct Look {
    std::vector<FoundArtifact> found;
    std::string etdump;
    std::string etrecord;
    std::vector<Session::ModelBeside> models;
  };
  const Study& study = session_.study()->study();
  auto look =
      std::make_shared<Look>(Look{loader_->found(), study.etdump_path, study.etrecord_path, {}});
  loop_.run_in_background(
      [look, &files = session_.files, cancel = other_models_look_] {
        for (OtherModel& model :
             other_models(files, look->found, look->etdump, look->etrecord, cancel)) {
          if (cancel.cancelled()) return;
          look->models.push_back(
              {std::move(model.etdump), ModelSources::read(files, model.etrecord, cancel)});
        }
      },
      [this, look, is_chosen, cancel = other_models_look_] {
        if (cancel.cancelled() || look->models.empty()) return;
        session_.models_beside = std::move(look->models);
        // Files that the shown model has no line of say now where they were measured.
        const auto& open = session_.documents.all();
        const bool is_asked = std::ranges::any_of(open, [&](const auto& row) {
          const OpenDocument& document = row.second;
          return document.uri.is_file() && !session_.sources.has(document.uri) &&
                 std::ranges::any_of(session_.models_beside, [&](const auto& model) {
                   return model.sources.has(document.uri.path(), *document.text);
                 });
        });
        if (is_asked) refresher_.request();
        if (is_chosen) return;
        std::vector<std::string> names;
        for (const Session::ModelBeside& model : session_.models_beside)
          names.push_back(short_path(session_.roots, model.etdump));
        session_.other_models = other_models_text(names);
        log_.info(session_.other_models);
        announce();
      });
}

}  // namespace etlens
