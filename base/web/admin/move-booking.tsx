// Another date, time or party for a booking: what it would cost is shown before it is saved.
import { api } from '../kit/client';
import { Field } from '../kit/field';
import { FormDialog } from '../kit/form-dialog';
import { type Values, useForm } from '../kit/use-form';
import { money } from '../kit/format';
import { t } from '../kit/i18n';
import { toast } from '../kit/ui';
import { type Choice, DatePicker, Party, QuoteBox, usePage, useQuote } from './quote';

export function MoveBooking({
  booking,
  onClose,
  done,
}: {
  booking: Record<string, any>;
  onClose: () => void;
  done: () => void;
}) {
  const before: Choice = {
    trip_id: booking.trip_id,
    travel_date: booking.travel_date,
    departure_time: booking.departure_time ?? null,
    travelers_count: booking.travelers_count,
    traveler_counts: booking.traveler_counts ?? {},
    coupon_code: booking.discount_code ?? '',
  };
  const form = useForm({ ...before, recalculate: true, force: false });
  const choice = form.values as Choice & Values;
  const choose = (part: Partial<Choice>) => Object.entries(part).forEach(([name, value]) => form.set(name, value));
  const page = usePage(choice.trip_id);
  const quote = useQuote(choice);
  const same = !Object.keys(form.changes).some((name) => name in before);
  const run = async (_: Values, row_version = booking.row_version) => {
    const body: Record<string, unknown> = { recalculate: form.values.recalculate, row_version };
    if (choice.travel_date !== before.travel_date) body.travel_date = choice.travel_date;
    if (choice.departure_time !== before.departure_time || body.travel_date)
      body.departure_time = choice.departure_time;
    if (JSON.stringify(choice.traveler_counts) !== JSON.stringify(before.traveler_counts))
      body.traveler_counts = choice.traveler_counts;
    else if (choice.travelers_count !== before.travelers_count) body.travelers_count = choice.travelers_count;
    if (form.values.force) body.force = true;
    await api.put('/bookings/{id}', { id: booking.id }, body);
    toast(t('The booking is changed.'));
  };
  const change = (quote.quote?.total_amount ?? 0) - booking.total;
  const difference = money(
    Math.abs(change)
      .toFixed(4)
      .replace(/\.?0+$/, ''),
    booking.currency,
  );
  return (
    <FormDialog
      title={t('Change {0}', booking.reference)}
      form={form}
      run={run}
      done={done}
      onClose={onClose}
      action={t('Save the change')}
      disabled={same}
      wide
      compare={{ saved: booking, read: () => api.get('/bookings/{id}', { id: booking.id }) }}
    >
      <div class="svc-two">
        <div>
          <DatePicker choice={choice} set={choose} errors={form.errors} />
          <Party choice={choice} set={choose} errors={form.errors} page={page.data} />
          <Field label={t('Take the new price')} help={t('Off: the booking keeps what it costs now.')} inline>
            {({ id, describedby }) => (
              <input
                id={id}
                type="checkbox"
                role="switch"
                aria-describedby={describedby}
                checked={form.values.recalculate}
                onChange={(event) => form.set('recalculate', event.currentTarget.checked)}
              />
            )}
          </Field>
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
        </div>
        <div>
          <h3>{t('New price')}</h3>
          <QuoteBox state={quote} currency={booking.currency} />
          {quote.quote && !same && (
            <p>
              {t(
                'Until now {0}{1}',
                money(booking.total, booking.currency),
                form.values.recalculate
                  ? change
                    ? change > 0
                      ? t(': {0} more.', difference)
                      : t(': {0} less.', difference)
                    : t(', no difference.')
                  : t(', which stays.'),
              )}
            </p>
          )}
        </div>
      </div>
    </FormDialog>
  );
}
