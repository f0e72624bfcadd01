// One departure: its manifest, which prints on one sheet, its seats, and cancelling it.
import { Download, Printer } from 'lucide-preact';
import { useState } from 'preact/hooks';

import { type DataOf, api, file, json } from '../../kit/client';
import { Field } from '../../kit/field';
import { SchemaFields } from '../../kit/form';
import { FormDialog } from '../../kit/form-dialog';
import { type Values, useForm } from '../../kit/use-form';
import { day, money, words } from '../../kit/format';
import { t } from '../../kit/i18n';
import { can, fields, operation } from '../../kit/interface';
import { later } from '../../kit/later';
import { changed, useRead } from '../../kit/query';
import { Button, Empty, Load, Loaded, Menu, Notice, Status, failed, toast } from '../../kit/ui';
import { Facts, Figures, Head, Opened, Section } from '../../kit/page';
import { ActionDialog } from '../action';
import { GuideField, GuideName } from '../guide';

const CheckIn = later(() => import('../check-in'));
const ConsentDeparture = later(() => import('../consent-departure'));

type Departure = DataOf<'/trips/{trip_id}/departures/{id}', 'get'> & Record<string, any>;

// Who travels, by booking; a booking whose travelers have no names yet stands with its contact.
async function travelers_of(departure: Departure): Promise<any[]> {
  const all: any[] = [];
  for (let page = 1; page <= 20; page += 1) {
    const found = await json<any[]>('get', '/travelers', {
      params: { departure_id: departure.id, per_page: 100, page },
    });
    all.push(...found.data);
    if (page >= (found.meta?.total_pages ?? 1)) break;
  }
  const named = new Set(all.map((one) => one.booking_id));
  for (const one of departure.travelers ?? [])
    if (!named.has(one.booking_id))
      all.push({
        id: `booking-${one.booking_id}-${one.id}`,
        booking_id: one.booking_id,
        booking_reference: one.booking_reference,
        traveler_index: one.is_lead ? 1 : 2,
        is_lead: one.is_lead,
        fields: { first_name: one.first_name, last_name: one.last_name, phone: one.phone },
      });
  return all.sort((a, b) => a.booking_id - b.booking_id || a.traveler_index - b.traveler_index);
}

// Its bookings with what they owe; of a very large departure the first.
async function bookings_of(departure: Departure): Promise<Record<number, any>> {
  const found = await Promise.all(
    (departure.booking_ids ?? []).slice(0, 80).map((id) => api.get('/bookings/{id}', { id })),
  );
  return Object.fromEntries(found.map((one) => [one.id, one]));
}

function CancelDialog({ departure, onClose }: { departure: Departure; onClose: () => void }) {
  const form = useForm({ reason: '', cancel_bookings: true });
  const run = async () => {
    const done = await api.put(
      '/trips/{trip_id}/departures/{id}',
      { trip_id: departure.trip_id, id: departure.id },
      {
        status: 'cancelled',
        reason: form.values.reason,
        cancel_bookings: form.values.cancel_bookings,
        row_version: departure.row_version,
      },
    );
    toast(
      t(
        'Cancelled. {0} cancelled; their customers are told by e-mail.',
        t('{0, plural, one {# booking} other {# bookings}}', (done as any).cancelled_bookings ?? 0),
      ),
    );
  };
  return (
    <FormDialog
      title={t('Cancel this departure?')}
      form={form}
      run={run}
      done={() => changed('/departures', '/bookings', '/trips')}
      onClose={onClose}
      action={t('Cancel the departure')}
      danger
    >
      <p>
        {t(
          '{0}, {1}: {2}, {3}. It is no longer sold.',
          departure.trip?.title,
          day(departure.start_date),
          t('{0, plural, one {# booking} other {# bookings}}', departure.bookings_count ?? 0),
          t('{0, plural, one {# traveler} other {# travelers}}', departure.booked_count ?? 0),
        )}
      </p>
      <Field label={t('Reason, told to the travelers')} errors={form.errors.reason}>
        {({ id }) => (
          <textarea
            id={id}
            rows={3}
            value={form.values.reason}
            onInput={(event) => form.set('reason', event.currentTarget.value)}
          />
        )}
      </Field>
      <Field
        label={t('Cancel its bookings and tell the customers')}
        help={t('Off: the bookings stay, to be moved one by one.')}
        inline
      >
        {({ id, describedby }) => (
          <input
            id={id}
            type="checkbox"
            role="switch"
            aria-describedby={describedby}
            checked={form.values.cancel_bookings}
            onChange={(event) => form.set('cancel_bookings', event.currentTarget.checked)}
          />
        )}
      </Field>
    </FormDialog>
  );
}

function EditDialog({ departure, onClose }: { departure: Departure; onClose: () => void }) {
  const form = useForm(departure);
  const write = operation('put', '/trips/{trip_id}/departures/{id}')!;
  const only = [
    'start_date',
    'end_date',
    'time',
    'arrival_time',
    'max_capacity',
    'price_override',
    'sale_price',
    'sale_state',
    'block_reason',
    'cutoff_hours',
    'guide_user_id',
    'alert_threshold',
    'from_location',
    'pickup_location',
    'dropoff_location',
    'equipment_included',
    'special_notes',
    'notes',
  ].filter((one) => one in fields(write.body));
  const run = async (changes: Values, row_version = departure.row_version) => {
    await api.put(
      '/trips/{trip_id}/departures/{id}',
      { trip_id: departure.trip_id, id: departure.id },
      { ...changes, row_version },
    );
    toast(t('Saved.'));
  };
  return (
    <FormDialog
      title={t('Change the departure')}
      form={form}
      run={run}
      done={() => changed('/departures', '/bookings', '/trips')}
      onClose={onClose}
      disabled={!form.dirty}
      wide
      known={only}
      compare={{
        saved: departure,
        read: () => api.get('/trips/{trip_id}/departures/{id}', { trip_id: departure.trip_id, id: departure.id }),
      }}
    >
      <p>{t('Its bookings move with its dates, and their customers are told.')}</p>
      <div class="svc-fields">
        <SchemaFields schema={write.body!} form={form} only={only} own={{ guide_user_id: GuideField }} />
      </div>
    </FormDialog>
  );
}

function Screen({ departure }: { departure: Departure }) {
  const [dialog, setDialog] = useState('');
  const people = useRead(can('get', '/travelers') ? `/departures/${departure.id}/travelers` : null, () =>
    travelers_of(departure),
  );
  const bookings = useRead(
    can('get', '/bookings/{id}') && departure.booking_ids?.length ? `/bookings/of/${departure.id}` : null,
    () => bookings_of(departure),
  );
  const save = (format: string) =>
    file('/travelers', { departure_id: departure.id, format }, `manifest-${departure.start_date}.${format}`).catch(
      failed,
    );
  const repeats = can('post', '/availability/{id}/duplicate') && operation('post', '/availability/{id}/duplicate');
  const left = departure.available_capacity ?? 0;
  // Guides, who see no customers, and those who change bookings or departures.
  const checks_in =
    can('put', '/travelers/{id}/check-in') &&
    departure.status !== 'cancelled' &&
    (can('put', '/bookings/{id}') || can('put', '/trips/{trip_id}/departures/{id}') || !can('get', '/customers'));
  const extra = ['dietary_requirements', 'medical_conditions', 'nationality', 'date_of_birth'];
  const shown = extra.filter((name) =>
    (people.data ?? []).some((one) => one.fields?.[name] && one.fields[name] !== 'none'),
  );
  return (
    <div class="svc-page svc-manifest">
      <Head
        title={departure.trip?.title ?? t('Departure')}
        back={{ href: '/admin/departures', label: t('Departures') }}
        status={<Status value={departure.status} />}
        sub={
          <>
            {day(departure.start_date, 'l, j F Y')} {departure.time ?? ''}
            {departure.end_date !== departure.start_date && ` ${t('to {0}', day(departure.end_date))}`}
          </>
        }
      >
        <Menu
          label={t('More')}
          items={[
            can('put', '/trips/{trip_id}/departures/{id}') &&
              departure.status !== 'cancelled' && { label: t('Change'), run: () => setDialog('edit') },
            repeats && { label: t('Repeat on another day'), run: () => setDialog('repeat') },
            { label: t('Manifest as CSV'), run: () => save('csv') },
            { label: t('Manifest as XLSX'), run: () => save('xlsx') },
            can('put', '/trips/{trip_id}/departures/{id}') &&
              departure.status !== 'cancelled' && {
                label: t('Cancel the departure'),
                danger: true,
                run: () => setDialog('cancel'),
              },
          ]}
        />
        {can('post', '/bookings') && left > 0 && departure.status === 'upcoming' && (
          <a
            class="svc-button svc-plain"
            href={`/admin/bookings/new?trip=${departure.trip_id}&date=${departure.start_date}${departure.time ? `&time=${departure.time}` : ''}`}
          >
            {t('Book on it')}
          </a>
        )}
        <Button kind="primary" icon={<Printer size={16} aria-hidden />} onClick={() => print()}>
          {t('Print')}
        </Button>
      </Head>
      <Figures
        rows={[
          {
            label: t('Booked'),
            value: <Load booked={departure.booked_count ?? 0} capacity={departure.max_capacity ?? 0} />,
          },
          { label: t('Waiting'), value: departure.waiting_count ?? 0 },
          ...(departure.total_revenue === null
            ? []
            : [{ label: t('Revenue'), value: money(departure.total_revenue, departure.currency) }]),
        ]}
      />
      {departure.notes && (
        <Notice kind="info">
          <p class="svc-pre">{departure.notes}</p>
        </Notice>
      )}
      <Section
        title={t('Manifest')}
        action={
          <Button
            kind="quiet"
            icon={<Download size={16} aria-hidden />}
            aria-label={t('Save as {0}', 'CSV')}
            onClick={() => save('csv')}
          />
        }
      >
        <Loaded read={people}>
          {(all) =>
            all.length ? (
              <div class="svc-scroll" tabIndex={0} role="region" aria-label={t('Manifest')}>
                <table class="svc-table">
                  <thead>
                    <tr>
                      <th class="svc-print">✓</th>
                      <th>{t('Traveler')}</th>
                      <th>{t('Phone')}</th>
                      <th>{t('Booking')}</th>
                      <th>{t('Status')}</th>
                      {checks_in && <th>{t('Check-in')}</th>}
                      {shown.map((name) => (
                        <th key={name}>{words(name)}</th>
                      ))}
                    </tr>
                  </thead>
                  <tbody>
                    {all.map((one) => {
                      const booking = bookings.data?.[one.booking_id];
                      const phone = String(
                        (one.is_lead ? (booking?.customer_phone ?? one.fields?.phone) : one.fields?.phone) ?? '',
                      );
                      return (
                        <tr key={one.id}>
                          <td class="svc-print">☐</td>
                          <td>
                            {[one.fields?.first_name, one.fields?.last_name].filter(Boolean).join(' ') || (
                              <span class="svc-none">{t('Not named yet')}</span>
                            )}{' '}
                            {one.is_lead && (
                              <small>
                                {t(
                                  'lead{0}',
                                  booking && booking.travelers_count > 1
                                    ? t(', party of {0}', booking.travelers_count)
                                    : '',
                                )}
                              </small>
                            )}
                          </td>
                          <td>{phone && <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{phone}</a>}</td>
                          <td>
                            <a class="svc-mono" href={`/admin/bookings/${one.booking_id}`}>
                              {one.booking_reference}
                            </a>
                            {one.is_lead && booking?.amount_due > 0 && (
                              <small>{t('{0} due', money(booking.amount_due, booking.currency))}</small>
                            )}
                          </td>
                          <td>
                            <Status value={one.booking_status ?? booking?.status} />
                          </td>
                          {checks_in && (
                            <td>
                              {typeof one.id === 'number' && (
                                <CheckIn
                                  departure={departure.id}
                                  traveler={one.id}
                                  name={[one.fields?.first_name, one.fields?.last_name].filter(Boolean).join(' ')}
                                />
                              )}
                            </td>
                          )}
                          {shown.map((name) => (
                            <td key={name} data-label={words(name)}>
                              {name === 'date_of_birth'
                                ? day(one.fields?.[name])
                                : one.fields?.[name] === 'none'
                                  ? ''
                                  : words(String(one.fields?.[name] ?? ''))}
                            </td>
                          ))}
                        </tr>
                      );
                    })}
                  </tbody>
                </table>
              </div>
            ) : (
              <Empty>{t('Nobody travels on it yet.')}</Empty>
            )
          }
        </Loaded>
      </Section>
      {can('get', '/consent/departures/{id}') && <ConsentDeparture departure={departure.id} />}
      <Section title={t('Details')}>
        <Facts
          rows={[
            [t('Trip'), <a href={`/admin/trips/${departure.trip_id}`}>{departure.trip?.title}</a>],
            [t('Sale'), departure.sale_state && words(departure.sale_state)],
            [
              t('Guide'),
              departure.guide_user_id && can('get', '/departures/guides') && <GuideName id={departure.guide_user_id} />,
            ],
            [t('Starts at'), departure.from_location],
            [t('Pickup'), departure.pickup_location],
            [
              t('Price of this date'),
              departure.price_override ? money(departure.price_override, departure.currency) : '',
            ],
            [t('Closes'), departure.cutoff_hours ? t('{0} hours before', departure.cutoff_hours) : ''],
            [t('Special notes'), departure.special_notes],
            [t('From'), departure.source && words(departure.source)],
          ]}
        />
      </Section>
      {dialog === 'cancel' && <CancelDialog departure={departure} onClose={() => setDialog('')} />}
      {dialog === 'repeat' && repeats && (
        <ActionDialog
          found={repeats}
          title={t('Repeat on another day')}
          params={{ id: departure.id }}
          only={['departure_date', 'departure_time', 'seats_total']}
          done={() => (changed('/departures', '/availability', '/trips'), setDialog(''))}
          onClose={() => setDialog('')}
        />
      )}
      {dialog === 'edit' && <EditDialog departure={departure} onClose={() => setDialog('')} />}
    </div>
  );
}

export default function DepartureScreen({ trip, id }: { trip: number; id: number }) {
  const read = useRead(`/departures/${trip}/${id}`, () =>
    api.get('/trips/{trip_id}/departures/{id}', { trip_id: trip, id }),
  );
  return (
    <Opened read={read} back={{ href: '/admin/departures', label: t('Departures') }} rows={8}>
      {(departure) => <Screen departure={departure as Departure} />}
    </Opened>
  );
}
