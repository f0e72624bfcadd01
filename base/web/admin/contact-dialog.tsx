// The contact of a booking: name, address, phone, country, wishes, and whom to call in an emergency.
import { useMemo, useState } from 'preact/hooks';

import { type DataOf, api } from '../kit/client';
import { Field } from '../kit/field';
import { FormDialog } from '../kit/form-dialog';
import { t } from '../kit/i18n';
import { can } from '../kit/interface';
import { useRead } from '../kit/query';
import { Confirm, Loaded, toast } from '../kit/ui';
import { type Values, useForm } from '../kit/use-form';
import { AnswerInput } from './answer-input';
import { type FormField, asks } from './asked';

type Booking = DataOf<'/bookings/{id}', 'get'> & Record<string, any>;
const own = ['first_name', 'last_name', 'email', 'phone', 'country'] as const;
const labels: Record<(typeof own)[number], string> = {
  first_name: t('First name'),
  last_name: t('Last name'),
  email: t('E-mail'),
  phone: t('Phone'),
  country: t('Country'),
};

function held(booking: Values): Values {
  return {
    ...Object.fromEntries(own.map((one) => [`contact_${one}`, booking.contact?.[one] ?? ''])),
    special_requests: booking.special_requests ?? '',
    contact_data: booking.contact_data ?? {},
    emergency_contact: booking.emergency_contact ?? {},
  };
}

export function ContactDialog({ booking, onClose, done }: { booking: Booking; onClose: () => void; done: () => void }) {
  const before = useMemo(() => held(booking), []); // the booking shown changes with the write
  const form = useForm(before);
  const [sending, setSending] = useState('');
  const asked = useRead(`/settings/booking-form?trip=${booking.trip_id}`, () =>
    api.get('/settings/booking-form', { trip_id: booking.trip_id }),
  );
  const read = async () => {
    const now = await api.get('/bookings/{id}', { id: booking.id });
    return { ...held(now), row_version: now.row_version };
  };
  const run = async (changes: Values, row_version?: number) => {
    await api.put('/bookings/{id}', { id: booking.id }, { ...changes, row_version });
    toast(t('The contact is saved.'));
    if (changes.contact_email && can('post', '/bookings/{id}/email')) setSending(changes.contact_email);
  };
  if (sending)
    return (
      <Confirm
        title={t('Send the confirmation again?')}
        action={t('Send it to {0}', sending)}
        onClose={onClose}
        run={async () => {
          const sent = await api.post('/bookings/{id}/email', { id: booking.id }, { type: 'confirmation' });
          toast(
            sent.sent ? t('Queued for {0}.', sent.recipient) : (sent.reason ?? t('Not sent.')),
            sent.sent ? 'good' : 'info',
          );
          done();
        }}
      >
        <p>
          {t(
            'What was sent so far went to {0}. Links in it no longer open the booking.',
            before.contact_email || t('no address'),
          )}
        </p>
      </Confirm>
    );
  const text = (name: string, label: string, type = 'text') => (
    <Field key={name} label={label} errors={form.errors[name] ?? form.errors[name.replace('contact_', 'contact.')]}>
      {({ id, describedby, invalid }) => (
        <input
          id={id}
          type={type}
          autocomplete="off"
          aria-describedby={describedby}
          aria-invalid={invalid}
          value={form.values[name]}
          onInput={(event) => form.set(name, event.currentTarget.value)}
        />
      )}
    </Field>
  );
  return (
    <FormDialog
      title={t('Contact of {0}', booking.reference)}
      form={form}
      run={run}
      done={done}
      then={form.changes.contact_email ? () => undefined : onClose}
      onClose={onClose}
      disabled={!form.dirty}
      wide
      compare={{ saved: {}, read }}
    >
      <p>{t("The customer's record stays as it is; a new address belongs to the customer who has it.")}</p>
      <div class="svc-fields">
        {own.map((one) =>
          text(`contact_${one}`, labels[one], { email: 'email', phone: 'tel' }[one as string] ?? 'text'),
        )}
      </div>
      <Field label={t('Wishes')} errors={form.errors.special_requests}>
        {({ id, describedby, invalid }) => (
          <textarea
            id={id}
            rows={3}
            aria-describedby={describedby}
            aria-invalid={invalid}
            value={form.values.special_requests}
            onInput={(event) => form.set('special_requests', event.currentTarget.value)}
          />
        )}
      </Field>
      <Loaded read={asked} rows={2}>
        {(found) => {
          const parts = found as unknown as Record<string, { fields?: FormField[] }>;
          const contact = {
            fields: parts.contact_form?.fields ?? [],
            answers: {
              ...form.values.contact_data,
              ...Object.fromEntries(own.map((one) => [one, form.values[`contact_${one}`]])),
            },
          };
          const group = (
            legend: string,
            section: string,
            member: 'contact_data' | 'emergency_contact',
            prefix: string,
          ) => {
            const all = parts[section]?.fields ?? [];
            const fields = all.filter(
              (one) =>
                one.enabled &&
                !one.locked &&
                one.type !== 'text_block' &&
                asks(
                  one,
                  all,
                  section === 'contact_form' ? contact.answers : form.values[member],
                  section === 'contact_form' ? undefined : contact,
                ),
            );
            if (!fields.length) return null;
            return (
              <fieldset class="svc-group">
                <legend>{legend}</legend>
                <div class="svc-fields">
                  {fields.map((one) => (
                    <AnswerInput
                      key={one.id}
                      field={one}
                      section={section}
                      booking={booking.id}
                      value={String(form.values[member][one.id] ?? '')}
                      errors={form.errors[`${prefix}${one.id}`] ?? form.errors[`${member}.${one.id}`]}
                      set={(value) => form.set(member, { ...form.values[member], [one.id]: value })}
                    />
                  ))}
                </div>
              </fieldset>
            );
          };
          return (
            <>
              {group(t('More answers'), 'contact_form', 'contact_data', 'contact_')}
              {group(t('In an emergency'), 'emergency_contact_form', 'emergency_contact', 'emergency_')}
            </>
          );
        }}
      </Loaded>
    </FormDialog>
  );
}
