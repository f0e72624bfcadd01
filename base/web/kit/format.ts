// Amounts, days and moments as the site writes them; tests/web/vectors.json holds this and the C++ code to one another.
import { signal } from '@preact/signals';

import { language, t, translated } from './i18n';

export interface Display {
  currency: string;
  currency_position: string;
  decimal_separator: string;
  thousand_separator: string;
  date_format: string;
  time_format: string;
  timezone: string;
  site_name: string;
  logo_url: string;
  primary_color: string;
}
export const display = signal<Display>({
  currency: 'USD',
  currency_position: 'left',
  decimal_separator: '.',
  thousand_separator: ',',
  date_format: '',
  time_format: 'H:i',
  timezone: 'UTC',
  site_name: '',
  logo_url: '',
  primary_color: '',
});

const exponents = new Map<string, number>();
// The decimals of a currency's minor unit.
export function decimals(currency: string): number {
  let found = exponents.get(currency);
  if (found === undefined) {
    try {
      found = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
    } catch {
      found = 2;
    }
    exponents.set(currency, found);
  }
  return found;
}

// "1234.5" in minor units, 123450n; null for what is no amount or has more decimals than the currency.
export function minor(text: string | number, currency: string): bigint | null {
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(text).trim());
  if (!parts) return null;
  const places = decimals(currency);
  const rest = (parts[3] ?? '').replace(/0+$/, '');
  if (rest.length > places) return null;
  const whole = BigInt(parts[2]! + rest.padEnd(places, '0'));
  return parts[1] ? -whole : whole;
}

export function decimal(units: bigint, currency: string): string {
  const places = decimals(currency);
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0');
  const text = places ? `${digits.slice(0, -places)}.${digits.slice(-places)}` : digits;
  return (units < 0n ? '-' : '') + text;
}

// EUR 1,234.50, by the currency's code: one sign stands for many currencies.
export function money(amount: number | string | null | undefined, currency?: string | null): string {
  if (amount === null || amount === undefined || amount === '') return '';
  const code = currency || display.value.currency;
  const units = minor(typeof amount === 'number' ? amount.toFixed(decimals(code)) : amount, code);
  if (units === null) return `${code} ${amount}`;
  const text = decimal(units, code);
  const [whole = '', rest] = text.replace('-', '').split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, display.value.thousand_separator);
  const written = (units < 0n ? '-' : '') + grouped + (rest ? display.value.decimal_separator + rest : '');
  return display.value.currency_position.startsWith('right') ? `${written} ${code}` : `${code} ${written}`;
}

// Names of days and months as the language has them; English ones are those of the C++ code.
const names = (options: Intl.DateTimeFormatOptions, dates: number[]) => {
  const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
  return dates.map((date) => format.format(date));
};
const of_week = [...Array(7).keys()].map((day) => Date.UTC(2023, 0, day + 1)); // from a Sunday on
const of_year = [...Array(12).keys()].map((month) => Date.UTC(2023, month, 1));
export const weekdays = names({ weekday: 'long' }, of_week);
export const short_weekdays = names({ weekday: 'short' }, of_week);
const months = names({ month: 'long' }, of_year);
const short_months = names({ month: 'short' }, of_year);
const two = (number: number) => String(number).padStart(2, '0');

function ending(day: number): string {
  if (Math.floor(day / 10) === 1) return 'th';
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th';
}

// A calendar day "2026-05-03" in the site's format, without one as it is: lists are narrow. So stays what is no day.
export function day(text: string | null | undefined, format = display.value.date_format || 'Y-m-d'): string {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text ?? '');
  if (!parts) return text ?? '';
  const [year, month, date] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const weekday = new Date(Date.UTC(year, month - 1, date)).getUTCDay();
  const letters: Record<string, string> = {
    d: two(date),
    j: String(date),
    D: short_weekdays[weekday]!,
    l: weekdays[weekday]!,
    S: ending(date),
    m: two(month),
    n: String(month),
    M: short_months[month - 1]!,
    F: months[month - 1]!,
    Y: parts[1]!,
    y: parts[1]!.slice(2),
  };
  return format.replace(/\\?[\s\S]/g, (one) => (one.length > 1 ? one.slice(1) : (letters[one] ?? one)));
}

// An instant's parts on the site's clock.
function local(instant: string): { date: string; time: string } | null {
  const moment = new Date(instant);
  if (Number.isNaN(moment.getTime())) return null;
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: display.value.timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(moment);
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return { date: `${of('year')}-${of('month')}-${of('day')}`, time: `${of('hour')}:${of('minute')}` };
}

export function moment(instant: string | null | undefined): string {
  if (!instant) return '';
  const parts = local(instant);
  return parts ? `${day(parts.date)} ${parts.time}` : instant;
}

// An instant as an input of type datetime-local takes it, on the site's clock.
export function typed_moment(instant: string): string {
  const parts = local(instant);
  return parts ? `${parts.date}T${parts.time}` : '';
}

// The instant of "2026-05-03T09:00" on the site's clock. A time that the clock skips in spring is an hour later.
export function instant_of(typed: string): string {
  const as_utc = Date.parse(`${typed}:00Z`);
  if (Number.isNaN(as_utc)) return typed;
  const offset = (at: number) => Date.parse(`${typed_moment(new Date(at).toISOString())}:00Z`) - at;
  const near = as_utc - offset(as_utc); // its offset is that of the instant but for an hour at a change of the clock
  return new Date(as_utc - offset(near)).toISOString().replace('.000Z', 'Z');
}

// Today on the site's calendar, moved by some days.
export function today(plus = 0): string {
  const now = local(new Date(Date.now() + plus * 86_400_000).toISOString());
  return now?.date ?? new Date().toISOString().slice(0, 10);
}

export function plus_days(date: string, days: number): string {
  const moved = new Date(`${date}T00:00:00Z`);
  moved.setUTCDate(moved.getUTCDate() + days);
  return moved.toISOString().slice(0, 10);
}

const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
// "3 hours ago"; the exact moment belongs beside it, as a title.
export function ago(instant: string | null | undefined): string {
  if (!instant) return '';
  const seconds = (new Date(instant).getTime() - Date.now()) / 1000;
  for (const [unit, size] of [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ] as const)
    if (Math.abs(seconds) >= size) {
      if (unit === 'day' && Math.abs(seconds) > 14 * size) return day(local(instant)?.date);
      return relative.format(Math.trunc(seconds / size), unit);
    }
  return t('just now');
}

// "payment_status" -> "Payment status".
export function words(name: string): string {
  const text = name.replace(/[_-]+/g, ' ').trim();
  const said = translated(text.charAt(0).toUpperCase() + text.slice(1));
  return language === 'en'
    ? said.replace(/\b(api|bcc|csv|html|id|pdf|seo|sms|smtp|ssl|tls|url|vat)\b/gi, (one) => one.toUpperCase())
    : said;
}
