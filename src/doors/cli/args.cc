#include "doors/cli/args.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "api/suggest.h"
#include "doors/cli/commands.h"
#include "doors/cli/complete.h"
#include "doors/cli/noun_args.h"
#include "text/json_edit.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

struct Values {
  std::map<std::string, std::string, std::less<>> texts;
  std::map<std::string, bool, std::less<>> switches;

  bool is_set(std::string_view name) const {
    const auto found = switches.find(name);
    return found != switches.end() && found->second;
  }
  std::string text(std::string_view name) const {
    const auto found = texts.find(name);
    return found == texts.end() ? std::string() : found->second;
  }
};

Failure usage(std::string message) { return fail(Code::invalid_argument, std::move(message)); }

std::string with_hint(std::string message, std::string_view typed, std::span<const std::string_view> choices,
                      std::string_view fallback) {
  if (const auto meant = nearest(typed, choices)) return message + "; did you mean " + std::string(*meant) + "?";
  return message + "; " + std::string(fallback);
}

const Option* option_named(std::span<const Option> options, std::string_view name) {
  const auto found = std::ranges::find_if(options, [&](const Option& one) {
    return one.name == name || (name.size() == 2 && name[0] == '-' && name[1] == one.letter);
  });
  return found == options.end() ? nullptr : &*found;
}

// Reads the options among `words`, the last one of several; puts everything else into `rest`. Accepts --name
// VALUE, --name=VALUE, -n VALUE, -nVALUE, -fn VALUE; after -- nothing is an option.
Result<void> read_options(std::span<const std::string> words, std::span<const Option> known, Values& values,
                          std::vector<std::string>& rest) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string word = words[i];
    if (word == "--") {
      rest.insert(rest.end(), words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
      break;
    }
    const bool longer = word.starts_with("--");
    for (const Option* one = nullptr; !longer && word.size() > 2; word.erase(1, 1)) {  // -fn is -f -n
      one = option_named(known, word.substr(0, 2));
      if (one == nullptr || !one->value.empty()) break;
      values.switches[std::string(one->name)] = true;
    }
    const std::size_t end = std::min(longer ? word.find('=') : 2, word.size());
    const std::string name = word.substr(0, end);
    const Option* const option = option_named(known, name);
    if (option == nullptr) {
      rest.push_back(word);
    } else if (option->value.empty()) {
      if (end < word.size()) return usage(name + " takes no value");
      values.switches[std::string(option->name)] = true;
    } else {
      const bool behind = end == word.size();  // the value is the next word
      if (behind && ++i == words.size()) return usage(name + " needs a value");
      std::string value = behind ? words[i] : word.substr(longer ? end + 1 : end);
      // An unset variable must not mean another store, another project or more access.
      if (value.empty()) return usage(name + " needs a value, but is empty");
      values.texts[std::string(option->name)] = std::move(value);
    }
  }
  return {};
}

Failure unknown_option(const std::string& typed, const Command* command) {
  std::vector<std::string_view> choices;
  const std::string_view name = std::string_view(typed).substr(0, typed.find('='));
  for (const auto& option : global_options()) choices.push_back(option.name);
  for (const auto& option : command != nullptr ? command->options : std::vector<Option>{})
    if (!option.hidden) choices.push_back(option.name);
  if (command == nullptr) choices.emplace_back("--version");
  const std::string help = command != nullptr ? "see holdfast help " + std::string(command->name) : "see holdfast help";
  return usage(with_hint("unknown option " + std::string(name), name, choices, help));
}

Failure unknown_command(const std::string& typed) {
  std::vector<std::string_view> choices;
  for (const auto& command : commands())
    if (!command.hidden) choices.push_back(command.name);
  for (const auto noun : nouns()) choices.push_back(noun);
  for (const Operation& operation : operations())
    if (!operation.command.empty()) choices.push_back(operation.command);
  return usage(with_hint("unknown command " + typed, typed, choices, "see holdfast help"));
}

template <typename T>
Result<T> number_of(const Values& values, std::string_view name, T least, T most, T fallback) {
  const std::string text = values.text(name);
  if (text.empty()) return fallback;
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && end == text.data() + text.size() && number >= least && number <= most) return number;
  return usage(std::string(name) + " must be a number from " + std::to_string(least) + " to " + std::to_string(most) +
               ", not \"" + text + "\"");
}

Result<ColourChoice> colour_of(const std::string& text) {
  if (text.empty() || text == "auto") return ColourChoice::automatic;
  if (text == "always") return ColourChoice::always;
  if (text == "never") return ColourChoice::never;
  return usage("--color must be auto, always or never, not \"" + text + "\"");
}

Result<Action> writer_action(const Values& values) {
  DemoWriterOptions options;
  HOLDFAST_LET(writer, number_of<std::uint32_t>(values, "--writer", 0, UINT32_MAX, 0));
  HOLDFAST_LET(life, number_of<std::uint32_t>(values, "--life", 0, UINT32_MAX, 0));
  options.writer = writer;
  options.life = life;
  options.root = values.text("--root");
  options.log = values.text("--log");
  options.document = values.text("--document");
  if (options.root.empty() || options.log.empty() || options.document.empty())
    return usage("demo-writer is started by holdfast demo");
  options.mode = values.is_set("--shared") ? LogMode::shared : LogMode::ours;
  options.large = values.is_set("--large");
  return options;
}

// "demo", "session", "session create"
Result<Action> help_action(const std::vector<std::string>& topic, bool markdown) {
  if (topic.empty()) return ShowHelp{{}, markdown};
  if (topic.front() == "agents") return ShowHelp{"agents", markdown};
  if (is_noun(topic.front())) {
    HOLDFAST_LET(found, parse_noun(topic.front(), {topic.begin() + 1, topic.end()}, Environment{}));
    const std::string verb = found.operation != nullptr ? " " + std::string(found.operation->verb()) : "";
    return ShowHelp{topic.front() + verb, markdown};
  }
  if (find_shortcut(topic.front()) != nullptr) return ShowHelp{topic.front(), markdown};
  const auto* const found = find_command(topic.front());
  if (found == nullptr || found->hidden) return unknown_command(topic.front());
  return ShowHelp{topic.front(), markdown};
}

Result<Action> completions_action(const std::vector<std::string>& rest) {
  constexpr std::string_view kShells[] = {"bash", "zsh", "fish"};
  if (rest.empty()) return usage("completions needs a SHELL: bash, zsh or fish");
  if (completion_script(rest.front()).empty())
    return usage(with_hint("no completions for " + rest.front(), rest.front(), kShells, "use bash, zsh or fish"));
  return ShowCompletions{rest.front()};
}

Result<Action> manual_action(const std::vector<std::string>& rest, bool list) {
  const std::string topic = rest.empty() ? "" : rest.front();
  const Command* const command = find_command(topic);
  if (!topic.empty() && !is_noun(topic) && find_shortcut(topic) == nullptr && (command == nullptr || command->hidden))
    return unknown_command(topic);
  return ShowManual{topic, list};
}

// The parameters of session.handoff; empty without --in.
Result<std::string> handoff_params(const Values& values, const std::string& id, const std::string& store,
                                   const Environment& env) {
  const auto given = [&](std::string_view name) { return !values.text(name).empty() || values.is_set(name); };
  if (!given("--in")) {
    for (const std::string_view name :
         {"--project", "--last", "--from", "--fit", "--tools", "--redact", "--dry-run", "--machine"})
      if (given(name)) return usage(std::string(name) + " needs --in AGENT");
    return std::string();
  }
  JsonWriter json;
  json.begin_object().key("id").string(id).key("to").string(taker_named(values.text("--in")));
  if (!store.empty()) json.key("store").string(store);
  if (given("--machine")) json.key("machine").string(values.text("--machine"));
  if (given("--project")) json.key("project").string(absolute_path(env, values.text("--project")));
  for (const std::string_view name : {"--last", "--fit"}) {
    if (!given(name)) continue;
    HOLDFAST_LET(number, number_of<std::int64_t>(values, name, 1, 1'000'000'000'000, 1));
    json.key(name.substr(2)).int64(number);
  }
  for (const std::string_view name : {"--from", "--tools"})
    if (given(name)) json.key(name.substr(2)).string(values.text(name));
  if (given("--redact")) json.key("redact").boolean(true);
  if (given("--dry-run")) json.key("dry_run").boolean(true);
  return json.end_object().take();
}

std::size_t words_taken(std::string_view command) {
  if (command == "config") return 3;
  if (command == "help" || command == "call") return 2;
  return command == "tail" || command == "resume" || command == "init" || command == "completions" || command == "man"
             ? 1
             : 0;
}

Result<Action> action_of(const Command& command, const Values& values, const std::vector<std::string>& rest,
                         const Environment& env) {
  if (values.is_set("--help")) return ShowHelp{std::string(command.name), false};
  for (const auto& word : rest)
    if (word.starts_with("-") && word != "-") return unknown_option(word, &command);
  if (command.name == "mcp" && !rest.empty()) {
    constexpr std::array<std::string_view, 2> kVerbs = {"install", "uninstall"};
    const auto meant = nearest(rest.front(), kVerbs);
    return usage("mcp has no verb " + rest.front() +
                 (meant ? "; did you mean " + std::string(*meant) + "?" : "; it has install and uninstall"));
  }
  if (rest.size() > words_taken(command.name))
    return usage(std::string(command.name) + " does not take \"" + rest.back() + "\"");
  const std::string store = absolute_store(env, values.text("--store"));
  if (command.name == "help") {
    std::vector<std::string> topic = rest;
    if (topic.size() == 2) topic.emplace_back("--help");
    return help_action(topic, values.is_set("--markdown"));
  }
  if (command.name == "completions") return completions_action(rest);
  if (command.name == "man") return manual_action(rest, values.is_set("--list"));
  if (command.name == "api") return ShowApi{values.is_set("--markdown")};
  if (command.name == "rpc") return ServeRpc{store};
  if (command.name == "mcp") return ServeMcp{store, values.text("--exclude-session"), values.is_set("--write")};
  if (command.name == "serve") {
    HOLDFAST_LET(port, number_of<std::uint16_t>(values, "--port", 0, 65535, 0));
    std::string socket = values.text("--socket");
    if (!socket.empty() && (port != 0 || !values.text("--bind").empty()))
      return usage("--socket cannot be combined with --port or --bind");
    if (!socket.empty()) socket = absolute_path(env, socket);
    return ServeHttp{store,
                     values.text("--bind"),
                     port,
                     socket,
                     !values.is_set("--no-open"),
                     values.is_set("--write"),
                     values.text("--remote")};
  }
  if (command.name == "doctor") return RunDoctor{store};
  if (command.name == "tail") {
    HOLDFAST_LET(count, number_of<std::size_t>(values, "--count", 0, 1'000'000'000, 10));
    return TailSession{rest.empty() ? "" : rest.front(), store, count, values.is_set("--follow")};
  }
  if (command.name == "version") return ShowVersion{};
  if (command.name == "resume") {
    if (rest.empty()) return usage("resume needs an ID; use holdfast pick to choose one");
    HOLDFAST_LET(handoff, handoff_params(values, rest.front(), store, env));
    ResumeSession request{rest.front(), store, values.is_set("--print"), std::move(handoff)};
    if (!values.is_set("--yes") && !values.is_set("--dry-run")) request.ask = values.text("--machine");
    return request;
  }
  if (command.name == "config") {
    HOLDFAST_LET(request, configure_of(rest));
    request.dry_run = values.is_set("--dry-run");
    return request;
  }
  if (command.name == "init") {
    if (!rest.empty() && rest.front().empty()) return usage("init needs a path, but it is empty");
    return InitStore{absolute_path(env, rest.empty() ? "." : rest.front()), values.is_set("--dry-run")};
  }
  if (command.name == "call") {
    if (rest.empty()) return usage("call needs a METHOD; see holdfast api");
    HOLDFAST_LET(owner, number_of<std::int64_t>(values, "--owner-pid", 1, INT32_MAX, 0));
    return CallMethod{rest[0], rest.size() > 1 ? rest[1] : std::string(), store, owner};
  }
  if (command.name == "lease-holder") {
    HOLDFAST_LET(owner, number_of<std::int64_t>(values, "--owner-pid", 1, INT32_MAX, 0));
    const CallOwner::Thing thing{.store = store,
                                 .session = values.text("--session"),
                                 .run = values.text("--run"),
                                 .project = values.text("--project")};
    if (owner == 0 || store.empty() || thing.session.empty() == thing.run.empty())
      return usage("lease-holder is started by holdfast call --owner-pid");
    return HoldLease{thing, owner};
  }
  if (command.name == "demo-writer") return writer_action(values);
  DemoOptions options;
  HOLDFAST_LET(seconds, number_of(values, "--seconds", 1, 3600, options.seconds));
  options.seconds = seconds;
  options.keep = values.is_set("--keep");
  return options;
}

// The first word that is not a global option; words.size() if there is none.
std::size_t first_command(const std::vector<std::string>& words) {
  std::size_t at = 0;
  while (at < words.size() && words[at].starts_with("-"))
    at += words[at] == "--color" || words[at] == "--store" ? 2 : 1;
  return std::min(at, words.size());
}

Result<ColourChoice> colour_among(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].starts_with("--color=")) text = words[i].substr(8);
    if (words[i] == "--color" && i + 1 < words.size()) text = words[i + 1];
  }
  return colour_of(text);
}

// NOUN VERB: the table of operations decides what may follow.
Result<Invocation> parse_noun_command(const std::vector<std::string>& words, std::size_t at, const Environment& env) {
  HOLDFAST_LET(colour, colour_among(words));
  std::vector<std::string> rest(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(at));
  rest.insert(rest.end(), words.begin() + static_cast<std::ptrdiff_t>(at) + 1, words.end());
  if (at > 0) std::rotate(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(at), rest.end());
  const Operation* shortcut = find_shortcut(words[at]);
  // A word that is both a command and a noun: `sync`, `sync nas`, and `sync status`.
  if (shortcut != nullptr && shortcut->noun() == words[at] && !rest.empty()) {
    const auto its = operations_of(words[at]);
    const bool verb = std::ranges::any_of(its, [&](const Operation* one) { return one->verb() == rest.front(); });
    if (verb) shortcut = nullptr;
  }
  const auto has = [&](std::string_view word) { return std::ranges::find(rest, word) != rest.end(); };
  const bool installs = shortcut != nullptr && shortcut->command == "rescue" && (has("--install") || has("--undo"));
  if (installs && !has("--help") && !has("-h")) {
    const auto names_file = [](const std::string& word) {
      return word.starts_with("-o") || word.starts_with("--output");
    };
    if (std::ranges::any_of(rest, names_file))
      return usage("rescue writes a copy (-o FILE) or repairs in place (" +
                   std::string(has("--undo") ? "--undo" : "--install") + "), not both");
    shortcut = find_operation("session.mend");
    std::erase(rest, "--install");
  }
  if (shortcut != nullptr && shortcut->method == "sync.run" && has("--watch")) {
    std::erase(rest, "--watch");
    if (!has("--help") && !has("-h")) shortcut = find_operation("sync.watch");
  }
  HOLDFAST_LET(
      found, shortcut != nullptr ? parse_shortcut(*shortcut, rest, env, words[at]) : parse_noun(words[at], rest, env));
  if (shortcut != nullptr && found.help) return Invocation{ShowHelp{words[at], false}, colour};
  if (found.operation == nullptr) return Invocation{ShowHelp{words[at], false}, colour};
  if (found.help) return Invocation{ShowHelp{words[at] + " " + std::string(found.operation->verb()), false}, colour};
  return Invocation{RunOperation{found.operation, std::move(found.params), found.yes, std::move(found.stores),
                                 shortcut != nullptr, found.zeros},
                    colour};
}

// Accepts the filters of ls.
Result<Invocation> parse_pick(const std::vector<std::string>& words, std::size_t at, const Environment& env) {
  HOLDFAST_LET(colour, colour_among(words));
  std::vector<std::string> rest(words.begin() + static_cast<std::ptrdiff_t>(at) + 1, words.end());
  rest.insert(rest.end(), words.begin(), words.begin() + static_cast<std::ptrdiff_t>(at));
  HOLDFAST_LET(found, parse_shortcut(*find_shortcut("ls"), rest, env, "pick"));
  if (found.help) return Invocation{ShowHelp{"pick", false}, colour};
  if (found.zeros || !found.stores.empty()) return usage("pick takes only one --store, and not -0");
  if (!JsonView(found.params).find("limit")) {
    HOLDFAST_LET(all, json_set(found.params, {"limit"}, "1000000"));
    found.params = std::move(all);
  }
  return Invocation{PickSession{std::move(found.params)}, colour};
}

Result<Invocation> parse_command(const std::vector<std::string>& words, const Environment& env) {
  const std::size_t at = first_command(words);
  if (at < words.size() && words[at] == "pick") return parse_pick(words, at, env);
  // The command itself speaks the protocol; its verbs are operations.
  const bool of_mcp = at + 1 < words.size() && words[at] == "mcp" && find_operation("mcp." + words[at + 1]) != nullptr;
  if (at < words.size() && (of_mcp || is_noun(words[at]) || find_shortcut(words[at]) != nullptr))
    return parse_noun_command(words, at, env);
  const std::span<const std::string> all(words);
  std::vector<Option> known(global_options().begin(), global_options().end());
  known.push_back({"--version", "", ""});
  Values values;
  std::vector<std::string> before, rest;
  HOLDFAST_TRY(read_options(all.first(at), known, values, before));
  if (!before.empty()) return unknown_option(before.front(), nullptr);
  const Command* const command = at < words.size() ? find_command(words[at]) : nullptr;
  if (at < words.size() && command == nullptr) return unknown_command(words[at]);
  if (command != nullptr) {
    known.pop_back();
    known.insert(known.end(), command->options.begin(), command->options.end());
    HOLDFAST_TRY(read_options(all.subspan(at + 1), known, values, rest));
  }
  HOLDFAST_LET(colour, colour_of(values.text("--color")));
  if (values.is_set("--version")) return Invocation{ShowVersion{}, colour};
  if (command == nullptr && values.is_set("--help")) return Invocation{ShowHelp{}, colour};
  if (command == nullptr) return Invocation{ShowOverview{}, colour};
  HOLDFAST_LET(action, action_of(*command, values, rest, env));
  return Invocation{std::move(action), colour};
}

}  // namespace

Result<Invocation> parse_arguments(const std::vector<std::string>& words, const Environment& env) {
  if (!words.empty() && words.front() == "complete") {  // the rest is the command line to complete
    const auto from = words.begin() + (words.size() > 1 && words[1] == "--" ? 2 : 1);
    return Invocation{CompleteLine{{from, words.end()}}};
  }
  HOLDFAST_LET(invocation, parse_command(words, env));
  invocation.pager = std::ranges::find(words, "--no-pager") == words.end();
  return invocation;
}

}  // namespace holdfast::inline v1
