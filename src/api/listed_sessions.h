// The answer of session.list, formatted row by row: rows are formatted only when they
// are printed, so thousands of them are never in memory as text at once.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/call.h"
#include "api/notes.h"
#include "api/session_branches.h"
#include "api/stores.h"
#include "find/session_cost.h"
#include "model/session_view.h"
#include "store/listed_rows.h"

namespace holdfast::inline v1 {

// Lifetime: independent of the call and its stores. Thread-safety: any thread may call
// const functions.
class ListedSessions {
 public:
  // Reads the stores. This is the only member function that can fail.
  static Result<ListedSessions> look(const Call& call);

  std::size_t size() const { return page_.size(); }  // of the page
  std::size_t total() const { return total_; }

  // The whole answer.
  std::string answer() const;
  // Passes the answer to `take` in pieces. Stops and returns false if `take` returns false.
  bool tell(const std::function<bool(std::string_view piece)>& take) const;

  // Sets `into`, which can be reused, to a view of one row of the page.
  void view(std::size_t row, SessionView& into) const;
  // The note about a session; nullptr if there is none.
  const SessionNote* note(const SessionView& session) const { return notes_->of(session.layout, session.id); }
  // The cost of a session; nullptr if costs were not requested.
  const SessionCost* cost(std::size_t row) const { return costs_.empty() ? nullptr : &costs_[row]; }
  // The depth of a session in its tree; 0 unless trees were requested.
  std::size_t depth(std::size_t row) const { return depths_.empty() ? 0 : depths_[row]; }
  // The machine of a session, empty for this one; sets `here` to whether its bytes are on this machine.
  std::string_view machine(std::size_t row, bool& here) const { return machine_of(*page_[row], here); }
  // All branches of a session including itself, the most recently changed first; empty if it has no other branch.
  struct Branch {
    std::string_view machine = {};  // empty for this machine
    bool here = true;               // its bytes are on this machine
    SessionView session = {};
    std::size_t row = SIZE_MAX;  // on the page; SIZE_MAX if not on it
  };
  std::vector<Branch> branches(std::size_t row) const;
  // The ids of all sessions that were read, also of those that are not on the page.
  std::vector<std::string_view> ids() const;
  // The answer without its sessions.
  const std::string& frame() const { return frame_; }

 private:
  // Lists the sessions at the server of a remote.
  static Result<ListedSessions> list_at_remote(const Call& call);
  // Writes the rows of the page from `begin` up to `end` as elements of an array.
  void write(JsonWriter& json, std::size_t begin, std::size_t end) const;
  std::string piece(std::size_t n) const;
  std::size_t about(std::size_t begin, std::size_t end) const;  // estimated size of these rows in bytes

  const SessionName* noted_elsewhere(const SessionView& session) const;
  void write_branches(JsonWriter& json, std::size_t row) const;
  std::string_view machine_of(const SessionRow& row, bool& here) const;

  std::shared_ptr<const Notes> notes_;
  std::vector<SessionRows> stores_;
  struct Elsewhere {
    std::string machine;  // empty for this machine
    bool here = true;
  };
  std::vector<Elsewhere> machines_;  // one per store; empty if all are on this machine
  BranchesByRow branches_;
  HandOffs handed_off_;
  std::vector<const SessionRow*> page_;
  std::vector<SessionCost> costs_;   // of the page; empty if not requested
  std::vector<std::size_t> depths_;  // of the page; empty if not requested
  bool there_ = false;               // the list comes from a server, which does not know what is here
  std::size_t total_ = 0;
  std::string frame_;
  std::size_t opening_ = 0;  // bytes of the frame before the first row
};

// `params` are those of session.list. Throws nothing.
Result<ListedSessions> list_sessions(const Context& context, Stores& stores, std::string_view params);

}  // namespace holdfast::inline v1
