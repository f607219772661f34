// SPDX-License-Identifier: Apache-2.0
// The main of every test executable.
int run_tests(int argc, char** argv);

int main(int argc, char** argv) { return run_tests(argc, argv); }
