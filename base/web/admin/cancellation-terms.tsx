// What cancelling costs, by rows of days before departure, with the sentences that visitors read: of a trip and of the
// settings.
import { Plus, Trash2 } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';

import { json } from '../kit/client';
import { NumberInput } from '../kit/controls';
import { t } from '../kit/i18n';
import { can } from '../kit/interface';
import { useRead } from '../kit/query';
import { Button } from '../kit/ui';
import type { Errors, Values } from '../kit/use-form';

const name = 'cancellation_terms';
const preview = '/cancellation-terms/preview';
const most_rows = 20;

// The server's rows have both members, one of them null; a row that is written here has one of them.
const unit_of = (row: Values) =>
  typeof row.amount === 'number' || !('percentage' in row)
    ? row.per === 'traveler'
      ? 'traveler'
      : 'booking'
    : 'percentage';
const with_fee = (row: Values, unit: string, fee: number | string | null): Values =>
  unit === 'percentage' ? { days: row.days, percentage: fee } : { days: row.days, amount: fee, per: unit };
const fee_of = (row: Values) => (unit_of(row) === 'percentage' ? row.percentage : row.amount);
const is_whole = (rows: Values[]) =>
  rows.every((row, at) => typeof fee_of(row) === 'number' && (typeof row.days === 'number' || at === rows.length - 1));

// Of the rows as they are now, in the site's language; nothing while one is not finished.
function Sentences({ rows, currency }: { rows: Values[]; currency: string }) {
  const [said, setSaid] = useState<string[]>([]);
  const [refused, setRefused] = useState('');
  const wanted =
    can('post', preview) && rows.length && is_whole(rows) ? JSON.stringify({ [name]: rows, currency }) : '';
  useEffect(() => {
    if (!wanted) setSaid([]);
    setRefused('');
    if (!wanted) return;
    let is_old = false;
    const later = setTimeout(() => {
      json<Values>('post', preview, { body: JSON.parse(wanted) }).then(
        (done) => is_old || setSaid(done.data.sentences),
        (error) => is_old || (setSaid([]), setRefused(error.message ?? '')),
      );
    }, 300);
    return () => {
      is_old = true;
      clearTimeout(later);
    };
  }, [wanted]);
  return (
    <div aria-live="polite" data-preview>
      {said.length > 0 && (
        <>
          <p class="svc-label">{t('Visitors read')}</p>
          <ul class="svc-plain-list">
            {said.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </>
      )}
      {refused && <p class="svc-error">{refused}</p>}
      {rows.length > 0 && !wanted && <p>{t('The sentences follow once each row has its days and its fee.')}</p>}
    </div>
  );
}

interface RowProps {
  rows: Values[];
  at: number;
  set: (rows: Values[]) => void;
  errors: Errors;
  currency: string;
}

function Row({ rows, at, set, errors, currency }: RowProps) {
  const row = rows[at]!;
  const number = at + 1;
  const is_last = at === rows.length - 1;
  const unit = unit_of(row);
  const said = ['days', 'percentage', 'amount', 'per'].flatMap((one) => errors[`${name}.${at}.${one}`] ?? []);
  const change = (next: Values) => set(rows.map((one, place) => (place === at ? next : one)));
  const marks = {
    'aria-invalid': said.length > 0,
    'aria-describedby': said.length ? `${name}-error-${at}` : undefined,
  };
  return (
    <li>
      <div role="group" aria-label={is_last ? t('From then on') : t('Row {0}', number)}>
        <div class="svc-bar">
          {is_last ? (
            <span>{at === 0 ? t('At any time, cancelling costs') : t('After that, cancelling costs')}</span>
          ) : (
            <>
              <NumberInput
                whole
                aria-label={t('Days of row {0}', number)}
                {...marks}
                value={row.days}
                set={(days) => change({ ...row, days })}
              />
              <span>{t('days before departure')}</span>
            </>
          )}
          <NumberInput
            aria-label={is_last ? t('Fee from then on') : t('Fee of row {0}', number)}
            {...marks}
            value={fee_of(row)}
            set={(fee) => change(with_fee(row, unit, fee))}
          />
          <select
            aria-label={is_last ? t('Unit of the fee from then on') : t('Unit of row {0}', number)}
            value={unit}
            onChange={(event) => change(with_fee(row, event.currentTarget.value, fee_of(row)))}
          >
            <option value="percentage">{t('% of the price')}</option>
            <option value="booking">{t('{0} per booking', currency)}</option>
            <option value="traveler">{t('{0} per traveler', currency)}</option>
          </select>
        </div>
        {said.length > 0 && (
          <p class="svc-error" id={`${name}-error-${at}`}>
            {said.join(' ')}
          </p>
        )}
      </div>
      {!is_last && (
        <Button
          kind="quiet"
          icon={<Trash2 size={16} aria-hidden />}
          aria-label={t('Remove row {0}', number)}
          onClick={() => set(rows.filter((_, place) => place !== at))}
        />
      )}
    </li>
  );
}

const begun: Values[] = [
  { days: 14, percentage: 0 },
  { days: null, percentage: 100 },
];

interface Props {
  rows: Values[] | null; // null: a trip that has the settings' terms
  set: (rows: Values[] | null) => void;
  errors: Errors;
  currency?: string;
  is_of_trip?: boolean;
}

// A trip without rows of its own has those of the settings.
function Inherited({ currency, own }: { currency: string; own: (rows: Values[]) => void }) {
  const read = useRead(
    can('get', '/settings') ? '/settings' : null,
    async () => (await json<Values>('get', '/settings')).data,
  );
  const stored: Values[] = read.data?.[name] ?? [];
  // The amounts of the settings say nothing about a trip in another currency.
  const is_foreign = !!currency && !!read.data?.currency && currency !== read.data.currency;
  const rows = is_foreign && stored.some((row) => typeof row.amount === 'number') ? [] : stored;
  const says_nothing = !!read.data && !rows.length;
  return (
    <>
      <p>
        {says_nothing
          ? t('Nothing is said about fees. Visitors read your own words below, where there are any.')
          : t('This trip has the terms of the settings.')}
      </p>
      <Sentences rows={rows} currency={currency} />
      <Button icon={<Plus size={16} aria-hidden />} onClick={() => own(rows.length ? rows : begun)}>
        {t('Set terms for this trip')}
      </Button>
    </>
  );
}

export default function CancellationTerms({ rows, set, errors, currency = '', is_of_trip = false }: Props) {
  const shown = rows ?? [];
  // Before the row from then on: half of its days, and its fee to be typed.
  const add = () => {
    const last = shown.at(-2)?.days;
    set([
      ...shown.slice(0, -1),
      { days: typeof last === 'number' ? Math.floor(last / 2) : 14, percentage: null },
      shown.at(-1)!,
    ]);
  };
  return (
    <fieldset class="svc-group">
      <legend>{t('Cancellation terms')}</legend>
      {(errors[name] ?? []).map((said) => (
        <p class="svc-error" key={said}>
          {said}
        </p>
      ))}
      {!shown.length && is_of_trip && <Inherited currency={currency} own={set} />}
      {!shown.length && !is_of_trip && (
        <>
          <p>{t('Nothing is said about fees, unless a trip has terms of its own.')}</p>
          <Button icon={<Plus size={16} aria-hidden />} onClick={() => set(begun)}>
            {t('Set terms')}
          </Button>
        </>
      )}
      {shown.length > 0 && (
        <>
          <ul class="svc-rows">
            {shown.map((_, at) => (
              <Row key={at} rows={shown} at={at} set={set} errors={errors} currency={currency} />
            ))}
          </ul>
          <p class="svc-actions">
            {shown.length < most_rows && (
              <Button icon={<Plus size={16} aria-hidden />} onClick={add}>
                {t('Add a row')}
              </Button>
            )}
            <Button onClick={() => set(is_of_trip ? null : [])}>{t('Remove the terms')}</Button>
          </p>
          <Sentences rows={shown} currency={currency} />
          <p>
            <small>{t('A booking keeps the terms that its customer agreed to. Refunds stay your decision.')}</small>
          </p>
        </>
      )}
    </fieldset>
  );
}
