// One read-only connection to a database of another program, and the rows that a
// statement returned from it. Internal to src/source.
// Thread-safety: one thread at a time.
#pragma once

#include <holdfast/error.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "source/database_state.h"
#include "source/rows.h"

namespace holdfast::inline v1 {

// Rows that own their memory. A text is kept as (offset, length) into one string.
class CollectedRows {
 public:
  void clear();
  void add(std::monostate value) { cells_.push_back({value, 0, 0}); }
  void add(std::int64_t value) { cells_.push_back({value, 0, 0}); }
  void add(double value) { cells_.push_back({value, 0, 0}); }
  void add(std::string_view text);
  void end_row(std::size_t columns) { columns_ = columns; }
  std::size_t bytes() const { return text_.size() + cells_.size() * sizeof(Cell); }
  void deliver(const std::function<bool(std::span<const RowValue>)>& take) const;

 private:
  struct Cell {
    RowValue value;
    std::size_t offset, length;  // of a text
  };
  std::vector<Cell> cells_;
  std::string text_;
  std::size_t columns_ = 0;
};

class Connection {
 public:
  virtual ~Connection() = default;
  virtual const std::string& path() const = 0;
  // The state that the connection sees: with a write-ahead log, it never sees later changes.
  virtual const DatabaseState& opened_at() const = 0;
  virtual Result<void> collect(std::string_view select, std::span<const std::string> parameters,
                               CollectedRows& rows) = 0;
};

Result<std::unique_ptr<Connection>> open_connection(const std::string& absolute_path, const DatabaseState& state);

}  // namespace holdfast::inline v1
