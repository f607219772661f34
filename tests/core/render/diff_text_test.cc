// SPDX-License-Identifier: Apache-2.0
// The words of a comparison.
#include "core/render/diff_text.h"

namespace etlens::diff_text_test {

namespace {

Judged judged(Verdict verdict, double change, double low, double high) {
  Judged result;
  result.verdict = verdict;
  result.change = change;
  result.low = low;
  result.high = high;
  return result;
}

}  // namespace

TEST_CASE("A change is named only where there is a verdict") {
  CHECK(change_text(judged(Verdict::Slower, 0.652, 0.5, 0.8)) == "+65%");
  CHECK(change_text(judged(Verdict::Slower, 0.046, 0.03, 0.06)) == "+4.6%");
  CHECK(change_text(judged(Verdict::Slower, 1.4, 1, 2)) == "2.4×");
  CHECK(change_text(judged(Verdict::Faster, -0.12, -0.2, -0.05)) == "−12%");
  CHECK(change_text(judged(Verdict::Faster, -0.9999, -1, -0.99)) == "−99.9%");
  CHECK(change_text(judged(Verdict::CannotTell, 0.3, -0.1, 0.8)).empty());
  CHECK(change_text(judged(Verdict::Same, 0.001, -0.01, 0.01)).empty());
}

TEST_CASE("Intervals and verdicts") {
  CHECK(interval_text(judged(Verdict::CannotTell, 0, -0.28, 0.32)) == "−28 … +32%");
  CHECK(interval_text(judged(Verdict::Slower, 2, 0.3, 2.5)) == "1.3 … 3.5×");
  CHECK(interval_text(judged(Verdict::Gone, 0, 0, 0)).empty());
  Judged likely = judged(Verdict::Faster, -0.4, -0.5, -0.3);
  likely.is_likely = true;
  CHECK(verdict_text(likely) == "likely faster");
  CHECK(verdict_text(judged(Verdict::CannotTell, 0, 0, 0)) == "cannot tell");
}

TEST_CASE("A reason says what would help") {
  Judged open = judged(Verdict::CannotTell, 0.1, -0.1, 0.3);
  open.reason = Reason::OneProcess;
  open.needs_dumps = 4;
  CHECK(reason_text(open).ends_with(": 4 more dumps of each side would settle it"));
  open.needs_dumps = 1;
  CHECK(reason_text(open).ends_with(": 1 more dump of each side would settle it"));
  open.needs_dumps = 911;
  CHECK(reason_text(open).ends_with(": more dumps would hardly settle it"));
  CHECK(reason_text(judged(Verdict::Same, 0, 0, 0)).empty());
}

TEST_CASE("Kernels are named where they changed") {
  const std::string gemm = "Fully Connected (NC, F32) GEMM";
  CHECK(kernel_text({gemm}, {"Fully Connected (NC, QD8, F32, QC8W) GEMM"}) ==
        gemm + " → (NC, QD8, F32, QC8W) GEMM");
  CHECK(kernel_text({gemm}, {gemm}).empty());
  CHECK(kernel_text({gemm, "Add (ND)"}, {"Add (ND)", gemm}).empty());
  CHECK(kernel_text({gemm}, {gemm, "Convert (NC)"}) == "with Convert (NC)");
  CHECK(kernel_text({gemm, "Add (ND)"}, {gemm}) == "without Add (ND)");
  CHECK(kernel_text({"addmm.out"}, {gemm}) == "addmm.out → " + gemm);
  CHECK(kernel_text({}, {gemm}).empty());
}

}  // namespace etlens::diff_text_test
