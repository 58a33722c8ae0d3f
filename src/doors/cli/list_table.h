// A list of an answer as a table: rows are added as they come, each is walked once.
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
  // By the name of the list, else by what its first row has: then the table points into that row.
  ListTable(std::string_view list, JsonView first);

  void add(JsonView row);
  // Its texts, one for each column.
  void add(std::span<const std::string_view> texts);

  bool empty() const { return lines_ == 1; }
  std::string text(const RenderStyle& style) const;
  // The same in pieces; false: nobody reads on.
  bool tell(const RenderStyle& style, const std::function<bool(std::string_view piece)>& take) const;

 private:
  struct Cell {
    std::uint32_t bytes, columns;
  };

  void note(std::size_t column, std::size_t begin, std::size_t columns);
  JsonView shown_in(std::size_t column) const;

  std::string list_;
  std::vector<std::string_view> names_;   // of the columns
  std::vector<std::size_t> most_;         // bytes of their cells
  std::vector<std::string_view> wanted_;  // those, and what stands in for one of them
  std::vector<JsonView> values_;          // of the row at hand, as wanted
  std::string texts_;                     // of all cells, without gaps
  std::vector<Cell> cells_;               // line by line, the names first
  std::size_t lines_ = 1;
  std::vector<std::size_t> widths_;
};

}  // namespace holdfast::inline v1
