// A sequence of e-mails in words, and the dialog that writes one.
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';

import { api, json, sentence } from '../kit/client';
import { Field } from '../kit/field';
import { FormDialog } from '../kit/form-dialog';
import { number, t } from '../kit/i18n';
import { PickMany } from '../kit/pickers';
import { changed, useRead } from '../kit/query';
import { Button, Notice, toast } from '../kit/ui';
import { type Form, type Values, useForm } from '../kit/use-form';
import { TextField } from './mail-texts';

export const sequences_path = '/email-sequences';
const before = 'schedule.days_before_trip';
const after = 'schedule.days_after_trip';

export const triggers: Record<string, string> = {
  'booking.created': t('When a booking is made'),
  'booking.confirmed': t('When a booking is confirmed'),
  'booking.completed': t('When a trip is over'),
  'booking.cancelled': t('When a booking is cancelled'),
  'booking.expired': t('When an unpaid booking expires'),
  'payment.received': t('When a booking is paid in full'),
  'payment.partial_received': t('When a part is paid'),
  'scheduled.payment.succeeded': t('When a planned charge is paid'),
  'scheduled.payment.failed': t('When a planned charge fails'),
  [before]: t('Days before the trip'),
  [after]: t('Days after the trip'),
};
const stops: Record<string, string> = {
  'payment.received': t('it is paid in full'),
  'booking.confirmed': t('it is confirmed'),
  'booking.completed': t('the trip is over'),
  'review.created': t('the customer wrote a review'),
  'enquiry.created': t('the customer wrote to you'),
};
const units: Record<string, string> = {
  minutes: t('minutes'),
  hours: t('hours'),
  days: t('days'),
  weeks: t('weeks'),
};
const facts: Record<string, string> = {
  booking_status: t('Status of the booking'),
  payment_status: t('Status of the payment'),
  amount_due: t('Still to pay'),
  total: t('Total'),
  travelers_count: t('Travelers'),
  days_until_trip: t('Days until the trip'),
};
const comparisons: Record<string, string> = { eq: '=', ne: '≠', gt: '>', lt: '<' };
const is_word = (field: string) => field.endsWith('_status');

export const trigger_said = (sequence: Values): string => {
  const days = sequence.trigger_config?.days ?? 0;
  if (sequence.trigger_type === before)
    return t('{0, plural, one {# day before the trip} other {# days before the trip}}', days);
  if (sequence.trigger_type === after)
    return t('{0, plural, one {# day after the trip} other {# days after the trip}}', days);
  return triggers[sequence.trigger_type] ?? sequence.trigger_type;
};
const delay_said = (step: Values, first: boolean) =>
  step.delay_value
    ? t('{0} {1} later', number(step.delay_value), units[step.delay_unit] ?? step.delay_unit)
    : first
      ? t('at once')
      : t('right after');
export const step_said = (step: Values, at: number, names: Record<number, string>): string =>
  [
    `${at + 1}. ${delay_said(step, at === 0)}: ${step.template_id ? (names[step.template_id] ?? `#${step.template_id}`) : step.custom_subject || t('no text yet')}`,
    step.conditions?.length ? t('if {0}', (step.conditions as Values[]).map(condition_said).join(', ')) : '',
    step.is_active === false ? t('(off)') : '',
  ]
    .filter(Boolean)
    .join(' ');
const condition_said = (one: Values) =>
  `${facts[one.field] ?? one.field} ${comparisons[one.op] ?? one.op} ${Array.isArray(one.value) ? one.value.join(', ') : one.value}`;

// The names of templates for customers, by their ids.
export const useTemplates = () =>
  useRead('/email-templates/choices', async () => {
    const names: Record<number, string> = {};
    for (let page = 1; ; page += 1) {
      const found = await json<Values[]>('get', '/email-templates', {
        params: { is_override: false, per_page: 100, page, orderby: 'name', order: 'asc' },
      });
      for (const one of found.data) if (one.recipient_type === 'customer') names[one.id] = one.name;
      if (page >= (found.meta?.total_pages ?? 1)) return names;
    }
  });

function Conditions({ step, put, at }: { step: Values; put: (conditions: Values[]) => void; at: number }) {
  const rows: Values[] = step.conditions ?? [];
  const change = (index: number, name: string, value: unknown) =>
    put(rows.map((one, place) => (place === index ? { ...one, [name]: value } : one)));
  return (
    <>
      {rows.map((one, index) => (
        <div class="svc-row" key={index}>
          <select
            aria-label={t('What counts, step {0}, condition {1}', at + 1, index + 1)}
            value={one.field}
            onChange={(event) => {
              const field = event.currentTarget.value;
              put(
                rows.map((each, place) =>
                  place === index ? { field, op: 'eq', value: is_word(field) ? 'pending' : 0 } : each,
                ),
              );
            }}
          >
            {Object.entries(facts).map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
          <select
            aria-label={t('Comparison, step {0}, condition {1}', at + 1, index + 1)}
            value={one.op}
            onChange={(event) => change(index, 'op', event.currentTarget.value)}
          >
            {Object.entries(comparisons)
              .filter(([name]) => !is_word(one.field) || name === 'eq' || name === 'ne')
              .map(([name, label]) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
          </select>
          <input
            aria-label={t('Value, step {0}, condition {1}', at + 1, index + 1)}
            type={is_word(one.field) ? 'text' : 'number'}
            value={String(one.value ?? '')}
            onInput={(event) =>
              change(
                index,
                'value',
                is_word(one.field) || event.currentTarget.value === ''
                  ? event.currentTarget.value
                  : Number(event.currentTarget.value),
              )
            }
          />
          <Button
            kind="quiet"
            icon={<Trash2 size={16} aria-hidden />}
            aria-label={t('Remove condition {0} of step {1}', index + 1, at + 1)}
            onClick={() => put(rows.filter((_, place) => place !== index))}
          />
        </div>
      ))}
      <Button kind="quiet" onClick={() => put([...rows, { field: 'amount_due', op: 'gt', value: 0 }])}>
        {t('Only if …')}
      </Button>
    </>
  );
}

function Steps({ form, names }: { form: Form; names: Record<number, string> }) {
  const steps: Values[] = form.values.steps ?? [];
  const put = (next: Values[]) =>
    form.set(
      'steps',
      next.map((one, at) => ({ ...one, step_order: at })),
    );
  const change = (at: number, changes: Values) =>
    put(steps.map((one, index) => (index === at ? { ...one, ...changes } : one)));
  const move = (at: number, by: number) => {
    const next = [...steps];
    next.splice(at + by, 0, next.splice(at, 1)[0]!);
    put(next);
  };
  const faults = (at: number) =>
    Object.keys(form.errors)
      .filter((one) => one.startsWith(`steps.${at}.`))
      .flatMap((one) => form.errors[one] ?? []);
  return (
    <>
      {(form.errors.steps ?? []).map((one) => (
        <p class="svc-error" key={one}>
          {one}
        </p>
      ))}
      {steps.map((step, at) => (
        <fieldset class="svc-group" key={step.id ?? `new ${at}`}>
          <legend>{t('Step {0}', at + 1)}</legend>
          {faults(at).map((one) => (
            <p class="svc-error" key={one}>
              {one}
            </p>
          ))}
          <div class="svc-row">
            <input
              type="number"
              min={0}
              aria-label={t('Delay of step {0}', at + 1)}
              value={step.delay_value ?? 0}
              onInput={(event) => change(at, { delay_value: Number(event.currentTarget.value) || 0 })}
            />
            <select
              aria-label={t('Unit of the delay of step {0}', at + 1)}
              value={step.delay_unit}
              onChange={(event) => change(at, { delay_unit: event.currentTarget.value })}
            >
              {Object.entries(units).map(([name, label]) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
            <small>{at === 0 ? t('after the trigger') : t('after the step before')}</small>
            <span class="svc-end">
              <Button
                kind="quiet"
                disabled={at === 0}
                icon={<ArrowUp size={16} aria-hidden />}
                aria-label={t('Move step {0} up', at + 1)}
                onClick={() => move(at, -1)}
              />
              <Button
                kind="quiet"
                disabled={at === steps.length - 1}
                icon={<ArrowDown size={16} aria-hidden />}
                aria-label={t('Move step {0} down', at + 1)}
                onClick={() => move(at, 1)}
              />
              <Button
                kind="quiet"
                icon={<Trash2 size={16} aria-hidden />}
                aria-label={t('Remove step {0}', at + 1)}
                onClick={() => put(steps.filter((_, index) => index !== at))}
              />
            </span>
          </div>
          <Field label={t('What is sent')}>
            {({ id }) => (
              <select
                id={id}
                value={step.template_id ?? ''}
                onChange={(event) => change(at, { template_id: Number(event.currentTarget.value) || null })}
              >
                <option value="">{t('A text of its own')}</option>
                {Object.entries(names).map(([template, name]) => (
                  <option key={template} value={template}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
          {!step.template_id && (
            <>
              <Field label={t('Subject')}>
                {({ id }) => (
                  <input
                    id={id}
                    value={step.custom_subject ?? ''}
                    onInput={(event) => change(at, { custom_subject: event.currentTarget.value })}
                  />
                )}
              </Field>
              <Field label={t('Text')} help={t('HTML with tags such as {0}.', '{{ trip_name }}')}>
                {({ id, describedby }) => (
                  <textarea
                    id={id}
                    rows={5}
                    aria-describedby={describedby}
                    value={step.custom_body ?? ''}
                    onInput={(event) => change(at, { custom_body: event.currentTarget.value })}
                  />
                )}
              </Field>
            </>
          )}
          <Conditions step={step} at={at} put={(conditions) => change(at, { conditions })} />
        </fieldset>
      ))}
      <Button
        icon={<Plus size={16} aria-hidden />}
        onClick={() =>
          put([
            ...steps,
            {
              delay_value: steps.length ? 1 : 0,
              delay_unit: 'days',
              template_id: null,
              conditions: [],
              is_active: true,
            },
          ])
        }
      >
        {t('Add a step')}
      </Button>
    </>
  );
}

// What an edit would do to those who are in the sequence, asked a moment after each change.
function Effect({ sequence, steps }: { sequence: Values; steps: Values[] }) {
  const [said, setSaid] = useState('');
  const asked = JSON.stringify(steps);
  useEffect(() => {
    let here = true;
    const timer = setTimeout(() => {
      api.put('/email-sequences/{id}', { id: sequence.id }, { steps, dry_run: true }).then(
        ({ edit_effect: effect }) =>
          here &&
          effect &&
          setSaid(
            t(
              'Bookings in this sequence: {0}. At once with their next step: {1}. Without any step left: {2}. Nobody gets a step twice, nor one that is new before their place.',
              number(effect.active ?? 0),
              number(effect.due_now ?? 0),
              number(effect.finished ?? 0),
            ),
          ),
        (error) => here && setSaid(sentence(error)),
      );
    }, 400);
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [asked]);
  return said ? <Notice kind="warn">{said}</Notice> : null;
}

export function SequenceDialog({ sequence, onClose }: { sequence?: Values; onClose: () => void }) {
  const templates = useTemplates();
  const form = useForm(
    sequence,
    sequence
      ? {}
      : {
          trigger_type: 'booking.confirmed',
          trigger_config: { days: 7 },
          applicable_to: 'all',
          trip_ids: [],
          stop_on: [],
          steps: [],
        },
  );
  const values = form.values;
  const by_day = values.trigger_type === before || values.trigger_type === after;
  const read = async () => (await json<Values>('get', `${sequences_path}/{id}`, { params: { id: sequence!.id } })).data;
  const run = async (changes: Values, row_version = sequence?.row_version) => {
    if (sequence) await api.put('/email-sequences/{id}', { id: sequence.id }, { ...changes, row_version });
    else await api.post('/email-sequences', null, values);
    toast(t('The sequence is saved.'));
    await changed(sequences_path);
  };
  return (
    <FormDialog
      title={sequence?.name ?? t('New sequence')}
      form={form}
      wide
      run={run}
      onClose={onClose}
      compare={sequence ? { saved: sequence, read } : undefined}
      disabled={!values.name}
    >
      <TextField form={form} name="name" label={t('Name')} />
      <div class="svc-fields">
        <Field label={t('Begins')} errors={form.errors.trigger_type}>
          {({ id }) => (
            <select
              id={id}
              value={values.trigger_type}
              onChange={(event) => form.set('trigger_type', event.currentTarget.value)}
            >
              {Object.entries(triggers).map(([key, label]) => (
                <option key={key} value={key}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
        {by_day && (
          <Field label={t('Days')} help={t('At 09:00, local time.')} errors={form.errors['trigger_config.days']}>
            {({ id, describedby }) => (
              <input
                id={id}
                type="number"
                min={0}
                aria-describedby={describedby}
                value={values.trigger_config?.days ?? 0}
                onInput={(event) => form.set('trigger_config', { days: Number(event.currentTarget.value) || 0 })}
              />
            )}
          </Field>
        )}
        <Field label={t('For')} errors={form.errors.applicable_to}>
          {({ id }) => (
            <select
              id={id}
              value={values.applicable_to}
              onChange={(event) => form.set('applicable_to', event.currentTarget.value)}
            >
              <option value="all">{t('All trips')}</option>
              <option value="specific_trips">{t('Some trips')}</option>
            </select>
          )}
        </Field>
      </div>
      {values.applicable_to === 'specific_trips' && (
        <Field label={t('Trips')} errors={form.errors.trip_ids}>
          {({ id }) => (
            <PickMany id={id} list="/trips" value={values.trip_ids ?? []} onPick={(ids) => form.set('trip_ids', ids)} />
          )}
        </Field>
      )}
      <Steps form={form} names={templates.data ?? {}} />
      {sequence && sequence.enrolled_active > 0 && form.changes.steps && (
        <Effect sequence={sequence} steps={values.steps} />
      )}
      <fieldset class="svc-group">
        <legend>{t('Ends early when')}</legend>
        <p>
          <small>{t('A cancelled, expired or refunded booking always ends it.')}</small>
        </p>
        {Object.entries(stops).map(([key, label]) => (
          <label key={key}>
            <input
              type="checkbox"
              checked={(values.stop_on ?? []).includes(key)}
              onChange={(event) =>
                form.set(
                  'stop_on',
                  event.currentTarget.checked
                    ? [...(values.stop_on ?? []), key]
                    : (values.stop_on ?? []).filter((one: string) => one !== key),
                )
              }
            />{' '}
            {label}
          </label>
        ))}
      </fieldset>
    </FormDialog>
  );
}
