#include "layout/openclaw/openclaw_layout.h"

#include <array>

#include "layout/openclaw/databases.h"
#include "layout/openclaw/transcript.h"
#include "layout/openclaw/window.h"
#include "layout/pi/entry_teller.h"
#include "layout/pi/session_files.h"

namespace holdfast::inline v1 {
namespace openclaw {
namespace {

class OpenclawLayout final : public Layout {
 public:
  std::string_view name() const override { return "openclaw"; }
  std::string_view agent() const override { return "OpenClaw"; }
  bool writable() const override { return false; }
  std::span<const RootName> roots() const override {
    static constexpr std::array<RootName, 1> kRoots = {{{kRoot, "the OpenClaw home", true}}};
    return kRoots;
  }

  Result<bool> recognise(Feed& feed) const override {
    HOLDFAST_LET(databases, list_databases(feed));
    if (!databases.empty()) return true;
    HOLDFAST_LET(settings, feed.stat({kRoot, "openclaw.json"}));
    return settings.has_value();
  }
  Result<void> find(Feed& feed, const TakeRef& take) const override { return list_windows(feed, take); }
  Result<std::optional<SessionRef>> locate(Feed& feed, std::string_view id) const override {
    return locate_window(feed, id);
  }

  Result<void> read(Feed& feed, const SessionRef& ref, const ReadOptions& options, Events& events) const override {
    HOLDFAST_LET(window, read_window(feed, ref.place, ref.id));
    pi::EntryTeller teller(options, events);
    bool wanted = true;
    HOLDFAST_TRY(read_transcript(feed, ref.place, ref.id, [&](std::string_view event, std::uint64_t number) {
      wanted = teller.take(event, number);
      return wanted;
    }));
    if (!wanted) return {};
    if (!window.facts.parent && !teller.parent_session().empty()) {
      const std::string named = pi::id_in_name(teller.parent_session());
      window.facts.parent = Parent{named.empty() ? teller.parent_session() : named, ParentKind::fork, {}};
    }
    teller.finish(std::move(window.facts), window.leaf);
    return {};
  }
};

}  // namespace
}  // namespace openclaw

const Layout& openclaw_layout() {
  static const openclaw::OpenclawLayout layout;
  return layout;
}

}  // namespace holdfast::inline v1
