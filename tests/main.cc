// SPDX-License-Identifier: Apache-2.0
// Catch's main: the build defines CATCH_CONFIG_MAIN for this file.
#include <catch2/catch.hpp>
