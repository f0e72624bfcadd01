// Bundles what browsers load: node build.mjs SOURCES OUTPUT. SOURCES is this folder, seen beside node_modules; the
// bundles have no addresses of their own, so that the server may be mounted anywhere.
import { build } from 'esbuild';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const [sources, output] = process.argv.slice(2);
rmSync(output, { recursive: true, force: true });

const shared = {
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
  entryPoints: { admin: join(sources, 'admin/app.tsx') },
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
