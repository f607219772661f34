// SPDX-License-Identifier: Apache-2.0
// The table of terms. docs/terms.md is written from it (ETLENS_UPDATE=1 and the tests of this
// folder).
#include "core/render/terms.h"

#include <array>

namespace etlens {
namespace {

constexpr Term sign(std::string_view names, std::string_view text) {
  return {TermKind::Sign, names, text};
}
constexpr Term confidence(std::string_view names, std::string_view text) {
  return {TermKind::Confidence, names, text};
}
constexpr Term part(std::string_view names, std::string_view text) {
  return {TermKind::Part, names, text};
}
constexpr Term verdict(std::string_view names, std::string_view text) {
  return {TermKind::Verdict, names, text};
}
constexpr Term word(std::string_view names, std::string_view text) {
  return {TermKind::Word, names, text};
}
constexpr Term column(std::string_view names, std::string_view text) {
  return {TermKind::Column, names, text};
}

constexpr auto kTerms = std::to_array<Term>({
    sign("Σ", "inclusive: the time is spent in what the line calls"),
    sign("≈", "inferred: several lines are possible, and the likeliest is shown"),
    sign("↳", "recovered: a line inside a helper that the export lost"),
    sign("~", "the line was edited since the export; the number is that of the recorded line"),
    sign("×",
         "how often, in one execution: a line that runs 24 times, instances of a class. After a "
         "change: how many times as much as before"),
    sign("±", "half of the 95% interval around the number next to it"),
    sign("→",
         "fused → L42: line 42 does the work of this one and carries its time. In a "
         "comparison: from the base to the new side"),
    sign("▲", "slower than the baseline"),
    sign("▼", "faster than the baseline; after an SNR the share of the final error made here"),
    sign("<",
         "more than nothing, but less than the clock can measure: <1 µs if the clock has steps "
         "of 1 µs"),
    sign("–", "10–12: these ranks cannot be separated. Alone: no value"),
    sign("…",
         "shortened to fit the terminal, or more of the same left out. Between numbers: from … to"),
    sign("⋮", "lines that cost little are left out (`annotate --full` prints them)"),
    sign("#",
         "#2 is the second delegate call of the method; of equal events, GEMM #2 is the second"),
    sign(
        "▁…█|▁|▂|▃|▄|▅|▆|▇|█",
        "one bar per execution; its height is the time it took. Of memory: one bar per "
        "instruction; its height is the bytes in use. Of stored runs: one bar per run; its height is "
        "the total"),

    confidence("exact",
               "the artifacts name the line. Of a recorded line: it is where it was. For an SNR: "
               "all elements are equal to those of the reference"),
    confidence("aligned", "worked out by order, kinds and data flow, with one possible answer"),
    confidence("recovered",
               "a line inside a helper that the export lost, found again in the "
               "source (docs/recovery.md)"),
    confidence("inferred", "worked out, with several possible answers; the likeliest is shown"),
    confidence("partition", "known for the whole delegate call, but for no line in it"),
    confidence("certain",
               "of a dump and a record: the hashes in the file about the run agree, and one export "
               "wrote the record and the program"),

    part("on source lines|line|lines", "time of operators whose line is known"),
    part("in kernels on the CPU",
         "operators that no delegate ran; without a record they have no line"),
    part("in operators that were not logged",
         "the dump logs whole executions only (kProfileMethodOnly): which operators ran, and "
         "where, is unknown"),
    part(
        "in delegate calls|in delegate calls, not explained by an operator|opaque_partition|opaque",
        "time inside delegate calls for which the backend reported no operator, or none that "
        "belongs to a line"),
    part("inside delegate calls, not measured|delegate_overhead",
         "time of a delegate call beyond the operators that its backend reports: to enter, to "
         "leave, to move data"),
    part("dispatch around kernels|dispatch_overhead|dispatch|around a kernel",
         "time of the runtime around a kernel: to look it up, to check, to jump. In a build that "
         "records an ETDump, the event tracer takes most of it"),
    part("framework|in the framework",
         "time of the runtime outside of instructions. In a build that records an ETDump, the "
         "event tracer takes most of it"),
    part("arithmetic on sizes|sizes|in arithmetic on sizes",
         "arithmetic on the sizes of tensors whose shapes change between executions, if no line "
         "owns it"),
    part("unattributed", "operators for which the record has no usable line"),
    part("noise|disturbance",
         "time of the executions beyond the typical: interruptions, warm-up, a busy machine. All "
         "parts together add up to the mean"),

    verdict("slower",
            "the whole interval of the change lies beyond the threshold, towards more time"),
    verdict("faster",
            "the whole interval of the change lies beyond the threshold, towards less time"),
    verdict("same",
            "the whole interval of the change lies within the threshold: measured to be the same"),
    verdict("cannot tell|cannot_tell",
            "the dumps do not decide it; the interval shows which changes are possible"),
    verdict("gone", "nothing on the new side does its work"),
    verdict("new", "nothing in the base did its work"),
    verdict("likely", "before slower and faster: there are too few dumps for certainty"),

    word("typical", "the mean of the executions without interruptions (docs/statistic.md)"),
    word("mean", "mean of all executions, interruptions included"),
    word("median", "half of the executions took less"),
    word("min|minimum", "the smallest of all executions; of values, of all elements"),
    word("max|maximum", "the largest of all executions; of values, of all elements"),
    word("CPU", "ran in a kernel of the runtime, not in a delegate"),
    word("XNNPACK", "ran in a delegate: a backend that runs a part of the graph"),
    word("self", "of the line, module or event itself, without what it calls"),
    word("in what it calls|with what it calls", "inclusive: of the line and of all that it calls"),
    word("fused", "the work is done by the event of another line, which carries the time"),
    word("body", "the function that a loop (map, scan) repeats (docs/control-flow.md)"),
    word("true branch|false branch", "a function of cond: one of the two runs"),
    word("not reported",
         "inside a delegate call, but in none of the events that its backend reported"),
    word("not run", "the export has not run yet: it has no times"),
    word("placed", "on a line of its own"),
    word("a single sample", "one execution: how far the number repeats is unknown"),
    word("as logged",
         "--raw: durations as the backend logged them, rounded down to steps of its clock"),
    word("moved", "the statement stands on another line, or with another text"),
    word("stale", "only the function of the recorded line is still known"),
    word("lost", "the recorded line was not found in the source of today"),
    word("match", "dump and record belong together"),
    word("partial", "dump and record agree in most of what can be compared, but not in all"),
    word("unknown",
         "dump and record have nothing that can be compared, so whether they belong "
         "together is unknown"),
    word("mismatch", "dump and record do not belong together; nothing is shown"),
    word("state", "a tensor that keeps its value from one execution to the next"),
    word("scratch", "working memory that one kernel or delegate call needs while it runs"),
    word("input", "given by the caller; of logged values: by what comes before"),
    word("output", "what the event computed, or the method returned"),
    word("program",
         "of values: what the method returned. Of a file: instructions, values and names"),
    word("constant", "weights and buffers that kernels read"),
    word("delegate_constant", "weights and buffers inside a delegate's payload"),
    word("delegate_other", "the rest of a delegate's payload"),
    word("padding", "bytes between parts of the file, for alignment"),
    word("external", "data in another file next to the program"),
    word("fallback", "operators on the CPU between two calls of one backend"),
    word("small-call", "delegate calls that take longer to enter and leave than they work"),
    word("data-movement", "copies and permutations that compute nothing"),
    word("not-delegated", "operators that the partitioner left to the CPU"),
    word("constant-work", "recomputed in every execution from constants"),
    word("float-island", "floating point in a method that is quantized otherwise"),
    word("quantizing", "quantize and dequantize operators that run by themselves"),
    word("also", "other methods that have executions in the same dump"),
    word("cold start",
         "time until the first answer: to load the program (load), to prepare its method (init: "
         "Method::init, where delegates compile or unpack), and the time of the first execution "
         "beyond the typical (first run). Of a delegate call, init is the share of its delegate"),
    word("loading",
         "reading the program and preparing its method, once. As advice: this takes as long as "
         "many executions"),
    word("helper-lines", "the record has no lines inside functions that forward calls"),
    word("few-samples", "too few executions to know how far numbers repeat"),
    word("disturbed", "much of the executions' time is noise"),
    word("decode",
         "of a language model: executions of one token each, one of the groups of executions "
         "(docs/groups.md)"),
    word("prefill", "of a language model: executions that read many tokens at once"),
    word("tokens/s",
         "tokens of one execution by its time, without what the program does between executions"),
    word("p50", "half of the executions took at most this time"),
    word("p90", "nine of ten executions took at most this time"),
    word("95%",
         "the interval that contains the number with 95% certainty, as far as this dump shows"),

    column("rank", "place in the ranking by self time; 10–12 where these cannot be separated"),
    column("line", "where it is in the source, as file:line"),
    column("now", "number of the line today, if it differs from the number at export"),
    column("self", "what it takes itself, without what it calls"),
    column("interval",
           "the 95% interval: the values that the dumps leave possible. As ±, half of its width"),
    column("low", "lower end of the 95% interval"),
    column("high", "upper end of the 95% interval"),
    column("share", "part of the whole: of Method::execute, of the peak, of the file"),
    column("inclusive", "its own cost and the cost of all that it calls"),
    column("calls", "how often it runs in one execution; of modules: distinct calls"),
    column("where", "what ran it: a backend, or the CPU"),
    column("confidence", "how sure it is that the line is the right one"),
    column("text", "the source line, or a remark"),
    column("what", "branches and loops with how often they ran, and buffers that the line writes"),
    column("file", "path of the source file"),
    column("occurrences|n", "how often it occurs in one execution"),
    column("event", "what the runtime or a backend logged"),
    column("instruction|instr", "number of the instruction in the program"),
    column("sum", "share of this event and of all events before it"),
    column("p50", "half of the executions, or of a fleet's dumps, took at most this time"),
    column("p90", "nine of ten took at most this time"),
    column("p95", "of a fleet's dumps, 95 in 100 took at most this time"),
    column("p99", "of a fleet's dumps, 99 in 100 took at most this time"),
    column("module", "path of the module in the model; (model) is the whole model"),
    column("reported", "what the backend logged, in a unit of its own"),
    column("delegated", "share of the inclusive time that is inside delegate calls"),
    column("type", "the module's class; for a value, its data type and shape"),
    column("call", "number of the delegate call in its method"),
    column("backend", "the backend of the delegate"),
    column("total", "what the delegate call takes in all"),
    column("explained", "part of the total: operators with a line or a known node"),
    column("opaque", "part of the total: reported by the backend, but of no single line"),
    column("overhead", "part of the total: not measured by the backend"),
    column("operators", "operators: how many, or which"),
    column("not reported", "nodes of the call for which the backend reported no event"),
    column("lines", "source lines of its operators"),
    column("fed by", "what makes its inputs: operators, and delegate calls by number"),
    column("read by", "what uses its outputs"),
    column("init", "time to set up its delegate, once; it is not part of the total"),
    column("between", "the delegate calls before and after it"),
    column("time", "what the operators take together"),

    column("at most", "the time that following the advice could save"),
    column("at_most", "the same, in plain numbers"),
    column("finding", "what etlens noticed"),
    column("because", "how the time was calculated"),
    column("what to do", "the remedy; docs/advice.md has more"),
    column("kind", "what kind of finding, or of part of a file"),
    column("subject", "what the finding is about"),

    column("method", "method of the program"),
    column("memory", "number of the planned buffer"),
    column("planned", "bytes that the program asks for"),
    column("peak", "the most bytes in use at one instruction"),
    column("at", "the instruction at which most bytes are in use"),
    column("not used", "planned bytes beyond the peak: gaps of the plan"),
    column("without reuse", "bytes if every tensor had memory of its own"),
    column("at peak|bytes at peak", "bytes in use when memory peaks"),
    column("tensor", "data type and shape; <= before sizes that are upper bounds"),
    column("instructions", "first and last instruction that need it"),
    column("made by", "operator or backend that writes it"),
    column("role", "input, output or state of the method, or scratch of one instruction"),
    column("makes", "bytes of all tensors that the line makes, at any time"),
    column("tensors", "how many tensors the line makes"),
    column("value", "the value: its node, or its number in the program"),
    column("offset", "where in the planned buffer it begins, in bytes"),
    column("bytes", "how large it is"),
    column("view of", "the value whose bytes it shows"),
    column("node", "name in the exported graph"),
    column("block", "a group of runs in the dump"),
    column("allocator", "allocator that gave out the memory"),
    column("executions", "how many executions it was logged in"),
    column("allocations", "how often memory was given out"),
    column("most in one", "the most bytes in one execution"),
    column("largest", "the largest allocation, in bytes"),

    column("name", "name of the part: parameter, buffer, payload"),
    column("partition", "number of the delegate call"),
    column("shared by", "how many users share the bytes"),
    column("own", "bytes of the module itself, without modules inside it"),
    column("parts", "how many parts of the file it needs"),

    column("execution", "which execution logged it"),
    column("output", "which of the event's values"),
    column("min", "least element"),
    column("max", "greatest element"),
    column("mean", "of all finite elements"),
    column("std", "standard deviation of the finite elements"),
    column("zeros", "elements that are 0"),
    column("NaN", "elements that are not a number"),
    column("Inf", "elements that are infinite"),
    column("saturated", "elements at an end of a quantized type's range"),
    column("SNR",
           "signal-to-noise ratio in dB, against the reference: 20 dB more means a tenth of "
           "the error; exact means equal"),
    column("max error", "greatest difference of an element from the reference"),
    column("cosine", "cosine similarity with the reference; 1 means the same direction"),
    column("made", "share of the final error that is made here"),
    column("MSE", "mean squared error against the reference"),
    column("L1", "sum of the absolute differences"),
    column("L1 mean", "mean of the absolute differences"),
    column("PSNR", "peak signal-to-noise ratio, in dB"),
    column("problem", "why there are no numbers"),
    column("op", "operator that may have made the error"),
    column("SNR before",
           "SNR of the best value that it reads; exact: the values before it have no error"),
    column("SNR here", "SNR of the value that it makes"),
    column("debug handles", "ids that tie events to the exported graph"),
    column("events", "events of the dump"),
    column("note", "why a row is odd"),

    column("operator", "operator of the exported graph, or what was compared"),
    column("before", "typical time of the base"),
    column("after", "typical time of the new side"),
    column("change", "change of the time without the change of machine speed; only with a verdict"),
    column("verdict", "whether the change is real: slower, faster, same, cannot tell, gone, new"),

    column("function", "name of the function, as Python prints it"),
    column("range", "least and greatest element, and elements that are not a number"),
    column("group", "dumps that have these facts in common"),
    column("part", "where the time of one execution is"),
    column("dumps", "how many dumps it is in"),
    column("hottest", "share of the dumps in which it is the most costly line"),
    column("outliers", "dumps that are far from the others at this place"),
    column("changed with", "the first build with the change"),
    column("p", "probability that chance alone makes such a change; the smaller, the more certain"),
    column("element", "indices of the element"),
    column("reference", "the element of the reference"),
    column("error", "value minus reference"),
    column("remark", "further facts"),
});

}  // namespace

std::span<const Term> terms() { return kTerms; }

}  // namespace etlens
