#include "sim_session.h"

#include <algorithm>

#include "store_picture.h"

namespace holdfast::lab {

void Session::create(Door& door) {
  if (traits_.layout == "maestro") must(door, "thread.create", params({{"id", "thr_lab"}, {"title", "t"}}));
  must(door, "session.create",
       traits_.layout == "maestro"
           ? params({{"id", kId}, {"thread", "thr_lab"}, {"lease", raw("false")}})
           : params({{"id", kId}, {"title", "t"}, {"project", kProject}, {"lease", raw("false")}}));
}

void Session::must(Door& door, std::string_view method, const std::string& params) {
  if (const auto answer = door.call(method, params); !answer)
    broken("", std::string(method) + ": " + answer.error().text());
}

void Session::must_not(Door& door, std::string_view method, const std::string& params) {
  if (door.call(method, params)) broken("", std::string(method) + " is not refused: " + params);
}

bool Session::append(Door& door, const std::string& message, bool power) {
  const auto answer = door.call(
      "message.append",
      params({{"session", kId}, {"text", text_of(message, traits_)}, {"durability", power ? "power" : "process"}}));
  const bool unclear =
      !answer && (answer.error().code == Code::durability_unknown || answer.error().code == Code::unfinished);
  if (answer)
    (power ? said_.power : said_.process).push_back(message);
  else if (!unclear)
    said_.refused.push_back(message);
  return answer.has_value();
}

void Session::judge(FileSystem& files, bool power_loss, const std::string& when) {
  ++outcome_.cases;
  LibraryDoor next(files, std::string(traits_.layout), kStoreTop, false);
  if (const auto back = restore_all(next); !back) return broken(when, back.error().text(), &Outcome::unopenable);
  auto seen = look_at(next, traits_, false);
  if (!seen) return broken(when, seen.error().text(), &Outcome::unopenable);
  const auto shelf = seen->shelves.find(messages_shelf(kId));
  if (shelf == seen->shelves.end()) return broken(when, "the session is gone", &Outcome::lost);
  if (!seen->altered.empty()) broken(when, seen->altered.front(), &Outcome::altered);
  const auto count = [&](const std::string& message) { return std::ranges::count(shelf->second, message); };
  const auto there = [&](const std::vector<std::string>& messages) {
    for (const std::string& message : messages) {
      ++outcome_.acknowledged;
      if (count(message) == 0) broken(when, "lost " + message, &Outcome::lost);
      if (count(message) > 1) broken(when, message + " is there twice");
    }
  };
  there(said_.power);
  if (!power_loss) there(said_.process);
  for (const std::string& message : said_.refused)
    if (count(message) > 0) broken(when, message + " was refused and is there");
}

void Session::broken(const std::string& when, const std::string& how, std::uint64_t Outcome::* count) {
  outcome_.fail(count, std::string(traits_.layout) + ", " + name_ + when + ": " + how);
}

}  // namespace holdfast::lab
