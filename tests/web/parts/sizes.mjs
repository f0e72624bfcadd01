// What a browser loads, compressed, against the budgets.
import assert from 'node:assert/strict';
import zlib from 'node:zlib';

import { BASE } from '../support.mjs';

export async function sizes() {
  const html = await (await fetch(`${BASE}/admin`)).text();
  const gzip = async (path) => zlib.gzipSync(Buffer.from(await (await fetch(BASE + path)).arrayBuffer()), { level: 9 }).length;
  const script = /src="([^"]+admin\.[0-9a-f]+\.js)"/.exec(html)[1];
  const style = /href="([^"]+admin\.[0-9a-f]+\.css)"/.exec(html)[1];
  const text = async (path) => (await fetch(BASE + path)).text();
  // What is imported without being asked for, and by it.
  const needed = new Set();
  let asked = new Set();
  const follow = async (path, lazily = false) => {
    if (lazily ? asked.has(path) : needed.has(path)) return;
    asked.add(path);
    needed.add(path);
    const source = await text(path);
    for (const [, name] of source.matchAll(/(?:from|import)\s*"(\.[^"]+)"/g)) await follow(new URL(name, BASE + path).pathname, lazily);
    if (lazily) for (const [, name] of source.matchAll(/import\("(\.[^"]+)"\)/g)) if (!/(de|es|fr|pseudo)-[A-Z0-9]+\.js$/.test(name)) await follow(new URL(name, BASE + path).pathname, true); // of languages only one is loaded
  };
  await follow(script);
  // The entry loads the words first, then all that says something.
  const entry = /import\("(\.[^"]+app-[^"]+)"\)/.exec(await text(script))[1];
  const app = new URL(entry, BASE + script).pathname;
  await follow(app);
  let first = 0;
  for (const path of needed) first += await gzip(path);
  const css = await gzip(style);
  let largest = ['', 0, []];
  const lazy = [...new Set([...(await text(app)).matchAll(/import\("(\.[^"]+)"\)/g)].map((one) => new URL(one[1], BASE + app).pathname))];
  for (const path of lazy) {
    const before = new Set(needed);
    asked = new Set([app, script]); // what these load lazily is screens
    await follow(path, true);
    let size = 0;
    for (const each of needed) if (!before.has(each)) size += await gzip(each);
    if (size > largest[1]) largest = [path, size, [...needed].filter((each) => !before.has(each))];
    needed.clear();
    for (const each of before) needed.add(each);
  }
  if (process.env.SVC_WEB_TESTS_SIZES) for (const each of largest[2]) console.log(each, await gzip(each));
  console.log(`sizes (gzip): first load ${first}, largest screen ${largest[1]} more (${largest[0]}), CSS ${css}`);
  assert(first <= 55 * 1024, `first load ${first}`);
  assert(first + largest[1] <= 120 * 1024, `largest screen ${largest}`);
  assert(css <= 20 * 1024, `CSS ${css}`);
}
