// Bundles what browsers load: node build.mjs SOURCES OUTPUT. SOURCES is this folder, seen beside node_modules; the
// bundles have no addresses of their own, so that the server may be mounted anywhere.
import { build } from 'esbuild';
import { existsSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const [sources, output] = process.argv.slice(2);
rmSync(output, { recursive: true, force: true });

// 'words:admin/de' is the catalogue base/i18n/admin/de.po as a module: translations by their English text.
const unescaped = (line) => JSON.parse(line);
function catalogue(file) {
  const texts = {};
  let key = '';
  let into = '';
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const parts = /^(?:(msgid|msgstr) )?(".*")$/.exec(line.trim());
    if (!parts) continue;
    if (parts[1]) into = parts[1];
    if (parts[1] === 'msgid') key = '';
    if (into === 'msgid') key += unescaped(parts[2]);
    else texts[key] = (parts[1] ? '' : (texts[key] ?? '')) + unescaped(parts[2]);
  }
  return Object.fromEntries(Object.entries(texts).filter(([text, said]) => text && said && text !== said));
}
const words = {
  name: 'words',
  setup(made) {
    made.onResolve({ filter: /^words:/ }, ({ path }) => ({ path: path.slice('words:'.length), namespace: 'words' }));
    made.onLoad({ filter: /.*/, namespace: 'words' }, ({ path }) => ({
      contents: JSON.stringify(catalogue(join(realpathSync(sources), '../i18n', `${path}.po`))),
      loader: 'json',
    }));
  },
};

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

await build({
  ...shared,
  entryPoints: { admin: join(sources, 'admin/main.ts') },
  outdir: join(output, 'admin'),
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
});
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

// Each file of site/ is a script of public pages, whole: what two of them share is less than a request more would cost.
const islands = join(sources, 'site');
const entries = existsSync(islands) ? readdirSync(islands).filter((name) => /\.tsx?$/.test(name)) : [];
if (entries.length)
  await build({
    ...shared,
    entryPoints: entries.map((name) => join(islands, name)),
    outdir: join(output, 'site'),
  });
