// Writes src/api/generated/<name>.d.ts for each OpenAPI document in openapi/.
import { readdir, mkdir, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";

const documents = new URL("../openapi/", import.meta.url);
const target = new URL("../src/api/generated/", import.meta.url);

const names = (await readdir(documents).catch(() => [])).filter((name) => name.endsWith(".json")).sort();
if (names.length === 0) {
  console.error("web/openapi holds no OpenAPI documents yet: dump them first, then run this again.");
  process.exit(1);
}
await mkdir(target, { recursive: true });
for (const name of names) {
  const types = astToString(await openapiTS(new URL(name, documents)));
  await writeFile(new URL(name.replace(/\.json$/, ".d.ts"), target), types);
  console.log(`src/api/generated/${name.replace(/\.json$/, ".d.ts")}`);
}
