// The parts of a report: figures, time series and rankings, each with its table and with the way to its rows.
import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';

import { type RankColumn, Ranking, TimeBars } from '../../kit/chart';
import { day, money, words } from '../../kit/format';
import { t } from '../../kit/i18n';
import { Fold } from '../../kit/page';
import { Empty } from '../../kit/ui';
import type { Figure } from './rows-dialog';

export type Report = Record<string, any>;
export interface Shown {
  report: Report;
  open: (of: Figure) => void; // shows the rows
}

export function percent(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : `${Number(value).toFixed(1).replace(/\.0$/, '')} %`;
}

// "12 % more than before"; nothing where nothing is compared or nothing was before.
export function compared(change: number | null | undefined, is_year: boolean): string {
  if (change === null || change === undefined) return '';
  const by = percent(Math.abs(Number(change)));
  if (Number(change) === 0) return is_year ? t('as much as a year before') : t('as much as before');
  if (Number(change) > 0) return is_year ? t('{0} more than a year before', by) : t('{0} more than before', by);
  return is_year ? t('{0} less than a year before', by) : t('{0} less than before', by);
}

// The first day of a part of the span, as short as its length allows.
export function part_name(date: string, group_by: string): string {
  return group_by === 'month' ? day(date, 'M Y') : day(date, 'j M');
}

// The rows of the section that a phone shows open; the others are folded there, or the page is many screens long.
export const FirstRows = createContext<unknown>(undefined);
function useIsOpen(rows: unknown): boolean {
  return useContext(FirstRows) === rows || matchMedia('(min-width: 760px)').matches;
}

export interface Series {
  title: string; // the answer to what the chart asks
  rows: Record<string, any>[];
  value: (row: Record<string, any>) => number;
  said: (row: Record<string, any>) => string;
  axis: (value: number) => string;
  columns: RankColumn[]; // of its table, after the date
  group_by: string;
}
export function TimeSeries({ title, rows, value, said, axis, columns, group_by }: Series) {
  const open = useIsOpen(rows);
  if (!rows.some((row) => value(row)))
    return (
      <Fold title={title} open={open}>
        <Empty>{t('Nothing in these days.')}</Empty>
      </Fold>
    );
  return (
    <Fold title={title} open={open}>
      <TimeBars
        title={title}
        axis={axis}
        points={rows.map((row) => ({ label: part_name(row.date, group_by), value: value(row), said: said(row) }))}
      />
      <details class="svc-asTable">
        <summary>{t('As a table')}</summary>
        <div class="svc-scroll" tabIndex={0} role="region" aria-label={title}>
          <table class="svc-table">
            <thead>
              <tr>
                <th>{group_by === 'month' ? t('Month') : group_by === 'week' ? t('Week from') : t('Day')}</th>
                {columns.map((one) => (
                  <th key={one.key} class="svc-end">
                    {one.label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.date}>
                  <td>{day(row.date)}</td>
                  {columns.map((one) => (
                    <td key={one.key} class="svc-end">
                      {one.show(row)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </Fold>
  );
}

interface ListProps {
  title: string;
  rows: Record<string, any>[] | undefined;
  columns: RankColumn[];
  by: (row: Record<string, any>) => number;
}
export function RankingSection({ title, rows, columns, by }: ListProps) {
  const open = useIsOpen(rows);
  if (!rows) return null;
  return (
    <Fold title={title} open={open}>
      {rows.length ? (
        <Ranking name={title} rows={rows} columns={columns} by={by} />
      ) : (
        <Empty>{t('Nothing in these days.')}</Empty>
      )}
    </Fold>
  );
}

// A figure that opens its rows.
export function Opens({ of, open, children }: { of: Figure; open: (of: Figure) => void; children: ComponentChildren }) {
  return (
    <button type="button" class="svc-opens" title={t('Show the rows')} onClick={() => open(of)}>
      {children}
    </button>
  );
}

export const said_word = (row: Record<string, any>, key: string) => words(String(row[key] ?? '')) || '–';
export const in_money = (report: Report) => (value: number | null | undefined) => money(value ?? 0, report.currency);
