// Calls of the public interface. Paths, queries and answers are typed by its OpenAPI document (svc-api, made from
// `svc catalogue openapi`), so a call of a route that does not exist is no program.
import { signal } from '@preact/signals';
import type { paths } from 'svc-api';

import { asked_language, as_shown, t } from './i18n';

export type Method = 'get' | 'post' | 'put' | 'delete';
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never;
}[keyof paths] &
  string;
type Operation<P extends keyof paths, M extends Method> = paths[P][M];
type Some<T> = [NonNullable<T>] extends [never] ? unknown : NonNullable<T>; // `never` is what a route without any has
type PathParams<O> = O extends { parameters: { path?: infer A } } ? Some<A> : unknown;
type Query<O> = O extends { parameters: { query?: infer Q } } ? Partial<Some<Q>> : unknown;
export type Params<P extends keyof paths, M extends Method> = PathParams<Operation<P, M>> & Query<Operation<P, M>>;
type Answer<O, S extends number> = O extends { responses: Record<S, { content: { 'application/json': infer A } }> }
  ? A
  : never;
type DataIn<A> = A extends { data: infer D } ? D : A extends { data?: infer D } ? D : never;
export type DataOf<P extends keyof paths, M extends Method> = DataIn<
  Answer<Operation<P, M>, 200> | Answer<Operation<P, M>, 201>
>;
export type RowOf<P extends keyof paths> = DataOf<P, 'get'> extends (infer R)[] ? R : never;

export interface Meta {
  total: number;
  page: number;
  per_page: number;
  total_pages: number;
  counts?: Record<string, number>;
  [more: string]: unknown;
}
export interface Envelope<T> {
  data: T;
  meta: Meta;
  message?: string;
}

export const apiRoot = document.querySelector<HTMLMetaElement>('meta[name=svc-api]')?.content ?? '/svc/v1';

// What went wrong, in the server's words, which are in the reader's language. `fields` maps a field's path to its
// sentences; status 0: no answer came.
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly fields: Record<string, string[]> = {},
    readonly data: Record<string, unknown> = {},
  ) {
    super(message);
  }
}

export function sentence(error: unknown): string {
  return error instanceof Error ? error.message : t('Something went wrong.');
}

// The nonce of the session's cookie. Other tabs of the same session need it too, hence the browser's storage.
const stored = 'svc-nonce';
export const nonce = {
  get: () => localStorage.getItem(stored) ?? '',
  set: (text: string) => localStorage.setItem(stored, text),
  clear: () => localStorage.removeItem(stored),
};

// Set while the session has ended under a page: the app shows a dialog over it, and the call waits for its outcome.
interface Waiting {
  resolve: (again: boolean) => void;
}
export const signInWanted = signal<Waiting[]>([]);
export function settleSignIn(again: boolean) {
  const waiting = signInWanted.value;
  signInWanted.value = [];
  for (const one of waiting) one.resolve(again);
}

// The number of calls that are under way, for the line at the top.
export const pending = signal(0);

export interface Call {
  params?: Record<string, unknown>;
  body?: unknown;
  headers?: Record<string, string>;
  quiet?: boolean; // true: a 401 is the caller's to handle
  signal?: AbortSignal;
}

// "/bookings/{id}" with {id: 7, page: 2} -> "/bookings/7?page=2"; empty values are left out.
export function address(path: string, params: Record<string, unknown> = {}): string {
  const rest = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
    else if (Array.isArray(value)) for (const each of value) rest.append(name, String(each));
    else if (value !== undefined && value !== null && value !== '') rest.set(name, String(value));
  }
  const query = rest.toString();
  return apiRoot + path + (query ? `?${query}` : '');
}

async function answered(method: Method, path: string, call: Call): Promise<Response> {
  const headers: Record<string, string> = {
    Accept: 'application/json',
    'Accept-Language': asked_language(),
    ...call.headers,
  };
  if (nonce.get()) headers['X-Host-Nonce'] = nonce.get();
  let body: BodyInit | undefined;
  if (call.body instanceof FormData) body = call.body;
  else if (call.body !== undefined) {
    body = JSON.stringify(call.body);
    headers['Content-Type'] = 'application/json';
  }
  pending.value += 1;
  try {
    return await fetch(address(path, call.params), {
      method: method.toUpperCase(),
      headers,
      body,
      credentials: 'same-origin',
      signal: call.signal,
    });
  } catch (error) {
    if (call.signal?.aborted) throw error;
    throw new ApiError(0, 'no_answer', t('The server did not answer. Check the connection, then try again.'));
  } finally {
    pending.value -= 1;
  }
}

async function refusal(response: Response): Promise<ApiError> {
  const body = await response.json().catch(() => ({}));
  const data = (body.data ?? {}) as Record<string, unknown>;
  const fields: Record<string, string[]> = {};
  for (const [name, said] of Object.entries((data.errors ?? {}) as Record<string, unknown>))
    fields[name] = (Array.isArray(said) ? said.map(String) : [String(said)]).map(as_shown);
  let message = body.message ? as_shown(body.message as string) : t('The server answered {0}.', response.status);
  if (response.status === 403 && body.code !== 'svc_invalid_nonce' && !body.message)
    message = t('Your role may not do this.');
  if (response.status === 429)
    message += ` ${t('Try again in {0} seconds.', response.headers.get('Retry-After') ?? 'a few')}`;
  return new ApiError(response.status, body.code ?? '', message, fields, data);
}

// The response to any call; throws ApiError. A write that is sent again, after signing in, keeps its key, so that it
// takes effect once.
export async function send(method: Method, path: string, call: Call = {}): Promise<Response> {
  const headers = { ...call.headers };
  if (method !== 'get' && !headers['Idempotency-Key']) headers['Idempotency-Key'] = crypto.randomUUID();
  for (;;) {
    const response = await answered(method, path, { ...call, headers });
    if (response.ok) return response;
    const error = await refusal(response);
    const ended = error.status === 401 || error.code === 'svc_invalid_nonce';
    if (!ended || call.quiet) throw error;
    const again = await new Promise<boolean>((resolve) => {
      signInWanted.value = [...signInWanted.value, { resolve }];
    });
    if (!again) throw error;
  }
}

export async function json<T = any>(method: Method, path: string, call: Call = {}): Promise<Envelope<T>> {
  const response = await send(method, path, call);
  if (response.status === 204) return { data: undefined as T, meta: {} as Meta };
  return (await response.json()) as Envelope<T>;
}

export const api = {
  get: async <P extends PathOf<'get'>>(path: P, params?: Params<P, 'get'>, call: Call = {}) =>
    (await json<DataOf<P, 'get'>>('get', path, { ...call, params: params as Record<string, unknown> })).data,
  list: async <P extends PathOf<'get'>>(path: P, params?: Params<P, 'get'>, call: Call = {}) =>
    json<DataOf<P, 'get'>>('get', path, { ...call, params: params as Record<string, unknown> }),
  post: async <P extends PathOf<'post'>>(path: P, params: Params<P, 'post'> | null, body?: object, call: Call = {}) =>
    (await json<DataOf<P, 'post'>>('post', path, { ...call, params: { ...params }, body: body ?? {} })).data,
  put: async <P extends PathOf<'put'>>(path: P, params: Params<P, 'put'> | null, body?: object, call: Call = {}) =>
    (await json<DataOf<P, 'put'>>('put', path, { ...call, params: { ...params }, body: body ?? {} })).data,
  remove: async <P extends PathOf<'delete'>>(path: P, params: Params<P, 'delete'>, body?: object) =>
    (await json<DataOf<P, 'delete'>>('delete', path, { params: params as Record<string, unknown>, body })).data,
};

// Opens or saves a file that needs the session's nonce, such as a PDF: `name` given, it is saved under it.
export async function file(path: string, params: Record<string, unknown>, name?: string, accept = '*/*') {
  const opened = name ? null : window.open('', '_blank');
  try {
    const response = await send('get', path, { params, headers: { Accept: accept } });
    const url = URL.createObjectURL(await response.blob());
    if (opened) opened.location.href = url;
    else {
      const link = document.createElement('a');
      link.href = url;
      link.download = name ?? 'file';
      link.click();
    }
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  } catch (error) {
    opened?.close();
    throw error;
  }
}
