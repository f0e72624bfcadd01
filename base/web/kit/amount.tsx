// An amount of a form, in its currency; empty where there is none. A file of its own, so that a screen with amounts loads no
// forms of schemas.
import { Field } from './field';
import { t } from './i18n';
import { NumberInput } from './number';
import type { Form } from './use-form';

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
