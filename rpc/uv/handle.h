// SPDX-License-Identifier: Apache-2.0
// UvHandle: a libuv handle that closes itself. libuv frees nothing before the close callback ran,
// so the memory goes there.
#pragma once

#include <uv.h>

#include <memory>

namespace etlens::uv {

struct CloseHandle {
  template <typename T>
  void operator()(T* handle) const noexcept {
    uv_close(reinterpret_cast<uv_handle_t*>(handle),
             [](uv_handle_t* closed) { delete reinterpret_cast<T*>(closed); });
  }
};

template <typename T>
using UvHandle = std::unique_ptr<T, CloseHandle>;

template <typename T>
uv_stream_t* as_stream(T* handle) {
  return reinterpret_cast<uv_stream_t*>(handle);
}

}  // namespace etlens::uv
