// Sentences of the server in the reader's language: whole ones by their text, those with a value by their pattern. What
// is not known here is shown in English, as it came.
import { filled, translated } from './i18n';

const of_numbers = [
  'This must be a number of at least {0}.',
  'This must be a number of at most {0}.',
  'This must be a number from {0} to {1}.',
  'This number may have at most {0} decimals.',
];
const of_lengths = [
  'This must be one of: {0}.',
  'This may have at most {0} items.',
  'This needs at least {0} items.',
  'This needs at least {0} characters.',
  'This may have at most {0} characters.',
];

export function heard(said: string): string {
  const whole = translated(said);
  if (whole !== said) return whole;
  for (const one of [...of_numbers, ...of_lengths]) {
    const found = new RegExp(`^${one.replace(/\{.\}/g, '(.+)')}$`).exec(said);
    if (found) return filled(translated(one), found.slice(1));
  }
  return said;
}
