// The one table of operations. Every door (command line, rpc, bindings) serves
// this table and nothing else; documentation and schemas are made from it.
// Thread-safety: constant data; handlers may run on any thread.
#pragma once

#include <holdfast/error.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/json_value.h"

namespace holdfast::inline v1 {

struct Call;

// One version for all methods; raised only by a change that breaks callers (decision 28).
inline constexpr int kApiVersion = 1;

enum class ParamType { string, integer, number, boolean, object, array, any };
std::string_view param_type_name(ParamType type);

struct Parameter {
  std::string_view name;  // snake_case; the command line spells it --kebab-case
  std::string_view help;  // one line, no capital, no full stop
  ParamType type = ParamType::string;
  bool required = false;
  bool positional = false;                   // the command line takes it without its flag, in the table's order
  std::vector<std::string_view> words = {};  // the only values that a string may have
  std::optional<std::int64_t> least = {};    // of an integer
  bool rest = false;                         // a positional array: takes all words that are left
  bool or_file = false;                      // an id, or the path of a .jsonl file
  bool file = false;                         // the command line takes a file's name and sends what it holds
  bool path = false;                         // a directory; doors for people take relative ones and make them absolute
  std::string_view shape = {};               // of an object: its name in shape.h
  bool secret = false;   // never shown again; the command line also takes @FILE, or - for standard input
  char letter = '\0';    // a short spelling on the command line: 'n' for -n
  bool or_name = false;  // a directory, or a name that is no path and is sent as it is typed
};

// What a method does to a store; doors open it accordingly.
enum class Use {
  nothing,  // needs no store
  read,     // changes nothing, anywhere
  write,
  create,  // the same, and makes the store when it was named and is not there
};

using Handler = Result<std::string> (*)(Call&);
// Spells an answer again, in other words.
using SpellAnswer = Result<std::string> (*)(Call&, std::string_view answer);

// The name that a seed gave an operation, and the words it uses there. A call by that name takes them beside ours.
struct SeedName {
  struct Word {
    std::string_view seed, ours;
  };

  SeedName(const char* seed_name, std::vector<Word> words = {}, SpellAnswer spelled = nullptr,
           std::string_view always_given = {})
      : name(seed_name), parameters(std::move(words)), answer(spelled), always(always_given) {}

  std::string_view name;
  std::vector<Word> parameters;
  SpellAnswer answer;       // nullptr: as ours
  std::string_view always;  // members that the parameters get unless they have them: "\"as\":\"maestro\""
};

// One item of a stream, a JSON object. False: nobody reads on.
using TakeItem = std::function<bool(std::string_view item)>;

// How it answers: at once; a page at a time, which a cursor continues; or item by item, as they come.
enum class OperationKind { call, list, stream };
std::string_view kind_name(OperationKind kind);

struct Operation {
  std::string_view method;  // "session.create"
  std::string_view help;    // one line, no full stop
  Use use = Use::read;
  std::vector<Parameter> parameters;  // its own; parameters_of adds those that all share
  std::string_view result;            // fields of the answer, as shape.h spells them
  std::vector<Code> errors;           // its own; errors_of adds those that all share
  Handler handler = nullptr;          // parameters are valid when it is called; answers a JSON object
  // What it would do, in a sentence for people; destructive operations have one.
  Handler preview = nullptr;
  std::vector<SeedName> aliases = {};  // the names that the seeds gave it
  std::string_view example = {};       // words after `holdfast`
  // A save of work that was done: not given up when its door is told to end (L06).
  bool saves = false;
  // A command of its own on the command line, across all stores: "ls". Its example is with it.
  std::string_view command = {};
  // A stream: fields of an item, as shape.h spells them. Its handler gives them to Call::items and answers at the end.
  std::string_view item = {};
  // A call or list that is told as a stream where its parameter `stream` asks for it: fields of an item. The answer
  // then lacks what the items said.
  std::string_view streamed = {};
  // A list whose cursors are made of what is on the page, so that they stay right while it grows;
  // those of all others count.
  bool own_cursor = false;

  bool writes() const { return use == Use::write || use == Use::create; }
  bool destructive() const { return preview != nullptr; }
  std::string_view noun() const { return method.substr(0, method.find('.')); }
  std::string_view verb() const;  // empty for a method without a noun
  OperationKind kind() const;
};

// Whether a call with these parameters tells items.
bool tells_items(const Operation& operation, JsonView params);

std::span<const Operation> operations();
// By method or alias; nullptr when there is none.
const Operation* find_operation(std::string_view method);
// The alias by which it is called; nullptr for the method itself.
const SeedName* seed_name(const Operation& operation, std::string_view method);
// The parameters of a call by that alias, in our words. What is no JSON object stays as it is.
std::string in_our_words(const SeedName& alias, std::string_view params);
// invalid_argument that names the nearest method.
Error unknown_method(std::string_view method);

// Its own parameters, then `stream`, `cursor`, `store` and `dry_run` where they apply.
std::vector<Parameter> parameters_of(const Operation& operation);
// The fields of its answer: `next_cursor` of lists too, and what every answer about a store may carry (decision 54).
std::string result_of(const Operation& operation);
// Its own codes and those that every method of its Use can answer, in the order of the closed list.
std::vector<Code> errors_of(const Operation& operation);

}  // namespace holdfast::inline v1
