// Stores with a queue on a simulated disk, and a remote that fails on request.
#pragma once

#include "rules/queue/directory_transport.h"
#include "rules/queue/drain.h"
#include "rules/queue/queue.h"
#include "rules/queue/receive.h"
#include "rules/rules_testing.h"

namespace holdfast::inline v1 {

// Records what it was sent; fails as often as requested.
class FakeTransport final : public Transport {
 public:
  DeliveryResult send(const Context&, const Parcel& parcel) override {
    ++calls;
    if (fail_next > 0) {
      --fail_next;
      return {failure, "the line is down"};
    }
    parcels.push_back(parcel);
    return {};
  }

  int calls = 0;
  int fail_next = 0;
  Delivery failure = Delivery::retryable;
  std::vector<Parcel> parcels;
};

struct SyncedStore {
  explicit SyncedStore(SimFileSystem& on, std::string root, std::string name = "holdfast")
      : disk(on), layout(std::move(name)), path(std::move(root)) {
    context.clock = &clock;
    reopen();
  }
  void reopen(bool sync = true, bool write = true) {
    store.reset();
    StoreOptions options;
    options.layout = layout;
    options.roots = {{"", path}};
    options.write = write;
    options.create = write;
    options.sync = sync;
    store = must(Store::open(context, disk, options));
    store->subscribe([this](const StoreEvent& event) {
      if (event.name.starts_with("sync:")) events.push_back(event.name + " " + event.json);
    });
  }
  DrainResult drain(Transport& transport, const DrainOptions& options = {}) {
    return must(drain_queue(context, *store, transport, options));
  }
  QueueState state() { return must(queue_state(context, *store)); }

  SimFileSystem& disk;
  std::string layout;
  std::string path;
  TestClock clock;
  Context context;
  std::shared_ptr<Store> store;
  std::vector<std::string> events;
};

inline Message said(std::string text) {
  Message message;
  message.blocks.push_back({.kind = BlockKind::text, .text = std::move(text)});
  return message;
}

// Creates a native session with messages that may be sent.
inline std::string shared_session(SyncedStore& files, int messages, bool share = true) {
  SessionDraft draft{.project = "/srv/p", .title = "t"};
  if (share) draft.metadata = R"({"privacy":{"localOnly":false}})";
  const std::string id = must(files.store->create(files.context, draft));
  auto writer = must(files.store->write(files.context, id));
  for (int i = 0; i < messages; ++i) must(writer->append(files.context, said("text " + std::to_string(i))));
  return id;
}

inline std::string transcript_of(Store& store, std::string_view id) {
  std::string all;
  for (const Message& message : must(store.read({}, id, {.raw = true})).messages) all += message.raw + "\n";
  return all;
}

}  // namespace holdfast::inline v1
