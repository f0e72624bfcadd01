// Spans of days that reports are asked about, and how a report is asked for by the address.
import { plus_days, today } from '../../kit/format';

export const kinds = [
  'overview',
  'revenue',
  'bookings',
  'trips',
  'departures',
  'customers',
  'payments',
  'taxes',
] as const;
export type Kind = (typeof kinds)[number];

const first_of = (date: string) => `${date.slice(0, 7)}-01`;
function months_on(date: string, months: number): string {
  const moved = new Date(`${first_of(date)}T00:00:00Z`);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  return moved.toISOString().slice(0, 10);
}

// A span by its name; "" is what the server takes by itself, the last 30 days.
export function span_of(name: string, now = today()): { from: string; to: string } {
  if (name === '7') return { from: plus_days(now, -6), to: now };
  if (name === 'month') return { from: first_of(now), to: plus_days(months_on(now, 1), -1) };
  if (name === 'last_month') return { from: months_on(now, -1), to: plus_days(first_of(now), -1) };
  if (name === '12') return { from: months_on(now, -11), to: plus_days(months_on(now, 1), -1) };
  if (name === 'year') return { from: `${now.slice(0, 4)}-01-01`, to: `${now.slice(0, 4)}-12-31` };
  if (name === 'last_year')
    return { from: `${Number(now.slice(0, 4)) - 1}-01-01`, to: `${Number(now.slice(0, 4)) - 1}-12-31` };
  return { from: plus_days(now, -29), to: now };
}

export interface Asked {
  from: string;
  to: string;
  group_by: string;
  basis: string;
  compare: string;
  currency: string;
}
export function asked_of(query: Record<string, string>): Asked {
  const usual = span_of('');
  const from = query.from || usual.from;
  const to = query.to || usual.to;
  const days = (new Date(to).getTime() - new Date(from).getTime()) / 86_400_000;
  return {
    from,
    to,
    group_by: query.group_by || (days > 180 ? 'month' : days > 45 ? 'week' : 'day'),
    basis: query.basis || 'booking',
    compare: query.compare || 'previous',
    currency: query.currency || '',
  };
}
