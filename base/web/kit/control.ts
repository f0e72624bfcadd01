// Which control a field gets, by what the interface's description says of it; its name plays no part.
import { type Operation, type Schema, can, kind, resolved } from './interface';

// The list that a field's ids are of, if the role may read it. `own`: that of the record with the field.
export function list_of(schema: Schema, own = ''): string | undefined {
  const refers = schema['x-refers-to'];
  const path = refers === '.' ? own : refers && `/${refers}`;
  return path && can('get', path) ? path : undefined;
}

export type Control =
  | 'switch'
  | 'choice'
  | 'picture'
  | 'pictures'
  | 'record'
  | 'records'
  | 'number'
  | 'rows'
  | 'items'
  | 'group'
  | 'json'
  | 'html'
  | 'lines'
  | 'line';
const long_line = 300; // of what is longer more is to be seen at once

export function control_of(schema: Schema, own?: string): Control {
  const type = kind(schema);
  const of_kind = schema['x-kind'];
  if (type === 'boolean') return 'switch';
  if (schema.enum || schema['x-next']) return 'choice';
  if (of_kind === 'picture' && type === 'array') return 'pictures';
  if (of_kind === 'picture' && type !== 'string') return 'picture';
  if (list_of(schema, own)) return type === 'array' ? 'records' : 'record';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'array') return kind(resolved(schema.items)) === 'object' ? 'rows' : 'items';
  if (type === 'object' && Object.keys(schema.properties ?? {}).length) return 'group';
  if (type === 'object' || (!type && !schema.format)) return 'json';
  if (of_kind === 'html' || of_kind === 'lines') return of_kind;
  return !of_kind && !schema.format && (schema.maxLength ?? 0) > long_line ? 'lines' : 'line';
}

const line_types: Record<string, string> = { day: 'date', color: 'color', secret: 'password', phone: 'tel' };
const format_types: Record<string, string> = { date: 'date', email: 'email', 'date-time': 'datetime-local' };
// The type of a line's <input>. A color that is not #rrggbb stays a text: the browser would show black in its place.
export function line_type(schema: Schema, value: string): string {
  const type = format_types[schema.format ?? ''] ?? line_types[schema['x-kind'] ?? ''] ?? 'text';
  const fits =
    type === 'color'
      ? value === '' || /^#[0-9a-f]{6}$/i.test(value)
      : type !== 'date' || /^(\d{4}-\d\d-\d\d)?$/.test(value);
  return fits ? type : 'text';
}

// What may be chosen: of a status that is stored, itself and what may follow it.
export function choices_of(schema: Schema, saved?: unknown): string[] {
  const next = schema['x-next'];
  const all = (schema.enum ?? Object.keys(next ?? {})).filter((one) => one !== null).map(String);
  const following = next?.[String(saved)];
  return following ? all.filter((one) => one === saved || following.includes(one)) : all;
}

// The statuses that a list can be narrowed to, each once: on_hold is another name of on-hold.
export function statuses_of(list: Operation): string[] {
  const all = (list.parameters.find((one) => one.name === 'status')?.schema.enum ?? []).map(String);
  return all.filter((one) => !one.includes('_') || !all.includes(one.replaceAll('_', '-')));
}

// What staff may set after that status of a record, by the route that sets it.
export function next_statuses(route: Operation | undefined, status: string): string[] {
  return resolved(resolved(route?.body ?? {}).properties?.status)['x-next']?.[status] ?? [];
}
