// Words in the reader's language. A text is written in English where it is used, t('…'); build.mjs puts its translation
// there, in a copy of the code for each language. Words that only the server knows, such as a status or the name of a
// field, are looked up by their English text.
import { signal } from '@preact/signals';

type Catalogue = Record<string, string>;
export const languages: Record<string, string> = { en: 'English', de: 'Deutsch', es: 'Español', fr: 'Français' };

const catalogue: Catalogue = {};
const loaded = signal(0); // what shows a word of the catalogue is rendered again when there are more
let change: ((text: string) => string) | null = null; // the pseudo-locale's
export let language = 'en';

// What stands for an English text in a catalogue: a third of the text's length. build.mjs makes the same.
function key_of(text: string): string {
  let sum = 0x811c9dc5;
  for (const one of text) sum = Math.imul(sum ^ one.codePointAt(0)!, 0x01000193);
  return ((sum >>> 0) % 36 ** 5).toString(36);
}
// What the server says, as it came where no catalogue knows it.
export function translated(text: string): string {
  if (change) return change(text);
  if (language === 'en') return text;
  void loaded.value;
  return catalogue[key_of(text)] ?? text;
}

// The language in which the server says its errors; the tests' languages are English in other letters.
export const asked_language = () => (change ? 'en' : language);
// What the server said, in the tests' letters.
export const as_shown = (said: string) => (change ? change(said) : said);

// MessageFormat as far as the catalogue uses it: {0} and {0, plural, one {# day} other {# days}}.
export function filled(text: string, values: unknown[]): string {
  let out = '';
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] !== '{') {
      out += text[at];
      continue;
    }
    const end = closing(text, at);
    out += placed(text.slice(at + 1, end), values);
    at = end;
  }
  return out;
}

function closing(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1)
    if (text[at] === '{') depth += 1;
    else if (text[at] === '}' && --depth === 0) return at;
  return text.length;
}

function placed(inner: string, values: unknown[]): string {
  const parts = /^\s*(\d+)\s*(?:,\s*plural\s*,([\s\S]*))?$/.exec(inner);
  const value = parts ? values[Number(parts[1])] : undefined;
  if (!parts || parts[2] === undefined) return value === null || value === undefined ? '' : String(value);
  const forms: Record<string, string> = {};
  for (let at = 0; at < parts[2].length;) {
    const open = parts[2].indexOf('{', at);
    if (open < 0) break;
    const end = closing(parts[2], open);
    forms[parts[2].slice(at, open).trim()] = parts[2].slice(open + 1, end);
    at = end + 1;
  }
  const number = Number(value ?? 0);
  const form = forms[`=${number}`] ?? forms[new Intl.PluralRules(language).select(number)] ?? forms.other ?? '';
  return filled(form.replace(/#/g, number.toLocaleString(language)), values);
}

export function t(text: string, ...values: unknown[]): string {
  const said = change ? change(text) : text;
  return values.length || said.includes('{') ? filled(said, values) : said;
}

export function number(value: number): string {
  return value.toLocaleString(language);
}

type Load = () => Promise<{ default: Catalogue }>;
const terms: Record<string, Load> = {
  de: () => import('words:terms-de'),
  es: () => import('words:terms-es'),
  fr: () => import('words:terms-fr'),
};
const names: Record<string, Load> = {
  de: () => import('words:names-de'),
  es: () => import('words:names-es'),
  fr: () => import('words:names-fr'),
};
const sentences: Record<string, Load> = {
  de: () => import('words:sentences-de'),
  es: () => import('words:sentences-es'),
  fr: () => import('words:sentences-fr'),
};
// The same of the routes of modules.
const module_names: Record<string, Load> = {
  de: () => import('words:module_names-de'),
  es: () => import('words:module_names-es'),
  fr: () => import('words:module_names-fr'),
};
const module_sentences: Record<string, Load> = {
  de: () => import('words:module_sentences-de'),
  es: () => import('words:module_sentences-es'),
  fr: () => import('words:module_sentences-fr'),
};
const settings: Record<string, Load> = {
  de: () => import('words:settings-de'),
  es: () => import('words:settings-es'),
  fr: () => import('words:settings-fr'),
};
const taken = new Map<typeof terms, Promise<void>>();
function take(from: typeof terms): Promise<void> {
  const load = from[language];
  if (!load) return Promise.resolve();
  const found =
    taken.get(from) ??
    load().then(
      (found) => void (Object.assign(catalogue, found.default), (loaded.value += 1)),
      () => void taken.delete(from),
    ); // without them it is in English
  taken.set(from, found);
  return found;
}
// What the interface calls its fields and choices, for every screen; and what it says of its actions and fields in whole
// sentences, for screens that are made from its description; and what it calls and says of settings. A site without
// modules loads no words of theirs.
export const load_names = (of_modules: boolean) => Promise.all([take(names), of_modules && take(module_names)]);
export const load_sentences = (of_modules: boolean) =>
  Promise.all([take(sentences), of_modules && take(module_sentences)]);
export const load_settings = () => take(settings);

const kept = 'svc-language'; // this browser's choice, which goes before the site's language

export function chosen_language(): string {
  return localStorage.getItem(kept) ?? '';
}
// Takes effect with the next page: what is on the screen was written when its code was loaded.
export function choose_language(code: string) {
  if (code) localStorage.setItem(kept, code);
  else localStorage.removeItem(kept);
}

// Before any screen is loaded. The tests' languages, en-XA and ar-XB, are English in other letters.
export async function load_words() {
  const wanted = chosen_language() || document.documentElement.lang || 'en';
  if (wanted === 'en-XA' || wanted === 'ar-XB') change = (await import('./pseudo')).pseudo(wanted);
  language = change || wanted in languages ? wanted : 'en';
  document.documentElement.lang = language;
  document.documentElement.dir = language.startsWith('ar') ? 'rtl' : 'ltr';
  await take(terms);
}
