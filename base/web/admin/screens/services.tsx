// Additional services: what is sold with trips, in words with its limits; what sold well; what the coming departures need.
import { Ellipsis, Plus } from 'lucide-preact';
import { useState } from 'preact/hooks';

import { json } from '../../kit/client';
import { SchemaFields } from '../../kit/form';
import { FormDialog } from '../../kit/form-dialog';
import { day, money, plus_days, today } from '../../kit/format';
import { number, t } from '../../kit/i18n';
import { can, operation } from '../../kit/interface';
import { type Column, List, type Row } from '../../kit/list';
import { useLocation } from '../../kit/location';
import { Head, Nowhere, Opened, Section } from '../../kit/page';
import { changed, useRead } from '../../kit/query';
import { Button, Confirm, Empty, Failure, Loaded, Menu, Status, failed, toast } from '../../kit/ui';
import { type Values, useForm } from '../../kit/use-form';
import { TripServices } from '../trip-services';

const path = '/additional-services';
const refresh = () => changed(path, '/booking/trip', '/trips');

// What it costs and what limits it, one sentence after another.
function said(service: Values): string[] {
  const price = Number(service.price ?? 0);
  const says: string[] = [];
  if (service.is_included) says.push(t('Included in every booking, free of charge.'));
  else {
    const amount = service.price_type === 'percentage' ? `${price} %` : money(price, service.currency);
    says.push(
      service.price_type === 'percentage'
        ? t('{0} of the price.', amount)
        : service.price_per === 'day'
          ? t('{0} per day.', amount)
          : service.price_per === 'booking'
            ? t('{0} per booking.', amount)
            : t('{0} per person.', amount),
    );
    if (service.is_required) says.push(t('Part of every booking.'));
  }
  if (service.max_quantity) says.push(t('At most {0} in a booking.', number(service.max_quantity)));
  if (service.max_per_traveler) says.push(t('At most {0} for each traveler.', number(service.max_per_traveler)));
  if (service.stock_per_departure) says.push(t('{0} on each departure.', number(service.stock_per_departure)));
  if (service.deadline_hours)
    says.push(
      service.deadline_hours % 24
        ? t('Until {0, plural, one {# hour} other {# hours}} before the departure.', service.deadline_hours)
        : t('Until {0, plural, one {# day} other {# days}} before the departure.', service.deadline_hours / 24),
    );
  says.push(
    service.applicable_to === 'specific_trips'
      ? t('{0, plural, one {On # trip.} other {On # trips.}}', (service.trip_ids ?? []).length)
      : t('On all trips.'),
  );
  return says;
}

function ServiceDialog({ service, onClose }: { service: Values | null; onClose: () => void }) {
  const form = useForm(service ?? undefined);
  const start = { price_type: 'fixed', price: 0, price_per: 'person', applicable_to: 'all', status: 'draft' };
  const values: Values = { ...(service ?? { ...start, is_taxable: true }), ...form.changes };
  const shape = { ...form, values };
  const write = operation(service ? 'put' : 'post', service ? `${path}/{id}` : path)!;
  const run = async (changes: Values, row_version = service?.row_version) => {
    if (service) await json('put', `${path}/{id}`, { params: { id: service.id }, body: { ...changes, row_version } });
    else await json('post', path, { body: values });
    await refresh();
    toast(t('The service is saved.'));
  };
  const fields = (only: string[]) => (
    <SchemaFields
      schema={write.body!}
      form={shape}
      only={only}
      labels={{
        max_quantity: t('At most in a booking'),
        max_per_traveler: t('At most for each traveler'),
        stock_per_departure: t('Stock of each departure'),
        deadline_hours: t('Hours before the departure until which customers add it'),
      }}
    />
  );
  const automatic = values.is_required || values.is_included;
  return (
    <FormDialog
      title={service ? t('Change the service') : t('New service')}
      form={form}
      run={run}
      onClose={onClose}
      disabled={!values.name}
      wide
      compare={
        service
          ? {
              saved: service,
              read: async () => (await json<Values>('get', `${path}/{id}`, { params: { id: service.id } })).data,
            }
          : undefined
      }
    >
      <div class="svc-two">
        <div>
          {fields(['name', 'description', 'icon', 'price_type', 'price'])}
          {values.price_type !== 'percentage' && fields(['price_per'])}
          {fields(['is_required', 'is_included', 'is_taxable'])}
          <fieldset class="svc-group">
            <legend>{t('Limits')}</legend>
            {automatic && <p>{t('It comes with every booking, so the seats limit it.')}</p>}
            {fields(
              automatic && !values.stock_per_departure
                ? []
                : ['max_quantity', 'max_per_traveler', 'stock_per_departure', 'deadline_hours'],
            )}
          </fieldset>
          {fields(['applicable_to', ...(values.applicable_to === 'specific_trips' ? ['trip_ids'] : [])])}
          {fields(['status', 'sort_order'])}
        </div>
        <div>
          <h3>{t('In words')}</h3>
          <ul class="svc-says" aria-live="polite">
            {said(values).map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
          {values.stock_per_departure && values.price_type !== 'percentage' && values.price_per === 'person' && (
            <p>{t('A party takes one piece of the stock for each of its travelers.')}</p>
          )}
        </div>
      </div>
    </FormDialog>
  );
}

const periods: [string, number][] = [
  [t('Last 30 days'), 30],
  [t('Last 90 days'), 90],
  [t('Last year'), 365],
];

function Sales() {
  const [days, setDays] = useState(90);
  const report = `${path}/report`;
  const read = useRead(
    `${report}?${days}`,
    async () => (await json<Values>('get', report, { params: { from: plus_days(today(), -days) } })).data,
  );
  return (
    <Section title={t('What was sold')}>
      <label class="svc-filter">
        <span>{t('Booked in')}</span>
        <select value={days} onChange={(event) => setDays(Number(event.currentTarget.value))}>
          {periods.map(([label, count]) => (
            <option key={count} value={count}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <Loaded read={read} rows={3}>
        {(found) =>
          found.services.length ? (
            <table class="svc-lines">
              <thead>
                <tr>
                  <th scope="col">{t('Service')}</th>
                  <th scope="col" class="svc-end">
                    {t('Bookings')}
                  </th>
                  <th scope="col" class="svc-end">
                    {t('Pieces')}
                  </th>
                  <th scope="col" class="svc-end">
                    {t('Revenue')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {(found.services as Values[]).map((one) => (
                  <tr key={`${one.service_id} ${one.currency}`}>
                    <th scope="row">{one.name}</th>
                    <td class="svc-end">
                      {number(one.bookings_count)} <small>{`${Math.round(Number(one.share_of_bookings))} %`}</small>
                    </td>
                    <td class="svc-end">{number(one.quantity)}</td>
                    <td class="svc-end">{money(one.revenue, one.currency)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          ) : (
            <p>{t('Nothing to count yet.')}</p>
          )
        }
      </Loaded>
    </Section>
  );
}

function Needs() {
  const needs = `${path}/departures`;
  const read = useRead(needs, async () => (await json<Values[]>('get', needs)).data);
  return (
    <Section title={t('What the next 30 days need')}>
      <Loaded read={read} rows={3}>
        {(rows) =>
          rows.length ? (
            <ul class="svc-rows">
              {rows.map((one) => (
                <li key={`${one.service_id} ${one.trip_id} ${one.travel_date} ${one.departure_time}`}>
                  <span>
                    <b>
                      {day(one.travel_date)} {one.departure_time ?? ''}
                    </b>{' '}
                    <small>{one.trip_title}</small>
                  </span>
                  <span class="svc-end">
                    {one.stock_per_departure
                      ? t('{0}: {1} of {2}', one.name, number(one.quantity), number(one.stock_per_departure))
                      : t('{0}: {1}', one.name, number(one.quantity))}
                  </span>
                </li>
              ))}
            </ul>
          ) : (
            <p>{t('No booking of the next 30 days has a service.')}</p>
          )
        }
      </Loaded>
    </Section>
  );
}

// The service that an address names.
function One({ id, onClose }: { id: number; onClose: () => void }) {
  const read = useRead(
    `${path}/${id}`,
    async () => (await json<Values>('get', `${path}/{id}`, { params: { id } })).data,
  );
  if (read.data) return <ServiceDialog service={read.data} onClose={onClose} />;
  return read.error ? <Failure error={read.error} again={read.again} /> : null;
}

// The services of one trip, reached from the trip.
function OfTrip({ id }: { id: number }) {
  const read = useRead(`/trips/${id}`, async () => (await json<Values>('get', '/trips/{id}', { params: { id } })).data);
  return (
    <Opened read={read} back={{ href: `/admin/trips/${id}`, label: t('Trip') }}>
      {(trip) => (
        <div class="svc-page">
          <Head title={t('Services of {0}', trip.title)} back={{ href: `/admin/trips/${id}`, label: t('Trip') }} />
          <Section>
            <TripServices id={id} />
          </Section>
        </div>
      )}
    </Opened>
  );
}

type Step = { kind: 'edit'; service: Values | null } | { kind: 'delete'; service: Row };

export default function Services({ part, item }: { part?: string; item?: string }) {
  const { route } = useLocation();
  const [step, setStep] = useState<Step | null>(part === 'new' ? { kind: 'edit', service: null } : null);
  const list = operation('get', path);
  if (!list) return <Nowhere>{t('There is no such list. The address may be wrong, or its module off.')}</Nowhere>;
  const home = () => route(`/admin${path}`);
  if (part === 'trip' && item) return <OfTrip id={Number(item)} />;
  const close = () => {
    setStep(null);
    if (part) home();
  };
  const may_write = can('post', path);
  const set_status = (service: Row, status: string, done: string) =>
    json('put', `${path}/{id}`, { params: { id: service.id }, body: { status } })
      .then(refresh)
      .then(() => toast(done), failed);
  const columns: Column[] = [
    {
      key: 'name',
      sort: 'name',
      show: (row) => (
        <>
          {may_write ? (
            <button type="button" class="svc-opens" onClick={() => setStep({ kind: 'edit', service: row })}>
              {row.name}
            </button>
          ) : (
            <b>{row.name}</b>
          )}
          <small class="svc-whole">{said(row).join(' ')}</small>
        </>
      ),
    },
    { key: 'status', show: (row) => <Status value={row.status} /> },
    { key: 'bookings_count', label: t('Bookings'), end: true },
    {
      key: 'total_revenue',
      label: t('Revenue'),
      end: true,
      show: (row) => money(row.total_revenue, row.currency),
    },
  ];
  if (may_write)
    columns.push({
      key: 'actions',
      label: t('Actions'),
      action: true,
      end: true,
      show: (row) => (
        <Menu
          label={t('Actions for {0}', row.name)}
          icon={<Ellipsis size={18} aria-hidden />}
          items={[
            { label: t('Change'), run: () => setStep({ kind: 'edit', service: row }) },
            row.status === 'publish'
              ? { label: t('Stop offering it'), run: () => set_status(row, 'draft', t('It is no longer offered.')) }
              : { label: t('Offer it'), run: () => set_status(row, 'publish', t('It is offered.')) },
            { label: t('Delete'), danger: true, run: () => setStep({ kind: 'delete', service: row }) },
          ]}
        />
      ),
    });
  return (
    <div class="svc-page">
      <Head
        title={t('Additional services')}
        sub={t('Extras that customers add to a trip: a transfer, a bicycle, a meal.')}
      >
        {may_write && (
          <Button
            kind="primary"
            icon={<Plus size={16} aria-hidden />}
            onClick={() => setStep({ kind: 'edit', service: null })}
          >
            {t('New service')}
          </Button>
        )}
      </Head>
      <List
        path={path}
        list={list}
        columns={columns}
        tabs
        bulk={{
          method: 'post',
          path: `${path}/bulk`,
          actions: [
            { name: 'publish', label: t('Offer') },
            { name: 'draft', label: t('Stop offering') },
            { name: 'trash', label: t('Move to trash'), danger: true },
          ],
        }}
        search={t('Name or description')}
        empty={<Empty>{t('No services yet. The first one can be offered on all trips at once.')}</Empty>}
      />
      {can('get', `${path}/report`) && <Sales />}
      <Needs />
      {part && /^\d+$/.test(part) && <One id={Number(part)} onClose={home} />}
      {step?.kind === 'edit' && <ServiceDialog service={step.service} onClose={close} />}
      {step?.kind === 'delete' && (
        <Confirm
          title={t('Delete {0}?', step.service.name)}
          action={t('Delete')}
          danger
          onClose={close}
          run={async () => {
            await json('delete', `${path}/{id}`, { params: { id: step.service.id } });
            await refresh();
          }}
        >
          {step.service.status === 'trash'
            ? t('It is deleted for good.')
            : t('It moves to the trash and is no longer offered. Bookings keep what they bought.')}
        </Confirm>
      )}
    </div>
  );
}
