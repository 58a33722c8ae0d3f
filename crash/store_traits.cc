#include "store_traits.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace holdfast::lab {

namespace {

// Currently none.
constexpr std::array<std::string_view, 0> kKnown{};

}  // namespace

std::span<const StoreTraits> store_traits() {
  static constexpr std::array<StoreTraits, 7> kAll{{
      {.layout = "holdfast",
       .large = std::size_t{256} << 10,
       .runs = true,
       .missions = true,
       .threads = true,
       .plans = true,
       .memory = true,
       .entries = true},
      {.layout = "holdfast",
       .name = "entries",  // nothing else is in the store
       .talks = false,
       .titles = false,
       .forks = false,
       .trash = false,
       .imports = false,
       .ends = false,
       .entries = true},
      {.layout = "open-agent", .spills = true, .memory = true},
      {.layout = "maestro",
       .logs = false,
       .titles = false,
       .forks = false,
       .imports = false,
       .threads = true,
       .goes_on = true},
      {.layout = "linggen", .ends = false, .runs = true, .missions = true, .plans = true},
      {.layout = "lopen",
       .talks = false,
       .logs = false,
       .titles = false,
       .forks = false,
       .trash = false,
       .imports = false,
       .plans = true,
       .modules = true},
      {.layout = "workflow",
       .talks = false,
       .logs = false,
       .titles = false,
       .forks = false,
       .trash = false,
       .imports = false,
       .initiative = true,
       .goes_on = true},
  }};
  return kAll;
}

bool withheld(std::string_view part, std::string_view layout, std::string_view what) {
  static const std::string entries = [] {
    const char* const given = std::getenv("HOLDFAST_LAB_WITHOUT");
    if (given != nullptr) return std::string(given);
    std::string all;
    for (const std::string_view each : kKnown) all.append(each).append(",");
    return all;
  }();
  const auto means = [&](std::string_view entry) {
    for (const std::string_view word : {part, layout, what}) {
      const std::string_view first = entry.substr(0, entry.find(' '));
      if (first != "*" && first != word) return false;
      entry.remove_prefix(std::min(entry.size(), first.size() + 1));
    }
    return true;
  };
  for (std::string_view rest = entries; !rest.empty();) {
    const std::string_view entry = rest.substr(0, rest.find(','));
    if (means(entry)) return true;
    rest.remove_prefix(std::min(rest.size(), entry.size() + 1));
  }
  return false;
}

std::string lab_session_id(const StoreTraits& traits, std::uint64_t number) {
  const std::string digits = std::to_string(number);
  const std::string padded = std::string(12 - digits.size(), '0') + digits;
  return (traits.layout == "open-agent" ? "00000000-0000-4000-8000-" : "ses_lab") + padded;
}

std::string text_of(std::string_view name, const StoreTraits& traits) {
  std::size_t size = 0;
  switch (name.empty() ? ' ' : name.back()) {
    case 's': size = 40; break;     // within a sector
    case 'm': size = 700; break;    // crosses sectors
    case 'l': size = 5'000; break;  // crosses pages
    case 'b': size = traits.large + 600; break;
    case 'o': size = 60'000; break;
    default: break;
  }
  std::string text(name);
  if (size > 0) text += ' ';
  std::uint64_t mix = 0;
  for (const char letter : name) mix = mix * 31 + static_cast<unsigned char>(letter);
  while (text.size() < size) {
    mix = mix * 6364136223846793005ULL + 1442695040888963407ULL;
    text += static_cast<char>('a' + (mix >> 33U) % 26);
  }
  return text;
}

std::string name_in(std::string_view text, const StoreTraits& traits) {
  std::string name(text.substr(0, text.find(' ')));
  return text == text_of(name, traits) ? name : std::string();
}

}  // namespace holdfast::lab
