// Writes src/api/generated/<name>.d.ts for each OpenAPI document in openapi/; with --check, only compares.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";

const documents = new URL("../openapi/", import.meta.url);
const target = new URL("../src/api/generated/", import.meta.url);

const names = (await readdir(documents).catch(() => [])).filter((name) => name.endsWith(".json")).sort();
if (names.length === 0) {
  console.error("web/openapi holds no OpenAPI documents yet: dump them first, then run this again.");
  process.exit(1);
}
const check = process.argv.includes("--check");
await mkdir(target, { recursive: true });
for (const name of names) {
  // A field with a default may be left out of a request, so it is optional here.
  const types = astToString(await openapiTS(new URL(name, documents), { defaultNonNullable: false }));
  const file = name.replace(/\.json$/, ".d.ts");
  if (!check) await writeFile(new URL(file, target), types);
  else if ((await readFile(new URL(file, target), "utf8").catch(() => "")) !== types) {
    console.error(`src/api/generated/${file} is not what openapi/${name} says: run npm run types.`);
    process.exitCode = 1;
  }
}
