// The table of operations. Every door (command line, rpc, bindings) serves
// this table and nothing else; documentation and schemas are generated from it.
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
  std::string_view name;  // snake_case; --kebab-case on the command line
  std::string_view help;  // one line, no capital, no full stop
  ParamType type = ParamType::string;
  bool required = false;
  bool positional = false;                   // on the command line without its flag, in the table's order
  std::vector<std::string_view> words = {};  // the only values that a string may have
  std::optional<std::int64_t> least = {};    // minimum of an integer
  bool rest = false;                         // a positional array: takes all remaining words
  bool or_file = false;                      // an id, or the path of a file of a session
  bool file = false;                         // the command line takes a file name and sends the file's contents
  bool path = false;                         // a directory; doors for people make relative paths absolute
  std::string_view shape = {};               // name in shape.h, or string: of an object, or of each element
  bool secret = false;   // never shown again; the command line also takes @FILE, or - for standard input
  char letter = '\0';    // short option on the command line: 'n' for -n
  bool or_name = false;  // a directory, or a name that is not a path and is sent as typed
};

// What a method does to a store; doors open it accordingly.
enum class Use {
  nothing,  // needs no store
  read,     // changes nothing, anywhere
  write,
  create,  // the same, and creates the store if it is named and does not exist
};

using Handler = Result<std::string> (*)(Call&);
// Converts an answer to another format.
using ConvertAnswer = Result<std::string> (*)(Call&, std::string_view answer);

// The name and the parameter names that a seed uses for an operation. A call by that name also takes our parameters.
struct SeedName {
  struct Word {
    std::string_view seed, ours;
  };

  SeedName(const char* seed_name, std::vector<Word> words = {}, ConvertAnswer spelled = nullptr,
           std::string_view always_given = {})
      : name(seed_name), parameters(std::move(words)), answer(spelled), always(always_given) {}

  std::string_view name;
  std::vector<Word> parameters;
  ConvertAnswer answer;     // nullptr if the answer is the same as ours
  std::string_view always;  // members added to the parameters if missing: "\"as\":\"maestro\""
};

// Takes one item of a stream, a JSON object. Returns false to end the stream.
using ItemSink = std::function<bool(std::string_view item)>;

// How an operation answers: at once; in pages, which a cursor continues; or item by item.
enum class OperationKind { call, list, stream };
std::string_view kind_name(OperationKind kind);

struct Operation {
  std::string_view method;  // "session.create"
  std::string_view help;    // one line, no full stop
  Use use = Use::read;
  std::vector<Parameter> parameters;  // its own; parameters_of adds the common ones
  std::string_view result;            // fields of the answer, in the notation of shape.h
  std::vector<Code> errors;           // its own; errors_of adds the common ones
  Handler handler = nullptr;          // called with valid parameters; returns a JSON object
  // Describes what the call would do, in a sentence for people; set for destructive operations.
  Handler preview = nullptr;
  std::vector<SeedName> aliases = {};  // the names that the seeds use
  std::string_view example = {};       // the words after `holdfast`
  // Saves finished work: not cancelled when its door is told to end (L06).
  bool saves = false;
  // A separate command on the command line, across all stores: "ls". The example is in the command table.
  std::string_view command = {};
  // For a stream: fields of an item, as in `result`. The handler passes items to Call::items and answers at the end.
  std::string_view item = {};
  // For a call or list that becomes a stream with the parameter `stream`: fields of an item. The answer then omits
  // what the items contain.
  std::string_view streamed = {};
  // For a list whose cursors refer to an item of the page, so they stay valid while the list grows;
  // the cursors of other lists are counts.
  bool own_cursor = false;

  bool writes() const { return use == Use::write || use == Use::create; }
  bool destructive() const { return preview != nullptr; }
  std::string_view noun() const { return method.substr(0, method.find('.')); }
  std::string_view verb() const;  // empty for a method without a noun
  OperationKind kind() const;
};

// Whether a call with these parameters produces items.
bool produces_items(const Operation& operation, JsonView params);

std::span<const Operation> operations();
// By method or alias; nullptr if there is none.
const Operation* find_operation(std::string_view method);
// The alias that equals `method`; nullptr for the method itself.
const SeedName* seed_name(const Operation& operation, std::string_view method);
// Translates the parameters of a call by that alias to our names. Returns text that is not a JSON object unchanged.
std::string translate_params(const SeedName& alias, std::string_view params);
// An invalid_argument error that names the most similar method.
Error unknown_method(std::string_view method);

// The operation's own parameters, then `stream`, `cursor`, `store` and `dry_run` where they apply.
std::vector<Parameter> parameters_of(const Operation& operation);
// The fields of its answer, with `next_cursor` for lists and what every answer about a store may have (decision 54).
std::string result_of(const Operation& operation);
// Its own codes and those that every method of its Use can return, in the order of the closed list.
std::vector<Code> errors_of(const Operation& operation);

}  // namespace holdfast::inline v1
