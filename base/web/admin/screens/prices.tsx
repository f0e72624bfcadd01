// Dynamic pricing: the rules in words, a trip's prices as a calendar, what changed this week, and the settings.
import { Ellipsis, Plus, Settings2 } from 'lucide-preact';
import { useState } from 'preact/hooks';

import { json } from '../../kit/client';
import { Field } from '../../kit/field';
import { SchemaFields } from '../../kit/form';
import { FormDialog } from '../../kit/form-dialog';
import { day, money, plus_days, short_weekdays, today } from '../../kit/format';
import { t } from '../../kit/i18n';
import { can, operation } from '../../kit/interface';
import { type Column, List, type Row } from '../../kit/list';
import { Figures, Head, Nowhere, Section } from '../../kit/page';
import { Pick } from '../../kit/pickers';
import { changed, useRead } from '../../kit/query';
import { Ago, Button, Confirm, Empty, Loaded, Menu, Status, failed, toast } from '../../kit/ui';
import { type Values, useForm } from '../../kit/use-form';
import { RuleDialog, rules_path, said } from '../price-rules';

function Totals() {
  const read = useRead(
    '/dynamic-pricing/statistics',
    async () => (await json('get', '/dynamic-pricing/statistics')).data,
  );
  const now = read.data;
  if (!now) return null;
  return (
    <Figures
      rows={[
        { label: t('Active rules'), value: now.active_rules },
        { label: t('Bookings with another price'), value: now.bookings_affected },
        { label: t('In the last 30 days'), value: now.pricing_history_last_30_days },
        { label: t('Change on average'), value: `${now.average_adjustment} %` },
        { label: t('Change of revenue'), value: money(now.revenue_impact, now.currency) },
      ]}
    />
  );
}

// Days of a trip as months of cells, the cheaper the lighter. A cell says its day and price in words.
function PriceCalendar() {
  const [trip, setTrip] = useState<number | null>(null);
  const read = useRead(trip ? `/dynamic-pricing/calendar/${trip}` : null, () =>
    json<Values[]>('get', '/trips/{id}/available-dates', { params: { id: trip, to_date: plus_days(today(), 180) } }),
  );
  return (
    <Section title={t('Prices of a trip')}>
      <Field label={t('Trip')}>
        {({ id }) => <Pick id={id} list="/trips" value={trip} onPick={(choice) => setTrip(choice?.id ?? null)} />}
      </Field>
      {trip ? (
        <Loaded read={read} rows={4}>
          {(answer) =>
            answer.data.length ? (
              <Months dates={answer.data} />
            ) : (
              <Empty>{t('This trip has no dates on sale in the next half year.')}</Empty>
            )
          }
        </Loaded>
      ) : (
        <p>{t('Choose a trip to see what each of its days costs now.')}</p>
      )}
    </Section>
  );
}

function Months({ dates }: { dates: Values[] }) {
  const cheapest = new Map<string, Values>();
  for (const one of dates) {
    const known = cheapest.get(one.date);
    if (!known || one.price < known.price) cheapest.set(one.date, one);
  }
  const prices = [...cheapest.values()].map((one) => Number(one.price));
  const [least, most] = [Math.min(...prices), Math.max(...prices)];
  const months = [...new Set([...cheapest.keys()].map((one) => one.slice(0, 7)))];
  const step = (price: number) => (most > least ? Math.round(((price - least) / (most - least)) * 4) : 2);
  return (
    <>
      <p>
        {least === most
          ? t('Each day costs {0}.', money(least, dates[0]!.currency))
          : t(
              'From {0} to {1}; the darker, the dearer.',
              money(least, dates[0]!.currency),
              money(most, dates[0]!.currency),
            )}
      </p>
      <div class="svc-heat">
        {months.map((month) => {
          const first = new Date(`${month}-01T00:00:00Z`);
          const count = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
          const before = (first.getUTCDay() + 6) % 7;
          return (
            <table key={month}>
              <caption>{day(`${month}-01`, 'F Y')}</caption>
              <thead>
                <tr>
                  {[1, 2, 3, 4, 5, 6, 0].map((one) => (
                    <th key={one} scope="col">
                      {short_weekdays[one]}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {Array.from({ length: Math.ceil((before + count) / 7) }, (_, week) => (
                  <tr key={week}>
                    {Array.from({ length: 7 }, (_, weekday) => {
                      const number = week * 7 + weekday - before + 1;
                      if (number < 1 || number > count) return <td key={weekday} />;
                      const date = `${month}-${String(number).padStart(2, '0')}`;
                      const one = cheapest.get(date);
                      if (!one)
                        return (
                          <td key={weekday}>
                            <small>{number}</small>
                          </td>
                        );
                      return (
                        <td key={weekday} class={`svc-heat-${step(Number(one.price))}`} title={day(date)}>
                          <small>{number}</small> <b>{Math.round(Number(one.price))}</b>
                        </td>
                      );
                    })}
                  </tr>
                ))}
              </tbody>
            </table>
          );
        })}
      </div>
    </>
  );
}

function Changes() {
  const read = useRead('/dynamic-pricing/changes', () =>
    json<Row[]>('get', rules_path, { params: { orderby: 'updated_at', order: 'desc', per_page: 20 } }),
  );
  const since = plus_days(today(), -7);
  return (
    <Section title={t('What changed this week')}>
      <Loaded read={read} rows={2}>
        {(answer) => {
          const rows = answer.data.filter((one) => String(one.updated_at).slice(0, 10) >= since);
          return rows.length ? (
            <ul class="svc-rows">
              {rows.map((one) => (
                <li key={one.id}>
                  <span>
                    <b>{one.name}</b> <small>{said(one)[0]}</small>
                  </span>
                  <span class="svc-end">
                    <Status value={one.status} /> <Ago at={one.updated_at} />
                  </span>
                </li>
              ))}
            </ul>
          ) : (
            <p>{t('No rule was changed in the last seven days.')}</p>
          );
        }}
      </Loaded>
    </Section>
  );
}

function SettingsDialog({ onClose }: { onClose: () => void }) {
  const path = '/dynamic-pricing/settings';
  const read = useRead(path, async () => (await json<Values>('get', path)).data);
  const form = useForm(read.data ?? undefined);
  return (
    <FormDialog
      title={t('Settings of dynamic pricing')}
      form={form}
      disabled={!read.data}
      run={async (changes) => {
        await json('put', path, { body: changes });
        await changed('/dynamic-pricing');
        toast(t('The settings are saved.'));
      }}
      onClose={onClose}
    >
      <Loaded read={read} rows={5}>
        {() => <SchemaFields schema={operation('put', path)!.body!} form={form} />}
      </Loaded>
    </FormDialog>
  );
}

type Step = { kind: 'rule'; rule: Values | null } | { kind: 'settings' } | { kind: 'delete'; rule: Row };

export default function DynamicPricing() {
  const [step, setStep] = useState<Step | null>(null);
  const list = operation('get', rules_path);
  if (!list) return <Nowhere>{t('There is no such list. The address may be wrong, or its module off.')}</Nowhere>;
  const set_status = (rule: Row, status: string, done: string) =>
    json('put', `${rules_path}/{id}`, { params: { id: rule.id }, body: { status } })
      .then(() => changed('/dynamic-pricing'))
      .then(() => toast(done), failed);
  const columns: Column[] = [
    {
      key: 'name',
      show: (row) => (
        <>
          <button type="button" class="svc-opens" onClick={() => setStep({ kind: 'rule', rule: row })}>
            {row.name}
          </button>
          <small class="svc-whole">{said(row).join(' ')}</small>
        </>
      ),
    },
    { key: 'status', show: (row) => <Status value={row.status} /> },
    { key: 'priority', end: true },
    { key: 'times_applied', label: t('Bookings'), end: true },
    {
      key: 'revenue_impact',
      label: t('Change of revenue'),
      end: true,
      show: (row) => money(row.revenue_impact, row.currency),
      off: true,
    },
    {
      key: 'actions',
      label: t('Actions'),
      action: true,
      end: true,
      show: (row) => (
        <Menu
          label={t('Actions for {0}', row.name)}
          icon={<Ellipsis size={18} aria-hidden />}
          items={[
            { label: t('Change'), run: () => setStep({ kind: 'rule', rule: row }) },
            row.status === 'active'
              ? { label: t('Turn off'), run: () => set_status(row, 'inactive', t('The rule is off.')) }
              : { label: t('Turn on'), run: () => set_status(row, 'active', t('The rule is on.')) },
            row.status === 'trash'
              ? { label: t('Delete for good'), danger: true, run: () => setStep({ kind: 'delete', rule: row }) }
              : {
                  label: t('Move to trash'),
                  danger: true,
                  run: () => set_status(row, 'trash', t('The rule is in the trash.')),
                },
          ]}
        />
      ),
    },
  ];
  const may_write = can('post', rules_path);
  return (
    <div class="svc-page">
      <Head title={t('Dynamic pricing')} sub={t('Prices that follow season, seats, demand and the day of booking.')}>
        <Button icon={<Settings2 size={16} aria-hidden />} onClick={() => setStep({ kind: 'settings' })}>
          {t('Settings')}
        </Button>
        {may_write && (
          <Button
            kind="primary"
            icon={<Plus size={16} aria-hidden />}
            onClick={() => setStep({ kind: 'rule', rule: null })}
          >
            {t('New rule')}
          </Button>
        )}
      </Head>
      <Totals />
      <List
        path={rules_path}
        list={list}
        columns={columns}
        tabs
        bulk={{
          method: 'post',
          path: '/dynamic-pricing/bulk-status',
          actions: [
            { name: 'activate', label: t('Turn on') },
            { name: 'deactivate', label: t('Turn off') },
            { name: 'trash', label: t('Move to trash'), danger: true },
          ],
        }}
        search={t('Name of a rule')}
        empty={
          <Empty>{t('No rules yet: every price is the one of its trip or date. A rule begins turned off.')}</Empty>
        }
      />
      <PriceCalendar />
      <Changes />
      {step?.kind === 'rule' && <RuleDialog rule={step.rule} onClose={() => setStep(null)} />}
      {step?.kind === 'settings' && <SettingsDialog onClose={() => setStep(null)} />}
      {step?.kind === 'delete' && (
        <Confirm
          title={t('Delete this rule for good?')}
          action={t('Delete for good')}
          danger
          onClose={() => setStep(null)}
          run={async () => {
            await json('delete', `${rules_path}/{id}`, { params: { id: step.rule.id } });
            await changed('/dynamic-pricing');
          }}
        >
          {t('Bookings keep their prices and the reasons of them.')}
        </Confirm>
      )}
    </div>
  );
}
