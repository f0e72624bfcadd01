// One answer to a field of the booking form, as staff write it.
import { useState } from 'preact/hooks';

import { file as fetch_file, json } from '../kit/client';
import { Field } from '../kit/field';
import { words } from '../kit/format';
import { t } from '../kit/i18n';
import { can } from '../kit/interface';
import { Button, failed, toast } from '../kit/ui';
import type { FormField } from './asked';

interface Props {
  field: FormField;
  section: string; // "traveler_form"
  booking?: number; // whose files are sent and fetched
  value: string;
  set: (value: string) => void;
  errors?: string[];
  required?: boolean;
}
export const is_file = (value: unknown): value is string =>
  typeof value === 'string' && /^file-[0-9a-z]{12}\.(pdf|jpg|png|webp)$/.test(value);

export function FileLink({ booking, code, children }: { booking: number; code: string; children?: string }) {
  if (!can('get', '/bookings/{id}/form-files/{key}')) return <>{code}</>;
  return (
    <Button
      onClick={() => fetch_file('/bookings/{id}/form-files/{key}', { id: booking, key: code }, code).catch(failed)}
    >
      {children ?? code}
    </Button>
  );
}

// In place of an answer that is sealed, for staff without the right to it. Sent back, it keeps the answer.
const masked = '•••';

function Masked({ set }: { set: (value: string) => void }) {
  return (
    <span class="svc-actions">
      <span>{t('Sealed: your role may not read this answer.')}</span>
      <Button kind="quiet" onClick={() => set('')}>
        {t('Replace')}
      </Button>
    </span>
  );
}

function FileInput({ field, section, booking, value, set, id, describedby, invalid }: Props & Ids) {
  const [busy, setBusy] = useState(false);
  const send = async (input: HTMLInputElement) => {
    const chosen = input.files?.[0];
    if (!chosen || !booking) return;
    setBusy(true);
    const form = new FormData();
    form.set('field', `${section}.${field.id}`);
    form.set('file', chosen);
    try {
      const sent = await json('post', '/bookings/{id}/form-files', { params: { id: booking }, body: form });
      set(sent.data.file);
      toast(t('{0} is sent. Save to keep it.', chosen.name), 'info');
    } catch (error) {
      failed(error);
    } finally {
      setBusy(false);
      input.value = '';
    }
  };
  return (
    <>
      {is_file(value) && booking && (
        <span class="svc-actions">
          <FileLink booking={booking} code={value} />
          <Button kind="quiet" onClick={() => set('')}>
            {t('Remove')}
          </Button>
        </span>
      )}
      <input
        id={id}
        type="file"
        accept={field.accepts?.includes('pdf') === false ? 'image/*' : '.pdf,image/*'}
        aria-describedby={describedby}
        aria-invalid={invalid}
        disabled={busy || !can('post', '/bookings/{id}/form-files')}
        onChange={(event) => void send(event.currentTarget)}
      />
    </>
  );
}

interface Ids {
  id: string;
  describedby?: string;
  invalid: boolean;
}
export function AnswerInput(props: Props) {
  const { field, value, set, errors, required } = props;
  const boxes = field.type === 'checkboxes';
  const chosen = boxes ? value.split(',').map((one) => one.trim()) : [];
  return (
    <Field label={field.label} required={required} errors={errors} help={field.help} group={boxes || value === masked}>
      {({ id, describedby, invalid }) => {
        if (value === masked) return <Masked set={set} />;
        const ids = { id, 'aria-describedby': describedby, 'aria-invalid': invalid };
        if (field.type === 'file') return <FileInput {...props} id={id} describedby={describedby} invalid={invalid} />;
        if (boxes)
          return (
            <>
              {(field.options ?? []).map((option) => (
                <label key={option.value} class="svc-check">
                  <input
                    type="checkbox"
                    checked={chosen.includes(option.value)}
                    onChange={(event) =>
                      set(
                        (field.options ?? [])
                          .map((one) => one.value)
                          .filter((one) => (one === option.value ? event.currentTarget.checked : chosen.includes(one)))
                          .join(', '),
                      )
                    }
                  />
                  {words(option.label)}
                </label>
              ))}
            </>
          );
        if (field.options)
          return (
            <select {...ids} value={value} onChange={(event) => set(event.currentTarget.value)}>
              <option value="" />
              {field.options.map((option) => (
                <option key={option.value} value={option.value}>
                  {words(option.label)}
                </option>
              ))}
            </select>
          );
        if (field.type === 'textarea')
          return <textarea {...ids} rows={3} value={value} onInput={(event) => set(event.currentTarget.value)} />;
        const type = ['date', 'tel', 'email'].includes(field.type) ? field.type : 'text';
        return <input {...ids} type={type} value={value} onInput={(event) => set(event.currentTarget.value)} />;
      }}
    </Field>
  );
}
