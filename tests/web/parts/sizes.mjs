// A browser's downloads, compressed, against the budgets: in English and in each other language, whose words are in the
// code itself but for those that the server says.
import assert from 'node:assert/strict';
import zlib from 'node:zlib';

import { BASE } from '../support.mjs';

const kB = 1024;
const kept = new Map();
async function file(path) {
  if (!kept.has(path)) {
    const body = Buffer.from(await (await fetch(BASE + path)).arrayBuffer());
    kept.set(path, { text: body.toString(), size: zlib.gzipSync(body, { level: 9 }).length });
  }
  return kept.get(path);
}
const beside = (path, name) => new URL(name, BASE + path).pathname;
const lazy_of = async (path) =>
  [...(await file(path)).text.matchAll(/import\("(\.[^"]+)"\)/g)].map((one) => beside(path, one[1]));
// The files loaded with a script; `lazily`: and those it can load later, words of languages apart.
async function follow(path, found, lazily = false) {
  if (found.has(path)) return found;
  found.add(path);
  for (const [, name] of (await file(path)).text.matchAll(/(?:from|import)\s*"(\.[^"]+)"/g))
    await follow(beside(path, name), found, lazily);
  if (lazily)
    for (const each of await lazy_of(path))
      if (!/\/(terms|(module_)?names|(module_)?sentences|settings|pseudo)-/.test(each)) await follow(each, found, true);
  return found;
}
async function sum(paths) {
  let all = 0;
  for (const path of paths) all += (await file(path)).size;
  return all;
}

export async function sizes() {
  const html = await (await fetch(`${BASE}/admin`)).text();
  const entry = /src="([^"]+admin\.[0-9a-f]+\.js)"/.exec(html)[1];
  const css = await sum([/href="([^"]+admin\.[0-9a-f]+\.css)"/.exec(html)[1]]);
  assert(css <= 20 * kB, `CSS ${css}`);
  const started = await follow(entry, new Set());
  const apps = (await file(entry)).text.match(/app-[\w-]+\.js/g);
  const words = [...new Set((await Promise.all([...started].map(lazy_of))).flat())];
  const of_words = (kind, language) => words.filter((one) => one.includes(`/${kind}-${language}-`));
  for (const language of ['en', 'de', 'es', 'fr']) {
    const app = beside(
      entry,
      `./chunks/${apps.find((one) => (language === 'en' ? /^app-\w{8}\.js$/.test(one) : one.includes(`-${language}-`)))}`,
    );
    const first = await follow(app, new Set(started));
    const terms = of_words('terms', language);
    const served = [...of_words('names', language), ...of_words('sentences', language)];
    const modules = [...of_words('module_names', language), ...of_words('module_sentences', language)];
    const settings = of_words('settings', language);
    assert.equal(
      terms.length + served.length + modules.length + settings.length,
      language === 'en' ? 0 : 6,
      words.join(' '),
    );
    let largest = ['', 0, []];
    for (const screen of await lazy_of(app)) {
      // What those of the first load can load later counts, too; what the app itself can are the screens.
      const more = [...(await follow(screen, new Set([app, entry]), true))].filter((one) => !first.has(one));
      const size = await sum(more);
      if (size > largest[1]) largest = [screen, size, more];
    }
    if (process.env.SVC_WEB_TESTS_SIZES)
      for (const each of [...first, ...largest[2]]) console.log(each, (await file(each)).size);
    const [start, spoken, said, of_modules, of_settings] = [
      await sum(first),
      await sum(terms),
      await sum(served),
      await sum(modules),
      await sum(settings),
    ];
    console.log(
      `sizes in ${language} (gzip): first load ${start} and ${spoken} of the server's words, largest screen ${largest[1]} more (${largest[0]}), words of the interface ${said}, of its modules ${of_modules}, of settings ${of_settings}`,
    );
    assert(start + spoken <= 55 * kB, `first load in ${language}: ${start + spoken}`);
    assert(start + largest[1] <= 120 * kB, `largest screen in ${language}: ${largest}`);
    assert(
      spoken + said <= 36 * kB && of_modules <= 24 * kB && of_settings <= 12 * kB,
      `words in ${language}: ${spoken}, ${said}, ${of_modules}, ${of_settings}`,
    );
  }
  console.log(`CSS ${css}`);
}
