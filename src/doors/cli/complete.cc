#include "doors/cli/complete.h"

#include <algorithm>

#include "api/known_layouts.h"
#include "doors/cli/api_words.h"
#include "doors/cli/commands.h"
#include "doors/cli/noun_args.h"
#include "doors/cli/noun_help.h"

namespace holdfast::inline v1 {
namespace {

enum class Wanted { nothing, text, words, files, directories, sessions, stores, layouts, topics, methods };

// One option or argument, from either table.
struct Slot {
  std::string flag;  // empty for an argument
  std::string short_flag;
  std::string help;
  Wanted wanted = Wanted::nothing;  // nothing for a switch
  std::vector<std::string_view> words = {};
  bool rest = false;
};

Wanted wanted_by(std::string_view value) {
  constexpr std::pair<std::string_view, Wanted> kNames[] = {
      {"STORE", Wanted::stores}, {"DIR", Wanted::directories}, {"FILE", Wanted::files},
      {"ID", Wanted::sessions},  {"COMMAND", Wanted::topics},  {"METHOD", Wanted::methods},
  };
  if (value.empty()) return Wanted::nothing;
  for (const auto& [name, wanted] : kNames) {
    if (value == name) return wanted;
  }
  return Wanted::text;
}

Slot slot_of(const Option& option) {
  Slot slot{std::string(option.name), option.letter == '\0' ? "" : std::string("-") + option.letter,
            std::string(option.text), wanted_by(option.value)};
  if (option.name == "--color") slot.words = {"auto", "always", "never"}, slot.wanted = Wanted::words;
  return slot;
}

Slot slot_of(const Operation& operation, const Parameter& parameter) {
  Slot slot{parameter.positional ? "" : flag_of(parameter),
            "",
            in_cli_words(operation, parameter.help),
            Wanted::text,
            parameter.words,
            parameter.rest};
  if (parameter.letter != '\0') slot.short_flag = std::string("-") + parameter.letter;
  if (parameter.type == ParamType::boolean) slot.wanted = Wanted::nothing;
  if (!parameter.words.empty()) slot.wanted = Wanted::words;
  if (parameter.path) slot.wanted = parameter.name == "output" ? Wanted::files : Wanted::directories;
  if (parameter.file) slot.wanted = Wanted::files;
  if (parameter.name == "store") slot.wanted = Wanted::stores;
  if (parameter.name == "layout" || (parameter.name == "agent" && parameter.letter == 'a'))
    slot.wanted = Wanted::layouts;
  const bool names_a_session = parameter.name == "session" || (parameter.name == "id" && parameter.positional);
  if (names_a_session && parameter.help.find("@last") != std::string_view::npos) slot.wanted = Wanted::sessions;
  return slot;
}

std::vector<Slot> common_slots() {
  std::vector<Slot> slots;
  for (const Option& option : global_options()) slots.push_back(slot_of(option));
  return slots;
}

std::vector<Slot> slots_of(const Command& command) {
  std::vector<Slot> slots;
  for (const Option& option : shared_options(command)) slots.push_back(slot_of(option));
  for (const Option& option : command.options)
    if (!option.hidden) slots.push_back(slot_of(option));
  std::string_view names = command.arguments;
  while (!names.empty()) {
    std::string_view name = names.substr(0, names.find(' '));
    names.remove_prefix(std::min(names.size(), name.size() + 1));
    while (name.starts_with('[')) name.remove_prefix(1);
    while (name.ends_with(']')) name.remove_suffix(1);
    Slot slot{"", "", "", wanted_by(name)};
    if (name == "SHELL") slot.words = {"bash", "zsh", "fish"}, slot.wanted = Wanted::words;
    slots.push_back(std::move(slot));
  }
  return slots;
}

std::vector<Slot> slots_of(const Operation& operation) {
  std::vector<Slot> slots = common_slots();
  for (const Parameter& parameter : parameters_of(operation))
    if (!is_hidden_parameter(parameter)) slots.push_back(slot_of(operation, parameter));
  if (operation.destructive()) slots.push_back({"--yes", "-y", "do not ask"});
  if (operation.command == "ls") slots.push_back({"--print0", "-0", "print only LAYOUT/ID, NUL-terminated"});
  if (operation.command == "sync") slots.push_back({"--watch", "", "keep syncing until stopped"});
  if (operation.command == "rescue") {
    slots.push_back({"--install", "", "install the copy where the agent finds it"});
    slots.push_back({"--undo", "", "put the damaged file back"});
  }
  return slots;
}

std::vector<Candidate> command_names() {
  std::vector<Candidate> all;
  for (const Operation& operation : operations())
    if (!operation.command.empty()) all.push_back({std::string(operation.command), help_of(operation)});
  for (const Command& command : commands())
    if (!command.hidden) all.push_back({std::string(command.name), std::string(command.summary)});
  for (const auto noun : nouns()) all.push_back({std::string(noun), "verbs of the noun " + std::string(noun)});
  return all;
}

std::vector<Candidate> verbs_of(std::string_view noun) {
  std::vector<Candidate> all;
  for (const Operation* operation : operations_of(noun))
    all.push_back({std::string(operation->verb()), help_of(*operation)});
  return all;
}

class Completer {
 public:
  Completer(std::string typed, const CompletionSources& sources) : typed_(std::move(typed)), sources_(sources) {}

  Completion among(std::vector<Candidate> all) const {
    std::erase_if(all, [&](const Candidate& one) { return !one.word.starts_with(typed_); });
    return {Completion::Kind::words, std::move(all)};
  }

  Completion value_for(const Slot& slot) const {
    std::vector<Candidate> all;
    switch (slot.wanted) {
      case Wanted::files: return {Completion::Kind::files, {}};
      case Wanted::directories: return {Completion::Kind::directories, {}};
      case Wanted::words:
        for (const auto word : slot.words) all.push_back({std::string(word), ""});
        break;
      case Wanted::sessions:
        if (sources_.sessions) all = sources_.sessions();
        all.insert(all.begin(), {"@last", "the newest session"});
        break;
      case Wanted::stores:
        if (sources_.stores) all = sources_.stores();
        for (const KnownLayout& layout : known_layouts()) all.push_back({std::string(layout.name) + ":", ""});
        break;
      case Wanted::layouts:
        for (const KnownLayout& layout : known_layouts())
          all.push_back({std::string(layout.name), std::string(layout.agent)});
        break;
      case Wanted::topics: all = command_names(); break;
      case Wanted::methods:
        for (const Operation& operation : operations())
          all.push_back({std::string(operation.method), std::string(operation.help)});
        break;
      case Wanted::nothing:
      case Wanted::text: break;
    }
    return among(std::move(all));
  }

  Completion flags(const std::vector<Slot>& slots) const {
    std::vector<Candidate> all;
    for (const Slot& slot : slots)
      if (!slot.flag.empty()) all.push_back({slot.flag, slot.help});
    return among(std::move(all));
  }

 private:
  std::string typed_;
  const CompletionSources& sources_;
};

const Slot* slot_named(const std::vector<Slot>& slots, std::string_view word) {
  for (const Slot& slot : slots) {
    if (!slot.flag.empty() && (slot.flag == word || (!slot.short_flag.empty() && slot.short_flag == word)))
      return &slot;
  }
  return nullptr;
}

// `before`: complete words after the command.
Completion in_slots(const std::vector<Slot>& slots, const std::vector<std::string>& before, const std::string& typed,
                    const CompletionSources& sources) {
  std::size_t arguments = 0;
  const Slot* waiting = nullptr;
  for (const std::string& word : before) {
    if (waiting != nullptr) {
      waiting = nullptr;
    } else if (word.starts_with("-") && word != "-") {
      const Slot* const named = slot_named(slots, word);
      if (named != nullptr && named->wanted != Wanted::nothing) waiting = named;
    } else {
      ++arguments;
    }
  }
  if (waiting != nullptr) return Completer(typed, sources).value_for(*waiting);
  if (const auto equals = typed.find('='); typed.starts_with("--") && equals != std::string::npos) {
    const Slot* const named = slot_named(slots, typed.substr(0, equals));
    if (named == nullptr) return {};
    Completion found = Completer(typed.substr(equals + 1), sources).value_for(*named);
    for (Candidate& one : found.words) one.word.insert(0, typed.substr(0, equals + 1));
    return found;
  }
  if (typed.starts_with("-")) return Completer(typed, sources).flags(slots);
  std::size_t at = 0;
  for (const Slot& slot : slots) {
    if (!slot.flag.empty()) continue;
    if (at++ == arguments || slot.rest) return Completer(typed, sources).value_for(slot);
  }
  return {};
}

// A word that is both a command and a noun: `sync`, `sync status`, and `sync --watch`, which is `sync watch`.
const Operation& operation_meant(const Operation& shortcut, std::string_view name, std::vector<std::string>& before) {
  if (shortcut.noun() != name || before.empty()) return shortcut;
  for (const Operation* const operation : operations_of(name)) {
    const bool verb = operation->verb() == before.front();
    if (!verb && std::ranges::find(before, "--" + std::string(operation->verb())) == before.end()) continue;
    if (verb) before.erase(before.begin());
    return *operation;
  }
  return shortcut;
}

}  // namespace

Completion complete_words(const std::vector<std::string>& words, const CompletionSources& sources) {
  const std::string typed = words.empty() ? "" : words.back();
  std::vector<std::string> before(words.begin(), words.empty() ? words.end() : words.end() - 1);
  const std::vector<Slot> common = common_slots();
  // The command, after options that precede it.
  std::size_t at = 0;
  while (at < before.size() && before[at].starts_with("-"))
    at += before[at] == "--color" || before[at] == "--store" ? 2 : 1;
  if (at > before.size()) return in_slots(slots_of(*find_command("rpc")), before, typed, sources);
  if (at == before.size()) {
    if (!typed.starts_with("-")) return Completer(typed, sources).among(command_names());
    Completion found = in_slots(common, before, typed, sources);
    if (std::string_view("--version").starts_with(typed)) found.words.push_back({"--version", "print the version"});
    return found;
  }
  const std::string name = before[at];
  before.erase(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  if (const Operation* const shortcut = find_shortcut(name))
    return in_slots(slots_of(operation_meant(*shortcut, name, before)), before, typed, sources);
  if (is_noun(name)) {
    const auto verb = std::ranges::find_if(before, [](const std::string& word) { return !word.starts_with("-"); });
    if (verb == before.end()) return Completer(typed, sources).among(verbs_of(name));
    for (const Operation* operation : operations_of(name)) {
      if (operation->verb() != *verb) continue;
      before.erase(verb);
      return in_slots(slots_of(*operation), before, typed, sources);
    }
    return {};
  }
  if (name == "pick") return in_slots(slots_of(*find_shortcut("ls")), before, typed, sources);
  const Command* const command = find_command(name);
  if (command == nullptr || command->hidden) return {};
  if ((name == "help" || name == "man") && before.size() == 1 && is_noun(before[0]))
    return Completer(typed, sources).among(name == "help" ? verbs_of(before[0]) : std::vector<Candidate>{});
  return in_slots(slots_of(*command), before, typed, sources);
}

std::string completion_lines(const Completion& completion) {
  if (completion.kind == Completion::Kind::files) return "files\n";
  if (completion.kind == Completion::Kind::directories) return "directories\n";
  std::string out = "words\n";
  for (const Candidate& one : completion.words) out += one.word + "\t" + one.help + "\n";
  return out;
}

}  // namespace holdfast::inline v1
