// The options of an attribute that is chosen from a list: what visitors read, and what is stored of it.
import { Plus, Trash2 } from 'lucide-preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

import { t } from '../kit/i18n';
import { Sortable } from '../kit/sortable';
import { Button } from '../kit/ui';
import type { Form } from '../kit/use-form';

interface Option {
  label: string;
  value: string;
}
export const with_options = ['select', 'radio', 'checkbox'];
const stored_as = (label: string) =>
  label
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 255);

export default function AttributeOptions({ form }: { form: Form }) {
  const box = useRef<HTMLFieldSetElement>(null);
  const begun = useRef<number | null>(null); // the row that is written next, once it is there: before the next key
  const options: Option[] = form.values.field_options ?? [];
  const put = (next: Option[]) => form.set('field_options', next);
  const said = (at: number, name: string) => form.errors[`field_options.${at}.${name}`];
  const change = (at: number, some: Partial<Option>) =>
    put(options.map((one, index) => (index === at ? { ...one, ...some } : one)));
  // What is stored follows what is read for as long as nobody wrote it.
  const rename = (at: number, label: string) =>
    change(at, { label, ...(options[at]!.value === stored_as(options[at]!.label) && { value: stored_as(label) }) });
  const add = (at: number, labels: string[]) => {
    put([
      ...options.slice(0, at),
      ...labels.map((label) => ({ label, value: stored_as(label) })),
      ...options.slice(at),
    ]);
    begun.current = at + labels.length - 1;
  };
  useLayoutEffect(() => {
    if (begun.current === null) return;
    box.current?.querySelectorAll<HTMLInputElement>('input[data-label]')[begun.current]?.focus();
    begun.current = null;
  }, [options]);
  const whole = form.errors.field_options;
  const twice = options.find((one, at) => one.value && options.findIndex((other) => other.value === one.value) !== at);
  return (
    <fieldset class="svc-group svc-options" ref={box}>
      <legend>{t('Options')}</legend>
      <small>
        {t(
          'In the order in which visitors see them: drag, or press Alt and an arrow. A list that is pasted becomes an option a line.',
        )}
      </small>
      {whole && <p class="svc-error">{whole.join(' ')}</p>}
      {twice && (
        <p class="svc-error">{t('“{0}” is stored for two options: they cannot be told apart.', twice.value)}</p>
      )}
      <Sortable
        rows={options}
        put={put}
        key_of={(_, at) => at}
        called={(one, at) => one.label || t('Option {0}', at + 1)}
      >
        {(one, at) => (
          <>
            <input
              data-label
              aria-label={t('Option {0}', at + 1)}
              aria-invalid={!!said(at, 'label')}
              placeholder={t('What visitors read')}
              maxLength={255}
              value={one.label}
              onInput={(event) => rename(at, event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return;
                event.preventDefault();
                add(at + 1, ['']);
              }}
              onPaste={(event) => {
                const lines = (event.clipboardData?.getData('text') ?? '')
                  .split(/\r?\n/)
                  .map((line) => line.trim())
                  .filter(Boolean);
                if (lines.length < 2) return;
                event.preventDefault();
                const fresh = lines.map((label) => ({ label, value: stored_as(label) }));
                put([...options.slice(0, at), ...(one.label ? [one] : []), ...fresh, ...options.slice(at + 1)]);
              }}
            />
            <input
              class="svc-code"
              aria-label={t('Option {0}, as it is stored', at + 1)}
              aria-invalid={!!said(at, 'value')}
              placeholder={t('Stored as')}
              maxLength={255}
              value={one.value}
              onInput={(event) => change(at, { value: event.currentTarget.value })}
            />
            <Button
              kind="quiet"
              icon={<Trash2 size={16} aria-hidden />}
              aria-label={t('Remove {0}', one.label || t('Option {0}', at + 1))}
              onClick={() => put(options.filter((_, index) => index !== at))}
            />
            {(said(at, 'label') ?? said(at, 'value')) && (
              <p class="svc-error">{(said(at, 'label') ?? said(at, 'value'))!.join(' ')}</p>
            )}
          </>
        )}
      </Sortable>
      {!options.length && <p class="svc-none">{t('No options yet: nobody can choose anything.')}</p>}
      <Button icon={<Plus size={16} aria-hidden />} onClick={() => add(options.length, [''])}>
        {t('Add an option')}
      </Button>
    </fieldset>
  );
}
