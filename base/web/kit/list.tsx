// A list of records: filters in the address, columns by choice, bulk actions, its file, keyboard. What a resource does not say
// of itself is read from its route's description.
import { Columns3, Download, FileSpreadsheet, Filter, X } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { type Envelope, file, json, sentence } from './client';
import { day, words } from './format';
import { language, t } from './i18n';
import { type Operation, type Parameter, fields, kind, operation, resolved } from './interface';
import { useLocation } from './location';
import { line_type, list_of, statuses_of } from './control';
import { Pick } from './pickers';
import { changed, useRead, useShown } from './query';
import { amounts, shown } from './shown';
import { Button, Confirm, Empty, Failure, Skeleton, failed, toast } from './ui';

export type Row = Record<string, any>;
export interface Column {
  key: string;
  label?: string;
  show?: (row: Row) => ComponentChildren;
  text?: (row: Row) => string; // in words; the plain value otherwise
  sort?: string;
  end?: boolean; // right-aligned
  off?: boolean; // shown by choice
  action?: boolean; // has buttons: always shown
}
export interface BulkAction {
  name: string;
  label: string;
  danger?: boolean;
}
export interface ListProps {
  path: string; // of the route
  params?: Record<string, unknown>; // fixed
  list: Operation;
  columns: Column[];
  tabs?: boolean; // one for each status of the list; the first is shown without one
  counts?: Record<string, number>;
  filters?: string[]; // parameters offered, besides search; all by default
  href?: (row: Row) => string;
  bulk?: { method: 'post' | 'put'; path: string; actions: BulkAction[] };
  look?: (row: Row, close: () => void) => ComponentChildren; // beside the list, without leaving it
  empty: ComponentChildren;
  search?: string; // placeholder
}

function plain(column: Column, row: Row): string {
  if (column.text) return column.text(row);
  const value = row[column.key];
  return value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const file_types: Record<string, string> = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

// A bulk route takes 500; smaller parts show how far it is.
const part = 100;
// The ids of all that a list's filters find.
async function ids_of(path: string, asked: Record<string, unknown>): Promise<number[]> {
  const ids: number[] = [];
  for (let page = 1; ; page += 1) {
    const found = await json<Row[]>('get', path, {
      params: { ...asked, orderby: undefined, order: undefined, page, per_page: 100 },
    });
    ids.push(...found.data.map((row) => row.id));
    if (page >= (found.meta?.total_pages ?? 1)) return [...new Set(ids)];
  }
}

const own = new Set([
  'page',
  'per_page',
  'order',
  'orderby',
  'search',
  'status',
  'limit',
  'format',
  'include_past',
  'include_itinerary_meta',
  'source',
  'keyword',
  'id',
]);

function FilterControl({
  path,
  parameter,
  value,
  set,
}: {
  path: string; // of the list
  parameter: Parameter;
  value: string;
  set: (value: string) => void;
}) {
  const schema = resolved(parameter.schema);
  const label = { from: t('From'), to: t('To') }[parameter.name] ?? words(parameter.name.replace(/_id$/, ''));
  const records = list_of(schema, path);
  if (records)
    return (
      <label class="svc-filter">
        <span>{label}</span>
        <Pick
          list={records}
          value={value ? Number(value) : null}
          onPick={(choice) => set(choice ? String(choice.id) : '')}
        />
      </label>
    );
  const options = kind(schema) === 'boolean' ? ['true', 'false'] : schema.enum?.map(String);
  return (
    <label class="svc-filter">
      <span>{label}</span>
      {options ? (
        <select value={value} onChange={(event) => set(event.currentTarget.value)}>
          <option value="">{t('Any')}</option>
          {options.map((one) => (
            <option key={one} value={one}>
              {one === 'true' ? t('Yes') : one === 'false' ? t('No') : words(one)}
            </option>
          ))}
        </select>
      ) : (
        <input type={line_type(schema, value)} value={value} onChange={(event) => set(event.currentTarget.value)} />
      )}
    </label>
  );
}

export function List({
  path,
  params = {},
  list,
  columns,
  tabs,
  counts,
  filters,
  href,
  bulk,
  look,
  empty,
  search = t('Search'),
}: ListProps) {
  const location = useLocation();
  const query = location.query as Record<string, string>;
  const box = useRef<HTMLInputElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const [text, setText] = useState(query.search ?? '');
  const [chosen, setChosen] = useState<Set<number>>(new Set());
  const [everything, setEverything] = useState(false); // all that the filters find, beyond this page
  const [progress, setProgress] = useState<[number, number] | null>(null);
  const [asking, setAsking] = useState<BulkAction | null>(null);
  const [choosing, setChoosing] = useState(false);
  const [filtering, setFiltering] = useState(false);
  const [sheet, setSheet] = useState<Row | null>(null);
  const [saving, setSaving] = useState('');
  const kept = `svc-columns${path}`;
  const [hidden, setHidden] = useState<string[]>(() => {
    try {
      return JSON.parse(localStorage.getItem(kept) ?? 'null') ?? columns.filter((one) => one.off).map((one) => one.key);
    } catch {
      return [];
    }
  });
  const known = fields(resolved(list.answer ?? {}).items);
  const seen = columns.filter((one, index) => index === 0 || one.action || !hidden.includes(one.key));
  const told = columns.filter((one) => !one.action);
  const change = (next: Record<string, string>) => {
    const merged = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...query, page: '', ...next })) if (value) merged.set(name, value);
    const rest = merged.toString();
    location.route(location.path + (rest ? `?${rest}` : ''), true);
  };
  useEffect(() => {
    const timer = setTimeout(() => text !== (query.search ?? '') && change({ search: text }), 250);
    return () => clearTimeout(timer);
  }, [text]);
  const choose = (ids: Iterable<number>, all = false) => {
    setChosen(new Set(ids));
    setEverything(all);
  };
  useEffect(() => choose([]), [location.url, path]);

  const allowed = new Set(list.parameters.map((one) => one.name));
  const asked: Record<string, unknown> = { ...params, per_page: 25 };
  for (const [name, value] of Object.entries(query))
    if (allowed.has(name) || path.includes(`{${name}}`)) asked[name] = value;
  const key = `${path}?${JSON.stringify(asked)}`;
  const read = useRead<Envelope<Row[]>>(key, () => json<Row[]>('get', path, { params: asked }));
  const wants_filter = !!read.error && read.status === 400 && !read.data;
  useShown(wants_filter ? read.again : undefined); // says itself what is missing
  const rows = read.data?.data ?? [];
  const meta = read.data?.meta;
  const tallies = counts ?? meta?.counts;
  // Those that no record has are left out where the counts are known.
  const statuses = tabs
    ? statuses_of(list).filter((one, index) => !index || one === query.status || tallies?.[one] !== 0)
    : [];

  const offered = list.parameters.filter(
    (one) =>
      one.in === 'query' &&
      !own.has(one.name) &&
      !(one.name in params) &&
      (filters ? filters.includes(one.name) : true),
  );
  const active = offered.filter((one) => query[one.name]);
  const sortable = new Set((list.parameters.find((one) => one.name === 'orderby')?.schema.enum ?? []).map(String));
  const sort_of = (column: Column) => column.sort ?? (sortable.has(column.key) ? column.key : undefined);
  const sorted_by = query.orderby ?? '';
  const ascending = query.order === 'asc';

  // Written by the server, whole, with the filters and the order that are shown.
  const own_formats = (list.parameters.find((one) => one.name === 'format')?.schema.enum ?? [])
    .map(String)
    .filter((one) => one in file_types);
  const export_path = own_formats.length > 0 ? path : `${path}/export`;
  const formats = own_formats.length > 0 ? own_formats : operation('get', export_path) ? ['csv', 'xlsx'] : [];
  const save = (format: string) => {
    const { page, per_page, ...rest } = asked;
    const name = path
      .replace(/\{[^}]*\}/g, '')
      .replace(/\W+/g, '-')
      .replace(/^-|-$/g, '');
    setSaving(format);
    return file(export_path, { ...rest, format }, `${name}.${format}`, file_types[format])
      .catch(failed)
      .finally(() => setSaving(''));
  };
  const many = everything ? (meta?.total ?? 0) : chosen.size;
  const run = async (action: BulkAction) => {
    const ids = everything ? await ids_of(path, asked) : [...chosen];
    let [affected, refused, done] = [0, 0, 0];
    let why: any;
    try {
      for (; done < ids.length; done += part) {
        setProgress([done, ids.length]);
        const found =
          (await json(bulk!.method, bulk!.path, { body: { action: action.name, ids: ids.slice(done, done + part) } }))
            .data ?? {};
        affected += found.affected ?? 0;
        refused += found.failed ?? 0;
        why ??= (found.results ?? []).find((one: any) => one.message || one.error);
      }
    } catch (error) {
      if (!done) throw error;
      choose(ids.slice(done));
      throw new Error(t('{0} of {1} are done; the others are still chosen. {2}', done, ids.length, sentence(error)));
    } finally {
      setProgress(null);
      changed(path.split('/{')[0]!);
    }
    choose([]);
    toast(
      t(
        '{0}: {1} changed{2}.',
        action.label,
        t('{0, plural, one {# entry} other {# entries}}', affected),
        refused ? t(', {0} refused ({1})', refused, why?.message ?? why?.error ?? t('not allowed')) : '',
      ),
      refused ? 'info' : 'good',
    );
  };
  const move = (event: KeyboardEvent) => {
    const all = [...body.current!.querySelectorAll<HTMLElement>('tr')];
    const at = all.findIndex((one) => one.contains(document.activeElement));
    if (event.key === 'ArrowDown' || event.key === 'j')
      (all[Math.min(all.length - 1, at + 1)] ?? all[0])?.querySelector<HTMLElement>('a,button.svc-open')?.focus();
    else if (event.key === 'ArrowUp' || event.key === 'k')
      all[Math.max(0, at - 1)]?.querySelector<HTMLElement>('a,button.svc-open')?.focus();
    else if (event.key === 'x' && at >= 0 && bulk) toggle(rows[at]!.id);
    else return;
    event.preventDefault();
  };
  const toggle = (id: number) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    choose(next);
  };

  return (
    <div class="svc-list">
      {statuses.length > 1 && (
        <nav class="svc-tabs" aria-label={t('Status')}>
          {statuses.map((tab, index) => {
            const current = (query.status ?? statuses[0]) === tab;
            return (
              <a
                key={tab}
                href={index === 0 ? location.path : `${location.path}?status=${tab}`}
                aria-current={current ? 'page' : undefined}
                onClick={(event) => {
                  event.preventDefault();
                  change({ status: index === 0 ? '' : tab });
                }}
              >
                {tab === 'trash' ? t('Trash') : tab === 'publish' ? t('Published') : words(tab)}
                {tallies?.[tab] !== undefined && <small>{tallies[tab]!.toLocaleString(language)}</small>}
              </a>
            );
          })}
        </nav>
      )}
      <div class="svc-bar">
        <input
          ref={box}
          type="search"
          data-search
          aria-label={search}
          placeholder={search}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        {offered.length > 0 && (
          <Button
            icon={<Filter size={16} aria-hidden />}
            aria-expanded={filtering}
            onClick={() => setFiltering(!filtering)}
          >
            {t('Filter')}
          </Button>
        )}
        {active.map((one) => (
          <span class="svc-chip" key={one.name}>
            {words(one.name.replace(/_id$/, ''))}:{' '}
            {query[one.name] === 'true' ? t('yes') : query[one.name] === 'false' ? t('no') : day(query[one.name])}
            <button
              type="button"
              aria-label={t('Remove the filter {0}', words(one.name))}
              onClick={() => change({ [one.name]: '' })}
            >
              <X size={14} aria-hidden />
            </button>
          </span>
        ))}
        <span class="svc-gap" />
        <Button
          kind="quiet"
          icon={<Columns3 size={16} aria-hidden />}
          aria-label={t('Columns')}
          title={t('Columns')}
          aria-expanded={choosing}
          onClick={() => setChoosing(!choosing)}
        />
        {formats.map((format) => (
          <Button
            key={format}
            kind="quiet"
            busy={saving === format}
            icon={format === 'csv' ? <Download size={16} aria-hidden /> : <FileSpreadsheet size={16} aria-hidden />}
            aria-label={t('Save as {0}', format.toUpperCase())}
            title={t('Save as {0}', format.toUpperCase())}
            onClick={() => save(format)}
          />
        ))}
      </div>
      {filtering && (
        <div class="svc-filters">
          {offered.map((one) => (
            <FilterControl
              path={path}
              key={one.name}
              parameter={one}
              value={query[one.name] ?? ''}
              set={(value) => change({ [one.name]: value })}
            />
          ))}
        </div>
      )}
      {choosing && (
        <fieldset class="svc-filters">
          <legend class="svc-hidden">{t('Columns')}</legend>
          {told.slice(1).map((one) => (
            <label key={one.key} class="svc-check">
              <input
                type="checkbox"
                checked={!hidden.includes(one.key)}
                onChange={() => {
                  const next = hidden.includes(one.key)
                    ? hidden.filter((each) => each !== one.key)
                    : [...hidden, one.key];
                  setHidden(next);
                  localStorage.setItem(kept, JSON.stringify(next));
                }}
              />
              {one.label ?? words(one.key)}
            </label>
          ))}
        </fieldset>
      )}
      {chosen.size > 0 && bulk && (
        <div class="svc-bulk" role="region" aria-label={t('Chosen entries')}>
          <b>{t('{0, plural, one {# entry} other {# entries}}', many)}</b>
          {!everything && rows.every((row) => chosen.has(row.id)) && (meta?.total ?? 0) > rows.length && (
            <Button kind="quiet" onClick={() => choose(chosen, true)}>
              {t('Choose all {0}', meta!.total.toLocaleString(language))}
            </Button>
          )}
          {bulk.actions.map((action) => (
            <Button key={action.name} kind={action.danger ? 'danger' : 'plain'} onClick={() => setAsking(action)}>
              {action.label}
            </Button>
          ))}
          <Button kind="quiet" onClick={() => choose([])}>
            {t('Choose none')}
          </Button>
        </div>
      )}
      {read.error && read.status === 400 && offered.length > 0 && !rows.length ? (
        <Empty action={filtering ? undefined : <Button onClick={() => setFiltering(true)}>{t('Filter')}</Button>}>
          {t('{0} Choose by the filters what to list.', read.error)}
        </Empty>
      ) : read.error && !rows.length ? (
        <Failure error={read.error} again={read.again} />
      ) : !read.data ? (
        <Skeleton rows={8} />
      ) : rows.length === 0 ? (
        query.search || active.length || query.status ? (
          <Empty
            action={<Button onClick={() => (setText(''), location.route(location.path, true))}>{t('Show all')}</Button>}
          >
            {t('Nothing matches.')}
          </Empty>
        ) : (
          empty
        )
      ) : (
        <div class="svc-scroll" tabIndex={0} role="region" aria-label={t('Table')}>
          <table class="svc-table" aria-busy={read.loading}>
            <thead>
              <tr>
                {bulk && (
                  <th class="svc-tick">
                    <input
                      type="checkbox"
                      aria-label={t('Choose all')}
                      checked={rows.every((row) => chosen.has(row.id))}
                      onChange={(event) => choose(event.currentTarget.checked ? rows.map((row) => row.id) : [])}
                    />
                  </th>
                )}
                {seen.map((column) => {
                  const sort = sort_of(column);
                  const is_sorted = sort && sorted_by === sort;
                  return (
                    <th
                      key={column.key}
                      class={column.end ? 'svc-end' : ''}
                      aria-sort={is_sorted ? (ascending ? 'ascending' : 'descending') : undefined}
                    >
                      {sort ? (
                        <button
                          type="button"
                          onClick={() =>
                            change({
                              orderby: sort,
                              order:
                                is_sorted && ascending
                                  ? 'desc'
                                  : is_sorted
                                    ? 'asc'
                                    : column.end || /_at$|date/.test(column.key)
                                      ? 'desc'
                                      : 'asc',
                            })
                          }
                        >
                          {column.label ?? words(column.key)}
                          <span aria-hidden>{is_sorted ? (ascending ? ' ↑' : ' ↓') : ''}</span>
                        </button>
                      ) : column.action ? (
                        <span class="svc-hidden">{column.label}</span>
                      ) : (
                        (column.label ?? words(column.key))
                      )}
                    </th>
                  );
                })}
              </tr>
            </thead>
            <tbody ref={body} onKeyDown={move}>
              {rows.map((row, index) => (
                <tr
                  key={row.id ?? index}
                  aria-selected={bulk ? chosen.has(row.id) : undefined}
                  onClick={(event) => {
                    if ((event.target as HTMLElement).closest('a,button,input,label')) return;
                    if (look && !getSelection()?.toString() && (!href || matchMedia('(min-width: 641px)').matches))
                      setSheet(row);
                    else if (href) location.route(href(row));
                  }}
                >
                  {bulk && (
                    <td class="svc-tick">
                      <input
                        type="checkbox"
                        aria-label={t('Choose {0}', plain(columns[0]!, row))}
                        checked={chosen.has(row.id)}
                        onChange={() => toggle(row.id)}
                      />
                    </td>
                  )}
                  {seen.map((column, at) => {
                    const inside = column.show
                      ? column.show(row)
                      : shown(column.key, row[column.key], row, known[column.key]);
                    return (
                      <td
                        key={column.key}
                        class={column.end ? 'svc-end' : ''}
                        data-label={column.action ? undefined : (column.label ?? words(column.key))}
                      >
                        {at !== 0 ? (
                          inside
                        ) : href ? (
                          <a class="svc-first" href={href(row)}>
                            {inside}
                          </a>
                        ) : look ? (
                          <button type="button" class="svc-first svc-open" onClick={() => setSheet(row)}>
                            {inside}
                          </button>
                        ) : (
                          inside
                        )}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {meta && meta.total > 0 && rows.length > 0 && (
        <footer class="svc-pages">
          <span>
            {t(
              '{0} to {1} of {2}',
              ((meta.page - 1) * meta.per_page + 1).toLocaleString(language),
              Math.min(meta.page * meta.per_page, meta.total).toLocaleString(language),
              meta.total.toLocaleString(language),
            )}
          </span>
          {(meta.total_pages ?? 1) > 1 && (
            <>
              <Button disabled={meta.page <= 1} onClick={() => change({ page: String(meta.page - 1) })}>
                {t('Back')}
              </Button>
              <Button disabled={meta.page >= meta.total_pages} onClick={() => change({ page: String(meta.page + 1) })}>
                {t('Next')}
              </Button>
            </>
          )}
        </footer>
      )}
      {asking && (
        <Confirm
          title={`${asking.label}: ${t('{0, plural, one {# entry} other {# entries}}', many)}?`}
          action={asking.label}
          danger={asking.danger}
          onClose={() => setAsking(null)}
          run={() => run(asking).catch((error) => Promise.reject(new Error(sentence(error))))}
        >
          <p>
            {asking.danger ? t('This takes effect at once.') : t('Entries that do not allow this stay as they are.')}
          </p>
          {everything && <p>{t('They are all that the search and the filters find, on this page and the others.')}</p>}
          {progress && progress[1] > part && (
            <p role="status">
              <progress value={progress[0]} max={progress[1]} aria-hidden />{' '}
              {t('{0} of {1}', progress[0].toLocaleString(language), progress[1].toLocaleString(language))}
            </p>
          )}
        </Confirm>
      )}
      {sheet && look && look(sheet, () => setSheet(null))}
    </div>
  );
}

// Columns where no file of resources/ names any: those that the interface says first, then what says most.
export function columns_of(list: Operation): Column[] {
  const row = fields(resolved(list.answer ?? {}).items);
  const names = Object.keys(row);
  const rank = (name: string) => {
    if (list.columns.includes(name)) return list.columns.indexOf(name) - list.columns.length;
    if (/^(title|name|label|reference|customer_name|code|original_name)$/.test(name)) return 0;
    if (/^(status|booking_reference|email|customer_email|trip_title|type|gateway)$/.test(name)) return 1;
    if (amounts.test(name) || /date|_at$/.test(name)) return 2;
    if (/_id$|^id$|slug|row_version|metadata|search|_formatted$|description|url/.test(name)) return 9;
    const type = kind(resolved(row[name]));
    return type === 'object' || type === 'array' ? 8 : 4;
  };
  const ordered = names
    .map((name, index) => ({ name, rank: rank(name), index }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index);
  return ordered.slice(0, 24).map(({ name }, index) => ({
    key: name,
    end: kind(resolved(row[name])) === 'number',
    off: index >= (list.columns.length || 7),
  }));
}
