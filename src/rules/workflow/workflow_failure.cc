#include "rules/workflow/workflow_failure.h"

#include <array>
#include <charconv>
#include <system_error>

namespace holdfast::inline v1 {
namespace {

std::string eight_hex(int number) {
  std::array<char, 8> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), static_cast<unsigned>(number), 16);
  const std::string text(digits.data(), end.ptr);
  return "0x" + std::string(8 - text.size(), '0') + text;
}

// Returns the part of a critical error between these marks; empty if there is none.
std::string_view said_in(std::string_view text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + from.size());
  return text.substr(0, text.find(to));
}

// What failed, without the path and the system's message, which the other parts of a critical error say.
std::string details_of(const Error& cause, const std::string& path) {
  std::string_view details = cause.message;
  const auto drop = [&](const std::string& end) {
    if (details.ends_with(end)) details.remove_suffix(end.size());
  };
  drop(" (" + path + ")");
  drop(" (" + cause.path + ")");
  if (cause.os_error != 0) drop(": " + std::generic_category().message(cause.os_error));
  return std::string(details);
}

// Repeats the error of the failed save: the path, and the system's message.
Error still_paused(const Root& root, std::string_view id, std::string_view why) {
  const std::string_view path = said_in(why, " | Path: ", " | ");
  const std::string_view number = said_in(said_in(why, " | OS Error: ", " | "), "(0x", ")");
  int os_error = 0;
  std::from_chars(number.data(), number.data() + number.size(), os_error, 16);
  return {Code::storage_unavailable,
          "session " + std::string(id) + " is paused until it is resumed, because a save failed: " + std::string(why),
          path.empty() ? root.path() : std::string(path), os_error};
}

}  // namespace

bool is_critical(Code code) {
  switch (code) {
    case Code::disk_full:
    case Code::permission_denied:
    case Code::read_only:
    case Code::io_error:
    case Code::durability_unknown:
    case Code::poisoned:
    case Code::unfinished:
    case Code::storage_unavailable: return true;
    default: return false;
  }
}

Error critical_error(const Error& cause, std::string_view root) {
  std::string path = cause.path.empty() ? std::string(root) : cause.path;
  if (!path.starts_with('/')) path = std::string(root) + "/" + path;
  std::string text = "the workflow is paused: its state cannot be saved | Path: " + path + " | OS Error: ";
  text += cause.os_error == 0
              ? std::string(code_name(cause.code))
              : std::generic_category().message(cause.os_error) + " (" + eight_hex(cause.os_error) + ")";
  text += " | Details: " + details_of(cause, path);
  return {cause.code, std::move(text), std::move(path), cause.os_error};
}

Result<void> save_or_pause(FileStore& store, std::string_view id, const std::function<Result<void>()>& save) {
  Root& root = *store.roots().first();
  if (const auto why = store.paused().why(root, id)) return fail(still_paused(root, id, *why));
  auto saved = save();
  if (saved || !is_critical(saved.error().code)) return saved;
  Error error = critical_error(saved.error(), root.path());
  store.paused().pause(root, id, error.message);
  return fail(std::move(error));
}

}  // namespace holdfast::inline v1
