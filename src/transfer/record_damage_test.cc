// Verify reports damaged records beside the sessions, in every layout and of every kind. The test
// walks the layouts' tables, so a new kind is tested without a change here.
#include <gtest/gtest.h>

#include <algorithm>

#include "crash/disk/sim_testing.h"
#include "layout/layout.h"
#include "layout/record_keeper.h"
#include "layout/record_shape.h"
#include "store/record_codec.h"
#include "text/json_write.h"
#include "transfer/verify.h"

namespace holdfast::inline v1 {
namespace {

std::string fields_for(const RecordShape& shape) {
  JsonWriter json;
  json.begin_object();
  for (const FieldShape& field : shape.fields) {
    if (!field.required || field.name == shape.id_field || field.name == "id") continue;
    json.key(field.name);
    switch (field.kind) {
      case FieldKind::string: json.string("a text that is long enough to be cut in the middle of it"); break;
      case FieldKind::time: json.string("2026-01-01T00:00:00.000Z"); break;
      case FieldKind::boolean: json.boolean(true); break;
      case FieldKind::json: json.raw("[]"); break;
      default: json.int64(7);
    }
  }
  return json.key("note").string("some more of it").end_object().take();
}

// A valid file of this kind.
std::string file_of(const RecordShape& shape) {
  if (shape.form == RecordFormat::json_lines) return "{\"run_id\":\"a\"}\n{\"run_id\":\"b\",\"status\":\"done\"}\n";
  if (shape.form == RecordFormat::opaque) return "# A text\n\nfor people, of some length\n";
  const std::string one = must(format_record(shape, "abcd", JsonView(fields_for(shape))));
  return shape.entries ? "{\"abcd\": " + one + "}\n" : one;
}

struct DamagedRecord {
  explicit DamagedRecord(const Layout& layout) {
    StoreOptions options;
    options.layout = layout.name();
    options.write = options.create = true;
    for (const RootName& root : layout.roots()) {
      options.roots[std::string(root.name)] = "/r/" + std::string(root.name);
      must(disk.put_file("/r/" + std::string(root.name) + "/keep", ""));
    }
    store = must(Store::open(context, disk, options));
  }

  std::vector<VerifyFinding> damage() {
    VerifyReport report;
    must(verify_store(context, *store, {}, report));
    return report.damage;
  }

  Context context;
  SimFileSystem disk;
  std::shared_ptr<Store> store;
};

TEST(RecordDamage, EveryRecordKindOfEveryLayoutIsChecked) {
  std::size_t kinds = 0;
  for (const Layout* layout : layouts()) {
    if (!layout->writable()) continue;
    for (const RecordShape& shape : shapes_of(*layout)) {
      if (shape.kind == "log" || shape.only_read) continue;
      SCOPED_TRACE(std::string(layout->name()) + " " + std::string(shape.kind));
      ++kinds;
      DamagedRecord files(*layout);
      const std::string path = record_path(shape, "-srv-p", "abcd");
      const std::string file = "/r/" + std::string(shape.root) + "/" + path;
      const std::string whole = file_of(shape);
      const auto told = [&] {
        const auto damage = files.damage();
        return std::ranges::any_of(damage, [&](const VerifyFinding& one) { return one.found.file == path; });
      };
      must(files.disk.put_file(file, whole));
      EXPECT_FALSE(told()) << whole;
      // Cut before its last value ends; a cut line of YAML or TOML may still be valid, and so may a text.
      const bool structured =
          shape.form != RecordFormat::yaml && shape.form != RecordFormat::toml && shape.form != RecordFormat::opaque;
      if (shape.form == RecordFormat::markdown) {
        must(files.disk.put_file(file, whole.substr(0, whole.rfind("---"))));
        EXPECT_TRUE(told()) << "cut";
      } else if (structured) {
        for (const std::size_t cut : {std::size_t{0}, std::size_t{1}, whole.size() / 2, whole.rfind('}')}) {
          if (shape.form == RecordFormat::json_lines && cut < 2) continue;
          must(files.disk.put_file(file, whole.substr(0, cut)));
          EXPECT_TRUE(told()) << "cut at " << cut;
        }
      }
      std::string flipped = whole;
      flipped[whole.size() / 2] = static_cast<char>(flipped[whole.size() / 2] ^ 0x80);
      must(files.disk.put_file(file, flipped));
      EXPECT_TRUE(told()) << "a bit flipped";
      must(files.disk.put_file(file, std::string(whole.size(), '\0')));
      EXPECT_TRUE(told() || shape.form == RecordFormat::json_lines) << "NUL bytes";
      must(files.disk.put_file(file, whole));
      EXPECT_FALSE(told());
    }
  }
  EXPECT_GT(kinds, 30u);
}

}  // namespace
}  // namespace holdfast::inline v1
