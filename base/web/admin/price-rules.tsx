// What a rule of dynamic pricing does, in sentences; and the dialog that writes one, with what it would do on real dates.
import { Plus, Trash2 } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';

import { json, sentence } from '../kit/client';
import { Field } from '../kit/field';
import { SchemaFields } from '../kit/form';
import { FormDialog } from '../kit/form-dialog';
import { day, money, weekdays } from '../kit/format';
import { t } from '../kit/i18n';
import { fields, operation } from '../kit/interface';
import { changed } from '../kit/query';
import { Button, Notice, toast } from '../kit/ui';
import { type Form, type Values, useForm } from '../kit/use-form';

export const rules_path = '/dynamic-pricing/rules';

const subjects: Record<string, string> = {
  travel_date: t('the day of travel'),
  weekday: t('the weekday'),
  days_before: t('days before travel'),
  seats_left: t('seats left'),
  occupancy: t('seats sold in %'),
  demand: t('demand (0 to 100)'),
  travelers: t('travelers'),
  duration_days: t('days of the trip'),
};
const comparisons: Record<string, string> = {
  at_least: t('at least'),
  at_most: t('at most'),
  is: t('is'),
  is_not: t('is not'),
};

function change_of(rule: Values): string {
  const value = Number(rule.adjustment_value ?? 0);
  const size = rule.adjustment_type === 'fixed' ? money(Math.abs(value), rule.currency) : `${Math.abs(value)} %`;
  const lowers = rule.rule_type === 'early_bird' || rule.rule_type === 'last_minute' || value < 0;
  if (rule.rule_type === 'inventory' || rule.rule_type === 'demand') return t('up to {0}', size);
  return lowers ? t('{0} cheaper', size) : t('{0} dearer', size);
}

function period_of(rule: Values): string {
  if (rule.start_date && rule.end_date) return t('from {0} to {1}', day(rule.start_date), day(rule.end_date));
  if (rule.start_date) return t('from {0} on', day(rule.start_date));
  return rule.end_date ? t('until {0}', day(rule.end_date)) : '';
}

function conditions_said(group: Values | null | undefined): string {
  if (!group?.conditions?.length) return '';
  const parts = (group.conditions as Values[]).map((one) =>
    one.conditions
      ? `(${conditions_said(one)})`
      : `${subjects[one.field] ?? one.field} ${comparisons[one.operator] ?? one.operator} ${
          one.field === 'weekday' && typeof one.value === 'number' ? weekdays[one.value % 7] : one.value
        }`,
  );
  return parts.join(group.match === 'any' ? ` ${t('or')} ` : ` ${t('and')} `);
}

// The rule in one sentence after another.
export function said(rule: Values): string[] {
  const change = change_of(rule);
  const period = period_of(rule);
  const says: string[] = [];
  switch (rule.rule_type) {
    case 'early_bird':
      says.push(t('{0} from {1} days before travel.', change, rule.min_days_before ?? '…'));
      if (period) says.push(t('For bookings {0}.', period));
      break;
    case 'last_minute':
      says.push(t('{0} in the last {1} days before travel.', change, rule.max_days_before ?? '…'));
      if (period) says.push(t('For bookings {0}.', period));
      break;
    case 'inventory':
      if (rule.min_inventory !== null && rule.min_inventory !== undefined)
        says.push(t('More by {0} when {1} seats or fewer are left.', change, rule.min_inventory));
      if (rule.max_inventory !== null && rule.max_inventory !== undefined)
        says.push(t('Less by half of it when {0} seats or more are left.', rule.max_inventory));
      break;
    case 'demand':
      says.push(
        t(
          'More by {0} from a demand of {1}, less from {2} down.',
          change,
          rule.demand_threshold_high ?? 80,
          rule.demand_threshold_low ?? 30,
        ),
      );
      break;
    case 'time_based':
      says.push(
        t(
          '{0} on {1}.',
          change,
          ((rule.weekend_days ?? ['5', '6']) as string[]).map((one) => weekdays[Number(one)]).join(', ') || '…',
        ),
      );
      break;
    default:
      says.push(t('{0} for travel {1}.', change, period || '…'));
  }
  if (period && (rule.rule_type === 'inventory' || rule.rule_type === 'demand' || rule.rule_type === 'time_based'))
    says.push(t('For travel {0}.', period));
  const conditions = conditions_said(rule.conditions);
  if (conditions) says.push(t('Only if {0}.', conditions));
  says.push(
    rule.applicable_trips === 'specific'
      ? t('{0, plural, one {On # trip.} other {On # trips.}}', (rule.trip_ids ?? []).length)
      : t('On all trips.'),
  );
  return says;
}

const of_kind: Record<string, string[]> = {
  early_bird: ['min_days_before', 'max_days_before', 'start_date', 'end_date'],
  last_minute: ['max_days_before', 'min_days_before', 'start_date', 'end_date'],
  inventory: ['min_inventory', 'max_inventory', 'start_date', 'end_date'],
  demand: ['demand_threshold_high', 'demand_threshold_low', 'start_date', 'end_date'],
  seasonal: ['start_date', 'end_date'],
  time_based: ['start_date', 'end_date'],
};

function Weekdays({ form }: { form: Form }) {
  const all: string[] = form.values.weekend_days ?? [];
  return (
    <Field label={t('Days of the week')} group errors={form.errors.weekend_days}>
      {() => (
        <div class="svc-switch svc-wrap">
          {['1', '2', '3', '4', '5', '6', '0'].map((one) => (
            <Button
              key={one}
              aria-label={weekdays[Number(one)]}
              aria-pressed={all.includes(one)}
              onClick={() =>
                form.set('weekend_days', all.includes(one) ? all.filter((each) => each !== one) : [...all, one].sort())
              }
            >
              {weekdays[Number(one)]!.slice(0, 2)}
            </Button>
          ))}
        </div>
      )}
    </Field>
  );
}

// One group of comparisons; groups within it, which an import or a program made, are shown and kept.
function ConditionRows({ form }: { form: Form }) {
  const group: Values = form.values.conditions ?? { match: 'all', conditions: [] };
  const rows: Values[] = group.conditions ?? [];
  const put = (next: Values[], match = group.match) =>
    form.set('conditions', next.length ? { match, conditions: next } : null);
  const change = (at: number, name: string, value: unknown) =>
    put(rows.map((one, index) => (index === at ? { ...one, [name]: value } : one)));
  return (
    <fieldset class="svc-group">
      <legend>{t('Further conditions')}</legend>
      {(form.errors.conditions ?? []).map((one) => (
        <p class="svc-error" key={one}>
          {one}
        </p>
      ))}
      {rows.length > 1 && (
        <label class="svc-filter">
          <span>{t('Of these')}</span>
          <select value={group.match} onChange={(event) => put(rows, event.currentTarget.value)}>
            <option value="all">{t('all hold')}</option>
            <option value="any">{t('one holds')}</option>
          </select>
        </label>
      )}
      {rows.map((one, at) => (
        <div class="svc-row" key={at}>
          {one.conditions ? (
            <p>{conditions_said(one)}</p>
          ) : (
            <>
              <select
                aria-label={t('What counts, condition {0}', at + 1)}
                value={one.field}
                onChange={(event) => change(at, 'field', event.currentTarget.value)}
              >
                {Object.entries(subjects).map(([name, label]) => (
                  <option key={name} value={name}>
                    {label}
                  </option>
                ))}
              </select>
              <select
                aria-label={t('Comparison, condition {0}', at + 1)}
                value={one.operator}
                onChange={(event) => change(at, 'operator', event.currentTarget.value)}
              >
                {Object.entries(comparisons).map(([name, label]) => (
                  <option key={name} value={name}>
                    {label}
                  </option>
                ))}
              </select>
              {one.field === 'weekday' ? (
                <select
                  aria-label={t('Value, condition {0}', at + 1)}
                  value={String(one.value)}
                  onChange={(event) => change(at, 'value', Number(event.currentTarget.value))}
                >
                  {weekdays.map((name, index) => (
                    <option key={name} value={String(index)}>
                      {name}
                    </option>
                  ))}
                </select>
              ) : (
                <input
                  aria-label={t('Value, condition {0}', at + 1)}
                  type={one.field === 'travel_date' ? 'date' : 'number'}
                  min={0}
                  value={String(one.value ?? '')}
                  onInput={(event) =>
                    change(
                      at,
                      'value',
                      one.field === 'travel_date' || event.currentTarget.value === ''
                        ? event.currentTarget.value
                        : Number(event.currentTarget.value),
                    )
                  }
                />
              )}
            </>
          )}
          <Button
            kind="quiet"
            icon={<Trash2 size={16} aria-hidden />}
            aria-label={t('Remove row {0}', at + 1)}
            onClick={() => put(rows.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      <Button
        icon={<Plus size={16} aria-hidden />}
        onClick={() => put([...rows, { field: 'days_before', operator: 'at_least', value: 7 }])}
      >
        {t('Add a condition')}
      </Button>
    </fieldset>
  );
}

// What the rule would do, asked again a moment after each change.
function Simulation({ rule }: { rule: Values }) {
  const [base, setBase] = useState(100);
  const [answer, setAnswer] = useState<{ found?: Values; error?: string }>({});
  const asked = JSON.stringify([rule, base]);
  useEffect(() => {
    let here = true;
    const timer = setTimeout(() => {
      const known = fields(operation('post', '/dynamic-pricing/simulate-rule')?.body);
      const body = Object.fromEntries(Object.entries(rule).filter(([name]) => name in known));
      void json('post', '/dynamic-pricing/simulate-rule', {
        body: { ...body, name: rule.name || '-', base_price: base },
      }).then(
        (found) => here && setAnswer({ found: found.data }),
        (error) => here && setAnswer({ error: sentence(error) }),
      );
    }, 300);
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [asked]);
  return (
    <>
      <h3>{t('What it would do')}</h3>
      <Field label={t('For a price of')}>
        {({ id }) => (
          <input
            id={id}
            type="number"
            min={0}
            value={base}
            onInput={(event) => setBase(Math.max(0, Number(event.currentTarget.value) || 0))}
          />
        )}
      </Field>
      {answer.error && <Notice kind="info">{answer.error}</Notice>}
      {answer.found && (
        <ul class="svc-rows" aria-live="polite">
          {(answer.found.scenarios as Values[]).map((one) => (
            <li key={`${one.label} ${one.departure_date}`}>
              <span>
                <b>{day(one.departure_date)}</b>{' '}
                <small>{t('{0, plural, one {# seat left} other {# seats left}}', one.spots_remaining)}</small>
              </span>
              <span class="svc-end">
                {one.applies
                  ? `${money(one.final_price, answer.found!.currency)} (${one.adjustment_percent > 0 ? '+' : ''}${one.adjustment_percent} %)`
                  : t('unchanged')}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

export function RuleDialog({ rule, onClose }: { rule: Values | null; onClose: () => void }) {
  const form = useForm(rule ?? undefined);
  const start = {
    rule_type: 'early_bird',
    adjustment_type: 'percentage',
    adjustment_value: 10,
    min_days_before: 60,
    weekend_days: ['5', '6'],
    applicable_trips: 'all',
    priority: 1,
    status: 'inactive',
  };
  const values: Values = { ...(rule ?? start), ...form.changes };
  const shape = { ...form, values };
  const write = operation(rule ? 'put' : 'post', rule ? `${rules_path}/{id}` : rules_path)!;
  const run = async (changes: Values, row_version = rule?.row_version) => {
    if (rule) await json('put', `${rules_path}/{id}`, { params: { id: rule.id }, body: { ...changes, row_version } });
    else await json('post', rules_path, { body: values });
    await changed('/dynamic-pricing');
    toast(t('The rule is saved.'));
  };
  return (
    <FormDialog
      title={rule ? t('Change the rule') : t('New rule')}
      form={form}
      run={run}
      onClose={onClose}
      wide
      compare={
        rule
          ? {
              saved: rule,
              read: async () => (await json<Values>('get', `${rules_path}/{id}`, { params: { id: rule.id } })).data,
            }
          : undefined
      }
    >
      <div class="svc-two">
        <div>
          <SchemaFields
            schema={write.body!}
            form={shape}
            only={['name', 'rule_type', 'adjustment_type', 'adjustment_value']}
          />
          {values.rule_type === 'time_based' && <Weekdays form={shape} />}
          <SchemaFields schema={write.body!} form={shape} only={of_kind[values.rule_type] ?? []} />
          <ConditionRows form={shape} />
          <SchemaFields
            schema={write.body!}
            form={shape}
            only={[
              'applicable_trips',
              ...(values.applicable_trips === 'specific' ? ['trip_ids'] : []),
              'priority',
              'status',
            ]}
          />
        </div>
        <div>
          <h3>{t('In words')}</h3>
          <ul class="svc-says" aria-live="polite">
            {said(values).map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
          <Simulation rule={values} />
        </div>
      </div>
    </FormDialog>
  );
}
