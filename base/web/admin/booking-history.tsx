// What happened to a booking, newest first, and the note that colleagues leave on it.
import { useState } from 'preact/hooks';

import { type DataOf, api } from '../kit/client';
import { Conflict } from '../kit/conflict';
import { day, money, words } from '../kit/format';
import { t } from '../kit/i18n';
import { can } from '../kit/interface';
import { useRead } from '../kit/query';
import { Ago, Button, Loaded, Status, toast } from '../kit/ui';
import { Section } from '../kit/page';
import { Summary, useForm } from '../kit/use-form';
import { type Booking, refresh } from './booking-dialogs';

// "pending to confirmed" and "Created as pending" in the reader's words.
function status_change(title: string): string {
  const created = /^Created as (.+)$/.exec(title);
  return created
    ? t('Created as {0}', words(created[1]!))
    : title
        .split(' to ')
        .map((part) => words(part))
        .join(' → ');
}

const titles: Record<string, string> = {
  status: t('Status'),
  payment: t('Payments'),
  refund: t('Refunds'),
  email: t('E-mails'),
  date: t('Date'),
  party: t('Party'),
  price: t('Price'),
  travelers: t('Travelers'),
  contact: t('Contact'),
  note: t('Note'),
  other: t('Other'),
};
const sums = /^(total|discount_amount|tax_amount)$/;

// A value of a change: days and amounts as the site writes them, a party by its categories.
function said(field: string, value: any, currency: string): string {
  if (value === null || value === undefined || value === '') return '–';
  if (sums.test(field)) return money(value, currency);
  if (typeof value === 'object')
    return (
      Object.entries(value)
        .map(([name, many]) => `${many} × ${name}`)
        .join(', ') || '–'
    );
  return /^\d{4}-\d\d-\d\d$/.test(value)
    ? day(value)
    : field === 'payment_method' || field === 'payment_gateway'
      ? words(String(value))
      : String(value);
}

type Event = DataOf<'/bookings/{id}/history', 'get'>[number];
function Changes({ of, currency }: { of: Event; currency: string }) {
  const changes = of.changes ?? [];
  if (!changes.length) return null;
  return (
    <ul class="svc-plain-list">
      {changes.map((one, at) => (
        <li key={at}>
          {one.traveler ? `${t('Traveler {0}', one.traveler)}, ` : ''}
          {words(one.field.replace(/_id$/, ''))}:{' '}
          {one.withheld
            ? t('changed')
            : `${said(one.field, one.before, currency)} → ${said(one.field, one.after, currency)}`}
        </li>
      ))}
    </ul>
  );
}

// Which of the kinds have an actor that is a person or the kind of one, rather than a template.
function by(one: Event): string {
  if (!one.actor || one.kind === 'email') return '';
  if (one.kind === 'payment' && one.actor === 'manual') return '';
  return t('by {0}', one.actor);
}

export function History({ booking }: { booking: Booking }) {
  const [kind, setKind] = useState('');
  const read = useRead(
    can('get', '/bookings/{id}/history') ? `/history/${booking.id}/${booking.row_version}` : null,
    () => api.get('/bookings/{id}/history', { id: booking.id }),
  );
  const kinds = [...new Set((read.data ?? []).map((one) => one.kind))];
  return (
    <Section
      title={t('What happened')}
      action={
        kinds.length > 1 ? (
          <select aria-label={t('Show')} value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
            <option value="">{t('Everything')}</option>
            {kinds.map((one) => (
              <option key={one} value={one}>
                {titles[one] ?? one}
              </option>
            ))}
          </select>
        ) : undefined
      }
    >
      <Loaded read={read} rows={5}>
        {(all) => (
          <ol class="svc-timeline">
            {all
              .filter((one) => !kind || one.kind === kind)
              .map((one, index) => (
                <li key={index} class={`svc-of-${one.kind}`}>
                  <div>
                    <b>
                      {one.kind === 'status'
                        ? status_change(one.title)
                        : one.kind === 'payment'
                          ? t('Payment {0}', money(one.amount as number, one.currency))
                          : one.kind === 'refund'
                            ? t('Refund {0}', money(one.amount as number, one.currency))
                            : one.kind === 'email'
                              ? one.title
                              : titles[one.kind]}
                    </b>
                    {one.kind !== 'status' && <Status value={one.status} />}
                  </div>
                  <small>
                    <Ago at={one.at} />
                    {[
                      one.kind === 'payment' || one.kind === 'refund' ? one.title : '',
                      by(one),
                      one.kind === 'email'
                        ? one.detail.replace(/^To /, `${t('To')} `)
                        : one.kind === 'payment'
                          ? words(one.detail)
                          : one.detail,
                    ]
                      .filter(Boolean)
                      .map((each) => ` · ${each}`)}
                  </small>
                  <Changes of={one} currency={booking.currency} />
                </li>
              ))}
          </ol>
        )}
      </Loaded>
    </Section>
  );
}

export function Note({ booking }: { booking: Booking }) {
  const form = useForm({ internal_notes: booking.internal_notes });
  const read = () => api.get('/bookings/{id}', { id: booking.id });
  const save = () =>
    form.submit(async (changes, now) => {
      await api.put('/bookings/{id}', { id: booking.id }, { ...changes, row_version: now?.row_version });
      toast(t('The note is saved.'));
      refresh(booking.id);
    }, read);
  if (!can('put', '/bookings/{id}'))
    return booking.internal_notes ? (
      <Section title={t('Note')}>
        <p class="svc-pre">{booking.internal_notes}</p>
      </Section>
    ) : null;
  return (
    <Section title={t('Note')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Summary form={form} />
        <textarea
          aria-label={t('Note for colleagues')}
          rows={3}
          placeholder={t('Only colleagues see this.')}
          value={form.values.internal_notes ?? ''}
          onInput={(event) => form.set('internal_notes', event.currentTarget.value)}
        />
        {form.dirty && (
          <Button type="submit" busy={form.busy}>
            {t('Save the note')}
          </Button>
        )}
      </form>
      {form.conflict && (
        <Conflict
          form={form}
          read={async () => ({ internal_notes: (await read()).internal_notes })}
          keep={() => void save()}
          take={() => (form.reset(), refresh(booking.id))}
        />
      )}
    </Section>
  );
}
