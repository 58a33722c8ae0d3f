#include <gtest/gtest.h>
#include <holdfast/error.h>

#include <cerrno>
#include <memory>
#include <set>

namespace holdfast {
namespace {

TEST(Error, EveryCodeHasAMeaningAndUniqueName) {
  std::set<std::string_view> names;
  for (int i = 0; i < kCodeCount; ++i) {
    const auto code = static_cast<Code>(i);
    EXPECT_TRUE(names.insert(code_name(code)).second) << code_name(code);
    EXPECT_EQ(code_name(code).find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string_view::npos);
    EXPECT_FALSE(code_meaning(code).empty());
  }
  // The table has the order of the enum.
  EXPECT_EQ(code_name(Code::invalid_argument), "invalid_argument");
  EXPECT_EQ(code_name(Code::serialization_failed), "serialization_failed");
  EXPECT_EQ(code_name(Code::disk_full), "disk_full");
  EXPECT_EQ(code_name(Code::poisoned), "poisoned");
  EXPECT_EQ(code_name(Code::internal), "internal");
}

TEST(Error, M13_SeedErrorCodesKeepTheirNames) {
  EXPECT_EQ(code_name(Code::storage_unavailable), "storage_unavailable");
  EXPECT_EQ(code_name(Code::serialization_failed), "serialization_failed");
  EXPECT_EQ(code_name(Code::atomic_write_failed), "atomic_write_failed");
  EXPECT_EQ(code_name(Code::schema_version_mismatch), "schema_version_mismatch");
  EXPECT_EQ(code_name(Code::sync_transport_failed), "sync_transport_failed");
}

TEST(Error, TextHasCodeMessageAndPath) {
  EXPECT_EQ((Error{Code::busy, "held by another", "", 0}).text(), "busy: held by another");
  EXPECT_EQ((Error{Code::busy, "held by another", "a/b", 0}).text(), "busy: held by another (a/b)");
}

TEST(Error, ErrnoMapsToCode) {
  const Error error = os_error(ENOSPC, "cannot append", "log");
  EXPECT_EQ(error.text(), "disk_full: cannot append: No space left on device (log)");
  EXPECT_EQ(error.os_error, ENOSPC);
  const auto code = [](int number) { return os_error(number, "x", "").code; };
  EXPECT_EQ(code(ENOENT), Code::not_found);
  EXPECT_EQ(code(EEXIST), Code::already_exists);
  EXPECT_EQ(code(EACCES), Code::permission_denied);
  EXPECT_EQ(code(EDQUOT), Code::disk_full);
  EXPECT_EQ(code(EFBIG), Code::disk_full);
  EXPECT_EQ(code(EROFS), Code::read_only);
  EXPECT_EQ(code(ELOOP), Code::unsafe_path);
  EXPECT_EQ(code(EXDEV), Code::unsafe_path);
  EXPECT_EQ(code(ENOMEM), Code::out_of_memory);
  EXPECT_EQ(code(EIO), Code::io_error);
  EXPECT_EQ(code(12345), Code::io_error);
}

Result<int> half(int value) {
  if (value % 2 != 0) return fail(Code::invalid_argument, "odd", "path");
  return value / 2;
}

Result<int> quarter(int value) {
  HOLDFAST_LET(once, half(value));
  HOLDFAST_LET(twice, half(once));
  return twice;
}

Result<void> check_quarter(int value) {
  HOLDFAST_TRY(quarter(value));
  return {};
}

Result<std::unique_ptr<int>> owned(int value) {
  HOLDFAST_LET(number, half(value));
  return std::make_unique<int>(number);
}

Result<int> unpacked(int value) {
  HOLDFAST_LET(pointer, owned(value));  // moves, never copies
  return *pointer;
}

TEST(Error, MacrosPropagateValuesAndErrors) {
  EXPECT_EQ(*quarter(12), 3);
  EXPECT_EQ(quarter(6).error().message, "odd");
  EXPECT_EQ(quarter(6).error().path, "path");
  EXPECT_TRUE(check_quarter(8));
  EXPECT_EQ(check_quarter(3).error().code, Code::invalid_argument);
  EXPECT_EQ(*unpacked(8), 4);
  EXPECT_FALSE(unpacked(7));
}

}  // namespace
}  // namespace holdfast
