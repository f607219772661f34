// SPDX-License-Identifier: Apache-2.0
// What `etlens delegation` prints: operators and lines with the reasons why they run on the CPU.
#pragma once

#include <string>

#include "core/render/table_printer.h"
#include "core/render/tables.h"
#include "core/view/delegation_view.h"

namespace etlens {

// "XNNPACK: 9 of 17 operators delegated in 3 delegate calls; 8 run on the CPU".
std::string delegation_headline(const DelegationView& view);

// One row per operator, those with most nodes on the CPU first.
Table delegated_operators_table(const DelegationView& view);
// One row per line and reason, in the order of the program; nodes on the CPU alone.
Table left_out_table(const DelegationView& view, TableStyle style);

// All of it for people.
std::string delegation_text(const DelegationView& view, TablePrinter& printer);
// The headline in front of the table of Markdown.
std::string delegation_markdown_head(const DelegationView& view);

std::string delegation_json(const DelegationView& view);

}  // namespace etlens
