// SPDX-License-Identifier: Apache-2.0
#include "rpc/uv/folder_watch.h"

#include <algorithm>

#include "core/base/path.h"
#include "rpc/uv/handle.h"

namespace etlens::uv {

struct FolderWatch::Folder {
  std::string path;
  FolderWatch* owner;
  UvHandle<uv_fs_event_t> handle;
};

FolderWatch::FolderWatch(Loop& loop, std::function<void(std::string)> on_change)
    : loop_(loop), on_change_(std::move(on_change)) {}

FolderWatch::~FolderWatch() = default;

void FolderWatch::watch(const std::vector<std::string>& folders) {
  std::erase_if(folders_, [&](const auto& entry) {
    return std::find(folders.begin(), folders.end(), entry.first) == folders.end();
  });
  for (const std::string& path : folders) {
    if (folders_.contains(path)) continue;
    auto folder =
        std::make_unique<Folder>(Folder{path, this, UvHandle<uv_fs_event_t>(new uv_fs_event_t)});
    uv_fs_event_init(loop_.raw(), folder->handle.get());
    folder->handle->data = folder.get();
    const int status = uv_fs_event_start(
        folder->handle.get(),
        [](uv_fs_event_t* handle, const char* name, int, int error) {
          const auto* changed = static_cast<Folder*>(handle->data);
          if (error != 0) return;
          // A copy: the handler may stop this watch.
          const auto on_change = changed->owner->on_change_;
          on_change(name == nullptr ? changed->path : join_path(changed->path, name));
        },
        path.c_str(), 0);
    if (status == 0) folders_.emplace(path, std::move(folder));
  }
}

}  // namespace etlens::uv
