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

type Booking = DataOf<'/bookings/{id}', 'get'> & Record<string, any>;
interface Asked {
  id: string;
  type: string;
  label: string;
  enabled: boolean;
}

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
          const fields = (((found as any).emergency_contact_form?.fields ?? []) as Asked[]).filter(
            (one) => one.enabled,
          );
          if (!fields.length) return null;
          return (
            <fieldset class="svc-group">
              <legend>{t('In an emergency')}</legend>
              <div class="svc-fields">
                {fields.map((one) => (
                  <Field
                    key={one.id}
                    label={one.label}
                    errors={form.errors[`emergency_${one.id}`] ?? form.errors[`emergency_contact.${one.id}`]}
                  >
                    {({ id, describedby, invalid }) => (
                      <input
                        id={id}
                        type={one.type === 'tel' || one.type === 'email' ? one.type : 'text'}
                        autocomplete="off"
                        aria-describedby={describedby}
                        aria-invalid={invalid}
                        value={form.values.emergency_contact[one.id] ?? ''}
                        onInput={(event) =>
                          form.set('emergency_contact', {
                            ...form.values.emergency_contact,
                            [one.id]: event.currentTarget.value,
                          })
                        }
                      />
                    )}
                  </Field>
                ))}
              </div>
            </fieldset>
          );
        }}
      </Loaded>
    </FormDialog>
  );
}
