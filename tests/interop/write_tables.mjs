// Writes the tables that scripts printed into docs/interop.md: node write_tables.mjs DOCUMENT TABLES NAME... Each table
// is between `<!-- begin NAME -->` and `<!-- end NAME -->`, below a line that says where and when it was made.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [document, tables, ...names] = process.argv.slice(2);
const today = new Date().toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
let text = readFileSync(document, "utf8");
for (const name of names) {
  const begin = `<!-- begin ${name} -->\n`, end = `<!-- end ${name} -->`;
  const from = text.indexOf(begin), to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`${document} has no place for the table ${name}`);
  const table = readFileSync(join(tables, `${name}.md`), "utf8").trim();
  text = `${text.slice(0, from + begin.length)}Seen on ${today}, ${process.arch}, Node ${process.versions.node}:\n\n${table}\n\n${text.slice(to)}`;
}
writeFileSync(document, text);
