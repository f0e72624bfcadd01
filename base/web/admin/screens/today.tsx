// What a clerk sees first: four figures, who leaves today and tomorrow, and what waits for somebody.
import type { ComponentChildren } from 'preact';

import { json } from '../../kit/client';
import { day, decimal, minor, money, today } from '../../kit/format';
import { t } from '../../kit/i18n';
import { can } from '../../kit/interface';
import { useRead } from '../../kit/query';
import { me, sees_money } from '../../kit/session';
import { Ago, Button, Empty, Failure, Load, Notice, Skeleton, Status, failed } from '../../kit/ui';
import { Figures, Head, Section } from '../../kit/page';
import { counters, first_steps_wanted, note_counters } from '../counters';

interface Need {
  key: string;
  text: string;
  note?: string;
  at?: string;
  href: string;
  action: string;
  tone: string;
}

// A part of the answer: what its own route would have answered; null without the right to it.
interface Part {
  data?: any;
  total?: number | null;
  error?: string;
}
type Parts = Record<
  | 'departures'
  | 'newest'
  | 'booked'
  | 'paid'
  | 'attention'
  | 'refunds'
  | 'enquiries'
  | 'pending'
  | 'reviews'
  | 'notices',
  Part | null
> & { counts: Record<string, number> };
type Read = { data?: Parts; error?: string; again: () => Promise<void> };

// What is shown of a part: its shape while it comes, what failed, or itself.
function Of({
  read,
  part,
  rows,
  children,
}: {
  read: Read;
  part: Part | null | undefined;
  rows: number;
  children: (data: any) => ComponentChildren;
}) {
  if (part?.data !== undefined) return <>{children(part.data)}</>;
  const error = part?.error ?? read.error;
  return error ? <Failure error={error} again={read.again} /> : <Skeleton rows={rows} />;
}

const needs: [keyof Parts, (row: any) => Need][] = [
  [
    'attention',
    (row) => ({
      key: `b${row.id}`,
      text: t('{0} {1} needs a decision', row.reference, row.customer_name),
      note: row.trip_title,
      at: row.updated_at,
      href: `/admin/bookings/${row.id}`,
      action: t('Decide'),
      tone: 'bad',
    }),
  ],
  [
    'refunds',
    (row) => ({
      key: `r${row.id}`,
      text: t('{0} {1} gets money back', row.reference, row.customer_name),
      note: row.trip_title,
      at: row.updated_at,
      href: `/admin/bookings/${row.id}`,
      action: t('Refund'),
      tone: 'warn',
    }),
  ],
  [
    'enquiries',
    (row) => ({
      key: `e${row.id}`,
      text: t('{0} asks{1}', row.customer_name, row.trip_title ? ` ${t('about {0}', row.trip_title)}` : ''),
      note: row.message?.slice(0, 90),
      at: row.created_at,
      href: `/admin/enquiries/${row.id}`,
      action: t('Answer'),
      tone: 'info',
    }),
  ],
  [
    'pending',
    (row) => ({
      key: `u${row.id}`,
      text:
        row.amount_due > 0
          ? t('{0} owes {1}', row.customer_name, money(row.amount_due, row.currency))
          : t('{0} waits for a confirmation', row.customer_name),
      note: t('{0}, {1}, travels {2}', row.reference, row.trip_title, day(row.travel_date)),
      at: row.created_at,
      href: `/admin/bookings/${row.id}`,
      action: t('Open'),
      tone: 'warn',
    }),
  ],
  [
    'reviews',
    (row) => ({
      key: `v${row.id}`,
      text: t('A review waits{0}', row.trip_title ? `: ${row.trip_title}` : ''),
      note: row.title ?? row.content?.slice(0, 90),
      at: row.created_at,
      href: `/admin/reviews/${row.id}`,
      action: t('Read'),
      tone: 'info',
    }),
  ],
];
// The needs of all sources; one that is broken hides no other.
function waiting_in(parts: Parts): Part {
  const some = needs.map(([name, show]) => [parts[name] as Part | null, show] as const);
  const seen = new Set<string>();
  const data = some
    .flatMap(([part, show]) => ((part?.data ?? []) as any[]).map(show))
    .filter((one) => !seen.has(one.href) && seen.add(one.href));
  return { data, error: some.map(([part]) => part?.error).find(Boolean) };
}

function sum_of(rows: any[]): string {
  const sums = new Map<string, bigint>();
  for (const row of rows)
    sums.set(
      row.currency,
      (sums.get(row.currency) ?? 0n) +
        (minor(Number(row.amount).toFixed(4).replace(/0+$/, '').replace(/\.$/, ''), row.currency) ?? 0n),
    );
  return [...sums].map(([currency, units]) => money(decimal(units, currency), currency)).join(' + ') || money(0);
}

// What the server itself has to say: mail that cannot be sent, a licence that ends.
function Notices({ all, again }: { all: any[]; again: () => Promise<void> }) {
  const dismiss = (id: string) => json('post', '/notices/{key}/dismiss', { params: { key: id } }).then(again, failed);
  return (
    <>
      {all.map((one) => (
        <Notice key={one.id} kind={one.type === 'error' ? 'bad' : one.type === 'warning' ? 'warn' : 'info'}>
          <b>{one.title}</b>
          <p>{one.message}</p>
          <p class="svc-actions">
            {(one.actions ?? []).map((action: any) => (
              <a key={action.url} class="svc-button svc-plain" href={action.url}>
                {action.label}
              </a>
            ))}
            {one.dismissible && (
              <Button kind="quiet" onClick={() => dismiss(one.id)}>
                {t('Dismiss')}
              </Button>
            )}
          </p>
        </Notice>
      ))}
    </>
  );
}

function Departures({ all }: { all: any[] }) {
  const now = today();
  const rows = all.filter((row) => row.status !== 'cancelled');
  if (!rows.length)
    return (
      <Empty action={<a href="/admin/departures">{t('See the calendar')}</a>}>
        {t('Nothing leaves today or tomorrow.')}
      </Empty>
    );
  return (
    <ul class="svc-rows">
      {rows.map((row) => (
        <li key={row.id}>
          <a href={`/admin/departures/${row.trip_id}/${row.id}`}>
            <b>
              {row.start_date === now ? t('Today') : t('Tomorrow')} {row.time ?? ''}
            </b>
            <span>{row.trip?.title}</span>
            <Load booked={row.booked_count} capacity={row.max_capacity} />
          </a>
        </li>
      ))}
    </ul>
  );
}

export default function Today() {
  const now = today();
  const read = useRead(`/bookings/today/${now}`, async () => {
    const found = (await json<Parts>('get', '/admin/today')).data;
    note_counters(found.counts);
    return found;
  });
  const parts = read.data;
  const sees = (name: keyof Parts, path: string) => (parts ? parts[name] !== null : can('get', path));
  const sees_bookings = sees('newest', '/bookings');
  const leaving: any[] = (parts?.departures?.data ?? []).filter(
    (row: any) => row.start_date === now && row.status !== 'cancelled',
  );
  const travelers = leaving.reduce((sum, row) => sum + (row.booked_count ?? 0), 0);
  // A figure whose source is broken is none, and its section says why.
  const figure = (part: Part | null | undefined, value: (part: Part) => ComponentChildren) =>
    part?.data !== undefined ? value(part) : part?.error || read.error ? '–' : '…';
  const hello = me.value?.user.display_name || me.value?.user.login;
  const broken = [parts?.booked, parts?.paid, parts?.notices].map((one) => one?.error).find(Boolean);
  return (
    <div class="svc-page">
      <Head title={t('Today')} sub={`${day(now, 'l, j F Y')} · ${hello}`} />
      {broken && <Failure error={broken} again={read.again} />}
      {first_steps_wanted.value && can('get', '/settings') && (
        <Notice kind="info">
          <p>
            {t('Before the first booking:')} <a href="/admin/first-steps">{t('the first steps')}</a>.
          </p>
        </Notice>
      )}
      <Notices all={parts?.notices?.data ?? []} again={read.again} />
      <Figures
        rows={[
          ...(sees('departures', '/departures')
            ? [
                {
                  label: t('Departing today'),
                  value: figure(parts?.departures, () =>
                    t('{0, plural, one {# traveler} other {# travelers}}', travelers),
                  ),
                  href: '/admin/departures',
                },
              ]
            : []),
          ...(sees_bookings
            ? [
                {
                  label: t('New bookings today'),
                  value: figure(parts?.booked, (part) => part.total ?? 0),
                  href: '/admin/bookings',
                },
              ]
            : []),
          ...(sees('paid', '/payments') && sees_money()
            ? [
                {
                  label: t('Money in today'),
                  value: figure(parts?.paid, (part) => sum_of(part.data)),
                  href: '/admin/payments',
                },
              ]
            : []),
          ...(sees('enquiries', '/enquiries')
            ? [
                {
                  label: t('To be answered'),
                  value: counters.value.enquiries ?? 0,
                  href: '/admin/enquiries?status=new',
                },
              ]
            : []),
        ]}
      />
      <div class="svc-two svc-today">
        <div>
          {sees('departures', '/departures') && (
            <Section title={t('Departures')} action={<a href="/admin/departures">{t('Calendar')}</a>}>
              <Of read={read} part={parts?.departures} rows={4}>
                {(all) => <Departures all={all} />}
              </Of>
            </Section>
          )}
          {sees_bookings && (
            <Section title={t('Newest bookings')} action={<a href="/admin/bookings">{t('All')}</a>}>
              <Of read={read} part={parts?.newest} rows={5}>
                {(all: any[]) =>
                  all.length ? (
                    <ul class="svc-rows">
                      {all.map((row) => (
                        <li key={row.id}>
                          <a href={`/admin/bookings/${row.id}`}>
                            <b>{row.customer_name || row.customer_email}</b>
                            <span>
                              {row.trip_title}, <span class="svc-day">{day(row.travel_date)}</span>
                            </span>
                            <Status value={row.status} />
                            <span class="svc-end">{money(row.total, row.currency)}</span>
                          </a>
                        </li>
                      ))}
                    </ul>
                  ) : (
                    <Empty
                      action={
                        can('post', '/bookings') ? (
                          <a href="/admin/bookings/new">{t('Take one by phone')}</a>
                        ) : undefined
                      }
                    >
                      {t('No bookings yet.')}
                    </Empty>
                  )
                }
              </Of>
            </Section>
          )}
        </div>
        <Section title={t('Needs you')}>
          <NeedsYou read={read} part={parts && waiting_in(parts)} />
        </Section>
      </div>
    </div>
  );
}

function NeedsYou({ read, part }: { read: Read; part: Part | undefined }) {
  const all: Need[] = part?.data ?? [];
  if (!part)
    return (
      <Of read={read} part={part} rows={5}>
        {() => null}
      </Of>
    );
  return (
    <>
      {part.error && <Failure error={part.error} again={read.again} />}
      {all.length ? (
        <ul class="svc-rows svc-needs">
          {all.map((one) => (
            <li key={one.key}>
              <div>
                <b>{one.text}</b>
                <small>
                  {one.note}
                  {one.note && one.at ? ' · ' : ''}
                  {one.at && <Ago at={one.at} />}
                </small>
              </div>
              <a class="svc-button svc-plain" href={one.href} aria-label={`${one.action}: ${one.text}`}>
                {one.action}
              </a>
            </li>
          ))}
        </ul>
      ) : (
        !part.error && (
          <Empty>
            {t('Nothing waits.')} {can('get', '/settings') && <a href="/admin/first-steps">{t('First steps')}</a>}
          </Empty>
        )
      )}
    </>
  );
}
