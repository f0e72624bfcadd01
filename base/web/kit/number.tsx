// Numbers as the admin's language writes them: "12,50" of a German reader is 12.5, and 12.5 is shown as "12,5".
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { language } from './i18n';

const point = new Intl.NumberFormat(language).format(1.5).includes(',') ? ',' : '.';
// The language's sign between thousands, and blanks, which stand there in others.
const grouping = new RegExp(`[\\s\u00a0\u202f'’]|[${point === ',' ? '.' : ','}](?=\\d{3}(\\D|$))`, 'g');

// The number in the wire's form; what is none stays as it was typed, so that the server's sentence stands at the field.
// The other language's sign is the decimal point where it can be nothing else: "12.50" is no number of thousands.
export function typed_number(text: string): number | string | null {
  const typed = text.trim();
  const plain = typed.replace(grouping, '').replace(',', '.');
  if (!/^-?\d+(\.\d+)?$/.test(plain)) return typed || null;
  return plain.length < 16 ? Number(plain) : plain;
}

export function number_text(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = String(value);
  return /^-?\d+\.\d+$/.test(text) ? text.replace('.', point) : text;
}

type InputProps = Omit<JSX.IntrinsicElements['input'], 'value' | 'onInput' | 'type' | 'class'>;
// Keeps what is typed while it is typed: "12,0" on the way to "12,05".
export function NumberInput({
  value,
  set,
  whole,
  ...rest
}: InputProps & { value: unknown; set: (value: number | string | null) => void; whole?: boolean }) {
  const [text, setText] = useState<string | null>(null);
  return (
    <input
      inputMode={whole ? 'numeric' : 'decimal'}
      {...rest}
      type="text"
      class="svc-number"
      value={text ?? number_text(value)}
      onInput={(event) => {
        setText(event.currentTarget.value);
        set(typed_number(event.currentTarget.value));
      }}
      onBlur={() => setText(null)}
    />
  );
}
