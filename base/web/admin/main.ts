// The admin's entry: the words first, then everything that says something.
import { load_words } from '../kit/i18n';

await load_words();
await import('./app');
