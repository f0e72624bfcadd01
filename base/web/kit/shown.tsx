// A value of the interface as a screen shows it.
import type { ComponentChildren } from 'preact';

import { day, money, words } from './format';
import { language, t } from './i18n';
import { type Schema, kind, resolved } from './interface';
import { Ago, Status } from './ui';

// A whole number counts something, whatever its name says; a name alone is asked where no schema is known.
const counts =
  /count|_id$|discount_percent|(^|_)(bookings|payments|refunds|travelers|seats|nights|days|trips|reviews)$/;
export const amounts =
  /(^|_)(amount|price|total|cost|paid|due|refunded|revenue|spent|fee|subtotal|discount_amount)(_|$)/;

// How a value is shown where nothing else is said.
export function shown(key: string, value: any, row: Record<string, any>, schema?: Schema): ComponentChildren {
  if (value === null || value === undefined || value === '') return <span class="svc-none">–</span>;
  if (/status$|^availability$|^reconciliation$|^sale_state$/.test(key) && typeof value === 'string')
    return <Status value={value} />;
  if (typeof value === 'boolean') return value ? t('Yes') : t('No');
  if (typeof value === 'number')
    return schema?.['x-kind'] === 'money' ||
      (amounts.test(key) && (schema ? kind(resolved(schema)) !== 'integer' : !counts.test(key)))
      ? money(value, row.currency)
      : value.toLocaleString(language);
  if (typeof value === 'string') {
    if (/^\d{4}-\d\d-\d\dT/.test(value)) return <Ago at={value} />;
    if (/^\d{4}-\d\d-\d\d$/.test(value)) return day(value);
    if (/^[a-z]+(_[a-z]+)+$/.test(value) && !/key|slug|code|name|type_id|hook|path/.test(key)) return words(value); // a word of the interface, such as a reason
    return value.length > 90 ? `${value.slice(0, 90)}…` : value;
  }
  if (Array.isArray(value))
    return value.every((one) => typeof one !== 'object')
      ? value.slice(0, 4).join(', ')
      : t('{0, plural, one {# entry} other {# entries}}', value.length);
  return value.title ?? value.name ?? value.label ?? '…';
}
