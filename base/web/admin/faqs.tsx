// A trip's questions with their answers, in the order in which visitors read them.
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-preact';
import { useRef } from 'preact/hooks';

import { Field } from '../kit/field';
import { Rich, label_of_field } from '../kit/form';
import { t } from '../kit/i18n';
import { Button } from '../kit/ui';
import type { Form, Values } from '../kit/use-form';

let made = 0;

export function Faqs({ form }: { form: Form }) {
  const rows: Values[] = form.values.faqs ?? [];
  // An editor stays with its answer when rows move.
  const keys = useRef<number[]>([]);
  while (keys.current.length < rows.length) keys.current.push(++made);
  keys.current.length = rows.length;
  const change = (at: number, some: Values) =>
    form.set(
      'faqs',
      rows.map((each, index) => (index === at ? { ...each, ...some } : each)),
    );
  const move = (from: number, to: number) => {
    const next = [...rows];
    next.splice(to, 0, ...next.splice(from, 1));
    keys.current.splice(to, 0, ...keys.current.splice(from, 1));
    form.set(
      'faqs',
      next.map((one, order) => ({ ...one, order })),
    );
  };
  const remove = (at: number) => {
    keys.current.splice(at, 1);
    form.set(
      'faqs',
      rows.filter((_, index) => index !== at),
    );
  };
  return (
    <fieldset class="svc-group">
      <legend>{label_of_field('faqs')}</legend>
      {rows.map((row, at) => {
        const said = (name: string) => form.errors[`faqs.${at}.${name}`];
        return (
          <div class="svc-faq" key={keys.current[at]} role="group" aria-label={t('Question {0}', at + 1)}>
            <Field label={t('Question {0}', at + 1)} errors={said('question')} required>
              {({ id, describedby, invalid }) => (
                <input
                  id={id}
                  aria-describedby={describedby}
                  aria-invalid={invalid}
                  value={row.question ?? ''}
                  onInput={(event) => change(at, { question: event.currentTarget.value })}
                />
              )}
            </Field>
            <Rich
              label={t('Answer {0}', at + 1)}
              value={row.answer}
              set={(answer) => change(at, { answer })}
              errors={said('answer')}
              required
            />
            <div class="svc-actions">
              <Field label={t('Visitors see it')} inline>
                {({ id }) => (
                  <input
                    id={id}
                    type="checkbox"
                    role="switch"
                    checked={row.is_public ?? true}
                    onChange={(event) => change(at, { is_public: event.currentTarget.checked })}
                  />
                )}
              </Field>
              <Field label={t('Featured')} inline>
                {({ id }) => (
                  <input
                    id={id}
                    type="checkbox"
                    role="switch"
                    checked={!!row.is_featured}
                    onChange={(event) => change(at, { is_featured: event.currentTarget.checked })}
                  />
                )}
              </Field>
              <span class="svc-gap" />
              <Button
                kind="quiet"
                icon={<ArrowUp size={16} aria-hidden />}
                aria-label={t('{0} earlier', t('Question {0}', at + 1))}
                disabled={at === 0}
                onClick={() => move(at, at - 1)}
              />
              <Button
                kind="quiet"
                icon={<ArrowDown size={16} aria-hidden />}
                aria-label={t('{0} later', t('Question {0}', at + 1))}
                disabled={at === rows.length - 1}
                onClick={() => move(at, at + 1)}
              />
              <Button
                kind="quiet"
                icon={<Trash2 size={16} aria-hidden />}
                aria-label={t('Remove {0}', t('Question {0}', at + 1))}
                onClick={() => remove(at)}
              />
            </div>
          </div>
        );
      })}
      <Button
        icon={<Plus size={16} aria-hidden />}
        onClick={() => form.set('faqs', [...rows, { question: '', answer: '', is_public: true, is_featured: false }])}
      >
        {t('Add a question')}
      </Button>
    </fieldset>
  );
}
