// A list of an answer as a table: rows are added as they come, each is walked once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/render.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// Thread-safety: one owner.
class ListTable {
 public:
  // By the name of the list, else by what its first row has: then the table points into that row.
  ListTable(std::string_view list, JsonView first);

  void add(JsonView row);
  std::string text(const RenderStyle& style) const;

 private:
  struct Cell {
    std::size_t begin;  // in cells_
    std::size_t bytes, columns;
  };

  std::string_view text_of(const Cell& cell) const { return std::string_view(cells_).substr(cell.begin, cell.bytes); }
  void add_cell(std::size_t column, JsonView value);
  void append_line(std::string& out, std::size_t row, const std::vector<std::size_t>& widths) const;

  std::string list_;
  std::vector<std::string_view> names_;   // of the columns
  std::vector<std::string_view> wanted_;  // those, and what stands in for one of them
  std::vector<JsonView> values_;          // of the row at hand, as wanted
  std::string cells_;
  std::vector<Cell> all_;  // line by line, the names first
  std::size_t lines_ = 1;
  std::vector<std::size_t> widths_;
};

}  // namespace holdfast::inline v1
