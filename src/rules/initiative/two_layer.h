// The read protocol of two-layer persistence (W05, W07): what the caller still
// knows, the state files, MEMORY.md, the milestones' folders, in this order. The
// first that is there is the source of the answer; the others fill in what it
// does not say. Where milestone or status disagree, the newest wins (decision 23).
// Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>
#include <vector>

#include "rules/initiative/layer_draft.h"

namespace holdfast::inline v1 {

// Names of sources; the others are context, MEMORY.md and scan.
inline constexpr std::string_view kInitiativeSource = "initiative.json";
inline constexpr std::string_view kStatusSource = "WORKFLOW-STATUS.yaml";

struct LayerSource {
  std::string name;
  std::string fields;  // what it says, in the model's names; "{}" when it is not there
  std::string fault;   // why it cannot be read; empty
};

struct LayerView {
  std::string source;  // the authoritative one; empty: nothing is there
  std::string initiative = "{}";
  std::string enriched = "{}";  // field -> the source that it came from
  std::vector<LayerSource> sources;
  std::vector<std::string> stale;     // sources that disagree with the authoritative one
  std::vector<std::string> warnings;  // for people
  std::vector<std::string> active;    // lines of MEMORY.md
  std::string revision;               // of initiative.json
};

// `context_json`: what the conversation knows, in the model's names; empty: nothing.
Result<LayerView> view_layers(LayerDraft& draft, std::string_view context_json);
Result<LayerView> read_initiative(const Context& context, Store& store, std::string_view project,
                                  std::string_view context_json = {});

// Session resume: the same, and stale files are brought in line with the
// authoritative source in one commit: "Sync corrected: …". An expired
// workflow-state.json is ended. With `checkpoint`, an initiative.json that is
// missing or cannot be read is made from what the other sources say.
struct ResumedInitiative {
  LayerView view;
  std::vector<std::string> corrections;
  LayerOutcome outcome;
};
Result<ResumedInitiative> resume_initiative(const Context& context, Store& store, std::string_view project,
                                            std::string_view context_json, bool checkpoint);

// "3 minutes ago", "2 hours ago", "5 days ago"; "just now" below a minute.
std::string time_ago(std::chrono::system_clock::duration age);

}  // namespace holdfast::inline v1
