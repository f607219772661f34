// SPDX-License-Identifier: Apache-2.0
// What a module of the model is made with.
#pragma once

#include "core/recover/interpreter/evaluator.h"

namespace etlens::recover {

// Keeps what a module is made with. Nothing if that is not all.
void keep_arguments(Evaluator& run, Value made, const Arguments& arguments);

}  // namespace etlens::recover
