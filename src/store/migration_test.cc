// The registry of migrations (M03), on a layout whose first version never existed.
#include <array>

#include "crash/disk/sim_testing.h"
#include "layout/record_keeper.h"
#include "layout/record_shape.h"
#include "layout/record_version.h"
#include "layout/writable_layout.h"
#include "store/file_store.h"
#include "store/record_text.h"

namespace holdfast::inline v1 {
namespace {

// notes/{id}.json of version 2: version 0 called the title "name", version 1 had no tags.
class NotesLayout final : public WritableLayout, public RecordKeeper {
 public:
  std::string_view name() const override { return "notes"; }
  std::string_view agent() const override { return "Notes"; }
  std::span<const RootName> roots() const override {
    static constexpr std::array<RootName, 1> kRoots = {{{"home", "the home of Notes"}}};
    return kRoots;
  }
  Result<bool> recognise(Feed&) const override { return true; }
  Result<void> find(Feed&, const TakeRef&) const override { return {}; }
  Result<void> read(Feed&, const SessionRef&, const ReadOptions&, Events&) const override { return {}; }
  const RecordKeeper* records() const override { return this; }
  Result<std::string> project_key(Feed&, std::string_view) const override { return cannot("projects"); }
  std::span<const RecordShape> shapes() const override {
    static const std::vector<RecordShape> shapes = {
        {.kind = "note",
         .root = "home",
         .path = "notes/{id}.json",
         .fields = {{"schema_version", "schemaVersion", FieldKind::integer, false, "2"},
                    {"title", {}, FieldKind::string, true},
                    {"tags", {}, FieldKind::json, false, "[]"}},
         .final_newline = false,
         .version_field = "schemaVersion",
         .version = 2,
         .migrations = {{.from = 0, .renamed = {{"name", "title"}}}, {.from = 1, .added = {{"tags", R"(["old"])"}}}}}};
    return shapes;
  }
};

struct Migrations : testing::Test {
  NotesLayout layout;
  SimFileSystem disk;
  std::shared_ptr<FileStore> store;
  const std::string old = "{\n  \"schemaVersion\": 0,\n  \"name\": \"a\",\n  \"stranger\": 1.50\n}";

  void SetUp() override {
    must(disk.put_file("/home/notes/n.json", old));
    StoreOptions options;
    options.layout = "notes";
    options.roots["home"] = "/home";
    options.write = true;
    auto roots = must(OpenedRoots::open({}, disk, layout, options));
    store =
        std::make_shared<FileStore>(layout, disk, options, std::move(roots), "notes:/home", std::span<const Hooks>());
  }
};

TEST_F(Migrations, M03_OldRecordIsUpgradedOnReadAndSavedOnNextEdit) {
  const std::string record = must(store->get_record({}, {"note", {}, "n"}));
  EXPECT_EQ(record, R"({"id":"n","schema_version":2,"stranger":1.50,"title":"a","tags":["old"]})");
  EXPECT_EQ(must(disk.read_file("/home/notes/n.json")), old);  // reading changed nothing
  must(store->edit_records({}, [](const Store::Look&) -> Result<Edits> {
    return Edits{{RecordEdit::Kind::patch, {"note", {}, "n"}, R"({"title":"b"})"}};
  }));
  EXPECT_EQ(
      must(disk.read_file("/home/notes/n.json")),
      "{\n  \"schemaVersion\": 2,\n  \"stranger\": 1.50,\n  \"title\": \"b\",\n  \"tags\": [\n    \"old\"\n  ]\n}");
}

TEST_F(Migrations, M03_VersionWithoutMigrationIsRefused) {
  for (const char* version : {"3", "-1", "\"1\"", "1.5"}) {
    const std::string bytes = std::string(R"({"schemaVersion":)") + version + "}";
    must(disk.put_file("/home/notes/n.json", bytes));
    const auto refused = store->get_record({}, {"note", {}, "n"});
    EXPECT_EQ(refused.error().code, Code::schema_version_mismatch) << version;
    EXPECT_NE(refused.error().message.find("version 2 is required"), std::string::npos) << refused.error().text();
    const auto edited = store->edit_records({}, [](const Store::Look&) -> Result<Edits> {
      return Edits{{RecordEdit::Kind::put, {"note", {}, "n"}, R"({"title":"b"})"}};
    });
    EXPECT_EQ(edited.error().code, Code::schema_version_mismatch) << version;
    EXPECT_EQ(must(disk.read_file("/home/notes/n.json")), bytes);
  }
}

}  // namespace
}  // namespace holdfast::inline v1
