// What a discount does, in sentences; and its code, made up where nobody has one in mind.
import { Dices } from 'lucide-preact';

import { json } from '../kit/client';
import { Field } from '../kit/field';
import { Input, label_of_field } from '../kit/form';
import { day, display, money, today } from '../kit/format';
import { t } from '../kit/i18n';
import { type Schema, can, fields, operation, resolved } from '../kit/interface';
import { useRead } from '../kit/query';
import { Button, Loaded, Status } from '../kit/ui';
import type { Form, Values } from '../kit/use-form';
import { Section } from '../kit/page';

// Letters and digits that are not taken for one another when a code is read out.
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
export function made_code(length = 8): string {
  return [...crypto.getRandomValues(new Uint8Array(length))].map((one) => letters[one % letters.length]).join(''); // 32 of them: each as likely
}

export function DiscountCode({ form }: { form: Form }) {
  return (
    <Field
      label={label_of_field('code')}
      help={form.values.discount_mode === 'group' ? t('Groups get it without a code.') : t('What customers enter.')}
      errors={form.errors.code}
    >
      {({ id, describedby, invalid }) => (
        <span class="svc-with-button">
          <input
            id={id}
            class="svc-code"
            autocomplete="off"
            spellcheck={false}
            maxLength={50}
            aria-describedby={describedby}
            aria-invalid={invalid}
            value={form.values.code ?? ''}
            onInput={(event) => form.set('code', event.currentTarget.value || null)}
          />
          <Button icon={<Dices size={16} aria-hidden />} onClick={() => form.set('code', made_code())}>
            {t('Make up a code')}
          </Button>
        </span>
      )}
    </Field>
  );
}

const categories = async () =>
  (await json<Values[]>('get', '/traveler-categories', { params: { per_page: 100 } })).data;
const name_of = (category: Values): string => category.label || category.name;

// What each traveler category gets, by its own number of travelers.
export function CategoryDiscounts({ form }: { form: Form }) {
  const read = useRead('/traveler-categories/all', categories);
  const said: Record<string, Values[]> = form.values.category_discounts ?? {};
  const schema = resolved(fields(operation('post', '/discounts')?.body).category_discounts)
    .additionalProperties as Schema;
  const put = (id: string, rows: Values[]) =>
    form.set(
      'category_discounts',
      Object.fromEntries(Object.entries({ ...said, [id]: rows }).filter(([, some]) => some.length)),
    );
  return (
    <fieldset class="svc-group">
      <legend>{label_of_field('category_discounts')}</legend>
      {(form.errors.category_discounts ?? []).map((one) => (
        <p class="svc-error" key={one}>
          {one}
        </p>
      ))}
      <Loaded read={read} rows={3}>
        {(all) =>
          all.map((one) => (
            <Input
              key={one.id}
              name={`category_${one.id}`}
              label={name_of(one)}
              schema={schema}
              path={`category_discounts.${one.id}`}
              value={said[one.id]}
              set={(rows) => put(String(one.id), rows)}
              errors={form.errors}
            />
          ))
        }
      </Loaded>
    </fieldset>
  );
}

const is_number = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
function off(type: string | null | undefined, amount: unknown, currency: string): string {
  if (!is_number(amount)) return '';
  return type === 'fixed' ? t('{0} off', money(amount, currency)) : t('{0} % off', amount);
}

// From how many travelers how much. A range that is edited says it in `discount_type` and `discount_amount`.
function ranges_said(ranges: Values[], currency: string): string {
  return ranges
    .map((one) => [one, off(one.discount_type ?? one.type, one.discount_amount ?? one.amount, currency)] as const)
    .map(([one, cut]) =>
      one.max_size
        ? t('{0} to {1} travelers: {2}', one.min_size, one.max_size, cut)
        : t('from {0} travelers: {1}', one.min_size ?? 1, cut),
    )
    .join('; ');
}

// The rule in sentences, the most important first; what it lacks to have an effect is said, too. `named`: traveler
// categories by their ids.
export function sentences_of(
  value: Values,
  named: (id: string) => string,
): { title: string; says: string[]; lacks: string[] } {
  const currency = value.currency || display.value.currency;
  const by_code = value.discount_mode !== 'group';
  const by_group = value.discount_mode === 'group' || value.discount_mode === 'both';
  const says: string[] = [];
  const lacks: string[] = [];
  const ranges: Values[] = value.group_discount_ranges ?? [];
  const group = ranges.length
    ? ranges_said(ranges, currency)
    : is_number(value.group_discount_amount)
      ? t(
          'from {0} travelers: {1}',
          value.min_group_size ?? 2,
          off(value.group_discount_type, value.group_discount_amount, currency),
        )
      : '';
  const own = by_code ? off(value.type ?? 'percentage', value.amount, currency) : '';
  if (by_code) {
    if (!value.code) lacks.push(t('It has no code yet.'));
    else says.push(t('Customers enter the code {0}.', value.code));
    if (!is_number(value.amount) || value.amount === 0) lacks.push(t('It takes nothing off yet.'));
    if (value.type !== 'fixed' && is_number(value.max_discount_amount))
      says.push(t('At most {0}.', money(value.max_discount_amount, currency)));
    if (is_number(value.min_amount) && value.min_amount > 0)
      says.push(t('For prices of {0} and more.', money(value.min_amount, currency)));
  }
  const by_category =
    by_group && value.group_discount_mode === 'category_based'
      ? Object.entries<Values[]>(value.category_discounts ?? {}).filter(([, some]) => some.length)
      : [];
  if (by_group && group) says.push(t('Groups, {0}.', group));
  for (const [id, some] of by_category) says.push(`${named(id)}, ${ranges_said(some, currency)}.`);
  if (by_group && !group && !by_category.length) lacks.push(t('It says nothing of groups yet.'));
  const trips: unknown[] = value.trip_ids ?? [];
  if (value.applicable_to === 'specific_trips') {
    if (trips.length) says.push(t('{0, plural, one {On # trip.} other {On # trips.}}', trips.length));
    else lacks.push(t('It holds for no trip: choose some.'));
  } else says.push(t('On all trips.'));
  if (value.valid_from && value.expiry_date)
    says.push(t('From {0} to {1}.', day(value.valid_from), day(value.expiry_date)));
  else if (value.valid_from) says.push(t('From {0} on.', day(value.valid_from)));
  else if (value.expiry_date) says.push(t('Until {0}.', day(value.expiry_date)));
  else says.push(t('Without an end.'));
  if (value.valid_from && value.expiry_date && value.valid_from > value.expiry_date)
    lacks.push(t('It ends before it begins.'));
  if (value.usage_limit)
    says.push(t('{0, plural, one {For # booking in all.} other {For # bookings in all.}}', value.usage_limit));
  if (value.usage_limit_per_customer)
    says.push(
      t(
        '{0, plural, one {Once for each customer.} other {# times for each customer.}}',
        value.usage_limit_per_customer,
      ),
    );
  if (value.first_time_customer_only) says.push(t("Only for a customer's first booking."));
  return {
    title: own || (by_group && (group || by_category.length) ? t('For groups') : t('Nothing off')),
    says,
    lacks,
  };
}

// Whether somebody could use it today.
function now_of(saved: Values): [string, string] {
  if (saved.status === 'trash') return ['trash', ''];
  if (saved.status === 'expired' || (saved.expiry_date && saved.expiry_date < today()))
    return ['expired', t('It has ended.')];
  if (saved.status !== 'publish') return ['draft', t('Nobody can use it yet.')];
  if (saved.usage_limit && saved.usage_count >= saved.usage_limit) return ['expired', t('It is used up.')];
  if (saved.valid_from && saved.valid_from > today())
    return ['scheduled', t('It begins on {0}.', day(saved.valid_from))];
  return ['active', t('It can be used now.')];
}

export function DiscountSummary({ form, saved }: { form: Form; saved?: Values }) {
  const all = useRead(
    can('get', '/traveler-categories') && form.values.category_discounts ? '/traveler-categories/all' : null,
    categories,
  );
  const named = (id: string) => name_of(all.data?.find((one) => String(one.id) === id) ?? { name: `#${id}` });
  const { title, says, lacks } = sentences_of(form.values, named);
  const [state, why] = saved ? now_of(saved) : ['', ''];
  return (
    <Section title={t('What it does')}>
      <p class="svc-big">{title}</p>
      <ul class="svc-says" aria-live="polite">
        {says.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
      {lacks.map((one) => (
        <p class="svc-error" key={one}>
          {one}
        </p>
      ))}
      {saved && (
        <>
          <p>
            <Status value={state} /> {why}
          </p>
          <p>
            {saved.usage_limit
              ? t('Used {0} of {1} times.', saved.usage_count, saved.usage_limit)
              : t('{0, plural, =0 {Not used yet.} one {Used once.} other {Used # times.}}', saved.usage_count)}
          </p>
          {saved.usage_limit > 0 && (
            <meter
              class={saved.usage_count >= saved.usage_limit ? 'svc-full' : ''}
              min={0}
              max={saved.usage_limit}
              value={Math.min(saved.usage_count, saved.usage_limit)}
              aria-hidden
            />
          )}
        </>
      )}
    </Section>
  );
}
