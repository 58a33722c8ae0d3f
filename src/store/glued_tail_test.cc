// A new message follows the last one that readers see, even if that is glued to half a line.
#include "store/layout_store_testing.h"
#include "store/said_testing.h"

namespace holdfast::inline v1 {
namespace {

struct GluedTail : testing::TestWithParam<const char*> {};

TEST_P(GluedTail, NextMessageFollowsGluedMessage) {
  LayoutStore files(GetParam());
  const Context& context = files.context;
  const std::string id = must(files.store->create(context, {.project = "/srv/p", .title = "one"}, Durability::power));
  const std::string path = "/store/" + must(files.store->get(context, id)).path;
  std::size_t two = 0;
  {
    auto writer = must(files.store->write(context, id, {}));
    for (const char* text : {"one", "two", "three"}) {
      if (text == std::string("two")) two = files.bytes(path).size();
      must(writer->append(context, said(text), Durability::power));
    }
  }
  // Its writer died after the colon of a key, and the next writer did not check.
  std::string log = files.bytes(path);
  const std::size_t colon = log.find("\":", two) + 2, end = log.find('\n', two);
  log.erase(colon, end + 1 - colon);
  must(files.disk.put_file(path, log));
  files.reopen();
  const auto before = must(files.store->read(context, id, {.branch = "all"})).messages;
  ASSERT_EQ(before.back().text(), "three");
  auto writer = must(files.store->write(context, id, {}));
  for (const char* text : {"four", "five"}) must(writer->append(context, said(text), Durability::power));
  const auto after = must(files.store->read(context, id, {.branch = "all"})).messages;
  ASSERT_EQ(after.size(), before.size() + 2);
  EXPECT_EQ(after[before.size()].parent, before.back().id);
  EXPECT_EQ(after.back().parent, after[before.size()].id);
}

INSTANTIATE_TEST_SUITE_P(Layouts, GluedTail, testing::Values("holdfast", "open-agent"),
                         [](const auto& layout) { return std::string(layout.param).substr(0, 4); });

}  // namespace
}  // namespace holdfast::inline v1
