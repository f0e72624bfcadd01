// Departures by month or as a list: how full each is, by length and in words.
import { CalendarSync, ChevronLeft, ChevronRight } from 'lucide-preact';
import { useState } from 'preact/hooks';

import { json } from '../../kit/client';
import { day, plus_days, today, short_weekdays } from '../../kit/format';
import { t } from '../../kit/i18n';
import { can, operation } from '../../kit/interface';
import { List } from '../../kit/list';
import { useLocation } from '../../kit/location';
import { useRead } from '../../kit/query';
import { sees_money } from '../../kit/session';
import { Button, Empty, Failure, Skeleton } from '../../kit/ui';
import { Head } from '../../kit/page';
import { Pick } from '../../kit/pickers';
import { FeedDialog } from '../feed';
import { resources } from '../resources';

// All departures between two days, however many pages they take.
async function between(from: string, to: string, trip: string): Promise<any[]> {
  const all: any[] = [];
  for (let page = 1; page <= 20; page += 1) {
    const path = trip ? '/trips/{trip_id}/departures' : '/departures';
    const found = await json<any[]>('get', path, {
      params: { trip_id: trip || undefined, from, to, per_page: 100, page, order: 'asc', include_past: 'true' },
    });
    all.push(...found.data);
    if (page >= (found.meta?.total_pages ?? 1)) break;
  }
  return all;
}

const names = [...short_weekdays.slice(1), short_weekdays[0]!]; // from Monday on

function Month({ month, trip }: { month: string; trip: string }) {
  const first = `${month}-01`;
  const weekday = (new Date(`${first}T00:00:00Z`).getUTCDay() + 6) % 7;
  const days = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate();
  const start = plus_days(first, -weekday);
  const weeks = Math.ceil((weekday + days) / 7);
  const end = plus_days(start, weeks * 7 - 1);
  const read = useRead(`/departures/month/${start}/${trip}`, () => between(start, end, trip));
  const is_free = !!read.data && !read.data.length;
  const next = useRead(is_free ? `/departures/next/${end}/${trip}` : null, async () => {
    const path = trip ? '/trips/{trip_id}/departures' : '/departures';
    return (
      ((
        await json<any[]>('get', path, { params: { trip_id: trip || undefined, from: end, per_page: 1, order: 'asc' } })
      ).data[0]?.start_date as string | undefined) ?? null
    );
  });
  if (read.error && !read.data) return <Failure error={read.error} again={read.again} />;
  if (!read.data) return <Skeleton rows={10} />;
  const by_day = new Map<string, any[]>();
  for (const one of read.data) by_day.set(one.start_date, [...(by_day.get(one.start_date) ?? []), one]);
  const now = today();
  return (
    <div class="svc-month" aria-busy={read.loading}>
      {!read.data.length && (
        <Empty
          action={
            next.data ? (
              <a href={`/admin/departures?view=month&month=${next.data.slice(0, 7)}${trip ? `&trip=${trip}` : ''}`}>
                {t('The next is on {0}', day(next.data, 'l, j F Y'))}
              </a>
            ) : undefined
          }
        >
          {t('No departures in this month.')}
        </Empty>
      )}
      <div class="svc-weekdays" aria-hidden>
        {names.map((one) => (
          <span key={one}>{one}</span>
        ))}
      </div>
      <ol>
        {Array.from({ length: weeks * 7 }, (_, at) => {
          const date = plus_days(start, at);
          const all = by_day.get(date) ?? [];
          return (
            <li
              key={date}
              class={`${date.startsWith(month) ? '' : 'svc-outside'} ${date === now ? 'svc-now' : ''} ${all.length ? '' : 'svc-free'}`}
            >
              <span class="svc-date">
                <span class="svc-hidden">{day(date, 'l ')}</span>
                {Number(date.slice(8))}
              </span>
              {all.slice(0, 5).map((one) => {
                const share = one.max_capacity ? Math.min(1, one.booked_count / one.max_capacity) : 0;
                return (
                  <a
                    key={one.id}
                    href={`/admin/departures/${one.trip_id}/${one.id}`}
                    class={`svc-slot svc-${one.status === 'cancelled' ? 'off' : share >= 1 ? 'full' : share > 0.75 ? 'nearly' : share > 0 ? 'some' : 'none'}`}
                    title={t('{0}, {1} of {2} booked', one.trip?.title, one.booked_count, one.max_capacity)}
                  >
                    <span>
                      {one.time ? `${one.time} ` : ''}
                      {one.trip?.title}
                    </span>
                    <small>
                      {one.status === 'cancelled' ? t('cancelled') : `${one.booked_count}/${one.max_capacity}`}
                    </small>
                  </a>
                );
              })}
              {all.length > 5 && (
                <a href={`/admin/departures?view=list&from=${date}&to=${date}`}>{t('{0} more', all.length - 5)}</a>
              )}
            </li>
          );
        })}
      </ol>
    </div>
  );
}

export default function Departures() {
  const { route, query, path } = useLocation();
  const list = operation('get', '/departures');
  const month = /^\d{4}-\d\d$/.test(query.month ?? '') ? query.month! : today().slice(0, 7);
  const trip = query.trip ?? '';
  const view = query.view ?? (innerWidth < 700 ? 'list' : 'month');
  const go = (change: Record<string, string>) => {
    const next = new URLSearchParams({ ...query, ...change });
    for (const [name, value] of [...next]) if (!value) next.delete(name);
    route(`${path}?${next}`, true);
  };
  const moved = (by: number) => {
    const date = new Date(`${month}-15T00:00:00Z`);
    date.setUTCMonth(date.getUTCMonth() + by);
    return date.toISOString().slice(0, 7);
  };
  const about = resources['/departures']!;
  const [feed, setFeed] = useState(false);
  return (
    <div class="svc-page">
      <Head title={t('Departures')}>
        {can('get', '/departures/feed') && (
          <Button kind="quiet" icon={<CalendarSync size={16} aria-hidden />} onClick={() => setFeed(true)}>
            {t('Calendar feed')}
          </Button>
        )}
        <div class="svc-switch" role="group" aria-label={t('View')}>
          <Button
            aria-pressed={view === 'month'}
            onClick={() => go({ view: 'month', status: '', from: '', to: '', page: '' })}
          >
            {t('Month')}
          </Button>
          <Button aria-pressed={view === 'list'} onClick={() => go({ view: 'list' })}>
            {t('List')}
          </Button>
        </div>
      </Head>
      {view === 'month' ? (
        <>
          <div class="svc-bar">
            <Button
              icon={<ChevronLeft size={18} aria-hidden />}
              aria-label={t('Month before')}
              onClick={() => go({ month: moved(-1) })}
            />
            <h2 aria-live="polite">{day(`${month}-01`, 'F Y')}</h2>
            <Button
              icon={<ChevronRight size={18} aria-hidden />}
              aria-label={t('Month after')}
              onClick={() => go({ month: moved(1) })}
            />
            <Button kind="quiet" onClick={() => go({ month: '' })}>
              {t('Today')}
            </Button>
            <span class="svc-gap" />
            <label class="svc-filter">
              <span class="svc-hidden">{t('Trip')}</span>
              <Pick
                list="/trips"
                placeholder={t('All trips')}
                value={Number(trip) || null}
                onPick={(choice) => go({ trip: choice ? String(choice.id) : '' })}
              />
            </label>
          </div>
          <Month month={month} trip={trip} />
        </>
      ) : (
        list && (
          <List
            path="/departures"
            list={list}
            columns={about.columns!.filter((one) => one.key !== 'total_revenue' || sees_money())}
            tabs
            href={about.href}
            empty={<Empty>{about.empty}</Empty>}
          />
        )
      )}
      {feed && <FeedDialog trip={Number(trip) || null} onClose={() => setFeed(false)} />}
    </div>
  );
}
