// Converts a transcript into ATIF steps. Lifetime: steps point into the messages they
// were made from.
#pragma once

#include <holdfast/store.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

// An image, a document or a recording; `call` is the id of the call whose result it belongs to, if any.
struct AtifMedia {
  const Block* block = nullptr;
  std::string call = {};
};

// A call, or a result of it. Agents use ids again, but in a step each call has its own.
struct AtifCall {
  const Block* block = nullptr;
  std::string id = {};
};

struct AtifStep {
  std::string_view source;  // system, user, agent
  std::string timestamp;    // ISO-8601, or empty
  std::string text;
  std::string model;
  std::string reasoning;
  std::string response;              // id of the API response
  std::vector<AtifCall> calls;       // distinct ids
  std::vector<AtifCall> results;     // of those calls; of no call if this is an orphan's own step
  std::vector<const Block*> others;  // blocks of kind `other`, for `extra`
  std::vector<AtifMedia> media;      // for `extra`, too
  std::optional<Usage> usage;
  std::string cost;
  std::string_view origin;  // if it is not the usual one
  bool orphan = false;      // results of calls that are not in the transcript
};

std::vector<AtifStep> atif_steps(const std::vector<Message>& messages);

}  // namespace holdfast::inline v1
