// Numbers as the admin's language writes them: "12,50" of a German reader is 12.5, and 12.5 is shown as "12,5".
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { language } from './i18n';

const has_comma = new Intl.NumberFormat(language).format(1.5).includes(',');
const point = has_comma ? ',' : '.';
const comma = has_comma ? '.' : ',';

// The number in the wire's form; what is none stays as it was typed, so that the server's sentence stands at the field.
// Blanks and the language's own sign may stand between thousands. The other language's sign is the decimal point where it
// can be nothing else: "12.50" is no number of thousands.
export function typed_number(text: string): number | string | null {
  const typed = text.trim();
  if (!typed) return null;
  const plain = typed.replace(/[\s\u00a0\u202f'’]/g, '');
  const groups = new RegExp(`^-?\\d{1,3}(\\${comma}\\d{3})+(\\${point}\\d*)?$`);
  const canonical = groups.test(plain) ? plain.replaceAll(comma, '').replace(point, '.') : plain.replace(plain.includes(point) ? point : comma, '.');
  if (!/^-?\d+(\.\d+)?$/.test(canonical)) return typed;
  return canonical.length < 16 ? Number(canonical) : canonical;
}

export function number_text(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = String(value);
  return /^-?\d+\.\d+$/.test(text) ? text.replace('.', point) : text;
}

type InputProps = Omit<JSX.IntrinsicElements['input'], 'value' | 'onInput' | 'type' | 'class'>;
// Keeps what is typed while it is typed: "12,0" on the way to "12,05".
export function NumberInput({ value, set, whole, ...rest }: InputProps & { value: unknown; set: (value: number | string | null) => void; whole?: boolean }) {
  const [text, setText] = useState<string | null>(null);
  return (
    <input
      inputMode={whole ? 'numeric' : 'decimal'}
      {...rest}
      type="text"
      class="svc-number"
      value={text !== null && Object.is(typed_number(text) ?? '', value ?? '') ? text : number_text(value)}
      onInput={(event) => {
        setText(event.currentTarget.value);
        set(typed_number(event.currentTarget.value));
      }}
      onBlur={() => setText(null)}
    />
  );
}
