// The waiting list: bookings by departure, as the server serves them, with the free seats.
import { Ellipsis } from 'lucide-preact';
import { useState } from 'preact/hooks';

import { type RowOf, api, json } from '../../kit/client';
import { day } from '../../kit/format';
import { t } from '../../kit/i18n';
import { can } from '../../kit/interface';
import { useRead } from '../../kit/query';
import { Ago, Button, Empty, Load, Loaded, Menu, Notice } from '../../kit/ui';
import { Head, Section } from '../../kit/page';
import { StatusDialog } from '../booking-dialogs';

const most = 500;
type Waiter = RowOf<'/waitlist'>;
interface Group {
  id: number; // of the departure
  trip: number;
  title: string;
  date: string;
  time: string;
  waiting: Waiter[];
  departure: Record<string, any> | null; // null: the reader may not see departures
}

// The waiting bookings in the server's order, the next departure first, with all departures of those days in one read: a
// site may have more of them than requests a minute.
async function waiting(): Promise<{ groups: Group[]; shown: number; total: number }> {
  const all: Waiter[] = [];
  let total = 0;
  for (let page = 1; all.length < most; page += 1) {
    const found = await api.list('/waitlist', { per_page: 100, page });
    all.push(...found.data);
    total = found.meta.total;
    if (page >= (found.meta.total_pages ?? 1)) break;
  }
  const groups = new Map<number, Group>();
  for (const one of all) {
    const found = groups.get(one.departure_id!) ?? {
      id: one.departure_id!,
      trip: one.trip_id!,
      title: one.trip_title ?? '',
      date: one.travel_date ?? '',
      time: one.departure_time ?? '',
      waiting: [],
      departure: null,
    };
    found.waiting.push(one);
    groups.set(found.id, found);
  }
  const sorted = [...groups.values()];
  if (sorted.length && can('get', '/departures')) {
    const departures = new Map<number, Record<string, any>>();
    for (let page = 1; ; page++) {
      const found = await json<Record<string, any>[]>('get', '/departures', {
        params: { from: sorted[0]!.date, to: sorted.at(-1)!.date, per_page: 100, page },
      });
      for (const one of found.data) departures.set(one.id, one);
      if (page >= (found.meta.total_pages ?? 1)) break;
    }
    for (const group of sorted) group.departure = departures.get(group.id) ?? null;
  }
  return { groups: sorted, shown: all.length, total };
}

interface Step {
  booking: Waiter;
  to: string;
  say: string;
}
function Waiting({ group, step }: { group: Group; step: (one: Step) => void }) {
  const { trip, date, time, departure } = group;
  const free = departure ? (departure.sale_state === 'open' ? departure.available_capacity : 0) : null;
  const changes = can('put', '/bookings/{id}/status');
  const title = `${group.title}, ${day(date, 'D j M Y')}${time ? ` ${time}` : ''}`;
  return (
    <Section
      title={title}
      action={
        departure && (
          <a
            class="svc-button svc-quiet"
            href={`/admin/departures/${trip}/${departure.id}`}
            aria-label={t('Departure of {0}', title)}
          >
            {t('Departure')}
          </a>
        )
      }
    >
      {departure && (
        <p>
          <Load booked={departure.booked_count} capacity={departure.max_capacity} />
          {' · '}
          {free ? t('{0, plural, one {# seat is free.} other {# seats are free.}}', free) : t('No seat is free.')}
        </p>
      )}
      <ol class="svc-rows">
        {group.waiting.map((one, at) => {
          const party = one.travelers_count ?? 1;
          const fits = free === null || party <= free;
          return (
            <li key={one.id}>
              <a href={`/admin/bookings/${one.id}`}>
                <b>
                  {at + 1}. {one.customer_name || one.customer_email}
                </b>
                <span>
                  {t('{0, plural, one {# traveler} other {# travelers}}', party)}, {t('joined')}{' '}
                  <Ago at={one.joined_at} />
                  {free && !fits ? `, ${t('does not fit')}` : ''}
                </span>
              </a>
              {changes && (
                <>
                  <Button
                    kind={at === 0 && fits ? 'primary' : 'plain'}
                    disabled={!fits}
                    aria-label={t('Give seats to {0}', one.customer_name || one.reference)}
                    onClick={() => step({ booking: one, to: 'pending', say: t('Give the seats') })}
                  >
                    {t('Give seats')}
                  </Button>
                  <Menu
                    label={t('More for {0}', one.customer_name || one.reference)}
                    items={[
                      {
                        label: t('Confirm at once'),
                        run: () => step({ booking: one, to: 'confirmed', say: t('Confirm at once') }),
                      },
                      {
                        label: t('Take off the list'),
                        danger: true,
                        run: () => step({ booking: one, to: 'cancelled', say: t('Take off the list') }),
                      },
                    ]}
                    icon={<Ellipsis size={18} aria-hidden />}
                  />
                </>
              )}
            </li>
          );
        })}
      </ol>
    </Section>
  );
}

export default function Waitlist() {
  const read = useRead('/waitlist', waiting);
  const [open, setOpen] = useState<Step | null>(null);
  return (
    <div class="svc-page">
      <Head
        title={t('Waiting list')}
        sub={t('The booking that has waited longest is served first, also by the server when seats become free.')}
      />
      <Loaded read={read} rows={8}>
        {({ groups, shown, total }) =>
          groups.length ? (
            <>
              {total > shown && (
                <Notice kind="info">
                  {t('The first {0} are shown, of {1}.', shown, total)}{' '}
                  <a href="/admin/bookings?status=waitlist">{t('All of them')}</a>
                </Notice>
              )}
              {groups.map((one) => (
                <Waiting key={one.id} group={one} step={setOpen} />
              ))}
            </>
          ) : (
            <Empty
              action={
                <a class="svc-button svc-plain" href="/admin/departures">
                  {t('See the departures')}
                </a>
              }
            >
              {t('Nobody waits for seats.')}
            </Empty>
          )
        }
      </Loaded>
      {open && <StatusDialog booking={open.booking} to={open.to} say={open.say} onClose={() => setOpen(null)} />}
    </div>
  );
}
