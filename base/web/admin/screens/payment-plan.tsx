// The payment plan of a trip: its parts in a table, and what a booking of today would pay by them.
import { Plus, Trash2 } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';

import { ApiError, api, json, sentence } from '../../kit/client';
import { NumberInput } from '../../kit/controls';
import { Field } from '../../kit/field';
import { day, money, plus_days, today } from '../../kit/format';
import { t } from '../../kit/i18n';
import { can } from '../../kit/interface';
import { Head, Opened, Section } from '../../kit/page';
import { useRead } from '../../kit/query';
import { Button, Confirm, Empty, Notice, toast } from '../../kit/ui';
import { type Form, Summary, type Values, useForm } from '../../kit/use-form';

const path = '/trips/{id}/payment-plan';
const most_parts = 10;

const begun: Values = {
  kind: 'fixed',
  parts: [
    { percentage: 20, amount: null, due: 'booking', date: null, days: null },
    { percentage: null, amount: null, due: 'before_departure', date: null, days: 30 },
  ],
};

// As the server takes it: the last part has no size of its own.
const plan_of = (values: Values) => ({
  kind: values.kind,
  parts: (values.parts as Values[]).map((one, at, all) => ({
    due: one.due,
    ...(at < all.length - 1 && one.by !== 'amount' ? { percentage: one.percentage } : {}),
    ...(at < all.length - 1 && one.by === 'amount' ? { amount: one.amount } : {}),
    ...(one.due === 'date' ? { date: one.date } : {}),
    ...(one.due === 'after_booking' || one.due === 'before_departure' ? { days: one.days } : {}),
  })),
});
const is_whole = (plan: ReturnType<typeof plan_of>) =>
  plan.parts.every(
    (one: Values, at) =>
      (at === plan.parts.length - 1 || typeof (one.percentage ?? one.amount) === 'number') &&
      (one.due === 'booking' || !!one.date || typeof one.days === 'number'),
  );
const shown = (stored: Values) => ({
  kind: stored.kind,
  parts: (stored.parts as Values[]).map((one) => ({ ...one, by: one.amount === null ? 'percentage' : 'amount' })),
});

interface PartProps {
  form: Form;
  at: number;
  currency: string;
  write: boolean;
}

function Part({ form, at, currency, write }: PartProps) {
  const parts = form.values.parts as Values[];
  const part = parts[at]!;
  const is_last = at === parts.length - 1;
  const set = (changes: Values) =>
    form.set(
      'parts',
      parts.map((one, place) => (place === at ? { ...one, ...changes } : one)),
    );
  const said = (names: string[]) => names.flatMap((name) => form.errors[`parts.${at}.${name}`] ?? []);
  const of_size = said(['amount', 'percentage']);
  const of_day = said(['due', 'date', 'days']);
  const number = at + 1;
  return (
    <li>
      <div role="group" aria-label={t('Part {0}', number)}>
        <b>{t('Part {0}', number)}</b>
        <div class="svc-bar">
          {is_last && (parts.length > 1 ? t('the rest') : t('the whole price'))}
          {!is_last && (
            <>
              <NumberInput
                aria-label={t('Size of part {0}', number)}
                aria-invalid={of_size.length > 0}
                aria-describedby={of_size.length ? `size-error-${at}` : undefined}
                disabled={!write}
                value={part.by === 'amount' ? part.amount : part.percentage}
                set={(value) => set(part.by === 'amount' ? { amount: value } : { percentage: value })}
              />
              <select
                aria-label={t('Unit of part {0}', number)}
                disabled={!write}
                value={part.by ?? 'percentage'}
                onChange={(event) => set({ by: event.currentTarget.value, amount: null, percentage: null })}
              >
                <option value="percentage">{t('% of the price')}</option>
                <option value="amount">{currency}</option>
              </select>
            </>
          )}
          {at === 0 && <span>{t('at booking')}</span>}
          {at > 0 && part.due === 'date' && (
            <input
              type="date"
              aria-label={t('Day of part {0}', number)}
              aria-invalid={of_day.length > 0}
              aria-describedby={of_day.length ? `day-error-${at}` : undefined}
              disabled={!write}
              value={part.date ?? ''}
              onInput={(event) => set({ date: event.currentTarget.value || null })}
            />
          )}
          {at > 0 && part.due !== 'date' && (
            <NumberInput
              whole
              aria-label={t('Days of part {0}', number)}
              aria-invalid={of_day.length > 0}
              aria-describedby={of_day.length ? `day-error-${at}` : undefined}
              disabled={!write}
              value={part.days}
              set={(value) => set({ days: value })}
            />
          )}
          {at > 0 && (
            <select
              aria-label={t('When part {0} is due', number)}
              disabled={!write}
              value={part.due}
              onChange={(event) => set({ due: event.currentTarget.value, date: null, days: null })}
            >
              <option value="before_departure">{t('days before departure')}</option>
              <option value="after_booking">{t('days after booking')}</option>
              <option value="date">{t('on this day')}</option>
            </select>
          )}
        </div>
        {of_size.length > 0 && (
          <p class="svc-error" id={`size-error-${at}`}>
            {of_size.join(' ')}
          </p>
        )}
        {of_day.length > 0 && (
          <p class="svc-error" id={`day-error-${at}`}>
            {of_day.join(' ')}
          </p>
        )}
      </div>
      {write && at > 0 && (
        <Button
          kind="quiet"
          icon={<Trash2 size={16} aria-hidden />}
          aria-label={t('Remove part {0}', number)}
          onClick={() =>
            form.set(
              'parts',
              parts.filter((_, place) => place !== at),
            )
          }
        />
      )}
    </li>
  );
}

function Preview({ id, currency, values }: { id: number; currency: string; values: Values }) {
  const [total, setTotal] = useState<number | string | null>(1000);
  const [date, setDate] = useState(plus_days(today(), 90));
  const [answer, setAnswer] = useState<Values | null>(null);
  const [refused, setRefused] = useState<ApiError | string>('');
  const plan = plan_of(values);
  const wanted =
    is_whole(plan) && typeof total === 'number' && date ? JSON.stringify({ ...plan, total, travel_date: date }) : '';
  useEffect(() => {
    setAnswer(null);
    setRefused('');
    if (!wanted) return;
    let is_old = false;
    const later = setTimeout(() => {
      json<Values>('post', `${path}/preview`, { params: { id }, body: JSON.parse(wanted) }).then(
        (done) => is_old || setAnswer(done.data),
        (error) => is_old || setRefused(error instanceof ApiError ? error : sentence(error)),
      );
    }, 300);
    return () => {
      is_old = true;
      clearTimeout(later);
    };
  }, [wanted, id]);
  const faults = refused instanceof ApiError ? refused.fields : {};
  const own = ['total', 'travel_date'].some((name) => faults[name]);
  return (
    <Section title={t('What a booking of today pays')}>
      <div class="svc-fields">
        <Field label={t('{0} in {1}', t('Price'), currency)} errors={faults.total}>
          {({ id: own_id, describedby, invalid }) => (
            <NumberInput
              id={own_id}
              aria-describedby={describedby}
              aria-invalid={invalid}
              value={total}
              set={setTotal}
            />
          )}
        </Field>
        <Field label={t('Departure')} errors={faults.travel_date}>
          {({ id: own_id, describedby, invalid }) => (
            <input
              type="date"
              id={own_id}
              aria-describedby={describedby}
              aria-invalid={invalid}
              value={date}
              onInput={(event) => setDate(event.currentTarget.value)}
            />
          )}
        </Field>
      </div>
      <div aria-live="polite">
        {!wanted && <p>{t('It follows once each part has its size and its day.')}</p>}
        {refused && !own && <p>{refused instanceof ApiError ? refused.message : refused}</p>}
        {answer && (
          <>
            <p>{t('A booking of {0} today for {1} pays:', money(answer.total, answer.currency), day(date))}</p>
            <ul class="svc-rows">
              {(answer.payments as Values[]).map((one) => (
                <li key={one.date}>
                  <div>{one.at_booking ? t('at booking') : t('due by {0}', day(one.date))}</div>
                  <b>{money(one.amount, answer.currency)}</b>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Section>
  );
}

interface PlanProps {
  trip: Values;
  stored: Values;
  again: () => Promise<void>;
}

function PlanForm({ trip, stored, again }: PlanProps) {
  const form = useForm(stored.kind ? shown(stored) : undefined, stored.kind ? {} : begun);
  const write = can('put', path);
  const parts = form.values.parts as Values[];
  const save = () =>
    form
      .submit(() => json('put', path, { params: { id: trip.id }, body: plan_of(form.values) }))
      .then(async (good) => {
        if (!good) return;
        toast(t('The payment plan is saved.'));
        await again();
      });
  // The part before the last becomes one with a size.
  const add = () =>
    form.set('parts', [
      ...parts.slice(0, -1),
      { ...parts.at(-1), by: 'percentage', percentage: null, amount: null },
      { due: 'before_departure', days: null, date: null, percentage: null, amount: null },
    ]);
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Section title={t('Parts')}>
          <Summary form={form} known={['parts', 'kind']} />
          {(form.errors.parts ?? []).map((said) => (
            <p key={said} class="svc-error">
              {said}
            </p>
          ))}
          <ul class="svc-rows">
            {parts.map((_, at) => (
              <Part key={at} form={form} at={at} currency={stored.currency} write={write} />
            ))}
          </ul>
          <p>
            <small>
              {t('Parts whose day has come are paid at booking. The last part takes the rest of the price.')}
            </small>
          </p>
          {write && parts.length < most_parts && (
            <Button icon={<Plus size={16} aria-hidden />} onClick={add}>
              {t('Add a part')}
            </Button>
          )}
          <Field label={t('How it binds')} errors={form.errors.kind}>
            {({ id, describedby, invalid }) => (
              <select
                id={id}
                aria-describedby={describedby}
                aria-invalid={invalid}
                disabled={!write}
                value={form.values.kind}
                onChange={(event) => form.set('kind', event.currentTarget.value)}
              >
                <option value="fixed">{t('Fixed: customers pay part by part')}</option>
                <option value="flexible">{t('Flexible: they may also pay earlier, and all at once')}</option>
              </select>
            )}
          </Field>
          {write && (
            <p class="svc-actions">
              <Button type="submit" kind="primary" busy={form.busy} disabled={!!stored.kind && !form.dirty}>
                {t('Save the plan')}
              </Button>
            </p>
          )}
        </Section>
      </form>
      <Preview id={trip.id} currency={stored.currency} values={form.values} />
    </>
  );
}

function Plan({ trip, stored, again }: PlanProps) {
  const [is_new, setNew] = useState(false);
  const [removing, setRemoving] = useState(false);
  const write = can('put', path);
  const has_form = !!stored.kind || is_new;
  return (
    <div class="svc-page">
      <Head title={t('Payment plan')} back={{ href: `/admin/trips/${trip.id}/prices`, label: trip.title }}>
        {stored.kind && can('delete', path) && (
          <Button onClick={() => setRemoving(true)}>{t('Remove the plan')}</Button>
        )}
      </Head>
      {stored.kind && !stored.is_used && (
        <Notice kind="warn">
          {t(
            'The plan is not used: scheduled payments are off in the settings, or its amounts are in another currency.',
          )}
        </Notice>
      )}
      {has_form ? (
        <PlanForm key={stored.kind ? 'stored' : 'new'} trip={trip} stored={stored} again={again} />
      ) : (
        <Section>
          <Empty
            action={
              write && (
                <Button kind="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setNew(true)}>
                  {t('Set a plan')}
                </Button>
              )
            }
          >
            {t('No plan of its own. Bookings of this trip are paid by the settings of the site.')}
          </Empty>
        </Section>
      )}
      {removing && (
        <Confirm
          title={t('Remove the payment plan?')}
          action={t('Remove')}
          danger
          onClose={() => setRemoving(false)}
          run={async () => {
            await json('delete', path, { params: { id: trip.id } });
            toast(t('The payment plan is removed.'));
            setNew(false);
            await again();
          }}
        >
          <p>{t('New bookings are paid by the settings of the site. What customers have agreed to stays as it is.')}</p>
        </Confirm>
      )}
    </div>
  );
}

export default function PaymentPlanScreen({ id }: { id: number }) {
  const read = useRead(`/trips/${id}/payment-plan`, async () => {
    const [trip, plan] = await Promise.all([
      api.get('/trips/{id}', { id }),
      json<Values>('get', path, { params: { id } }),
    ]);
    return { trip: trip as Values, stored: plan.data };
  });
  return (
    <Opened read={read} back={{ href: '/admin/trips', label: t('Trips') }} rows={4}>
      {({ trip, stored }) => <Plan trip={trip} stored={stored} again={read.again} />}
    </Opened>
  );
}
