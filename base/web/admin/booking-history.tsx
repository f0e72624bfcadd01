// What happened to a booking, newest first, and the note that colleagues leave on it.
import { useState } from 'preact/hooks';

import { api } from '../kit/client';
import { Conflict } from '../kit/conflict';
import { money, words } from '../kit/format';
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
  return created ? t('Created as {0}', words(created[1]!)) : title.split(' to ').map((part) => words(part)).join(' → ');
}

export function History({ booking }: { booking: Booking }) {
  const [kind, setKind] = useState('');
  const read = useRead(can('get', '/bookings/{id}/history') ? `/history/${booking.id}/${booking.row_version}` : null, () => api.get('/bookings/{id}/history', { id: booking.id }));
  const kinds = [...new Set((read.data ?? []).map((one) => one.kind))];
  return (
    <Section
      title={t('What happened')}
      action={
        kinds.length > 1 ? (
          <select aria-label={t('Show')} value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
            <option value="">{t('Everything')}</option>
            {kinds.map((one) => (
              <option key={one} value={one}>{{ status: t('Status'), payment: t('Payments'), email: t('E-mails') }[one] ?? one}</option>
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
                    <b>{one.kind === 'status' ? status_change(one.title) : one.kind === 'payment' ? t('Payment {0}', money(one.amount as number, one.currency)) : one.title}</b>
                    {one.kind !== 'status' && <Status value={one.status} />}
                  </div>
                  <small>
                    <Ago at={one.at} />
                    {[
                      one.kind === 'payment' ? one.title : '',
                      one.actor && one.kind !== 'email' && one.kind !== 'payment' ? t('by {0}', one.actor) : '',
                      one.kind === 'email' ? one.detail.replace(/^To /, `${t('To')} `) : words(one.detail),
                    ].filter(Boolean).map((each) => ` · ${each}`)}
                  </small>
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
  if (!can('put', '/bookings/{id}')) return booking.internal_notes ? <Section title={t('Note')}><p class="svc-pre">{booking.internal_notes}</p></Section> : null;
  return (
    <Section title={t('Note')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Summary form={form} />
        <textarea aria-label={t('Note for colleagues')} rows={3} placeholder={t('Only colleagues see this.')} value={form.values.internal_notes ?? ''} onInput={(event) => form.set('internal_notes', event.currentTarget.value)} />
        {form.dirty && <Button type="submit" busy={form.busy}>{t('Save the note')}</Button>}
      </form>
      {form.conflict && <Conflict form={form} read={async () => ({ internal_notes: (await read()).internal_notes })} keep={() => void save()} take={() => (form.reset(), refresh(booking.id))} />}
    </Section>
  );
}
