#include "store_scenes.h"

#include "store_picture.h"
#include "store_world.h"

namespace holdfast::lab {
namespace {

constexpr const char* kId = "00000000-0000-4000-8000-000000000001";  // valid in every layout

struct Scene {
  Scene(const StoreTraits& of, const std::string& title, Outcome& found)
      : traits(of), name(std::string(of.layout) + ": " + title), outcome(found) {
    ++outcome.cases;
    if (traits.layout == "maestro") must(one, "thread.create", params({{"id", "thr_lab"}, {"title", "t"}}));
    must(one, "session.create",
         traits.layout == "maestro"
             ? params({{"id", kId}, {"thread", "thr_lab"}, {"lease", raw("false")}})
             : params({{"id", kId}, {"title", "t"}, {"project", kProject}, {"lease", raw("false")}}));
  }

  bool must(Door& door, std::string_view method, const std::string& params) {
    const auto answer = door.call(method, params);
    if (!answer) outcome.fail(&Outcome::wrong, name + ": " + std::string(method) + ": " + answer.error().text());
    return answer.has_value();
  }
  Result<std::string> append(Door& door, const std::string& message) {
    return door.call("message.append", params({{"session", kId}, {"text", text_of(message, traits)}}));
  }
  // The messages, as the next process finds them.
  std::vector<std::string> there() {
    LibraryDoor next(*disk, std::string(traits.layout), kStoreTop, false);
    auto seen = look_at(next, traits, false);
    if (!seen) {
      outcome.fail(&Outcome::unopenable, name + ": " + seen.error().text());
      return {};
    }
    return seen->shelves[messages_shelf(kId)];
  }

  const StoreTraits& traits;
  const std::string name;
  Outcome& outcome;
  std::unique_ptr<SimFileSystem> disk = disk_for(traits, 1);
  LibraryDoor one{*disk, std::string(traits.layout), kStoreTop, true};
  LibraryDoor two{*disk, std::string(traits.layout), kStoreTop, true};
};

}  // namespace

void play_lost_lease(const StoreTraits& traits, Outcome& outcome) {
  Scene scene(traits, "a lost lease", outcome);
  scene.must(scene.one, "session.resume", params({{"id", kId}}));
  if (const auto first = scene.append(scene.one, "m1s"); !first)
    outcome.fail(&Outcome::wrong, scene.name + ": " + first.error().text());
  if (scene.two.call("session.resume", params({{"id", kId}})))
    outcome.fail(&Outcome::wrong, scene.name + ": two callers have it at once");
  scene.must(scene.two, "session.resume", params({{"id", kId}, {"takeover", raw("true")}}));
  if (scene.append(scene.one, "m2s")) outcome.fail(&Outcome::wrong, scene.name + ": whoever lost it was acknowledged");
  if (const auto third = scene.append(scene.two, "m3s"); !third)
    outcome.fail(&Outcome::wrong, scene.name + ": " + third.error().text());
  if (scene.there() != std::vector<std::string>{"m1s", "m3s"})
    outcome.fail(&Outcome::wrong, scene.name + ": other messages are there than were acknowledged");
}

void play_flipped_text(const StoreTraits& traits, Outcome& outcome) {
  Scene scene(traits, "a flipped text", outcome);
  if (!scene.append(scene.one, "m1b")) return outcome.fail(&Outcome::wrong, scene.name + ": cannot append");
  for (const std::string& path : scene.disk->paths())
    if (path.find("/blobs/") != std::string::npos) scene.disk->flip_bit(path, 9'000);
  LibraryDoor next(*scene.disk, std::string(traits.layout), kStoreTop, false);
  const auto answer = next.call("message.list", params({{"session", kId}}));
  if (answer && answer->find("\"damage\":[]") != std::string::npos)
    outcome.fail(&Outcome::altered, scene.name + ": it is shown as if it were right");
  const auto verified = next.call("store.verify", "{}");
  if (verified && verified->find("\"damage\":[]") != std::string::npos)
    outcome.fail(&Outcome::altered, scene.name + ": verify finds nothing");
}

void play_trashed_meanwhile(const StoreTraits& traits, Outcome& outcome) {
  Scene scene(traits, "trashed meanwhile", outcome);
  std::vector<std::string> acknowledged;
  const auto append = [&](const std::string& message) {
    if (scene.append(scene.one, message)) acknowledged.push_back(message);
  };
  append("m1s");
  scene.must(scene.two, "session.trash", params({{"id", kId}}));
  append("m2s");
  scene.must(scene.two, "session.restore", params({{"id", kId}}));
  append("m3s");
  if (scene.there() != acknowledged)
    outcome.fail(&Outcome::lost, scene.name + ": other messages are there than were acknowledged");
}

}  // namespace holdfast::lab
