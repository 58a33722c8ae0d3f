// A list in an answer as a table. Rows are added as they arrive, and each is walked once.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "doors/cli/render.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// Thread-safety: one owner.
class ListTable {
 public:
  // Chooses the columns by the name of the list, otherwise by the first row; then the table refers to that row's bytes.
  ListTable(std::string_view list, JsonView first);
  // A table of all rows. Without columns for this list, it has those of the first row, and every field that only other
  // rows have: no value is left out because the first row has none. Refers to the bytes of the rows.
  static ListTable of(std::string_view list, JsonView rows);

  void add(JsonView row);
  // Adds a row of texts, one for each column.
  void add(std::span<const std::string_view> texts);

  bool empty() const { return lines_ == 1; }
  std::string text(const RenderStyle& style) const;
  // The same in pieces. Stops and returns false when `take` does.
  bool tell(const RenderStyle& style, const std::function<bool(std::string_view piece)>& take) const;

 private:
  struct Cell {
    std::uint32_t bytes, columns;
  };

  ListTable(std::vector<std::string_view> names, std::string_view list);
  void add_rest(std::string& rest, const JsonItem& field) const;
  void note(std::size_t column, std::size_t begin, std::size_t columns);
  JsonView shown_in(std::size_t column) const;

  std::string list_;
  std::vector<std::string_view> names_;     // column names
  std::vector<std::string_view> in_first_;  // fields of the first row, for tables of rows with other fields
  std::vector<std::size_t> most_;           // maximum bytes per cell, by column
  std::vector<std::string_view> wanted_;    // the columns, and the field that replaces an empty one
  std::vector<JsonView> values_;            // of the current row, by wanted_
  std::string texts_;                       // of all cells, without gaps
  std::vector<Cell> cells_;                 // line by line, beginning with the names
  std::size_t lines_ = 1;
  std::vector<std::size_t> widths_;
};

}  // namespace holdfast::inline v1
