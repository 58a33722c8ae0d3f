// The answer of session.list, put down row by row: thousands of rows are made when
// they are printed, and never stand in memory as text all at once.
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

// Lifetime: needs nothing of the call or its stores any more. Thread-safety: const
// functions from any thread.
class ListedSessions {
 public:
  // Looks at the stores; what can go wrong goes wrong here.
  static Result<ListedSessions> look(const Call& call);

  std::size_t size() const { return page_.size(); }  // those of the page
  std::size_t total() const { return total_; }

  // All of it.
  std::string answer() const;
  // The same in pieces, one after the other; false: nobody reads on.
  bool tell(const std::function<bool(std::string_view piece)>& take) const;

  // One row of the page, where it stands; `into` may have been used before.
  void view(std::size_t row, SessionView& into) const;
  // What is noted about it; nullptr: nothing.
  const SessionNote* note(const SessionView& session) const { return notes_->of(session.layout, session.id); }
  // What that session cost; nullptr: it was not asked for.
  const SessionCost* cost(std::size_t row) const { return costs_.empty() ? nullptr : &costs_[row]; }
  // How far below another session it stands; 0 unless trees were asked for.
  std::size_t depth(std::size_t row) const { return depths_.empty() ? 0 : depths_[row]; }
  // The other machine that it is of, and whether its bytes are here; empty: of this one.
  std::string_view machine(std::size_t row, bool& here) const { return machine_of(*page_[row], here); }
  // All branches of that session, itself among them, the one that was changed last first; none: it has no other.
  struct Branch {
    std::string_view machine = {};  // empty: this one
    bool here = true;               // its bytes are
    SessionView session = {};
    std::size_t row = SIZE_MAX;  // of the page; it may be on none
  };
  std::vector<Branch> branches(std::size_t row) const;
  // Of all sessions that were looked at, also of those that are on no page.
  std::vector<std::string_view> ids() const;
  // The answer with no session in it.
  const std::string& frame() const { return frame_; }

 private:
  // As a remote's server lists them.
  static Result<ListedSessions> look_there(const Call& call);
  // Rows of the page from `begin` up to `end`, as elements of an array.
  void write(JsonWriter& json, std::size_t begin, std::size_t end) const;
  std::string piece(std::size_t n) const;
  std::size_t about(std::size_t begin, std::size_t end) const;  // bytes of them

  const SessionName* noted_elsewhere(const SessionView& session) const;
  void write_branches(JsonWriter& json, std::size_t row) const;
  std::string_view machine_of(const SessionRow& row, bool& here) const;

  std::shared_ptr<const Notes> notes_;
  std::vector<SessionRows> stores_;
  struct Elsewhere {
    std::string machine;  // empty: this one
    bool here = true;
  };
  std::vector<Elsewhere> machines_;  // of the stores; empty: all are of this machine
  BranchesByRow branches_;
  HandOffs handed_off_;
  std::vector<const SessionRow*> page_;
  std::vector<SessionCost> costs_;   // of the page; empty: nobody asked
  std::vector<std::size_t> depths_;  // of the page; empty: nobody asked
  bool there_ = false;               // a server says all this, which does not know what is here
  std::size_t total_ = 0;
  std::string frame_;
  std::size_t opening_ = 0;  // bytes of the frame before the first row
};

// `params` are those of session.list. No exception leaves.
Result<ListedSessions> list_sessions(const Context& context, Stores& stores, std::string_view params);

}  // namespace holdfast::inline v1
