#include "doors/cli/pasteable_commands.h"

#include <algorithm>
#include <array>
#include <vector>

#include "api/operation.h"
#include "doors/cli/commands.h"
#include "doors/cli/noun_args.h"
#include "text/shell_word.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kProgram = "holdfast ";

// Nouns that are about the whole machine and ignore a store.
constexpr std::array<std::string_view, 7> kOfMachine = {"archive", "hooks", "log", "machine", "mcp", "remote", "sync"};

std::string_view word_at(std::string_view text, std::size_t at) {
  const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", at);
  return at > text.size() ? std::string_view() : text.substr(at, end == std::string_view::npos ? end : end - at);
}

bool looks_in_store(const Operation& operation) {
  return operation.use != Use::nothing && std::ranges::find(kOfMachine, operation.noun()) == kOfMachine.end();
}

// The length of the words that name a command with a store; 0 if there is none.
std::size_t command_length(std::string_view text) {
  const std::string_view first = word_at(text, 0);
  if (first.empty()) return 0;
  if (const std::string_view second = word_at(text, first.size() + 1);
      text.substr(first.size()).starts_with(' ') && !second.empty() && is_noun(first)) {
    const Operation* const verb = find_operation(std::string(first).append(".").append(second));
    if (verb != nullptr) return looks_in_store(*verb) ? first.size() + 1 + second.size() : 0;
  }
  if (const Operation* const shortcut = find_shortcut(first)) return looks_in_store(*shortcut) ? first.size() : 0;
  const Command* const command = find_command(first);
  if (command == nullptr) return 0;
  const bool takes = std::ranges::any_of(command->options, [](const Option& one) { return one.name == "--store"; });
  return takes ? first.size() : 0;
}

// The clause that begins at `at`; what follows it is about another command.
std::string_view clause_at(std::string_view text, std::size_t at) {
  return text.substr(at, std::min({text.find(kProgram, at), text.find('\n', at), text.find(';', at)}) - at);
}

}  // namespace

std::string with_stores(std::string text, std::span<const std::string> stores) {
  if (stores.empty()) return text;
  std::string options;
  for (const std::string& store : stores) options += " --store " + shell_word(store);
  for (std::size_t at = text.find(kProgram); at != std::string::npos; at = text.find(kProgram, at)) {
    const bool within = at > 0 && !std::string_view(" \n(:;\"'").contains(text[at - 1]);
    at += kProgram.size();
    const std::size_t length = within ? 0 : command_length(std::string_view(text).substr(at));
    if (length == 0) continue;
    at += length;
    const std::string_view rest = clause_at(text, at);
    if (rest.contains(" --store ") || rest.contains(" --machine ")) continue;
    text.insert(at, options);
    at += options.size();
  }
  return text;
}

std::string with_layouts(std::string text) {
  constexpr std::string_view kShow = "holdfast show ";
  const std::size_t at = text.find(std::string(kShow) + "ID ");
  if (at != std::string::npos) text.insert(at + kShow.size(), "LAYOUT/");
  return text;
}

std::string with_store_of(std::string text, JsonView params) {
  const auto store = params.find("store").as_string();
  if (!store || store->empty()) return text;
  const std::array<std::string, 1> named = {*store};
  return with_stores(std::move(text), named);
}

}  // namespace holdfast::inline v1
