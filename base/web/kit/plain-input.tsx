// A switch, a number or a line of text with its label and its faults: what a screen's own form needs of them, without the
// pickers and the editor of forms that are made from a schema.
import { Field } from './field';
import { NumberInput } from './number';

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
