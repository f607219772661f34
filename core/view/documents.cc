// SPDX-License-Identifier: Apache-2.0
#include "core/view/documents.h"

#include <variant>

#include "core/base/fields_schema.h"
#include "core/view/advice_view.h"
#include "core/view/check_view.h"
#include "core/view/diff_view.h"
#include "core/view/event_group_view.h"
#include "core/view/event_view.h"
#include "core/view/fleet_view.h"
#include "core/view/line_view.h"
#include "core/view/memory_view.h"
#include "core/view/module_view.h"
#include "core/view/partition_view.h"
#include "core/view/program_diff_view.h"
#include "core/view/size_view.h"
#include "core/view/value_view.h"

namespace etlens {
namespace {

template <typename View, typename Document>
std::string schema_of() {
  JsonWriter out;
  out.begin_object().field("$schema", "https://json-schema.org/draft/2020-12/schema");
  out.field("title", decltype(View::schema)::text());
  SchemaOf<Document>::describe(out, OtherFields::Allowed);
  return out.end_object().take();
}

template <typename View>
constexpr DocumentKind kind_of() {
  return {decltype(View::schema)::text(), schema_of<View, View>};
}

// With other options the document has another form.
template <typename View, typename Other>
constexpr DocumentKind kind_of() {
  return {decltype(View::schema)::text(), schema_of<View, std::variant<View, Other>>};
}

constexpr DocumentKind kKinds[]{
    kind_of<LinesView>(),
    kind_of<ModulesView>(),
    kind_of<EventsView>(),
    kind_of<PartitionsView>(),
    kind_of<EventGroupsView>(),
    kind_of<AdviceView>(),
    kind_of<CheckView>(),
    kind_of<MemoryView>(),
    kind_of<SizeView>(),
    kind_of<ValuesView, GapsView>(),
    kind_of<DiffView>(),
    kind_of<ProgramDiffView>(),
    kind_of<FleetReportView>(),
    kind_of<TrendView>()};

// "lines" of "etlens/lines@2".
std::string_view short_name(std::string_view name) {
  name.remove_prefix(name.find('/') + 1);
  return name.substr(0, name.find('@'));
}

}  // namespace

std::span<const DocumentKind> document_kinds() { return kKinds; }

const DocumentKind* find_document_kind(std::string_view name) {
  for (const DocumentKind& kind : kKinds)
    if (name == kind.name || name == short_name(kind.name)) return &kind;
  return nullptr;
}

}  // namespace etlens
