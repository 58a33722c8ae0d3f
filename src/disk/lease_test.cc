#include <holdfast/counter.h>
#include <holdfast/lease.h>

#include <functional>
#include <set>
#include <thread>

#include "base/another_process.h"
#include "disk/forwarding_testing.h"
#include "disk/real_testing.h"
#include "disk/store_testing.h"

namespace holdfast::inline v1 {
namespace {

TEST(Lease, AcquireIsBusyOnlyWhileOwnerLives) {
  SimStore store;
  {
    const Lease lease = must(Lease::acquire({}, store.root, "session/1", "editing"));
    const auto second = Lease::acquire({}, store.again(), "session/1");
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, Code::busy);
    EXPECT_NE(second.error().message.find("editing"), std::string::npos);
    const LeaseState state = must(look_at_lease(*store.root, "session/1"));
    EXPECT_TRUE(state.alive);
    ASSERT_TRUE(state.owner);
    EXPECT_GT(state.owner->pid, 0);
    EXPECT_TRUE(must(lease.still_ours()));
  }
  EXPECT_FALSE(must(look_at_lease(*store.root, "session/1")).alive);
  EXPECT_TRUE(Lease::acquire({}, store.root, "session/1"));
}

TEST(Lease, OldOwnerNoticesTakeOver) {
  SimStore store;
  const Lease first = must(Lease::acquire({}, store.root, "s"));
  const Lease second = must(Lease::take_over({}, store.again(), "s", "mine now"));
  EXPECT_FALSE(must(first.still_ours()));
  EXPECT_TRUE(must(second.still_ours()));
  EXPECT_EQ(Lease::acquire({}, store.root, "s").error().code, Code::busy);
}

// Runs something between opening a lease file and locking it.
class Meanwhile final : public FileSystem {
 public:
  Meanwhile(FileSystem& inner, std::function<void()> then) : inner_(inner), then_(std::move(then)) {}
  Result<std::unique_ptr<Directory>> open_directory(std::string_view path, bool create) override {
    HOLDFAST_LET(directory, inner_.open_directory(path, create));
    return std::make_unique<Hooked>(std::move(directory), then_);
  }
  Result<FileSystemKind> kind_of(std::string_view path) override { return inner_.kind_of(path); }
  std::uint64_t entropy() override { return inner_.entropy(); }

 private:
  struct Hooked final : ForwardingDirectory {
    Hooked(std::unique_ptr<Directory> inner, std::function<void()>& hook)
        : ForwardingDirectory(std::move(inner)), then(hook) {}
    Result<std::unique_ptr<File>> open(std::string_view path, OpenMode mode) override {
      auto opened = ForwardingDirectory::open(path, mode);
      if (mode == OpenMode::update && path.contains("/leases/") && then) {
        const AnotherProcess other;
        std::exchange(then, nullptr)();
      }
      return opened;
    }
    std::function<void()>& then;
  };
  FileSystem& inner_;
  std::function<void()> then_;
};

TEST(Lease, LockOnUnlinkedFileIsNotALease) {
  SimStore store;
  must(Lease::acquire({}, store.root, "s"));  // leaves its file behind
  std::optional<Lease> taken;
  Meanwhile meanwhile(store.disk, [&] { taken = must(Lease::take_over({}, store.root, "s", "faster")); });
  const auto root = must(Root::open({}, meanwhile, "/s"));
  const auto second = Lease::acquire({}, root, "s");
  ASSERT_TRUE(taken);
  ASSERT_FALSE(second) << "two owners";
  EXPECT_EQ(second.error().code, Code::busy);
  EXPECT_TRUE(must(taken->still_ours()));
}

TEST(Lease, LookingAtMissingLeaseCreatesNothing) {
  SimStore store;
  const auto before = store.disk.paths();
  EXPECT_FALSE(must(look_at_lease(*store.root, "none")).alive);
  EXPECT_EQ(store.disk.paths(), before);
}

TEST(Counter, NeverHandsOutANumberTwice) {
  SimStore store;
  EXPECT_EQ(must(next_number({}, store.root, "s")), 1U);
  EXPECT_EQ(must(next_number({}, store.root, "s")), 2U);
  EXPECT_EQ(must(next_number({}, store.root, "other")), 1U);
  EXPECT_EQ(must(next_number({}, store.root, "s", 10)), 10U) << "the caller knows of higher ones";
  EXPECT_EQ(must(next_number({}, store.again(), "s")), 11U);
  // The last line is damaged: it contained a number that must not be handed out again.
  const std::string path = "/s/" + store.root->side("counters", "s");
  std::string bytes = store.disk.read_file(path).value();
  bytes[bytes.size() - 3] = '\0';
  must(store.disk.put_file(path, bytes));
  EXPECT_GT(must(next_number({}, store.root, "s")), 11U);
}

TEST(Counter, ConcurrentCallersGetDistinctNumbers) {
  TemporaryDirectory directory;
  std::mutex mutex;
  std::multiset<std::uint64_t> numbers;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        auto root = must(Root::open({}, real_file_system(), directory.path()));
        for (int i = 0; i < 10; ++i) {
          const auto number = must(next_number({}, root, "n"));
          const std::scoped_lock guard(mutex);
          numbers.insert(number);
        }
      });
  }
  EXPECT_EQ(numbers.size(), 40U);
  EXPECT_EQ(std::set<std::uint64_t>(numbers.begin(), numbers.end()).size(), 40U);
}

}  // namespace
}  // namespace holdfast::inline v1
