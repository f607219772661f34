// SPDX-License-Identifier: Apache-2.0
// Interpreter: one run of one module call's source against the units of the record. Nothing is
// executed: values are what value.h says, and where the source leaves something open the run takes
// one way and tells the search of the others.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/recover/interpreter/operator_names.h"
#include "core/recover/interpreter/sources.h"
#include "core/recover/interpreter/value.h"
#include "core/recover/units.h"

namespace etlens::recover {

struct SaidFrame {
  const SourceFile* file = nullptr;
  std::string_view function;
  uint32_t line = 0;  // 1-based
  uint32_t site = 0;  // byte of the document where the call stands: tells calls of one line apart
  friend bool operator==(const SaidFrame& a, const SaidFrame& b) {
    return a.file == b.file && a.function == b.function && a.line == b.line;
  }
};

struct Arguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string_view, Value>> named;
  bool has_more = false;  // an unknown sequence or mapping was unpacked into them
};

// The argument at a position (a tensor's methods are given the tensor first) or of that name; null
// without.
Value argument(const Arguments& arguments, size_t position, std::string_view name);

bool is_plain(std::string_view text);

// Stands for the items of an unknown that a call unpacks.
bool is_splat(Value value);

// The left side of an assignment (kNone: there is none) gives the name a value.
bool is_assigned(const PythonTree& tree, uint32_t target, std::string_view name);
// What a child of an import statement gives a name: import a.b gives a, import a as b gives b.
std::string_view imported_name(const PythonTree& tree, uint32_t item);
// What a call changes that is like name.append(…): `name`. kNone for others.
uint32_t filled_by(const PythonTree& tree, uint32_t call);

inline constexpr size_t kMaxPath = 512;  // bytes of a module's path that is asked for part by part
inline constexpr size_t kMaxItems = 4096;   // of one container
inline constexpr size_t kMaxText = 4096;    // bytes of a text that a run makes
inline constexpr double kRefused = 0.3;     // what costs as much is where a run goes wrong
inline constexpr double kMostExact = 1e15;  // up to which a float says which integer it is

// What one run says of a unit.
struct SaidUnit {
  std::vector<SaidFrame> chain;  // outermost first
  bool is_said = false;          // false: it may stand deeper, where nobody can see
  bool is_wrapped = false;       // frames of the project may be missing
  Arguments arguments;           // of a child call
  friend bool is_same_line(const SaidUnit& a, const SaidUnit& b) {
    return a.is_said && b.is_said && a.chain.back() == b.chain.back();
  }
};

struct Statement {
  const SourceFile* file = nullptr;
  uint32_t node = kNone;
  friend auto operator<=>(const Statement&, const Statement&) = default;
};

// The ways that a run did not take.
class Choices {
 public:
  virtual ~Choices() = default;
  // Picks one of several ways that cost something.
  virtual size_t choose(std::span<const double> costs) = 0;
  // The run costs more without a choice. False: give it up.
  virtual bool pay(double cost) = 0;
};

struct Problem {
  const GraphUnits* graph = nullptr;
  uint32_t call = kNoCall;
  size_t outer_frames = 0;  // recorded frames that stand above this module call's
  Arguments arguments;
  bool has_arguments = false;
  Value forward = nullptr;  // Function
  std::set<Statement> unexplained;
  size_t most_steps = SIZE_MAX;  // that may be taken to solve it
  // Lines are missing without what follows: properties may say what an unknown is.
  bool is_second_look = false;
  // Containers and objects that children return, where that is known; by call of the child.
  const std::unordered_map<uint32_t, Value>* results = nullptr;
};

// What callers of a class give for a parameter of its constructor.
struct GivenValues {
  std::vector<Value> values;   // what can be called, texts and containers
  std::vector<Value> modules;  // classes of modules that are made for it, or the annotated one
  std::vector<Value> layers;   // of torch's own, that are made for it
};

// What is known of all runs of one record: classes, candidates of constructor parameters.
struct Caches {
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  // As spelled.
  std::unordered_map<std::string, OperatorFacts, TextHash, std::equal_to<>> operators;
  std::map<std::pair<const SourceFile*, uint32_t>, bool> is_generator;
  std::map<std::string, Value> classes;  // by type name; null: no source
  // By path: of modules whose class was made in a function, known by the forward that ran.
  std::map<std::string, Value, std::less<>> classes_of_paths;
  // By name: classes that define it.
  std::map<std::string, std::vector<Value>, std::less<>> methods;
  std::map<std::pair<Value, std::string>, GivenValues> candidates;
  std::map<std::string, std::vector<Value>> holders;  // by path: classes that hold the same
  std::map<std::string, Value> constructions;         // by path; null: nobody knows
  bool has_properties = false;                        // of plain classes
  size_t open_candidates = 0;  // questions for candidates that are not answered yet
};

enum class Flow : uint8_t { Next, Return, Break, Continue };

class Interpreter {
 public:
  Interpreter(PythonSources& sources, Caches& caches, Arena& arena, const Problem* problem,
              Choices* choices);

  // Runs the problem's forward. True if every unit was used.
  bool run();

  size_t position() const { return position_; }
  // Where the run stands: the calls it is in, and how far the units are used.
  uint64_t place() const;
  // What the run says, one per unit.
  std::vector<SaidUnit> take_placements() { return std::move(placements_); }
  // What forward returned.
  Value result() const { return result_; }
  // Where the run could not go on, innermost last.
  const std::vector<Statement>& trouble() const { return trouble_; }
  size_t steps() const { return steps_; }

  // The class of a recorded type name, null without source.
  Value class_of_type(std::string_view type);
  // A member of a class or its bases; null without. `owner` is the class that has it.
  Value find_member(Value cls, std::string_view name, Value* owner = nullptr);
  std::vector<Value> bases_in_order(Value cls);
  // A module as the constructor around it makes it: an Instance with what its own constructor is
  // given. Null if nobody knows.
  Value construction_of(const std::string& path);
  // The same as a text that is equal for what is equal; "" if nobody knows.
  std::string construction_text(const std::string& path);
  // Runs the top level of a file once.
  void run_file(SourceFile* file);
  // Runs what Python runs before the files that were opened: their packages. True if that opened
  // others.
  bool run_packages();

 private:
  // Parts of it that have a file or a page of their own.
  friend class Builtins;
  friend class Callers;
  friend class Subscript;

  struct Frame {
    SourceFile* file = nullptr;
    std::string_view function;
    uint32_t line = 0;
    uint32_t site = 0;
    uint32_t statement = kNone;
    std::function<bool(Value)>* on_yield = nullptr;
    size_t consumer_frames = 0;
    std::vector<Value>* open_returns = nullptr;  // what it may have returned before
    Environment* consumer = nullptr;
    bool is_wrapped = false;  // by a decorator that nobody knows
  };
  using Each = std::function<bool(Value)>;

  // statements
  Flow run_block(uint32_t block);
  Flow run_statement(uint32_t node);
  Flow run_kind(uint32_t node);
  Flow run_if(uint32_t node);
  Flow run_for(uint32_t node);
  Flow run_while(uint32_t node);
  Flow run_with(uint32_t node);
  Flow run_match(uint32_t node);
  Flow run_unexplained(uint32_t node);
  int fits_pattern(uint32_t pattern, Value subject);  // 1 yes, 0 no
  void forget_targets(uint32_t node);
  void forget_target(uint32_t target);
  void forget_imports(uint32_t node);
  void forget_content(Value value);
  Flow run_try(uint32_t node);
  Flow run_else(uint32_t node);
  void run_delete(uint32_t node);
  bool may_raise(uint32_t body);
  void forget_filled(uint32_t call);
  void forget_container(uint32_t node);
  void note_open_returns(uint32_t node);
  void assign(uint32_t target, Value value);
  void assign_name(std::string_view name, Value value);
  void assign_subscript(uint32_t target, Value value, bool is_update);
  void augmented(uint32_t node);
  // definitions
  bool is_enumeration(Value cls);
  void number_members(Value cls);
  Value enum_member(Value cls, std::string_view name);
  std::vector<Value> enum_members(Value cls);
  Value member_of_value(Value cls, Value value);
  void run_import(uint32_t node);
  void run_import_from(uint32_t node);
  void forget_missing_imports(uint32_t node);
  Value make_function(uint32_t node, std::string_view name);
  Value make_class(uint32_t node);
  void define(uint32_t node);
  bool is_unknown_name(uint32_t expression);
  Value decorated(uint32_t node);
  Value import_dotted(std::string_view dotted, bool wants_top);
  // expressions
  Value eval(uint32_t node);
  Value eval_kind(uint32_t node);
  Value eval_name(uint32_t node);
  Value lookup(std::string_view name);
  Value eval_string(uint32_t node);
  Value eval_collection(uint32_t node, ValueKind kind);
  Value set_of(Value list);
  Value eval_dictionary(uint32_t node);
  Value eval_binary(uint32_t node);
  Value binary(std::string_view op, Value left, Value right, uint32_t node);
  Value eval_unary(uint32_t node);
  Value eval_boolean(uint32_t node);
  Value eval_comparison(uint32_t node);
  Value compare(std::string_view op, Value left, Value right, uint32_t node);
  Value eval_conditional(uint32_t node);
  Value eval_comprehension(uint32_t node, ValueKind kind);
  // `made`: what the first clause walks through, if it is known already.
  bool comprehend(uint32_t clause, uint32_t body, const Each& each, Value made = nullptr);
  bool comprehend_kind(uint32_t clause, uint32_t body, const Each& each, Value made);
  Value eval_subscript(uint32_t node);
  Value subscript(Value value, const std::vector<Value>& indices, uint32_t node);
  Value eval_slice(uint32_t node);
  void settle_bound(const payload::Slice& slice, int64_t size);
  Value eval_yield(uint32_t node);
  Value eval_call(uint32_t node);
  Arguments eval_arguments(uint32_t list);
  std::vector<Value> eval_indices(uint32_t node);
  bool truth(Value value);
  std::optional<bool> known_truth(Value value);
  bool has_plain_truth(Value cls);
  std::optional<bool> known_equal(Value a, Value b, int depth = 0);
  bool goes_deeper();  // false, and the run stops, where evaluation nests too deep
  bool remembered_choice(Value value, std::string_view key);
  void become(Value unknown, Value known);
  // What the value holds is not known any more, to all that have it.
  void forget(Value value);
  // An unknown of which the sources say what it may be becomes one of these, or stays unknown.
  Value settled(Value value);
  std::vector<Value> candidates_of(Value unknown);
  std::vector<Value> layers_of(Value unknown);
  // A value of the sources that others may have set otherwise: its constants are only likely.
  Value likely(Value value, int depth = 0);
  Value local(Value value);
  // iteration
  bool iterate(Value value, const Each& each);
  bool iterate_copy(std::vector<Value> items, const Each& each);
  bool iterate_module(Value module, const Each& each);
  bool iterate_instance(Value instance, const Each& each);
  bool iterate_tensor(Value tensor, const Each& each);
  bool iterate_unknown(Value unknown, const Each& each);
  bool iterate_inner(Value value, const Each& each);
  bool iterate_lazy(Value value, const Each& each);
  bool walk_lazy(Value value, const Each& each);
  bool iterate_generator(Value value, const Each& each);
  bool iterate_zip(Value value, const Each& each);
  Value iterator_of(Value value);
  Value iterator_over(std::vector<Value> items);
  Value next_of(Value iterator);
  std::vector<Value> all_of(Value value);
  // The same; nullopt if there may be more.
  bool iterate_exactly(Value value, const Each& each);
  std::optional<std::vector<Value>> exactly_all_of(Value value);
  std::vector<Value> unpack(Value value, size_t count, size_t star);
  // attributes
  Value attribute(Value value, std::string_view name, uint32_t node);
  Value instance_attribute(Value value, std::string_view name, uint32_t node);
  Value tensor_attribute(Value value, std::string_view name, uint32_t node);
  Value size_of_layer(const std::string& path, std::string_view name);
  Value module_attribute(Value module, std::string_view name, uint32_t node);
  Value named_member(Value open, uint32_t node);
  const std::vector<Value>& classes_that_hold(const ModelModule& module);
  Value uncalled_class(Value module, std::string_view member);
  Value initial_attribute(Value module, Value cls, std::string_view name);
  Environment* initial_scope(Value module, Value init);
  void keep_arguments(Value made, const Arguments& arguments);
  bool bind_construction(Value module, Value init, Environment* scope);
  bool is_own_target(const Environment& scope, uint32_t target, Value module,
                     std::string_view name) const;
  Value initial_value(Environment& scope, uint32_t assignment, Value module, std::string_view name);
  std::vector<Value> initial_values(Value module, Value init, std::string_view name);
  void add_initial_values(Environment& scope, Value module, std::string_view name,
                          std::vector<Value>& found);
  void add_values_of_method(Environment& scope, uint32_t call, Value module, std::string_view name,
                            std::vector<Value>& found);
  void add_reassigned(Environment& scope, Value parameter);
  Value held_elsewhere(Value module, std::string_view name);
  Value one_of(const std::vector<Value>& found, Value module, std::string_view name);
  std::vector<std::string_view> class_names(Value cls);
  Value class_attribute(Value cls, std::string_view name, Value member);
  Value open_value(const void* owner, std::string_view name);
  Value name_of_file(const Environment& scope, std::string_view name, Value value);
  void forget_changes(Value value, std::set<Value>& seen);
  Value changed_value(Value value);
  Value bind_member(Value member, std::string_view name, Value self, Value cls, uint32_t node);
  Value class_of_module(const std::string& path);
  Value class_of(Value value);
  bool has_member(Value instance, std::string_view name);
  Value initial_name(Environment& scope, std::string_view name);
  void set_attribute(Value value, std::string_view name, Value item);
  const GivenValues& given_by_callers(Value cls, std::string_view parameter);
  Value module_class_given(Value parameter);
  Value annotated_class(Value init, std::string_view parameter);
  bool has_derived(Value cls) const;
  Environment* scope_around(SourceFile* file, uint32_t node);
  Value unknown_attribute(Value value, std::string_view name);
  Value text_beginning(std::string_view text);
  Value made_text(std::string_view text);
  void add_members(Value unknown, std::string_view name, Value open);
  Value field_of(Value result);
  // calls
  Value call(Value callee, Arguments& arguments, uint32_t node);
  Value call_kind(Value callee, Arguments& arguments, uint32_t node);
  Value call_function(Value function, Arguments& arguments, uint32_t node);
  Value any_returned(std::vector<Value> some, Value last);
  std::vector<Value> returned_callables(Value function, Arguments arguments);
  Value named_by_text(Value function, const Arguments& arguments, uint32_t node);
  void expand_splat(Value function, Arguments& arguments);
  bool bind(Value function, Arguments& arguments, Environment* scope);
  bool is_module_class(Value cls);
  Value call_class(Value cls, Arguments& arguments, uint32_t node);
  Value call_external(const std::string& name, Arguments& arguments, uint32_t node);
  Value call_functools(std::string_view name, Arguments& arguments, uint32_t node);
  Value call_torch(std::string_view full, Arguments& arguments, uint32_t node);
  Value make_layer(std::string_view full, Arguments& arguments);
  Value call_builtin(std::string_view name, Arguments& arguments, uint32_t node);
  static bool is_before(Value a, Value b);  // of sort_keys
  std::optional<std::vector<Value>> sort_keys(const std::vector<Value>& items,
                                              const Arguments& arguments, uint32_t node);
  bool sort(std::vector<Value>& items, const Arguments& arguments, uint32_t node);
  Value list_method(std::string_view name, Value self, const std::vector<Value>& given,
                    uint32_t node);
  Value dict_method(std::string_view name, Value self, const Arguments& arguments, uint32_t node);
  Value holder_method(std::string_view name, Value self, Arguments& arguments);
  void extend(Value list, Value items);
  // A key is there once: a later value takes the place of an earlier one.
  void put(Value dict, Value key, Value item);
  void put_all(Value dict, Value others);
  // Others may be unknown: then any key may have another value now.
  void merge(Value dict, Value others);
  // What an instance of a class that is a dictionary holds; null for others.
  Value held_dict(Value instance);
  Value call_container(std::string_view name, Value self, Arguments& arguments, uint32_t node);
  Value call_math(std::string_view name, Arguments& arguments);
  Value call_itertools(std::string_view name, Arguments& arguments, uint32_t node);
  Value call_with_items(std::string_view name, Arguments& arguments, uint32_t node);
  Value tuples_of(std::string_view name, Arguments& arguments);
  std::optional<std::vector<std::vector<Value>>> items_of_each(const std::vector<Value>& containers,
                                                               size_t count);
  Value call_module(Value module, Arguments& arguments);
  Value call_convolution(Value module, Arguments& arguments, uint32_t node);
  bool find_object(Value unknown, std::string_view method, bool is_property);
  Value call_unknown(Value callee, Arguments& arguments, uint32_t node);
  Value copied(Value value, bool is_shallow);
  Value call_library(Arguments& arguments, double cost);
  Value call_method_named(Value value, std::string_view name, Arguments arguments, uint32_t node,
                          bool& found);
  bool is_generator(const SourceFile* file, uint32_t function);
  bool is_instance(Value value, Value cls, bool& is_known, int depth = 0);
  // units
  Value torch_call(std::string_view name, Arguments& arguments, uint32_t node);
  bool changes_nothing(std::string_view name, std::string_view raw, const Arguments& arguments);
  Value size_of(Value tensor, Value dim);
  struct Operands {
    std::vector<Value> known;    // tensors with names
    std::vector<Value> unknown;  // tensors and values that nothing is known of
    std::vector<Value> order;    // both, as the call gives them
    bool has_dead = false;
  };
  Operands operands_of(const Arguments& arguments);
  Value size_fact(std::string_view name, const Arguments& arguments);
  size_t units_named(const Unit& unit, std::string_view name, const Arguments& arguments,
                     const Operands& operands);
  bool unit_fits(const Unit& unit, const OperatorFacts& facts, const Arguments& arguments,
                 const Operands& operands);
  Value take_units(size_t count, std::string_view raw, const OperatorFacts& facts,
                   const Arguments& arguments, const Operands& operands);
  Value without_unit(const OperatorFacts& facts, const Operands& operands);
  double price_of_missing(std::string_view raw, const OperatorFacts& facts,
                          const Arguments& arguments, const Operands& operands, bool is_refused);
  void add_bases(Value view, Operands& operands) const;
  bool is_one_deep(const Arguments& arguments);
  double price_of_unseen(const Unit& child, const Operands& operands) const;
  bool reads_nothing_given(const Unit& child) const;
  const OperatorFacts& facts_of(std::string_view spelled);
  const Unit* next_unit() const;
  std::vector<uint32_t>& open_inputs(const Unit& unit);
  bool frames_fit(const Unit& unit, bool is_exact) const;
  bool data_fits(const Unit& unit, const Operands& operands, bool may_lose, bool is_ordered);
  bool arguments_fit(const Unit& unit, std::string_view name, const Arguments& arguments);
  bool indices_fit(const Unit& unit, const std::vector<Value>& indices);
  void bind_operands(const Unit& unit, const Operands& operands);
  Value use_unit(std::string_view name, bool is_said, const Arguments* arguments);
  size_t getitem_units(const Operands& operands, size_t count);
  bool is_quiet() const { return quiet_ > 0; }
  void stop();
  void mark_trouble();
  void step(size_t cost = 1);
  void at(uint32_t node);
  void pay(double cost);
  size_t choose(std::initializer_list<double> costs);
  // One of several ways, or for `none` no such way: nullopt, as when the run is given up.
  std::optional<size_t> choose_or_none(std::vector<double> costs, double none);

  // Shared values must not point into this run's arena, and a value that was not copied into the
  // run may belong to another one.
  bool may_write(Value value) const {
    return arena_.is_shared() ||
           (!value->is_shared && may_change(value->kind()) && !is_enum_member(value));
  }
  const PythonTree& tree() const { return *scope_->file->tree; }

  PythonSources& sources_;
  Caches& caches_;
  Arena& arena_;
  const Problem* problem_;
  Choices* choices_;
  const ModuleCall* module_call_ = nullptr;
  Value result_ = nullptr;
  Environment* scope_ = nullptr;
  std::vector<Frame> frames_;
  std::vector<SaidUnit> placements_;
  std::vector<Statement> trouble_;
  std::map<std::string, Value, std::less<>> module_attributes_;  // by dotted path
  std::map<std::pair<std::string, Value>, Environment*> initial_scopes_;
  std::map<Value, Value> local_;  // of shared values: this run's copy
  std::map<std::pair<const void*, std::string>, Value> open_values_;
  std::set<std::pair<std::string, std::string>> in_progress_;
  std::map<std::string, Value, std::less<>> instance_modules_;
  Value returned_ = nullptr;
  std::vector<uint32_t> open_inputs_;
  size_t position_ = 0;
  size_t steps_ = 0;
  int quiet_ = 0;            // no node is taken
  int naming_ = 0;           // a function is asked what it gives for a name
  int depth_ = 0;            // of evaluation
  uint32_t callee_ = kNone;  // the expression that is called next
  bool runs_file_ = false;   // its top level, in order
  bool stopped_ = false;
  bool leaves_generator_ = false;
  bool misses_items_ = false;   // what was walked through last may hold more than was given
  bool misses_rounds_ = false;  // the same, of a loop that used no unit
  size_t trouble_position_ = 0;
  bool has_trouble_ = false;
};

}  // namespace etlens::recover
