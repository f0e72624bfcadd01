// The admin's entry: the language first, then everything that says something, in it (build.mjs).
import { load_words } from '../kit/i18n';

await load_words();
await import('./app');
