// The admin's kit as modules that Node runs: bundled from base/web/kit, with the few things of a browser that they touch.
// Runs in the web build's folder, where the packages and the sources are.
import { webcrypto } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import { build } from 'esbuild';

const stored = new Map();
globalThis.localStorage = {
  getItem: (key) => stored.get(key) ?? null,
  setItem: (key, value) => stored.set(key, String(value)),
  removeItem: (key) => stored.delete(key),
};
if (!('crypto' in globalThis)) Object.assign(globalThis, { crypto: webcrypto }); // Debian's Node has none
globalThis.document = { querySelector: () => null, documentElement: { lang: 'en' } };
globalThis.location = { origin: 'http://127.0.0.1', pathname: '/admin', search: '' };

const outfile = `kit-${process.pid}.mjs`;
await build({
  stdin: {
    contents: ['client', 'control', 'controls', 'format', 'i18n', 'interface', 'list', 'pickers', 'use-form', 'query']
      .map((one) => `export * from './src/kit/${one}';`)
      .concat("export { h, render } from 'preact';")
      .join('\n'),
    resolveDir: process.cwd(),
  },
  bundle: true,
  format: 'esm',
  outfile,
  preserveSymlinks: true,
  jsx: 'automatic',
  jsxImportSource: 'preact',
  external: ['words:*'],
  logLevel: 'error',
});
export const kit = await import(`${process.cwd()}/${outfile}`);
process.on('exit', () => unlinkSync(outfile));
