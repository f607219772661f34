#!/usr/bin/env bash
# Runs model.pte on the phone that adb finds, and saves model.etdp next to it, with model.etdp.json about the run. Made by
# `etlens init`.
# RUNNER names an executor_runner for arm64, from a checkout of ExecuTorch:
#   cmake -B cmake-out-android -DCMAKE_TOOLCHAIN_FILE="$ANDROID_NDK/build/cmake/android.toolchain.cmake" \
#     -DANDROID_ABI=arm64-v8a -DANDROID_PLATFORM=android-28 -DCMAKE_BUILD_TYPE=Release \
#     -DEXECUTORCH_BUILD_EXECUTOR_RUNNER=ON -DEXECUTORCH_BUILD_XNNPACK=ON \
#     -DEXECUTORCH_BUILD_EXTENSION_DATA_LOADER=ON -DEXECUTORCH_BUILD_EXTENSION_FLAT_TENSOR=ON \
#     -DEXECUTORCH_BUILD_EXTENSION_MODULE=ON -DEXECUTORCH_BUILD_EXTENSION_RUNNER_UTIL=ON \
#     -DEXECUTORCH_BUILD_EXTENSION_TENSOR=ON -DEXECUTORCH_BUILD_EXTENSION_EVALUE_UTIL=ON \
#     -DEXECUTORCH_BUILD_DEVTOOLS=ON -DEXECUTORCH_ENABLE_EVENT_TRACER=ON
#   cmake --build cmake-out-android --target executor_runner
# Its inputs are all ones; where values decide, bundle the program with inputs.
set -euo pipefail
cd "$(dirname "$0")"
: "${RUNNER:?names the executor_runner; the first lines of this script say how it is built}"
folder=/data/local/tmp/etlens
trap 'rm -f .model.etdp.new' EXIT
adb shell mkdir -p "$folder"
adb push "$RUNNER" "$folder/executor_runner"
adb push model.pte "$folder/model.pte"
adb shell "cd $folder && rm -f model.etdp && chmod +x executor_runner &&
  ./executor_runner --model_path=model.pte --num_executions=${EXECUTIONS:-50} --etdump_path=model.etdp"
adb pull "$folder/model.etdp" .model.etdp.new
mv .model.etdp.new model.etdp  # an earlier dump stays until the new one is here
./describe_run.sh
