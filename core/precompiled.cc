// SPDX-License-Identifier: Apache-2.0
// Something to compile, so that the headers which most folders include are precompiled.
