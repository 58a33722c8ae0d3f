#include "store/select_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace holdfast {
namespace {

// Times of any length and form, as in damaged files.
TEST(SelectRows, OrdersByUpdatedAtTextThenId) {
  const std::vector<std::string> times{"",
                                       "1999-12-31T23:59:59.999Z",
                                       "2026-01-02T03:04:05.000Z",
                                       "2026-01-02T03:04:05.001Z",
                                       "2026-01-02T03:05",
                                       "2026-01-02T03:04",
                                       std::string("2026-01-02T03:04\0", 17),
                                       "2026",
                                       "\xFF\xFFlater"};
  const std::vector<std::string> ids{"a", "b", "c"};
  std::vector<SessionRow> rows;
  for (const std::string& time : times) {
    for (const std::string& id : ids) rows.emplace_back().head.row = {.id = id, .updated_at = time};
  }
  std::mt19937 random(3);
  for (int round = 0; round < 50; ++round) {
    std::ranges::shuffle(rows, random);
    const auto order = select_rows(rows, {});
    ASSERT_EQ(order.size(), rows.size());
    for (std::size_t i = 1; i < order.size(); ++i) {
      const RowHead &a = rows[order[i - 1]].head.row, &b = rows[order[i]].head.row;
      EXPECT_TRUE(a.updated_at > b.updated_at || (a.updated_at == b.updated_at && a.id < b.id))
          << a.updated_at << " " << b.updated_at;
    }
  }
}

TEST(SelectRows, FiltersByProjectAndTime) {
  std::vector<SessionRow> rows(3);
  rows[0].head.row = {.id = "old", .project = "/p", .updated_at = "2026-01-01T00:00:00.000Z"};
  rows[1].head.row = {.id = "new", .project = "/p", .updated_at = "2026-02-01T00:00:00.000Z"};
  rows[2].head.row = {.id = "other", .project = "/q", .updated_at = "2026-03-01T00:00:00.000Z"};
  SessionFilter filter;
  EXPECT_EQ(select_rows(rows, filter), (std::vector<std::size_t>{2, 1, 0}));
  filter.project = "/p";
  EXPECT_EQ(select_rows(rows, filter), (std::vector<std::size_t>{1, 0}));
  filter.since = "2026-01-15T00:00:00Z";
  EXPECT_EQ(select_rows(rows, filter), (std::vector<std::size_t>{1}));
}

}  // namespace
}  // namespace holdfast
