// The picker without its terminal: the rows, what is typed, what is chosen, and the
// screen content. Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct PickRow {
  std::string when;     // "3h ago"
  std::string agent;    // "codex"
  std::string title;    // cleaned for a terminal, one line
  std::string search;   // text that the filter matches
  std::string id = {};  // matched only by prefix
};

enum class PickKey {
  none,
  up,  // up to last: keys that move
  down,
  page_up,
  page_down,
  first,
  last,
  enter,
  print,
  resume,
  hand_off,
  leave,
  interrupt,
  erase,
  clear,
  text
};

struct PickInput {
  PickKey key = PickKey::none;
  std::string text = {};  // for PickKey::text: one character
};

// Removes one key from the front of what a terminal sent; PickKey::none for anything
// unknown. `complete`: no more bytes will follow, so a lone ESC is the key.
PickInput take_key(std::string& bytes, bool complete);

class Picker {
 public:
  explicit Picker(std::vector<PickRow> rows);

  enum class Outcome { stay, show, print, resume, hand_off, leave, interrupted };
  // Every letter changes the filter.
  Outcome press(const PickInput& input);

  void resize(std::size_t columns, std::size_t lines);
  // An index into the rows; npos if no row matches.
  std::size_t chosen() const;
  const std::string& query() const { return query_; }
  // Rows whose sessions contain the typed text. They stay in the list, after rows whose names contain
  // it and before rows whose titles only contain its letters. Cleared by the next letter.
  void set_content_matches(std::vector<std::size_t> rows);
  // Text for the last line, instead of the keys for sessions.
  void say(std::string words) { words_ = std::move(words); }
  void searching(bool now) { searching_ = now; }
  // Size of the preview; 0 if there is no room for one.
  std::size_t preview_columns() const;
  std::size_t preview_lines() const;
  // The whole screen. `preview`: lines of text of the chosen session.
  std::string picture(const std::vector<std::string>& preview, bool colour) const;

  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

 private:
  void filter();
  void typed();  // the filter changed
  void move(std::ptrdiff_t by);
  bool beside() const { return columns_ >= 100; }
  std::size_t list_columns() const;
  std::size_t list_lines() const;
  std::string list_line(std::size_t at, bool colour) const;

  std::vector<PickRow> rows_;
  std::vector<std::size_t> fitting_;
  std::string query_, words_;
  std::vector<std::size_t> inside_;
  bool searching_ = false;
  bool moved_ = false;  // by a key, since the filter changed; otherwise the best row is chosen
  std::size_t at_ = 0, top_ = 0;
  std::size_t columns_ = 80, lines_ = 24;
};

}  // namespace holdfast::inline v1
