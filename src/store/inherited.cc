#include "store/inherited.h"

#include "model/events.h"

namespace holdfast::inline v1 {
namespace {

class MessageCount final : public Events {
 public:
  void facts(const SessionFacts& facts) override { has_parent = has_parent || facts.parent.has_value(); }
  bool message(Message /*message*/) override {
    ++count;
    return true;
  }
  std::int64_t count = 0;
  bool has_parent = false;
};

Result<std::int64_t> count_messages(const Context& context, const FileStore& store, const SessionRef& ref,
                                    bool history) {
  DirectoryFeed feed = store.looking(context);
  MessageCount counted;
  HOLDFAST_TRY(store.layout().read(feed, ref, {.history = history, .whole = false}, counted));
  return counted.count;
}

}  // namespace

Result<std::int64_t> count_inherited(const Context& context, const FileStore& store, const SessionRef& ref) {
  if (!store.layout().traits().references_history) return 0;
  DirectoryFeed feed = store.looking(context);
  MessageCount head;
  HOLDFAST_LET(known, store.layout().read_head(feed, ref, head));
  if (known && !head.has_parent) return 0;
  HOLDFAST_LET(all, count_messages(context, store, ref, true));
  HOLDFAST_LET(own, count_messages(context, store, ref, false));
  return all - own;
}

}  // namespace holdfast::inline v1
