// Words in the reader's language. A text is written in English where it is used, t('…'), and looked up by that in the
// catalogue of base/i18n/admin, which is loaded before any screen: texts of module level are translated, too.
export type Catalogue = Record<string, string>;
export const languages: Record<string, string> = { en: 'English', de: 'Deutsch', es: 'Español', fr: 'Français' };

let catalogue: Catalogue = {};
let change: ((text: string) => string) | null = null; // the pseudo-locale's
export let language = 'en';

// A text of the catalogue, else as it is: for words that only the server knows, such as a status.
export function translated(text: string): string {
  return change ? change(text) : (catalogue[text] ?? text);
}

// MessageFormat as far as the catalogue uses it: {0} and {0, plural, one {# day} other {# days}}.
function formatted(text: string, values: unknown[]): string {
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
  for (let at = 0; at < parts[2].length; ) {
    const open = parts[2].indexOf('{', at);
    if (open < 0) break;
    const end = closing(parts[2], open);
    forms[parts[2].slice(at, open).trim()] = parts[2].slice(open + 1, end);
    at = end + 1;
  }
  const number = Number(value ?? 0);
  const form = forms[`=${number}`] ?? forms[new Intl.PluralRules(language).select(number)] ?? forms.other ?? '';
  return formatted(form.replace(/#/g, number.toLocaleString(language)), values);
}

export function t(text: string, ...values: unknown[]): string {
  const said = translated(text);
  return values.length || said.includes('{') ? formatted(said, values) : said;
}

export function number(value: number): string {
  return value.toLocaleString(language);
}

const catalogues: Record<string, () => Promise<{ default: Catalogue }>> = {
  de: () => import('words:admin/de'),
  es: () => import('words:admin/es'),
  fr: () => import('words:admin/fr'),
};
const of_interface: Record<string, () => Promise<{ default: Catalogue }>> = {
  de: () => import('words:interface/de'),
  es: () => import('words:interface/es'),
  fr: () => import('words:interface/fr'),
};
// What the interface calls its actions and fields. Loaded beside its description, for generic screens.
export async function load_interface_words() {
  const found = await of_interface[language]?.().catch(() => null); // without it they are in English
  if (found) catalogue = { ...found.default, ...catalogue };
}

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
  else if (catalogues[wanted]) catalogue = (await catalogues[wanted]()).default;
  language = change || wanted in catalogues ? wanted : 'en';
  document.documentElement.lang = language;
  document.documentElement.dir = language.startsWith('ar') ? 'rtl' : 'ltr';
}
