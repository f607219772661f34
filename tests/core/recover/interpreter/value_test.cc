// SPDX-License-Identifier: Apache-2.0
#include "core/recover/interpreter/value.h"

using namespace etlens::recover;

TEST_CASE("values of one kind are the same if what they hold is the same", "[recover]") {
  Arena arena;
  const auto beginning = [&](const char* text) {
    return arena.unknown_from(payload::Beginning{text});
  };
  CHECK(is_same_value(beginning("a"), beginning("a")));
  CHECK_FALSE(is_same_value(beginning("a"), beginning("b")));
  CHECK_FALSE(is_same_value(beginning("a"), arena.unknown_from(payload::Parameter{nullptr, "a"})));
  const auto counting = [&](int64_t first) {
    return arena.unknown_from(payload::Counting{arena.integer(first)});
  };
  CHECK(is_same_value(counting(1), counting(1)));
  CHECK_FALSE(is_same_value(counting(1), counting(2)));

  CHECK(is_same_value(arena.tuple({arena.integer(1)}), arena.tuple({arena.integer(1)})));
  CHECK_FALSE(is_same_value(arena.tuple({arena.integer(1)}), arena.list({arena.integer(1)})));
  CHECK_FALSE(is_same_value(arena.integer(1), arena.boolean(true)));
  const Value with_factory = arena.dict();
  with_factory->dict().factory = arena.external("builtins.list");
  CHECK(is_same_value(arena.dict(), arena.dict()));
  CHECK_FALSE(is_same_value(with_factory, arena.dict()));
  const Value one = arena.make(payload::Lazy{.kind = LazyKind::Iterator});
  CHECK_FALSE(is_same_value(one, arena.make(payload::Lazy{.kind = LazyKind::Iterator})));
}

TEST_CASE("a copy has its own parts where a run may change them", "[recover]") {
  Arena arena;
  const Value tensor = arena.tensor(TensorState::Known, {7});
  tensor->tensor().base = arena.tensor(TensorState::Known, {6});
  const Value cls = arena.make(payload::Class{.name = "Config"});
  const Value object = arena.instance(cls);
  object->attributes = {{"x", tensor}, {"y", tensor}, {"size", arena.integer(3)}};
  const Value copy = copy_of(arena, arena.list({object, object}));
  REQUIRE(copy->items().size() == 2);
  const Value made = copy->items()[0];
  CHECK(made != object);
  CHECK(made == copy->items()[1]);
  CHECK(made->instance().cls == cls);
  const Value own = own_attribute(made, "x");
  CHECK(own != tensor);
  CHECK(own->tensor().names == std::vector<uint32_t>{7});
  CHECK(own->tensor().base == nullptr);
  CHECK(own_attribute(made, "size") == own_attribute(object, "size"));

  // How far it is walked through, no other run knows.
  CHECK(copy_of(arena, arena.make(payload::Lazy{}))->is(ValueKind::Unknown));
  // Which of a dictionary's values it is, its key says, which is another one then.
  const Value keyed =
      arena.make(payload::Unknown{.candidates = {arena.integer(1)}, .key = arena.unknown()});
  CHECK_FALSE(has_candidates(keyed));
  CHECK(copy_of(arena, keyed)->unknown().candidates.empty());
  const Value parameter = arena.unknown_from(payload::Parameter{cls, "act"});
  REQUIRE(origin_of<payload::Parameter>(copy_of(arena, parameter)) != nullptr);
  CHECK(origin_of<payload::Parameter>(copy_of(arena, parameter))->cls == cls);
}

TEST_CASE("what tensors a value holds", "[recover]") {
  Arena arena;
  const Value a = arena.tensor(TensorState::Known, {1});
  const Value b = arena.unknown();
  const Value dict =
      arena.make(payload::Dict{.keys = {arena.tensor(TensorState::Any)}, .values = {b}});
  const Value object = arena.instance(arena.external("collections.UserDict"));
  object->instance().held = dict;
  std::vector<Value> found;
  collect_tensors(arena.tuple({a, object, arena.make(payload::Slice{arena.none(), a, b})}), found);
  CHECK(found == std::vector<Value>{a, b, a, b});
}
