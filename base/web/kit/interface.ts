// The interface as it describes itself: which records there are, what may be done with them, and their fields. Screens
// without code of their own are made from it, so a module that a newer edition adds has usable screens at once.
import { signal } from '@preact/signals';

import { type Method, apiRoot } from './client';
import { t, translated } from './i18n';
import { may } from './session';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: (string | number | null)[];
  format?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  additionalProperties?: boolean | Schema;
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  readOnly?: boolean;
  deprecated?: boolean;
  'x-kind'?: string; // "html", "lines", "picture": see control.ts
  'x-refers-to'?: string; // the list that ids are of: "trips"; ".": that of the record itself
  'x-next'?: Record<string, string[]>; // of a status: what may follow each
}
export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}
export interface Operation {
  method: Method;
  path: string;
  id: string;
  summary: string;
  permission: string;
  tag: string;
  parameters: Parameter[];
  body: Schema | null; // null: none, or one that is no JSON
  media: string; // of the body
  parts: Schema | null; // of an upload
  answer: Schema | null; // of `data`
  is_file: boolean;
  deprecated: boolean;
  of_module: boolean; // it exists while a module is on
  columns: string[]; // of a list: those to be shown first
}

interface Document {
  paths: Record<string, Record<string, any>>;
  components: Record<string, Record<string, any>>;
}
let document_: Document = { paths: {}, components: {} };
export const operations = signal<Operation[]>([]);

function pointed<T>(value: T & { $ref?: string }): T {
  if (!value?.$ref) return value;
  let found: any = document_;
  for (const part of value.$ref.slice(2).split('/')) found = found?.[part];
  return found as T;
}

// The schema itself: references followed, parts joined, null left aside.
export function resolved(schema: Schema | undefined, depth = 0): Schema {
  let found = pointed<Schema>(schema ?? {});
  if (depth > 8) return found;
  const either = found.anyOf ?? found.oneOf;
  if (either) {
    const one = either.find((each) => each.type !== 'null');
    found = { ...resolved(one, depth + 1), description: found.description };
  }
  if (found.allOf) {
    const joined: Schema = {
      ...found,
      allOf: undefined,
      properties: { ...found.properties },
      required: [...(found.required ?? [])],
    };
    for (const part of found.allOf) {
      const whole = resolved(part, depth + 1);
      Object.assign(joined.properties!, whole.properties);
      joined.required!.push(...(whole.required ?? []));
      joined.type ??= whole.type;
    }
    found = joined;
  }
  return found;
}
export function kind(schema: Schema): string {
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type;
  return type ?? (schema.properties ? 'object' : '');
}
export function nullable(schema: Schema | undefined): boolean {
  const found = pointed<Schema>(schema ?? {});
  return (
    (Array.isArray(found.type) && found.type.includes('null')) || !!found.anyOf?.some((one) => one.type === 'null')
  );
}
export function fields(schema: Schema | null | undefined): Record<string, Schema> {
  return schema ? (resolved(schema).properties ?? {}) : {};
}

function answer_of(responses: Record<string, any>): { answer: Schema | null; is_file: boolean } {
  for (const status of ['200', '201']) {
    const response = pointed<any>(responses[status]);
    if (!response?.content) continue;
    const content = response.content['application/json'];
    if (!content) return { answer: null, is_file: true };
    return { answer: resolved(content.schema).properties?.data ?? null, is_file: false };
  }
  return { answer: null, is_file: false };
}

function read(path: string, method: Method, spec: any): Operation {
  const content = pointed<any>(spec.requestBody)?.content ?? {};
  const media = 'application/json' in content ? 'application/json' : (Object.keys(content)[0] ?? '');
  return {
    method,
    path,
    id: spec.operationId,
    // Its words come with the screens that show it.
    get summary() {
      return translated(spec.summary ?? '');
    },
    permission: spec['x-permission'] ?? '',
    tag: spec.tags?.[0] ?? path.split('/')[1] ?? '',
    parameters: (spec.parameters ?? []).map((one: any) => pointed<Parameter>(one)),
    body: media === 'application/json' ? content[media].schema : null,
    media,
    parts: content['multipart/form-data']?.schema ?? null,
    ...answer_of(spec.responses ?? {}),
    deprecated: !!spec.deprecated,
    of_module: !!spec['x-module'],
    columns: spec['x-columns'] ?? [],
  };
}

// Whether a module is on that has routes.
export function has_modules(): boolean {
  return operations.value.some((one) => one.of_module);
}

let loading: Promise<void> | null = null;
// Once a session, and again after modules changed. The browser keeps it by its tag.
export function load_interface(anew = false): Promise<void> {
  if (loading && !anew) return loading;
  loading = fetch(`${apiRoot}/openapi.json`, { cache: anew ? 'no-cache' : 'default' })
    .then((response) => {
      if (!response.ok) throw new Error(t('The server answered {0}.', response.status));
      return response.json() as Promise<Document>;
    })
    .then((found) => {
      document_ = found;
      operations.value = Object.entries(found.paths).flatMap(([path, methods]) =>
        (['get', 'post', 'put', 'delete'] as const)
          .filter((method) => methods[method])
          .map((method) => read(path, method, methods[method])),
      );
    })
    .catch((error) => {
      loading = null;
      throw error;
    });
  return loading;
}

export function operation(method: Method, path: string): Operation | undefined {
  return operations.value.find((one) => one.method === method && one.path === path);
}
// Whether the route exists, with its module on, and the signed-in role may call it.
export function can(method: Method, path: string): boolean {
  const found = operation(method, path);
  return !!found && may(found.permission);
}

// A kind of record: what can be done with it below one path.
export interface Resource {
  path: string;
  name: string;
  list: Operation;
  item: string | null; // "/items/{id}"
  parameter: string;
  create?: Operation;
  read?: Operation;
  update?: Operation;
  remove?: Operation;
  bulk?: Operation;
  stats?: Operation;
  actions: Operation[]; // of one record, besides these
  others: Operation[]; // of the kind as a whole
}

export function is_list(found: Operation): boolean {
  return (
    found.method === 'get' &&
    found.parameters.some((one) => one.name === 'page') &&
    !!found.answer &&
    kind(resolved(found.answer)) === 'array'
  );
}

export function resource(path: string): Resource | null {
  const list = operation('get', path);
  if (!list) return null;
  const of = (method: Method, end: string) => {
    const found = operation(method, path + end);
    return found && may(found.permission) ? found : undefined;
  };
  const inner = operations.value
    .filter((one) => one.path.startsWith(`${path}/`))
    .map((one) => /^\/\{([a-z_]+)\}$/.exec(one.path.slice(path.length)))
    .find(Boolean);
  const parameter = inner?.[1] ?? 'id';
  const item = inner ? `${path}/{${parameter}}` : null;
  const end = `/{${parameter}}`;
  const bulk = of('post', '/bulk') ?? of('put', '/bulk');
  const stats = of('get', '/stats') ?? of('get', '/counts');
  const known = new Set(['/bulk', '/stats', '/counts', end, '']);
  const allowed = operations.value.filter((one) => may(one.permission) && !one.deprecated);
  return {
    path,
    name: path.slice(1),
    list,
    item,
    parameter,
    create: of('post', ''),
    read: of('get', end),
    update: of('put', end),
    remove: of('delete', end),
    bulk,
    stats,
    actions: item
      ? allowed.filter(
          (one) => one.path.startsWith(`${item}/`) && (one.method !== 'get' || one.is_file || !is_list(one)),
        )
      : [],
    others: allowed.filter(
      (one) =>
        one.path.startsWith(`${path}/`) &&
        !one.path.startsWith(item ?? ' ') &&
        !known.has(one.path.slice(path.length)) &&
        one.tag !== 'auth',
    ),
  };
}

// The paths of all lists that the signed-in role may read, in order; not those of one record, such as the rules of a trip.
export function list_paths(): string[] {
  return operations.value
    .filter(
      (one) =>
        is_list(one) &&
        !one.path.includes('{') &&
        !one.parameters.some((each) => each.required && each.in === 'query') &&
        may(one.permission) &&
        one.permission !== 'everyone' &&
        one.permission !== 'signed in',
    )
    .map((one) => one.path)
    .sort();
}

// An action's name for a button or a dialog: what its summary says first.
export function label_of(found: Operation): string {
  return found.summary.split(/[.;:,]/)[0]!.trim();
}
