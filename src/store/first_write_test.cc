// A session's header is written with its first message: if that fails, neither is written.
#include <algorithm>
#include <cerrno>

#include "crash/disk/sim_observer.h"
#include "store/layout_store_testing.h"
#include "store/said_testing.h"

namespace holdfast::inline v1 {
namespace {

struct FullDisk final : SimObserver {
  Injection before(const SimCall& call) override {
    if (call.kind != SimCallKind::append) return {};
    return {.kind = Injection::Kind::fail, .error = ENOSPC};
  }
};

struct FirstWrite : testing::TestWithParam<const char*> {};

TEST_P(FirstWrite, FailureDoesNotLoseHeader) {
  LayoutStore files(GetParam());
  const Context& context = files.context;
  const std::string id = must(files.store->create(context, {.project = "/srv/p", .title = "one"}, Durability::power));
  auto writer = must(files.store->write(context, id, {}));
  const std::string path = "/store/" + must(files.store->get(context, id)).path;
  FullDisk full;
  files.disk.set_observer(&full);
  EXPECT_EQ(writer->append(context, said("lost"), Durability::power).error().code, Code::disk_full);
  files.disk.set_observer(nullptr);
  EXPECT_EQ(files.bytes(path), "");
  must(writer->append(context, said("kept"), Durability::power));
  const std::string log = files.bytes(path);
  EXPECT_EQ(std::ranges::count(log, '\n'), 2) << log;
  EXPECT_LT(log.find("session"), log.find("kept")) << log;
  const Transcript transcript = must(files.store->read(context, id, {}));
  EXPECT_EQ(transcript.session.title, "one");
  ASSERT_EQ(transcript.messages.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Layouts, FirstWrite, testing::Values("holdfast", "open-agent"),
                         [](const auto& layout) { return std::string(layout.param).substr(0, 4); });

}  // namespace
}  // namespace holdfast::inline v1
