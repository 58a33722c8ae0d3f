// The smallest possible reader, on an engine that was given it; tests/tenth_agent is a complete agent.
#include <gtest/gtest.h>

#include <array>

#include "crash/disk/sim_testing.h"
#include "store/file_store.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

// chats/NAME.log with {"who","said"} per line.
class ChatterLayout final : public Layout {
 public:
  std::string_view name() const override { return "chatter"; }
  std::string_view agent() const override { return "Chatter"; }
  std::span<const RootName> roots() const override {
    static constexpr std::array<RootName, 1> kRoots = {{{"home", "the home of Chatter"}}};
    return kRoots;
  }
  Result<bool> recognise(Feed& feed) const override {
    HOLDFAST_LET(chats, feed.list({"home", "chats"}));
    return !chats.empty();
  }
  Result<void> find(Feed& feed, const TakeRef& take) const override {
    HOLDFAST_LET(chats, feed.list({"home", "chats"}));
    for (const FeedEntry& chat : chats) {
      if (!chat.name.ends_with(".log")) continue;
      if (!take({chat.name.substr(0, chat.name.size() - 4), {"home", "chats/" + chat.name}, {}, {}})) break;
    }
    return {};
  }
  Result<void> read(Feed& feed, const SessionRef& ref, const ReadOptions&, Events& events) const override {
    return feed.records(ref.place, {}, [&](const FeedRecord& record) {
      const JsonView line(record.bytes);
      Message message;
      const bool person = line.find("who").is_string("me");
      message.role = person ? Role::user : Role::assistant;
      message.origin = person ? Origin::typed : Origin::model;
      message.blocks.push_back({.text = line.find("said").as_string().value_or("")});
      return events.report(std::move(message));
    });
  }
};

TEST(MinimalLayout, ListsReadsAndReportsFindings) {
  const ChatterLayout layout;
  SimFileSystem disk;
  must(disk.put_file("/home/chats/a.log", "{\"who\":\"me\",\"said\":\"hi\"}\n{\"who\":\"it\",\"said\":\"hello\"}\n"));
  must(disk.put_file("/home/chats/b.log", "{\"who\":\"me\",\"sa\n{\"who\":\"me\",\"said\":\"still here\"}\n"));
  StoreOptions options;
  options.layout = "chatter";
  options.roots["home"] = "/home";
  auto roots = must(OpenedRoots::open({}, disk, layout, options));
  const auto store =
      std::make_shared<FileStore>(layout, disk, options, std::move(roots), "chatter:/home", std::span<const Hooks>());

  const SessionList list = must(store->list({}, {}));
  EXPECT_EQ(list.total, 2u);
  ASSERT_EQ(list.findings.size(), 1u);
  EXPECT_EQ(list.findings[0].file, "chats/b.log");
  const Transcript chat = must(store->read({}, "a", {}));
  EXPECT_EQ(chat.session.first_prompt, "hi");
  EXPECT_EQ(chat.session.counts.assistant, 1);
  EXPECT_EQ(must(store->read({}, "b", {})).messages.at(0).text(), "still here");

  // Errors name what the layout cannot store.
  const auto refused = store->create({}, {}, Durability::power);
  ASSERT_FALSE(refused);
  const auto record = store->get_record({}, {"run", "/p", "x"});
  EXPECT_EQ(record.error().code, Code::unsupported);
  EXPECT_NE(record.error().message.find("chatter"), std::string::npos);
}

}  // namespace
}  // namespace holdfast::inline v1
