// Scenes of a store with one right outcome each, in addition to those of store_scenes.h.
#include "sim_parts.h"
#include "sim_session.h"
#include "store_scenes.h"

namespace holdfast::lab {
namespace {

std::string given(std::string_view text, std::string_view key, std::string_view value) {
  return params({{"session", kId}, {"message", raw(params({{"role", "user"}, {"text", text}, {key, value}}))}});
}

// The id of a message and the one it follows.
void names(const StoreTraits& traits, Outcome& outcome) {
  if (traits.layout != "holdfast" && traits.layout != "open-agent") return;  // the others assign the ids themselves
  auto disk = disk_for(traits, 1);
  Session session(traits, *disk, "names of messages", outcome);
  LibraryDoor caller(*disk, std::string(traits.layout), kStoreTop, true);
  session.create(caller);
  session.must(caller, "message.append", given("one", "id", "00000000-0000-4000-8000-00000000000a"));
  session.must_not(caller, "message.append", given("two", "id", "00000000-0000-4000-8000-00000000000a"));
  session.must_not(caller, "message.append", given("three", "parent", "00000000-0000-4000-8000-00000000000b"));
}

void owner_keeps_it(const StoreTraits& traits, Outcome& outcome) {
  auto disk = disk_for(traits, 1);
  Session session(traits, *disk, "a session in use", outcome);
  LibraryDoor owner(*disk, std::string(traits.layout), kStoreTop, true);
  LibraryDoor other(*disk, std::string(traits.layout), kStoreTop, true);
  session.create(owner);
  session.must(owner, "session.resume", params({{"id", kId}}));
  session.append(owner, "m1s");
  if (traits.trash) session.must_not(other, "session.trash", params({{"id", kId}}));
  session.must_not(other, "session.delete", params({{"id", kId}}));
  session.append(owner, "m2s");
  session.judge(*disk, false, "");
}

// A message that was written without a sync is as durable as the removal that takes it along.
void young_message(const StoreTraits& traits, Outcome& outcome) {
  auto disk = disk_for(traits, 1);
  Session session(traits, *disk, "a young message in the trash", outcome);
  LibraryDoor caller(*disk, std::string(traits.layout), kStoreTop, true);
  LibraryDoor other(*disk, std::string(traits.layout), kStoreTop, true);
  session.create(caller);
  session.append(caller, "m1s");
  session.append(caller, "m2s", false);
  session.must(other, "session.trash", params({{"id", kId}}));
  auto& said = session.said();
  said.power.insert(said.power.end(), said.process.begin(), said.process.end());
  said.process.clear();
  auto nothing = Chooser::random(1, 0);
  session.judge(*disk->crash(CrashModel::weak, nothing), true, "");
}

// A key that was removed is nowhere, even after a power loss.
void removed_key(Outcome& outcome) {
  for (const StoreTraits& traits : store_traits()) {
    if (traits.layout != "linggen") continue;
    auto disk = disk_for(traits, 1);
    Session session(traits, *disk, "a removed key", outcome);
    LibraryDoor caller(*disk, std::string(traits.layout), kStoreTop, false);
    for (const bool other : {true, false}) {
      if (other) session.must(caller, "credential.set", params({{"id", "other"}, {"api_key", "key-that-stays"}}));
      session.must(caller, "credential.set", params({{"id", "m"}, {"api_key", "key-that-goes"}}));
      disk->sync_all();
      session.must(caller, "credential.remove", params({{"id", "m"}}));
      auto chooser = Chooser::random(3, 1);
      do {
        auto dark = disk->crash(CrashModel::weak, chooser);
        for (const SimEntry& entry : dark->tree())
          if (entry.bytes.contains("key-that-goes")) session.broken("", "it is still in " + entry.path);
      } while (chooser.next());
      if (other) session.must(caller, "credential.remove", params({{"id", "other"}}));
    }
  }
}

}  // namespace

void run_scenes(Outcome& outcome) {
  for (const StoreTraits& traits : store_traits()) {
    if (!traits.talks) continue;
    names(traits, outcome);
    owner_keeps_it(traits, outcome);
    play_lost_lease(traits, outcome);
    if (traits.large > 0) play_flipped_text(traits, outcome);
    if (traits.trash) play_trashed_meanwhile(traits, outcome);
    if (traits.trash) young_message(traits, outcome);
  }
  removed_key(outcome);
}

}  // namespace holdfast::lab
