// Sentences of the server in the reader's language: whole ones by their text, those with a value by their pattern. What
// is not known here is shown in English, as it came.
import { t, translated } from './i18n';

const patterns: [RegExp, (...parts: string[]) => string][] = [
  [/^This must be a number of at least (.+)\.$/, (least) => t('This must be a number of at least {0}.', least)],
  [/^This must be a number of at most (.+)\.$/, (most) => t('This must be a number of at most {0}.', most)],
  [/^This must be a number from (.+) to (.+)\.$/, (least, most) => t('This must be a number from {0} to {1}.', least, most)],
  [/^This must be one of: (.+)\.$/, (all) => t('This must be one of: {0}.', all)],
  [/^This may have at most (\d+) items\.$/, (most) => t('This may have at most {0} items.', most)],
  [/^This needs at least (\d+) items\.$/, (least) => t('This needs at least {0} items.', least)],
  [/^This needs at least (\d+) characters\.$/, (least) => t('This needs at least {0} characters.', least)],
  [/^This number may have at most (\d+) decimals\.$/, (most) => t('This number may have at most {0} decimals.', most)],
  [/^This may have at most (\d+) characters\.$/, (most) => t('This may have at most {0} characters.', most)],
];

export function heard(said: string): string {
  const whole = translated(said);
  if (whole !== said) return whole;
  for (const [pattern, say] of patterns) {
    const found = pattern.exec(said);
    if (found) return say(...found.slice(1));
  }
  return said;
}
