// The plain controls of forms: numbers, amounts, switches and lines of text, without the pickers and the editor of forms that
// are made from a schema.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { Field } from './field';
import { language, t } from './i18n';
import type { Form } from './use-form';

// Numbers as the admin's language writes them: "12,50" of a German reader is 12.5, and 12.5 is shown as "12,5".
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

// An amount of a form, in its currency; empty where there is none.
export function Amount({
  form,
  name,
  label,
  currency,
}: {
  form: Form;
  name: string;
  label?: string;
  currency: string;
}) {
  return (
    <Field label={label ? t('{0} in {1}', label, currency) : t('Amount in {0}', currency)} errors={form.errors[name]}>
      {({ id, describedby, invalid }) => (
        <NumberInput
          id={id}
          aria-describedby={describedby}
          aria-invalid={invalid}
          value={form.values[name]}
          set={(value) => form.set(name, value)}
        />
      )}
    </Field>
  );
}

interface PlainProps {
  kind: 'boolean' | 'integer' | 'number' | 'text';
  label: string;
  value: any;
  set: (value: any) => void;
  errors?: string[];
  required?: boolean;
  help?: string;
  empty?: null; // of a value that may be none
}
export function PlainInput({ kind, label, value, set, errors, required, help, empty }: PlainProps) {
  return (
    <Field {...{ label, errors, required, help }} inline={kind === 'boolean'}>
      {({ id, describedby, invalid }) =>
        kind === 'boolean' ? (
          <input
            id={id}
            type="checkbox"
            role="switch"
            aria-describedby={describedby}
            checked={!!value}
            onChange={(event) => set(event.currentTarget.checked)}
          />
        ) : kind === 'text' ? (
          <input
            id={id}
            autocomplete="off"
            aria-describedby={describedby}
            aria-invalid={invalid}
            value={value ?? ''}
            onInput={(event) => set(event.currentTarget.value || (empty === null ? null : ''))}
          />
        ) : (
          <NumberInput
            id={id}
            whole={kind === 'integer'}
            aria-describedby={describedby}
            aria-invalid={invalid}
            value={value}
            set={(typed) => set(typed ?? empty)}
          />
        )
      }
    </Field>
  );
}
