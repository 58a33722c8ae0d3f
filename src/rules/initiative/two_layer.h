// The read protocol of two-layer persistence (W05, W07): what the caller knows, the
// state files, MEMORY.md, the milestones' folders, in this order. The first one that
// exists is the source of the answer; the others add what it lacks. If milestone or
// status disagree, the newest source wins (decision 23).
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
  std::string fields;  // its contents, in the model's names; "{}" if it does not exist
  std::string fault;   // why it cannot be read; else empty
};

struct LayerView {
  std::string source;  // the authoritative one; empty if there is none
  std::string initiative = "{}";
  std::string enriched = "{}";  // field -> source of its value
  std::vector<LayerSource> sources;
  std::vector<std::string> stale;     // sources that disagree with the authoritative one
  std::vector<std::string> warnings;  // for people
  std::vector<std::string> active;    // lines of MEMORY.md
  std::string revision;               // of initiative.json
};

// `context_json`: what the conversation knows, in the model's names; may be empty.
Result<LayerView> view_layers(LayerDraft& draft, std::string_view context_json);
Result<LayerView> read_initiative(const Context& context, Store& store, std::string_view project,
                                  std::string_view context_json = {});

// Session resume: the same, and corrects stale files to match the authoritative source
// in one commit: "Sync corrected: …". Ends an expired workflow-state.json. With
// `checkpoint`, rebuilds a missing or unreadable initiative.json from the other
// sources.
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
