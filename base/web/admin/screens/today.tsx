// What a clerk sees first: four figures, who leaves today and tomorrow, and what waits for somebody.
import { api, json } from '../../kit/client';
import { day, decimal, minor, money, plus_days, today } from '../../kit/format';
import { t } from '../../kit/i18n';
import { can } from '../../kit/interface';
import { useRead } from '../../kit/query';
import { me } from '../../kit/session';
import { Ago, Button, Empty, Failure, Load, Notice, Skeleton, Status, failed } from '../../kit/ui';
import { Figures, Head, Section } from '../../kit/page';
import { counters, first_steps_wanted } from '../counters';

interface Need {
  key: string;
  text: string;
  note?: string;
  at?: string;
  href: string;
  action: string;
  tone: string;
}

// Each source fails alone: one that is broken takes nothing else down.
async function needs(): Promise<Need[]> {
  const all: Promise<Need[]>[] = [];
  const ask = (path: string, params: Record<string, unknown>, show: (row: any) => Need) => {
    if (can('get', path)) all.push(json<any[]>('get', path, { params: { per_page: 6, ...params } }).then((found) => found.data.map(show), () => []));
  };
  ask('/bookings', { needs_attention: true }, (row) => ({ key: `b${row.id}`, text: t('{0} {1} needs a decision', row.reference, row.customer_name), note: row.trip_title, at: row.updated_at, href: `/admin/bookings/${row.id}`, action: t('Decide'), tone: 'bad' }));
  ask('/bookings', { refund_due: true }, (row) => ({ key: `r${row.id}`, text: t('{0} {1} gets money back', row.reference, row.customer_name), note: row.trip_title, at: row.updated_at, href: `/admin/bookings/${row.id}`, action: t('Refund'), tone: 'warn' }));
  ask('/enquiries', { status: 'new' }, (row) => ({ key: `e${row.id}`, text: t('{0} asks{1}', row.customer_name, row.trip_title ? ` ${t('about {0}', row.trip_title)}` : ''), note: row.message?.slice(0, 90), at: row.created_at, href: `/admin/enquiries/${row.id}`, action: t('Answer'), tone: 'info' }));
  ask('/bookings', { status: 'pending', order: 'asc' }, (row) => ({ key: `u${row.id}`, text: row.amount_due > 0 ? t('{0} owes {1}', row.customer_name, money(row.amount_due, row.currency)) : t('{0} waits for a confirmation', row.customer_name), note: t('{0}, {1}, travels {2}', row.reference, row.trip_title, day(row.travel_date)), at: row.created_at, href: `/admin/bookings/${row.id}`, action: t('Open'), tone: 'warn' }));
  ask('/reviews', { status: 'pending' }, (row) => ({ key: `v${row.id}`, text: t('A review waits{0}', row.trip_title ? `: ${row.trip_title}` : ''), note: row.title ?? row.content?.slice(0, 90), at: row.created_at, href: `/admin/reviews/${row.id}`, action: t('Read'), tone: 'info' }));
  const found = (await Promise.all(all)).flat();
  const seen = new Set<string>();
  return found.filter((one) => !seen.has(one.href) && seen.add(one.href));
}

async function money_in(date: string): Promise<string> {
  const found = await json<any[]>('get', '/payments', { params: { status: 'completed', from: date, to: date, per_page: 100 } });
  const sums = new Map<string, bigint>();
  for (const row of found.data) sums.set(row.currency, (sums.get(row.currency) ?? 0n) + (minor(Number(row.amount).toFixed(4).replace(/0+$/, '').replace(/\.$/, ''), row.currency) ?? 0n));
  return [...sums].map(([currency, units]) => money(decimal(units, currency), currency)).join(' + ') || money(0);
}

// What the server itself has to say: mail that cannot be sent, a licence that ends.
function Notices() {
  const read = useRead(can('get', '/notices') ? '/notices' : null, async () => (await json<any[]>('get', '/notices')).data);
  const dismiss = (id: string) => json('post', '/notices/{key}/dismiss', { params: { key: id } }).then(read.again, failed);
  return (
    <>
      {(read.data ?? []).map((one) => (
        <Notice key={one.id} kind={one.type === 'error' ? 'bad' : one.type === 'warning' ? 'warn' : 'info'}>
          <b>{one.title}</b>
          <p>{one.message}</p>
          <p class="svc-actions">
            {(one.actions ?? []).map((action: any) => (
              <a key={action.url} class="svc-button svc-plain" href={action.url}>{action.label}</a>
            ))}
            {one.dismissible && <Button kind="quiet" onClick={() => dismiss(one.id)}>{t('Dismiss')}</Button>}
          </p>
        </Notice>
      ))}
    </>
  );
}

function Departures() {
  const now = today();
  const next = plus_days(now, 1);
  const read = useRead(`/departures/today/${now}`, () => api.list('/departures', { from: now, to: next, per_page: 60, order: 'asc' } as never));
  if (read.error && !read.data) return <Failure error={read.error} again={read.again} />;
  if (!read.data) return <Skeleton rows={4} />;
  const rows = (read.data.data as any[]).filter((row) => row.status !== 'cancelled');
  if (!rows.length)
    return (
      <Empty action={<a href="/admin/departures">{t('See the calendar')}</a>}>{t('Nothing leaves today or tomorrow.')}</Empty>
    );
  return (
    <ul class="svc-rows">
      {rows.map((row) => (
        <li key={row.id}>
          <a href={`/admin/departures/${row.trip_id}/${row.id}`}>
            <b>{row.start_date === now ? t('Today') : t('Tomorrow')} {row.time ?? ''}</b>
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
  const sees_bookings = can('get', '/bookings');
  const fresh = useRead(sees_bookings ? '/bookings/fresh' : null, () => api.list('/bookings', { per_page: 8 }));
  const new_today = useRead(sees_bookings ? `/bookings/today/${now}` : null, () => api.list('/bookings', { from: now, to: now, per_page: 1 } as never));
  const paid = useRead(can('get', '/payments') ? `/payments/today/${now}` : null, () => money_in(now));
  const leaving = useRead(can('get', '/departures') ? `/departures/count/${now}` : null, () => api.list('/departures', { from: now, to: now, per_page: 100 } as never));
  const waiting = useRead('/bookings/needs', needs);
  const travelers = ((leaving.data?.data ?? []) as any[]).filter((row) => row.status !== 'cancelled').reduce((sum, row) => sum + (row.booked_count ?? 0), 0);
  const hello = me.value?.user.display_name || me.value?.user.login;
  return (
    <div class="svc-page">
      <Head title={t('Today')} sub={`${day(now, 'l, j F Y')} · ${hello}`} />
      {first_steps_wanted.value && can('get', '/settings') && (
        <Notice kind="info">
          <p>
            {t('Before the first booking:')}{' '}<a href="/admin/first-steps">{t('the first steps')}</a>.
          </p>
        </Notice>
      )}
      <Notices />
      <Figures
        rows={[
          ...(can('get', '/departures') ? [{ label: t('Departing today'), value: leaving.data ? t('{0, plural, one {# traveler} other {# travelers}}', travelers) : '…', href: '/admin/departures' }] : []),
          ...(sees_bookings ? [{ label: t('New bookings today'), value: new_today.data ? new_today.data.meta.total : '…', href: '/admin/bookings' }] : []),
          ...(can('get', '/payments') ? [{ label: t('Money in today'), value: paid.data ?? (paid.error ? '–' : '…'), href: '/admin/payments' }] : []),
          ...(can('get', '/enquiries') ? [{ label: t('To be answered'), value: counters.value.enquiries ?? 0, href: '/admin/enquiries?status=new' }] : []),
        ]}
      />
      <div class="svc-two svc-today">
        <div>
          {can('get', '/departures') && (
            <Section title={t('Departures')} action={<a href="/admin/departures">{t('Calendar')}</a>}>
              <Departures />
            </Section>
          )}
          {sees_bookings && (
            <Section title={t('Newest bookings')} action={<a href="/admin/bookings">{t('All')}</a>}>
              {fresh.data ? (
                fresh.data.data.length ? (
                  <ul class="svc-rows">
                    {(fresh.data.data as any[]).map((row) => (
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
                  <Empty action={can('post', '/bookings') ? <a href="/admin/bookings/new">{t('Take one by phone')}</a> : undefined}>{t('No bookings yet.')}</Empty>
                )
              ) : fresh.error ? (
                <Failure error={fresh.error} again={fresh.again} />
              ) : (
                <Skeleton rows={5} />
              )}
            </Section>
          )}
        </div>
        <Section title={t('Needs you')}>
          {waiting.data ? (
            waiting.data.length ? (
              <ul class="svc-rows svc-needs">
                {waiting.data.map((one) => (
                  <li key={one.key}>
                    <div>
                      <b>{one.text}</b>
                      <small>
                        {one.note}{one.note && one.at ? ' · ' : ''}{one.at && <Ago at={one.at} />}
                      </small>
                    </div>
                    <a class="svc-button svc-plain" href={one.href} aria-label={`${one.action}: ${one.text}`}>
                      {one.action}
                    </a>
                  </li>
                ))}
              </ul>
            ) : (
              <Empty>{t('Nothing waits.')}{' '}{can('get', '/settings') && <a href="/admin/first-steps">{t('First steps')}</a>}</Empty>
            )
          ) : (
            <Skeleton rows={5} />
          )}
        </Section>
      </div>
    </div>
  );
}
