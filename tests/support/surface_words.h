// SPDX-License-Identifier: Apache-2.0
// Gives core's texts the words of a surface while it lives: a test of a library that no surface
// links asks for the whole sentence.
#pragma once

#include "core/base/controls.h"

namespace etlens {

class SurfaceWords {
 public:
  // `words` must outlive it.
  explicit SurfaceWords(const ControlWords& words) { use_controls(words); }
  ~SurfaceWords() { use_controls(kNone); }
  SurfaceWords(const SurfaceWords&) = delete;
  SurfaceWords& operator=(const SurfaceWords&) = delete;

 private:
  static constexpr ControlWords kNone{};
};

}  // namespace etlens
