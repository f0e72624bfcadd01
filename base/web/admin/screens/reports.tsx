// Reports: what was booked and earned in a span of days, compared, with the rows behind each figure.
import { useState } from 'preact/hooks';

import { api, file } from '../../kit/client';
import { t } from '../../kit/i18n';
import { useLocation } from '../../kit/location';
import { Head, Nowhere } from '../../kit/page';
import { useRead } from '../../kit/query';
import { may } from '../../kit/session';
import { Loaded, Menu, failed } from '../../kit/ui';
import { Body } from '../reports/body';
import type { Report } from '../reports/charts';
import { type Asked, type Kind, asked_of, kinds, span_of } from '../reports/range';
import { type Figure, RowsDialog } from '../reports/rows-dialog';

const names: Record<Kind, string> = {
  overview: t('Overview'),
  revenue: t('Revenue'),
  bookings: t('Bookings'),
  trips: t('Trips'),
  departures: t('Departures'),
  customers: t('Customers'),
  payments: t('Payments'),
  taxes: t('Tax'),
};
const spans: [string, string][] = [
  ['7', t('Last 7 days')],
  ['', t('Last 30 days')],
  ['month', t('This month')],
  ['last_month', t('Last month')],
  ['12', t('Last 12 months')],
  ['year', t('This year')],
  ['last_year', t('Last year')],
];
const in_money = ['revenue', 'payments', 'taxes'];
const with_rows = ['revenue', 'bookings', 'customers', 'departures', 'payments'];
const types_of_files: Record<string, string> = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

interface ChoiceProps {
  label: string;
  value: string;
  options: [string, string][];
  set: (value: string) => void;
}
function Choice({ label, value, options, set }: ChoiceProps) {
  return (
    <label class="svc-filter">
      <span>{label}</span>
      <select value={value} onChange={(event) => set(event.currentTarget.value)}>
        {options.map(([name, said]) => (
          <option key={name} value={name}>
            {said}
          </option>
        ))}
      </select>
    </label>
  );
}

function Controls({ asked, change }: { asked: Asked; change: (next: Record<string, string>) => void }) {
  const named = spans.find(([name]) => span_of(name).from === asked.from && span_of(name).to === asked.to);
  return (
    <div class="svc-filters">
      <Choice
        label={t('Days')}
        value={named ? named[0] : 'own'}
        options={[...spans, ...(named ? [] : [['own', t('From and to')] as [string, string]])]}
        set={(name) => change({ ...span_of(name), group_by: '' })}
      />
      <label class="svc-filter">
        <span>{t('From')}</span>
        <input
          type="date"
          value={asked.from}
          max={asked.to}
          onChange={(event) => event.currentTarget.value && change({ from: event.currentTarget.value })}
        />
      </label>
      <label class="svc-filter">
        <span>{t('To')}</span>
        <input
          type="date"
          value={asked.to}
          min={asked.from}
          onChange={(event) => event.currentTarget.value && change({ to: event.currentTarget.value })}
        />
      </label>
      <Choice
        label={t('A bar for each')}
        value={asked.group_by}
        options={[
          ['day', t('Day')],
          ['week', t('Week')],
          ['month', t('Month')],
        ]}
        set={(group_by) => change({ group_by })}
      />
      <Choice
        label={t('By the day of')}
        value={asked.basis}
        options={[
          ['booking', t('Booking')],
          ['travel', t('Travel')],
        ]}
        set={(basis) => change({ basis })}
      />
      <Choice
        label={t('Compare with')}
        value={asked.compare}
        options={[
          ['previous', t('The days before')],
          ['year', t('A year before')],
          ['none', t('Nothing')],
        ]}
        set={(compare) => change({ compare })}
      />
    </div>
  );
}

export default function Reports({ part = 'overview' }: { part?: string }) {
  const shown = kinds.filter((one) => !in_money.includes(one) || may('svc_view_financial_reports'));
  const kind = shown.find((one) => one === part);
  return kind ? (
    <OneReport kind={kind} shown={shown} />
  ) : (
    <Nowhere back={{ href: '/admin/reports', label: t('Reports') }}>
      {t('There is no such screen, or your role may not use it.')}
    </Nowhere>
  );
}

function OneReport({ kind, shown }: { kind: Kind; shown: Kind[] }) {
  const location = useLocation();
  const asked = asked_of(location.query as Record<string, string>);
  const [rows, setRows] = useState<Figure | null>(null);
  const change = (next: Record<string, string>) => {
    const merged = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...(location.query as Record<string, string>), ...next }))
      if (value) merged.set(name, value);
    location.route(`${location.path}?${merged}`, true);
  };
  const params = { ...asked, type: kind };
  const read = useRead<Report>(`/reports?${JSON.stringify(params)}`, () => api.get('/reports', params as never));
  const save = (path: '/reports' | '/reports/export', format: string) =>
    file(
      path,
      { ...asked, type: kind, format },
      `${kind}-${asked.from}-${asked.to}.${format}`,
      types_of_files[format],
    ).catch(failed);
  const query = new URLSearchParams(location.query as Record<string, string>).toString();
  return (
    <div class="svc-page">
      <Head title={t('Reports')}>
        <Menu
          label={t('Save')}
          items={[
            { label: t('This report as CSV'), run: () => save('/reports', 'csv') },
            { label: t('This report as XLSX'), run: () => save('/reports', 'xlsx') },
            with_rows.includes(kind) && { label: t('Its rows as CSV'), run: () => save('/reports/export', 'csv') },
            with_rows.includes(kind) && { label: t('Its rows as XLSX'), run: () => save('/reports/export', 'xlsx') },
          ]}
        />
      </Head>
      <nav class="svc-tabs" aria-label={t('Kind of report')}>
        {shown.map((one) => (
          <a
            key={one}
            href={`/admin/reports${one === 'overview' ? '' : `/${one}`}${query ? `?${query}` : ''}`}
            aria-current={one === kind ? 'page' : undefined}
          >
            {names[one]}
          </a>
        ))}
      </nav>
      <Controls asked={asked} change={change} />
      <Loaded read={read} rows={10}>
        {(report) => <Body report={report} open={setRows} is_year={asked.compare === 'year'} />}
      </Loaded>
      {rows && (
        <RowsDialog
          key={JSON.stringify(rows)}
          asked={asked}
          of={rows}
          currency={read.data?.currency ?? ''}
          onClose={() => setRows(null)}
        />
      )}
    </div>
  );
}
