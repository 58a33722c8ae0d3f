#include "doors/cli/noun_args.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <map>
#include <set>

#include "api/dispatch.h"
#include "api/find_session.h"
#include "api/known_layouts.h"
#include "api/suggest.h"
#include "base/ascii.h"
#include "doors/cli/api_words.h"
#include "doors/cli/cli_error.h"
#include "doors/cli/commands.h"
#include "doors/cli/noun_help.h"
#include "doors/cli/secret_prompt.h"
#include "text/json_scan.h"
#include "text/json_write.h"
#include "text/utf8.h"

namespace holdfast::inline v1 {
namespace {

Failure usage(std::string message) { return fail(Code::invalid_argument, std::move(message)); }

std::string command_of(const Operation& operation) {
  return std::string(operation.noun()) + " " + std::string(operation.verb());
}

// Global switches; main and args.cc handle them.
bool is_common_switch(std::string_view word) { return word == "--json" || word == "--no-pager"; }

class Parser {
 public:
  // `typed`: the command that the user typed, for messages: "session list".
  Parser(const Operation& operation, std::string typed, const Environment& env)
      : operation_(operation), typed_(std::move(typed)), env_(env), parameters_(parameters_of(operation)) {}

  Result<ParsedNounCommand> parse(const std::vector<std::string>& words) {
    ParsedNounCommand found{&operation_, {}, false, false};
    bool only_positions = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      if (only_positions || word == "-" || !word.starts_with("-")) {
        HOLDFAST_TRY(position(word));
      } else if (word == "--") {
        only_positions = true;
      } else if (word == "--help" || word == "-h") {
        found.help = true;
      } else if (word == "--yes" || word == "-y") {
        found.yes = true;
      } else if (operation_.command == "ls" && (word == "-0" || word == "--print0")) {
        found.zeros = true;
      } else if (word == "--dry-run" && !takes("dry_run")) {
        // Reading changes nothing anyway.
      } else if (!is_common_switch(word)) {
        HOLDFAST_TRY(flag(words, i));
      }
    }
    if (found.help) return found;
    for (const Parameter& parameter : parameters_)
      if (parameter.rest && !rest_.empty()) values_[std::string(parameter.name)] = JsonWriter().strings(rest_).take();
    HOLDFAST_TRY(complete());
    if (stores_.size() > 1) {
      if (operation_.writes()) return usage(typed_ + " writes to one store, but several are given");
      values_.erase("store");
      found.stores = stores_;
    }
    JsonWriter json;
    json.begin_object();
    for (const Parameter& parameter : parameters_) {
      if (const auto value = values_.find(parameter.name); value != values_.end())
        json.key(parameter.name).raw(value->second);
    }
    found.params = json.end_object().take();
    return found;
  }

 private:
  Result<void> position(const std::string& word) {
    for (const Parameter& parameter : parameters_) {
      if (parameter.positional && parameter.rest) {
        if (values_.contains(parameter.name)) return given_twice(parameter);
        HOLDFAST_TRY(check_text(parameter, word));
        rest_.push_back(word);
        return {};
      }
      if (!parameter.positional || values_.contains(parameter.name)) continue;
      placed_.insert(parameter.name);
      return take(parameter, word);
    }
    // The surplus word may be the secret itself: do not print it.
    if (const Parameter* const secret = secret_parameter())
      return usage(typed_ + " takes no further argument; " + flag_of(*secret) + " - reads the " +
                   std::string(secret->help.starts_with("the ") ? secret->help.substr(4) : secret->help) +
                   " from standard input");
    return usage(typed_ + " does not take \"" + word + "\"");
  }

  // --name VALUE, --name=VALUE, -n VALUE, -nVALUE.
  Result<void> flag(const std::vector<std::string>& words, std::size_t& i) {
    if (const Parameter* const brief = by_letter(words[i])) {
      const std::string rest = words[i].substr(2);
      if (brief->type == ParamType::boolean) {
        if (!rest.empty()) return usage(words[i].substr(0, 2) + " takes no value");
        values_[std::string(brief->name)] = "true";
        return {};
      }
      if (!rest.empty()) return take_option(*brief, rest);
      if (++i == words.size()) return usage(words[i - 1] + " needs a value");
      return take_option(*brief, words[i]);
    }
    const std::string name = words[i].substr(0, words[i].find('='));
    const std::size_t equals = words[i].find('=');
    const bool has_value = equals != std::string::npos;
    if (name == "--color") {
      if (!has_value) ++i;
      return {};
    }
    for (const Parameter& parameter : parameters_) {
      const std::string spelled = flag_of(parameter);
      if (parameter.type == ParamType::boolean && (name == spelled || name == "--no-" + spelled.substr(2))) {
        if (has_value) return usage(name + " takes no value");
        values_[std::string(parameter.name)] = name == spelled ? "true" : "false";
        return {};
      }
      if (name != spelled) continue;
      if (has_value) return take_option(parameter, words[i].substr(equals + 1));
      if (++i == words.size()) return usage(name + " needs a value");
      return take_option(parameter, words[i]);
    }
    return unknown(name);
  }

  bool takes(std::string_view name) const {
    return std::ranges::any_of(parameters_, [&](const Parameter& one) { return one.name == name; });
  }

  const Parameter* by_letter(std::string_view word) const {
    if (word.size() < 2 || word[0] != '-' || word[1] == '-') return nullptr;
    const auto found = std::ranges::find(parameters_, word[1], &Parameter::letter);
    return found == parameters_.end() ? nullptr : &*found;
  }

  // A word is a project name only if it is not a path and no such directory exists here.
  bool is_name(const std::string& word) const {
    return !word.empty() && word.find('/') == std::string::npos && !word.starts_with('.') && !word.starts_with('~') &&
           !(env_.exists && env_.exists(absolute_path(env_, word)));
  }

  // A word that may be the name of a session is the path of a session's file by its ending; but LAYOUT/ID and ID@KEY
  // may end with the path of a file too.
  bool is_file(const std::string& word) const {
    if (word.starts_with("./") || word.starts_with("../")) return true;
    if (!word.ends_with(".jsonl") && !word.ends_with(".json") && !word.ends_with(".jsonl.zst")) return false;
    const bool names = !parse_selector(word).layout.empty() || word.contains('@');
    return !names || (env_.exists && env_.exists(absolute_path(env_, word)));
  }

  const Parameter* secret_parameter() const {
    const auto found = std::ranges::find_if(parameters_, &Parameter::secret);
    return found == parameters_.end() ? nullptr : &*found;
  }

  Failure unknown(const std::string& name) const {
    if (secret_parameter() != nullptr) return usage("unknown option; see holdfast " + typed_ + " --help");
    std::vector<std::string> flags{"--json", "--yes", "--help", "--dry-run", "--color"};
    if (operation_.command == "ls") flags.emplace_back("--print0");
    for (const Parameter& parameter : parameters_) flags.push_back(flag_of(parameter));
    const std::vector<std::string_view> choices(flags.begin(), flags.end());
    if (const auto meant = nearest(name, choices))
      return usage("unknown option " + name + "; did you mean " + std::string(*meant) + "?");
    return usage("unknown option " + name + "; see holdfast " + typed_ + " --help");
  }

  // JSON contains only text; other bytes would be replaced.
  Result<void> check_text(const Parameter& parameter, const std::string& word) const {
    if (utf8_fault(word) == std::string_view::npos) return {};
    return usage(typed_parameter(parameter) + (parameter.rest ? " are" : " is") + " not valid UTF-8");
  }

  // Neither value may be dropped in silence.
  Failure given_twice(const Parameter& parameter) const {
    return usage(typed_ + " takes " + flag_of(parameter) + " or an argument for it, not both");
  }

  Result<void> take_option(const Parameter& parameter, const std::string& word) {
    if (placed_.contains(parameter.name) || (parameter.rest && !rest_.empty())) return given_twice(parameter);
    return take(parameter, word);
  }

  Result<void> take(const Parameter& parameter, const std::string& word) {
    JsonWriter json;
    if (parameter.secret) {
      const bool asks = word == "-" && ::isatty(STDIN_FILENO) == 1;
      HOLDFAST_LET(text, asks ? ask_secret(flag_of(parameter)) : json_argument(word));
      while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
      HOLDFAST_TRY(check_text(parameter, text));
      values_[std::string(parameter.name)] = json.string(text).take();
      return {};
    }
    // An unset variable must not mean the current directory.
    if ((parameter.path || parameter.file) && word.empty())
      return usage(parameter.positional ? typed_ + " needs " + needed(parameter) + ", but it is empty"
                                        : flag_of(parameter) + " needs a path, but is empty");
    if (parameter.file) {
      HOLDFAST_LET(text, json_argument(word == "-" ? word : "@" + absolute_path(env_, word)));
      values_[std::string(parameter.name)] = json.string(text).take();
      return {};
    }
    if (operation_.method == "session.handoff" && parameter.name == "to") {
      HOLDFAST_TRY(check_text(parameter, word));
      values_["to"] = json.string(taker_named(word)).take();
      return {};
    }
    if (parameter.type == ParamType::string) {
      HOLDFAST_TRY(check_text(parameter, word));
      if (parameter.name == "store") stores_.push_back(absolute_store(env_, word));
      const bool file = parameter.or_file && is_file(word);
      if ((parameter.path && !(parameter.or_name && is_name(word))) || file)
        json.string(absolute_path(env_, word));
      else
        json.string(parameter.name == "store" ? stores_.back() : word);
      values_[std::string(parameter.name)] = json.take();
      return {};
    }
    std::string value = word;
    if (parameter.type == ParamType::object || parameter.type == ParamType::array || parameter.type == ParamType::any) {
      HOLDFAST_LET(text, json_argument(word));
      value = std::move(text);
    }
    if (!check_json(value).ok())
      return usage(option_name(parameter) + " takes " +
                   (parameter.type == ParamType::integer || parameter.type == ParamType::number ? "a number" : "JSON") +
                   ", not \"" + value.substr(0, 60) + "\"");
    values_[std::string(parameter.name)] = std::move(value);
    return {};
  }

  Result<void> complete() const {
    if (operation_.method == "session.forget" && values_.contains("id") && values_.contains("match"))
      return usage(typed_ + " takes an ID or --match TEXT, not both");
    for (const Parameter& parameter : parameters_) {
      if (!parameter.required || values_.contains(parameter.name)) continue;
      return usage(typed_ + " needs " + needed(parameter) + "; see holdfast " + typed_ + " --help");
    }
    return {};
  }

  // "an ID", "a FILE, or - for standard input", "--project DIR"
  std::string needed(const Parameter& parameter) const {
    std::string name = spelled_parameter(parameter);
    if (operation_.command == "rescue" && parameter.name == "output") return name + ", --install or --undo";
    if (!parameter.positional) return name;
    const std::string text = (std::string_view("AEIO").contains(name.front()) ? "an " : "a ") + name;
    return parameter.rest ? name : parameter.file ? text + ", or - for standard input" : text;
  }

  const Operation& operation_;
  std::string typed_;
  const Environment& env_;
  std::vector<Parameter> parameters_;
  std::map<std::string, std::string, std::less<>> values_;
  std::vector<std::string> stores_;
  std::vector<std::string> rest_;
  std::set<std::string_view> placed_;  // parameters that an argument without an option gave
};

}  // namespace

std::vector<std::string_view> nouns() {
  std::vector<std::string_view> all;
  for (const Operation& operation : operations()) {
    const auto noun = operation.noun();
    if (operation.verb().empty() || noun == "api" || noun == "events" || find_command(noun) != nullptr) continue;
    if (std::ranges::find(all, noun) == all.end()) all.push_back(noun);
  }
  return all;
}

bool is_noun(std::string_view word) {
  const auto all = nouns();
  return std::ranges::find(all, word) != all.end();
}

std::vector<const Operation*> operations_of(std::string_view noun) {
  std::vector<const Operation*> found;
  for (const Operation& operation : operations()) {
    if (operation.noun() == noun && !operation.verb().empty()) found.push_back(&operation);
  }
  return found;
}

const Operation* find_shortcut(std::string_view word) {
  for (const Operation& operation : operations()) {
    if (!word.empty() && operation.command == word) return &operation;
  }
  return nullptr;
}

std::string taker_named(const std::string& text) {
  const std::string typed = in_lower_case(text);
  const auto& parameters = find_operation("session.handoff")->parameters;
  const auto taker = std::ranges::find(parameters, std::string_view("to"), &Parameter::name);
  std::vector<std::string> begin, within;
  for (const std::string_view name : taker->words) {
    const std::string agent = in_lower_case(agent_of(name));
    if (typed == name || typed == agent) return std::string(name);
    if (name.starts_with(typed) || agent.starts_with(typed)) begin.emplace_back(name);
    if (agent.contains(" " + typed)) within.emplace_back(name);  // a later word of its name
  }
  const auto& meant = begin.empty() ? within : begin;
  return meant.size() == 1 && !typed.empty() ? meant.front() : text;
}

Result<ParsedNounCommand> parse_shortcut(const Operation& operation, const std::vector<std::string>& words,
                                         const Environment& env, const std::string& typed) {
  return Parser(operation, typed.empty() ? std::string(operation.command) : typed, env).parse(words);
}

Result<ParsedNounCommand> parse_noun(std::string_view noun, const std::vector<std::string>& words,
                                     const Environment& env) {
  const auto verb = std::ranges::find_if(words, [](const std::string& word) { return !word.starts_with("-"); });
  const auto all = operations_of(noun);
  if (verb == words.end()) {
    const bool asked =
        std::ranges::find(words, "--help") != words.end() || std::ranges::find(words, "-h") != words.end();
    if (asked || words.empty()) return ParsedNounCommand{nullptr, {}, false, true};
    return usage(std::string(noun) + " needs a verb; see holdfast help " + std::string(noun));
  }
  std::vector<std::string_view> verbs;
  for (const Operation* operation : all) {
    verbs.push_back(operation->verb());
    if (operation->verb() != *verb) continue;
    std::vector<std::string> rest(words.begin(), verb);
    rest.insert(rest.end(), verb + 1, words.end());
    return Parser(*operation, command_of(*operation), env).parse(rest);
  }
  const std::string message = std::string(noun) + " has no verb " + *verb;
  if (const auto meant = nearest(*verb, verbs)) return usage(message + "; did you mean " + std::string(*meant) + "?");
  return usage(message + "; see holdfast help " + std::string(noun));
}

namespace {

// Reads a file, pipe or device, up to the size limit of a request.
Result<std::string> read_input(int file, const std::string& name) {
  std::string text;
  for (std::size_t room = std::size_t{64} << 10; text.size() <= kMaxRequest; room = std::size_t{1} << 20) {
    const std::size_t before = text.size();
    text.resize(before + room);
    const ssize_t count = ::read(file, text.data() + before, room);
    const int why = errno;
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count == 0) return text;
    if (count < 0 && why != EINTR) return fail(os_error(why, "cannot read", name));
  }
  return fail(Code::too_large, "the input is larger than a request may be", name);
}

Result<std::string> read_input_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (file < 0) return fail(os_error(errno, "cannot read the file", path));
  auto text = read_input(file, path);
  ::close(file);
  return text;
}

}  // namespace

Result<std::string> json_argument(const std::string& word) {
  if (word != "-" && !word.starts_with("@")) return word;
  return word == "-" ? read_input(STDIN_FILENO, "standard input") : read_input_file(word.substr(1));
}

}  // namespace holdfast::inline v1
