// SPDX-License-Identifier: Apache-2.0
// Catch itself, compiled once for all tests. The main that calls it is in a file of its own
// (catch_main.cc), because fuzz targets that use the tests' support have another one.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

int run_tests(int argc, char** argv) { return Catch::Session().run(argc, argv); }
