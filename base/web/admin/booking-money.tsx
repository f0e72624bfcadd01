// What else brings in a booking's balance: a saved card, a link by e-mail, charges on later days.
import { useState } from 'preact/hooks';

import { api, json } from '../kit/client';
import { Field } from '../kit/field';
import { Amount } from '../kit/controls';
import { FormDialog } from '../kit/form-dialog';
import { day, money, words } from '../kit/format';
import { t } from '../kit/i18n';
import { can } from '../kit/interface';
import { useRead } from '../kit/query';
import { Button, Confirm, Empty, Loaded, Notice, Status, toast } from '../kit/ui';
import { Section } from '../kit/page';
import { useForm } from '../kit/use-form';
import { type Booking, refresh } from './booking-dialogs';

export function ChargeDialog({ booking, onClose }: { booking: Booking; onClose: () => void }) {
  const read = useRead(`/bookings/${booking.id}/payment-methods`, () =>
    api.get('/bookings/{id}/payment-methods', { id: booking.id }),
  );
  const form = useForm({ saved_method_id: null, amount: booking.amount_due });
  const usable = (read.data ?? []).filter((one) => !one.is_expired);
  const chosen = form.values.saved_method_id ?? usable.find((one) => one.is_default)?.id ?? usable[0]?.id;
  const run = async () => {
    const done = await api.post(
      '/bookings/{id}/charge',
      { id: booking.id },
      { saved_method_id: chosen, amount: form.values.amount },
    );
    toast(t('{0} is charged: {1}.', money(done.amount, done.currency), words(done.status ?? '').toLowerCase()));
  };
  return (
    <FormDialog
      title={t('Charge a saved card')}
      form={form}
      run={run}
      done={() => refresh(booking.id)}
      onClose={onClose}
      action={t('Charge {0}', money(form.values.amount, booking.currency))}
      disabled={!chosen}
    >
      <Loaded read={read} rows={2}>
        {() =>
          usable.length ? (
            <>
              <p>{t('The customer is charged at once, without being asked again.')}</p>
              <Field label={t('Card')} errors={form.errors.saved_method_id}>
                {({ id }) => (
                  <select
                    id={id}
                    value={chosen}
                    onChange={(event) => form.set('saved_method_id', Number(event.currentTarget.value))}
                  >
                    {usable.map((one) => (
                      <option
                        key={one.id}
                        value={one.id}
                      >{`${words(one.brand ?? '')} ···· ${one.last4}, ${one.exp_month}/${one.exp_year}`}</option>
                    ))}
                  </select>
                )}
              </Field>
              <Amount form={form} name="amount" currency={booking.currency} />
            </>
          ) : (
            <Empty>{t('This customer has saved no card that is still valid.')}</Empty>
          )
        }
      </Loaded>
    </FormDialog>
  );
}

export function LinkDialog({ booking, onClose }: { booking: Booking; onClose: () => void }) {
  return (
    <Confirm
      title={t('Send a link to pay?')}
      action={t('Send the link')}
      onClose={onClose}
      run={async () => {
        await json('post', '/scheduled-payments/outstanding/{booking_id}/send-link', {
          params: { booking_id: booking.id },
          body: {},
        });
        toast(t('The link is on its way.'));
        refresh(booking.id);
      }}
    >
      <p>
        {t(
          '{0} gets an e-mail with a page that takes {1}. It is sent once for each booking.',
          booking.customer_email,
          money(booking.amount_due, booking.currency),
        )}
      </p>
    </Confirm>
  );
}

// Charges that are planned for later days, with what became of them.
export function LaterPayments({ booking }: { booking: Booking }) {
  const shown = can('get', '/scheduled-payments');
  const read = useRead(shown ? `/scheduled-payments/of/${booking.id}` : null, async () =>
    (
      await json<any[]>('get', '/scheduled-payments', { params: { search: booking.reference, per_page: 50 } })
    ).data.filter((one) => one.booking_id === booking.id),
  );
  const [cancelling, setCancelling] = useState<Record<string, any> | null>(null);
  if (!shown || !read.data?.length) return null;
  return (
    <Section title={t('Scheduled payments')}>
      <ul class="svc-rows">
        {read.data.map((one) => (
          <li key={one.id}>
            <div>
              <b>{money(one.amount, one.currency)}</b>
              <small>
                {day(one.scheduled_date)}
                {one.last_error ? ` · ${one.last_error}` : ''}
              </small>
            </div>
            <Status value={one.status} />
            {one.status === 'scheduled' && can('post', '/scheduled-payments/{id}/cancel') && (
              <Button onClick={() => setCancelling(one)}>{t('Call off')}</Button>
            )}
          </li>
        ))}
      </ul>
      {cancelling && (
        <Confirm
          title={t('Call off this payment?')}
          action={t('Call off')}
          danger
          onClose={() => setCancelling(null)}
          run={async () => {
            await json('post', '/scheduled-payments/{id}/cancel', { params: { id: cancelling.id }, body: {} });
            read.again();
            refresh(booking.id);
          }}
        >
          <Notice kind="info">
            {t(
              '{0} on {1} is not charged; the amount stays due.',
              money(cancelling.amount, cancelling.currency),
              day(cancelling.scheduled_date),
            )}
          </Notice>
        </Confirm>
      )}
    </Section>
  );
}
