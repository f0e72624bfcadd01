// The admin's entry: loads the language, then the app in it (build.mjs).
import { load_words } from '../kit/i18n';

await load_words();
await import('./app');
