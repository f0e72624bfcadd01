// Bundles what browsers load: node build.mjs SOURCES OUTPUT. SOURCES is this folder, seen beside node_modules; the
// bundles have no addresses of their own, so that the server may be mounted anywhere.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

const [sources, output] = process.argv.slice(2);
rmSync(output, { recursive: true, force: true });

// The catalogues of base/i18n. What a text of the code says in each language is put into the bundles themselves, one copy
// of a chunk for each language, so that a reader loads the words of what is on the screen and of nothing else.
const languages = ['de', 'es', 'fr'];
const i18n = join(realpathSync(sources), '../i18n');
const unescaped = (line) => JSON.parse(line);
function catalogue(file) {
  const texts = {};
  let key = '';
  let into = '';
  for (const line of readFileSync(join(i18n, file), 'utf8').split('\n')) {
    const parts = /^(?:(msgid|msgstr) )?(".*")$/.exec(line.trim());
    if (!parts) continue;
    if (parts[1]) into = parts[1];
    if (parts[1] === 'msgid') key = '';
    if (into === 'msgid') key += unescaped(parts[2]);
    else texts[key] = (parts[1] ? '' : (texts[key] ?? '')) + unescaped(parts[2]);
  }
  return Object.fromEntries(Object.entries(texts).filter(([text, said]) => text && said && text !== said));
}

// t('…') as i18n/collect.py finds it.
const asked = /(?<![\w.$])t\(\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\$]|\\.)*`)/g;
const text_of = (literal) => literal.slice(1, -1).replace(/\\(.)/g, (_, one) => ({ n: '\n', t: '\t' })[one] ?? one);
const digest = (text) => createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase();

// 'words:terms-de': names of the server that every screen shows, by a key of their English text (kit/terms.ts);
// 'words:names-de' and 'words:sentences-de': what the interface's description says, as names and as whole sentences;
// 'words:module_names-de' and 'words:module_sentences-de': the same of routes that only modules bring;
// 'words:settings-de': what settings are called and do.
const listed_terms = () =>
  [...readFileSync(join(sources, 'kit/terms.ts'), 'utf8').matchAll(asked)].map((one) => text_of(one[1]));
// By the places in texts.pot.
const of_modules = () =>
  new Set(
    [...readFileSync(join(i18n, 'interface/texts.pot'), 'utf8').matchAll(/^#: module\nmsgid (".+")$/gm)].map((one) =>
      unescaped(one[1]),
    ),
  );
const is_sentence = (text) => text.endsWith('.') || text.length > 60;
function served_words(path) {
  const [kind, language] = path.split('-');
  if (kind === 'terms') {
    const all = catalogue(`admin/${language}.po`);
    return Object.fromEntries(
      listed_terms()
        .filter((text) => all[text])
        .map((text) => [text, all[text]]),
    );
  }
  if (kind === 'settings') return catalogue(`settings/${language}.po`);
  const only = of_modules();
  return Object.fromEntries(
    Object.entries(catalogue(`interface/${language}.po`)).filter(
      ([text]) => is_sentence(text) === kind.endsWith('sentences') && only.has(text) === kind.startsWith('module_'),
    ),
  );
}
// As kit/i18n.ts looks them up.
function key_of(text) {
  let sum = 0x811c9dc5;
  for (const one of text) sum = Math.imul(sum ^ one.codePointAt(0), 0x01000193);
  return ((sum >>> 0) % 36 ** 5).toString(36);
}
const keyed = (all) => Object.fromEntries(Object.entries(all).map(([text, said]) => [key_of(text), said]));
// A browser puts the catalogues of all screens together, and looks up texts that a language leaves as they are, too: no
// two of all texts may have one key.
function refuse_shared_keys() {
  const owners = new Map();
  const described = ['interface', 'settings'].flatMap((domain) =>
    [...readFileSync(join(i18n, domain, 'texts.pot'), 'utf8').matchAll(/^msgid (".+")$/gm)].map((one) =>
      unescaped(one[1]),
    ),
  );
  for (const one of [...listed_terms(), ...described]) {
    const key = key_of(one);
    const owner = owners.get(key) ?? one;
    if (owner !== one)
      throw new Error(
        `Two texts have the key ${key}, so that one would be said for the other: "${owner}" and "${one}". Word one of them differently.`,
      );
    owners.set(key, one);
  }
  if (owners.size < 1000) throw new Error(`Only ${owners.size} texts were found in the catalogues.`);
}
refuse_shared_keys();
const texts = new Map(); // by their mark, which stands for them until the bundles are written
const words = {
  name: 'words',
  setup(made) {
    made.onResolve({ filter: /^words:/ }, ({ path }) => ({ path: path.slice('words:'.length), namespace: 'words' }));
    made.onLoad({ filter: /.*/, namespace: 'words' }, ({ path }) => ({
      contents: `export default ${JSON.stringify(keyed(served_words(path)))}`,
      loader: 'js',
    }));
  },
};
const icons = {
  name: 'icons',
  setup(made) {
    made.onResolve({ filter: /\/createLucideIcon\.mjs$/ }, () => ({ path: resolve(sources, 'kit/icon.ts') }));
  },
};
// The rich text editor's branches for Internet Explorer and the old Edge, which the browsers of `target` are not, are dropped.
const without_explorer = {
  name: 'without_explorer',
  setup(made) {
    made.onLoad({ filter: /\/prosemirror-view\/dist\/index\.js$/ }, ({ path }) => {
      const before = readFileSync(path, 'utf8');
      const after = before
        .replace(/^const ie(_\w+)? = .*;$/gm, '')
        .replace(/\bie_version\b/g, '0')
        .replace(/\bie\b/g, 'false')
        .replace('const useCharData = false && 0 <= 11;', '')
        .replace(/\buseCharData\b/g, 'false');
      if (before.split(/\bie\b/).length < 10 || !/const gecko = !false/.test(after) || /const useCharData/.test(after))
        throw new Error(
          'prosemirror-view asks for Internet Explorer in another way: see without_explorer in build.mjs.',
        );
      return { loader: 'js', contents: after };
    });
  },
};
// The editor neither stores its state as JSON nor sends steps to other editors, and its texts have no attributes of their
// own that change: the methods for that, and those that describe values and errors to developers, are dropped.
const without_json = {
  name: 'without_json',
  setup(made) {
    made.onLoad({ filter: /\/prosemirror-(model|transform|state)\/dist\/index\.js$/ }, ({ path }) => {
      let dropped = 0;
      const drop = () => ((dropped += 1), '');
      const names = 'toJSON|fromJSON|jsonID|toString|check|(set|add|remove)(Node|Doc)(Attribute|Mark)';
      const contents = readFileSync(path, 'utf8')
        .replace(new RegExp(`\\n    (static )?(${names})\\([^)]*\\) \\{\\n[\\s\\S]*?\\n    \\}(?=\\n)`, 'g'), drop)
        .replace(/^(Step|Selection)\.jsonID\(.*\);$/gm, drop)
        .replace(/\bthrow new (RangeError|ReplaceError|TransformError)\(.*\);$/gm, 'throw new $1();');
      if (dropped < 4) throw new Error(`${path} writes its JSON in another way: see without_json in build.mjs.`);
      return { loader: 'js', contents };
    });
  },
};
const marked = {
  name: 'marked',
  setup(made) {
    made.onLoad({ filter: /\/(admin|kit)\/.*\.tsx?$/ }, ({ path }) => ({
      loader: path.endsWith('x') ? 'tsx' : 'ts',
      contents: readFileSync(path, 'utf8').replace(asked, (call, literal) => {
        const mark = `\uE000${digest(text_of(literal))}\uE001`;
        texts.set(mark, text_of(literal));
        return `${call.slice(0, -literal.length)}'${mark}'`;
      }),
    }));
  },
};

// Writes chunks in English and, those that say something or load one that does, in each language. Their names end in a
// hash of the catalogue; the entry names no language: it loads the app of the one that is wanted.
function write_in_languages({ outputFiles, metafile }, folder) {
  const files = new Map(outputFiles.map((one) => [basename(one.path), one]));
  const loads = new Map(
    Object.entries(metafile.outputs).map(([path, one]) => [
      basename(path),
      one.imports.filter((each) => !each.external).map((each) => basename(each.path)),
    ]),
  );
  const worded = new Set([...files].filter(([, one]) => one.text.includes('\uE000')).map(([name]) => name));
  for (let before = -1; before < worded.size;) {
    before = worded.size;
    for (const [name, all] of loads) if (all.some((one) => worded.has(one))) worded.add(name);
  }
  const app = [...worded].find((name) => name.startsWith('app-'));
  worded.delete('admin.js');
  if (files.get('admin.js').text.includes('\uE000'))
    throw new Error('The entry says something before it knows in which language.');
  const write = (name, text) => {
    if (/[\uE000\uE001]/.test(text)) throw new Error(`A text of ${name} was not put in.`);
    const to = join(folder, name === 'admin.js' ? '' : 'chunks', name);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, text);
  };
  const said_in = (text, said) =>
    text.replace(/(["'`])(\uE000[0-9A-F]{8}\uE001)\1/g, (_, quote, mark) => JSON.stringify(said(texts.get(mark))));
  for (const [name, { text }] of files)
    if (name !== 'admin.js')
      write(
        name,
        said_in(text, (one) => one),
      );
  const of_app = {};
  for (const language of languages) {
    const all = catalogue(`admin/${language}.po`);
    const end = `-${language}-${digest(JSON.stringify(all))}.js`;
    const renamed = (name) => name.replace(/\.js$/, end);
    of_app[language] = renamed(app);
    for (const name of worded)
      write(
        renamed(name),
        said_in(files.get(name).text, (one) => all[one] ?? one).replace(
          /"(\.\.?\/(?:chunks\/)?)([^"\/]+\.js)"/g,
          (whole, at, other) => (worded.has(other) ? `"${at}${renamed(other)}"` : whole),
        ),
      );
  }
  const choice = `import("./chunks/"+(${JSON.stringify(of_app)}[document.documentElement.lang]??${JSON.stringify(app)}))`;
  const entry = files.get('admin.js').text;
  if (!entry.includes(`import("./chunks/${app}")`)) throw new Error('The entry does not load the app.');
  write('admin.js', entry.replace(`import("./chunks/${app}")`, choice));
}

const shared = {
  plugins: [words],
  bundle: true,
  minify: true,
  format: 'esm',
  target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  preserveSymlinks: true,
  legalComments: 'none',
  charset: 'utf8',
  logLevel: 'warning',
};

write_in_languages(
  await build({
    ...shared,
    plugins: [words, marked, icons, without_explorer, without_json],
    entryPoints: { admin: join(sources, 'admin/main.ts') },
    outdir: join(output, 'admin'),
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    metafile: true,
    write: false,
  }),
  join(output, 'admin'),
);
await build({
  ...shared,
  entryPoints: { admin: join(sources, 'admin/admin.css') },
  outdir: join(output, 'admin'),
});

await build({
  ...shared,
  entryPoints: { docs: join(sources, 'docs/docs.ts') },
  outdir: join(output, 'docs'),
});

// Each file of website/ is a script of public pages, whole: what two of them share is less than a request more would cost.
const islands = join(sources, 'website');
const entries = existsSync(islands) ? readdirSync(islands).filter((name) => /\.tsx?$/.test(name)) : [];
if (entries.length)
  await build({
    ...shared,
    entryPoints: entries.map((name) => join(islands, name)),
    outdir: join(output, 'site'),
  });
