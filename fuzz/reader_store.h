// Reads everything that a layout finds in files in memory, in every way, and requires
// that nothing fails and that the same bytes give the same result twice.
#pragma once

#include <cstdlib>

#include "layout/layout.h"
#include "layout/memory_feed_testing.h"
#include "model/model_json.h"
#include "model/tally.h"

namespace holdfast::fuzz {

struct TranscriptRecorder : Events {
  Tally tally;
  JsonWriter json;
  TranscriptRecorder() { json.begin_array(); }
  void facts(const SessionFacts& facts) override { tally.facts(facts); }
  bool message(Message message) override {
    write_message(json, message, 0);
    return tally.message(std::move(message));
  }
  std::string text() {
    Session session;
    tally.finish(session);
    write_session(json, session);
    json.end_array();
    return json.take();
  }
};

inline void read_everything(const Layout& layout, const std::map<std::string, std::string>& files) {
  for (const bool framing : {false, true}) {
    MemoryFeed feed(std::string(layout.roots()[0].name), files);
    feed.framing = framing;
    std::vector<SessionRef> refs;
    const auto found = layout.find(feed, [&](SessionRef ref) {
      refs.push_back(std::move(ref));
      return true;
    });
    if (!found) std::abort();
    for (const SessionRef& ref : refs) {
      for (const bool whole : {true, false}) {
        TranscriptRecorder first, second;
        const Layout::ReadOptions options{.history = true, .raw = framing, .whole = whole};
        if (!layout.read(feed, ref, options, first)) std::abort();
        if (!layout.read(feed, ref, options, second)) std::abort();
        if (first.text() != second.text()) std::abort();
      }
    }
  }
}

}  // namespace holdfast::fuzz
