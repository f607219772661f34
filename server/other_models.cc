// SPDX-License-Identifier: Apache-2.0
// Server: the newest dump of a folder is shown. If others there are of other models, the status
// says so in one sentence: looked for in the background, when the numbers are on the lines already.
#include "core/workspace/other_models.h"

#include <memory>

#include "core/base/path.h"
#include "server/server.h"

namespace etlens {

void Server::look_for_other_models() {
  session_.other_models.clear();
  other_models_look_.cancel();
  if (!loader_->settings().etdump.empty()) return;  // it was chosen
  other_models_look_ = CancelToken();
  struct Look {
    std::vector<FoundArtifact> found;
    std::string etdump;
    std::string etrecord;
    std::vector<std::string> others;
  };
  const Study& study = session_.study()->study();
  auto look =
      std::make_shared<Look>(Look{loader_->found(), study.etdump_path, study.etrecord_path, {}});
  loop_.run_in_background(
      [look, &files = session_.files, cancel = other_models_look_] {
        look->others = find_other_models(files, look->found, look->etdump, look->etrecord, cancel);
      },
      [this, look, cancel = other_models_look_] {
        if (cancel.cancelled() || look->others.empty()) return;
        for (std::string& path : look->others) {
          for (const std::string& root : session_.roots) {
            if (is_below(root, path)) path = std::string(relative_path(root, path));
          }
        }
        session_.other_models = other_models_text(look->others);
        log_.info(session_.other_models);
        announce();
      });
}

}  // namespace etlens
