// Choosing a trip's date and party, and what it costs, by the interface's own prices.
import { useEffect, useRef, useState } from 'preact/hooks';

import { type DataOf, api, sentence } from '../kit/client';
import { day, money, plus_days, today } from '../kit/format';
import { Field } from '../kit/field';
import { t } from '../kit/i18n';
import { useRead } from '../kit/query';
import { Notice } from '../kit/ui';

export type Quote = DataOf<'/booking/summary', 'post'>;
export type BookingPage = DataOf<'/booking/trip/{id}', 'get'>;

export interface Choice {
  trip_id: number | null;
  travel_date: string;
  departure_time: string | null;
  travelers_count: number;
  traveler_counts: Record<string, number>;
  payment_method?: string;
  coupon_code?: string;
  selected_services?: Record<string, number>;
}

export function party_size(choice: Choice): number {
  const sum = Object.values(choice.traveler_counts).reduce((all, one) => all + (Number(one) || 0), 0);
  return sum || choice.travelers_count;
}

// A quote for the choice as soon as it is whole. A checkout session is opened once a trip; it holds no seats.
export function useQuote(choice: Choice): { quote?: Quote; error?: string; loading: boolean } {
  const session = useRef<{ trip: number; id: string } | null>(null);
  const [state, setState] = useState<{ quote?: Quote; error?: string; loading: boolean }>({ loading: false });
  const turn = useRef(0);
  const asked = JSON.stringify(choice);
  useEffect(() => {
    const mine = ++turn.current;
    if (!choice.trip_id || !choice.travel_date || party_size(choice) < 1) {
      setState({ loading: false });
      return;
    }
    setState((before) => ({ ...before, loading: true }));
    const timer = setTimeout(async () => {
      try {
        if (session.current?.trip !== choice.trip_id) {
          const opened = await api.post('/booking/session', null, { trip_id: choice.trip_id });
          session.current = { trip: choice.trip_id!, id: opened.session_id! };
        }
        const {
          trip_id,
          travel_date,
          departure_time,
          traveler_counts,
          travelers_count,
          payment_method,
          coupon_code,
          selected_services,
        } = choice;
        const body: Record<string, unknown> = {
          session_id: session.current!.id,
          trip_id,
          travel_date,
          departure_time,
          payment_method: payment_method || null,
          coupon_code: coupon_code || '',
          selected_services: selected_services ?? {},
        };
        const counts = Object.fromEntries(Object.entries(traveler_counts).filter(([, many]) => many > 0));
        if (Object.keys(counts).length) body.traveler_counts = counts;
        else body.travelers_count = travelers_count;
        const quote = await api.post('/booking/summary', null, body);
        if (mine === turn.current) setState({ quote, loading: false });
      } catch (error) {
        if (mine === turn.current) setState({ error: sentence(error), loading: false });
      }
    }, 250);
    return () => clearTimeout(timer);
  }, [asked]);
  return state;
}

// With a date, extras are those of that date, and what is left of them.
export function usePage(trip_id: number | null, travel_date = '', departure_time: string | null = null) {
  const when = travel_date ? { travel_date, ...(departure_time && { departure_time }) } : {};
  return useRead<BookingPage>(trip_id ? `/booking/trip/${trip_id}?${Object.values(when)}` : null, () =>
    api.get('/booking/trip/{id}', { id: trip_id!, ...when } as never),
  );
}

interface DateProps {
  choice: Choice;
  set: (change: Partial<Choice>) => void;
  errors: Record<string, string[]>;
}
// The dates on sale with their seats and prices; any other day may be typed, since staff may book past days, too.
export function DatePicker({ choice, set, errors }: DateProps) {
  const from = today();
  const read = useRead(choice.trip_id ? `/trips/${choice.trip_id}/available-dates` : null, () =>
    api.get('/trips/{id}/available-dates', {
      id: choice.trip_id!,
      from_date: from,
      to_date: plus_days(from, 365),
    } as never),
  );
  const [other, setOther] = useState(false);
  const dates = (read.data ?? []).slice(0, 60);
  const waits = read.loading && !read.data; // a day's field that becomes a list would lose what is typed
  const times = dates.find((one) => one.date === choice.travel_date)?.departure_times ?? [];
  const same_day = dates.find((one) => one.date === choice.travel_date);
  const exact = dates.find((one) => one.date === choice.travel_date && (one.time ?? null) === choice.departure_time);
  const listed = !!(exact ?? (choice.departure_time ? undefined : same_day));
  const value = `${choice.travel_date}|${(exact ?? same_day)?.time ?? ''}`;
  useEffect(() => {
    if (!choice.departure_time && same_day?.time) set({ departure_time: same_day.time });
  }, [choice.travel_date, same_day?.time]);
  return (
    <>
      {!other && (waits || (dates.length > 0 && (listed || !choice.travel_date))) ? (
        <Field label={t('Date')} errors={errors.travel_date} required>
          {({ id, describedby, invalid }) => (
            <select
              id={id}
              aria-describedby={describedby}
              aria-invalid={invalid}
              aria-busy={waits}
              disabled={waits}
              value={choice.travel_date ? value : ''}
              onChange={(event) => {
                const [date, time] = event.currentTarget.value.split('|');
                if (date === 'other') setOther(true);
                else set({ travel_date: date ?? '', departure_time: time || null });
              }}
            >
              <option value="">{t('Choose')}</option>
              {dates.map((one) => (
                <option key={`${one.date}${one.time}`} value={`${one.date}|${one.time ?? ''}`}>
                  {day(one.date, 'D j M Y')} {one.time ?? ''} ·{' '}
                  {one.is_full ? t('full') : t('{0} left', one.available_capacity)} · {money(one.price, one.currency)}
                </option>
              ))}
              <option value="other">{t('Another day')}</option>
            </select>
          )}
        </Field>
      ) : (
        <Field
          label={t('Date')}
          errors={errors.travel_date}
          required
          help={read.data && !dates.length ? t('This trip has no dates on sale; staff may still book one.') : undefined}
        >
          {({ id, describedby, invalid }) => (
            <input
              id={id}
              type="date"
              aria-describedby={describedby}
              aria-invalid={invalid}
              value={choice.travel_date}
              onInput={(event) => set({ travel_date: event.currentTarget.value, departure_time: null })}
            />
          )}
        </Field>
      )}
      {times.length > 1 && (
        <Field label={t('Time')} errors={errors.departure_time}>
          {({ id }) => (
            <select
              id={id}
              value={choice.departure_time ?? ''}
              onChange={(event) => set({ departure_time: event.currentTarget.value || null })}
            >
              {times.map((one: any) => (
                <option key={one.time} value={one.time}>
                  {one.time}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
    </>
  );
}

export function Party({ choice, set, errors, page }: DateProps & { page?: BookingPage }) {
  const types = page?.pricing_type === 'traveler_based' ? (page.price_types ?? []) : [];
  const step = (value: number, by: number) => Math.max(0, value + by);
  const counter = (label: string, note: string, value: number, change: (value: number) => void) => (
    <div class="svc-counter" key={label}>
      <span>
        {label} {note && <small>{note}</small>}
      </span>
      <button type="button" aria-label={t('One {0} less', label)} onClick={() => change(step(value, -1))}>
        −
      </button>
      <input
        inputMode="numeric"
        aria-label={label}
        value={value}
        onInput={(event) => change(Math.max(0, Number.parseInt(event.currentTarget.value, 10) || 0))}
      />
      <button type="button" aria-label={t('One {0} more', label)} onClick={() => change(step(value, 1))}>
        +
      </button>
    </div>
  );
  return (
    <Field label={t('Party')} group errors={errors.travelers_count ?? errors.traveler_counts} required>
      {() =>
        types.length ? (
          <div>
            {types.map((one) =>
              counter(
                one.category_label!,
                money(one.effective_price, page!.currency),
                Number(choice.traveler_counts[one.category_id!] ?? 0),
                (value) => set({ traveler_counts: { ...choice.traveler_counts, [one.category_id!]: value } }),
              ),
            )}
          </div>
        ) : (
          counter(t('Travelers'), page ? money(page.price, page.currency) : '', choice.travelers_count, (value) =>
            set({ travelers_count: value }),
          )
        )
      }
    </Field>
  );
}

export function QuoteBox({ state, currency }: { state: ReturnType<typeof useQuote>; currency?: string }) {
  const quote = state.quote;
  if (state.error) return <Notice kind="warn">{state.error}</Notice>;
  if (!quote)
    return (
      <p class="svc-none">
        {state.loading ? t('Working out the price…') : t('Choose a date and a party: the price appears here.')}
      </p>
    );
  const code = quote.currency ?? currency;
  const row = (label: string, amount: number | null | undefined, strong = false) =>
    amount ? (
      <tr>
        <th scope="row">{label}</th>
        <td class="svc-end">{strong ? <b>{money(amount, code)}</b> : money(amount, code)}</td>
      </tr>
    ) : null;
  return (
    <table class="svc-lines" aria-busy={state.loading}>
      <tbody>
        {(quote.lines ?? []).map((one, index) => (
          <tr key={index}>
            <td>
              {one.pricing_mode === 'per_group' &&
                t('{0, plural, one {# traveler} other {# travelers}}', one.people ?? 0) + ': '}
              {(one.quantity ?? 1) > 1 ? `${one.quantity} × ` : ''}
              {one.label}
            </td>
            <td class="svc-end">{money(one.amount, code)}</td>
          </tr>
        ))}
        {row(t('Discount'), -(quote.total_discount_amount ?? 0) || null)}
        {row(t('Tax'), quote.tax?.total)}
        {row(t('Total'), quote.total_amount, true)}
        {quote.payment_method !== 'full' && row(t('Due now'), quote.amount_due)}
        {quote.coupon_error && (
          <tr>
            <td colSpan={2}>{quote.coupon_error}</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
