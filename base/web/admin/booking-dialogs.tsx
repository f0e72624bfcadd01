// What is done to a booking in a dialog: a payment, a refund, a change of its status.
import { type DataOf, api } from '../kit/client';
import { Field } from '../kit/field';
import { Amount } from '../kit/controls';
import { FormDialog } from '../kit/form-dialog';
import { money, today, words } from '../kit/format';
import { t } from '../kit/i18n';
import { changed } from '../kit/query';
import { toast } from '../kit/ui';
import { useForm } from '../kit/use-form';

export type Booking = DataOf<'/bookings/{id}', 'get'> & Record<string, any>;
export type BookingRow = DataOf<'/bookings', 'get'>[number] & Record<string, any>;

export const verbs: Record<string, string> = {
  confirmed: t('Confirm'),
  completed: t('Mark as completed'),
  'on-hold': t('Put on hold'),
  processing: t('Mark as processing'),
  pending: t('Reopen'),
  cancelled: t('Cancel the booking'),
};

export function refresh(id: number) {
  changed('/bookings', '/waitlist', '/payments', '/scheduled-payments', '/departures', `/history/${id}`);
}

export function PaymentDialog({ booking, onClose }: { booking: Booking; onClose: () => void }) {
  const form = useForm({
    amount: booking.amount_due,
    date: today(),
    gateway: 'bank_transfer',
    method_label: '',
    transaction_id: '',
    notes: '',
  });
  const run = async () => {
    const { amount, date, gateway, method_label, transaction_id, notes } = form.values;
    await api.post(
      '/bookings/{id}/payments',
      { id: booking.id },
      {
        amount,
        currency: booking.currency,
        date,
        gateway,
        method: gateway,
        ...(method_label && { method_label }),
        ...(transaction_id && { transaction_id }),
        notes,
        status: 'completed',
      },
    );
    toast(t('The payment is recorded.'));
  };
  return (
    <FormDialog
      title={t('Record a payment')}
      form={form}
      run={run}
      done={() => refresh(booking.id)}
      onClose={onClose}
      action={t('Record {0}', money(form.values.amount, booking.currency))}
    >
      <p>
        {t('Due: {0} of {1}.', money(booking.amount_due, booking.currency), money(booking.total, booking.currency))}
      </p>
      <Amount form={form} name="amount" currency={booking.currency} />
      <Field label={t('Received on')} errors={form.errors.date}>
        {({ id }) => (
          <input
            id={id}
            type="date"
            value={form.values.date}
            onInput={(event) => form.set('date', event.currentTarget.value)}
          />
        )}
      </Field>
      <Field label={t('How')} errors={form.errors.gateway ?? form.errors.method}>
        {({ id }) => (
          <select
            id={id}
            value={form.values.gateway}
            onChange={(event) => form.set('gateway', event.currentTarget.value)}
          >
            {['bank_transfer', 'cash', 'card', 'check', 'other'].map((one) => (
              <option key={one} value={one}>
                {words(one)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={t('Transaction or receipt number')} errors={form.errors.transaction_id}>
        {({ id }) => (
          <input
            id={id}
            value={form.values.transaction_id}
            onInput={(event) => form.set('transaction_id', event.currentTarget.value)}
          />
        )}
      </Field>
      <Field label={t('Note')} errors={form.errors.notes}>
        {({ id }) => (
          <textarea
            id={id}
            rows={2}
            value={form.values.notes}
            onInput={(event) => form.set('notes', event.currentTarget.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
}

// `booking`: of the payment, where it is known: its terms propose an amount, staff decide.
export function RefundDialog({
  payment,
  booking,
  onClose,
}: {
  payment: Record<string, any>;
  booking?: Record<string, any>;
  onClose: () => void;
}) {
  const left = Math.round((payment.amount - payment.amount_refunded) * 10_000) / 10_000;
  const returned = booking?.status === 'cancelled' ? booking.cancellation?.returned_now : undefined;
  // Nothing, where the fee takes all that was paid: a refund is typed then, not clicked.
  const by_terms = returned > 0 ? Math.min(left, returned) : null;
  const proposed = booking?.cancelled_via === 'customer' && typeof returned === 'number' ? by_terms : left;
  const form = useForm({ amount: proposed, reason: '', by_hand: false, reduces_total: false });
  const run = async () => {
    const { amount, reason, by_hand, reduces_total } = form.values;
    const made = await api.post(
      '/payments/{id}/refunds',
      { id: payment.id },
      { amount, reason, by_hand, reduces_total },
    );
    toast(
      (made as any).status === 'failed'
        ? t('The refund failed: {0}', (made as any).last_error)
        : t('The refund is on its way.'),
      (made as any).status === 'failed' ? 'bad' : 'good',
    );
  };
  return (
    <FormDialog
      title={t('Refund {0}', payment.reference)}
      form={form}
      run={run}
      done={() => refresh(payment.booking_id)}
      onClose={onClose}
      action={t('Refund {0}', money(form.values.amount, payment.currency))}
      danger
    >
      <p>
        {t(
          '{0} were paid by {1}; {2} can be refunded.',
          money(payment.amount, payment.currency),
          payment.method_label || payment.gateway,
          money(left, payment.currency),
        )}
      </p>
      {typeof returned === 'number' && (
        <p>
          {t(
            'By the terms that the customer agreed to, the cancellation cost {0}: {1} would be returned.',
            money(booking!.cancellation.fee_now, payment.currency),
            money(returned, payment.currency),
          )}
        </p>
      )}
      <Amount form={form} name="amount" currency={payment.currency} />
      <Field label={t('Reason')} errors={form.errors.reason}>
        {({ id }) => (
          <input
            id={id}
            value={form.values.reason}
            onInput={(event) => form.set('reason', event.currentTarget.value)}
          />
        )}
      </Field>
      <Field
        label={t('The money is returned by hand')}
        help={t('Off: the gateway is asked to return it.')}
        inline
        errors={form.errors.by_hand}
      >
        {({ id, describedby }) => (
          <input
            id={id}
            type="checkbox"
            role="switch"
            aria-describedby={describedby}
            checked={form.values.by_hand}
            onChange={(event) => form.set('by_hand', event.currentTarget.checked)}
          />
        )}
      </Field>
      <Field
        label={t("The booking's total falls by it")}
        help={t('Off: the amount becomes due again.')}
        inline
        errors={form.errors.reduces_total}
      >
        {({ id, describedby }) => (
          <input
            id={id}
            type="checkbox"
            role="switch"
            aria-describedby={describedby}
            checked={form.values.reduces_total}
            onChange={(event) => form.set('reduces_total', event.currentTarget.checked)}
          />
        )}
      </Field>
    </FormDialog>
  );
}

// `say`: the label of the step; default: the verb of the status.
export function StatusDialog({
  booking,
  to,
  say = verbs[to] ?? words(to),
  onClose,
}: {
  booking: BookingRow;
  to: string;
  say?: string;
  onClose: () => void;
}) {
  const form = useForm({ reason: '', force: false });
  const cancels = to === 'cancelled';
  const run = async () => {
    await api.put(
      '/bookings/{id}/status',
      { id: booking.id },
      {
        status: to,
        ...(cancels && { cancellation_reason: form.values.reason }),
        ...(form.values.force && { force: true }),
      },
    );
    toast(`${booking.reference}: ${words(to)}.`);
  };
  return (
    <FormDialog
      title={`${say}?`}
      form={form}
      run={run}
      done={() => refresh(booking.id)}
      onClose={onClose}
      action={say}
      danger={cancels}
    >
      {cancels ? (
        <>
          <p>
            {booking.status === 'waitlist'
              ? t(
                  '{0} leaves the waiting list and gets an e-mail. Nothing is refunded by itself: {1} were paid.',
                  booking.customer_name || booking.customer_email,
                  money(booking.amount_paid, booking.currency),
                )
              : t(
                  'The seats are free again and {0} gets an e-mail. Nothing is refunded by itself: {1} were paid.',
                  booking.customer_name || booking.customer_email,
                  money(booking.amount_paid, booking.currency),
                )}
          </p>
          {typeof (booking as any).cancellation?.fee_now === 'number' && (
            <p>
              {t(
                'By the terms that the customer agreed to, cancelling today costs {0} of {1}; {2} would be returned. You decide on the refund.',
                money((booking as any).cancellation.fee_now, booking.currency),
                money(booking.total, booking.currency),
                money((booking as any).cancellation.returned_now, booking.currency),
              )}
            </p>
          )}
          <Field label={t('Reason, told to the customer')} errors={form.errors.cancellation_reason}>
            {({ id }) => (
              <textarea
                id={id}
                rows={3}
                value={form.values.reason}
                onInput={(event) => form.set('reason', event.currentTarget.value)}
              />
            )}
          </Field>
        </>
      ) : (
        <p>{t('The customer gets the e-mail that belongs to this status, where there is one.')}</p>
      )}
      {form.message && (
        <Field label={t('Do it although seats are missing')} inline>
          {({ id }) => (
            <input
              id={id}
              type="checkbox"
              role="switch"
              checked={form.values.force}
              onChange={(event) => form.set('force', event.currentTarget.checked)}
            />
          )}
        </Field>
      )}
    </FormDialog>
  );
}
