// What a report shows of the sections that the server told: those without amounts for roles that may see no amounts.
import { language, t } from '../../kit/i18n';
import { Figures } from '../../kit/page';
import { Notice } from '../../kit/ui';
import {
  FirstRows,
  Opens,
  RankingSection,
  type Report,
  type Shown,
  TimeSeries,
  compared,
  in_money,
  percent,
  said_word,
} from './charts';

const sum = (rows: Record<string, any>[] | undefined, key: string) =>
  (rows ?? []).reduce((all, row) => all + Number(row[key] ?? 0), 0);
const whole = (value: number) => Math.round(value).toLocaleString(language);
const country = (code?: string) =>
  code && /^[A-Z]{2}$/.test(code) ? new Intl.DisplayNames([language], { type: 'region' }).of(code) : code;

function Head({ report, open, is_year }: Shown & { is_year: boolean }) {
  const amount = in_money(report);
  const {
    revenue_stats: revenue,
    booking_stats: booked,
    operational_stats: seats,
    customer_analytics: customers,
    lead_time: lead,
    outstanding,
    refunds,
    tax_rates,
  } = report;
  return (
    <Figures
      rows={[
        ...(report.type === 'taxes'
          ? [
              {
                label: t('Tax'),
                value: (
                  <Opens of={{ figure: 'taxes', title: t('Tax') }} open={open}>
                    {amount(sum(tax_rates, 'amount'))}
                  </Opens>
                ),
              },
            ]
          : []),
        ...(revenue
          ? [
              {
                label: t('Revenue'),
                value: (
                  <>
                    <Opens of={{ figure: 'payments', title: t('Payments') }} open={open}>
                      {amount(revenue.total)}
                    </Opens>
                    <small>{compared(revenue.change, is_year)}</small>
                  </>
                ),
              },
            ]
          : []),
        ...(revenue
          ? [
              {
                label: t('Booked value'),
                value: (
                  <>
                    <Opens of={{ figure: 'booked', title: t('Bookings that count') }} open={open}>
                      {amount(revenue.booked_value)}
                    </Opens>
                    <small>{t('{0} a booking, those refunded in full included', amount(revenue.average))}</small>
                  </>
                ),
              },
            ]
          : []),
        ...(booked
          ? [
              {
                label: t('Bookings'),
                value: (
                  <>
                    <Opens of={{ figure: 'bookings', title: t('Bookings') }} open={open}>
                      {whole(booked.total)}
                    </Opens>
                    <small>{compared(booked.change, is_year)}</small>
                  </>
                ),
              },
            ]
          : []),
        ...(booked
          ? [
              {
                label: t('Travelers'),
                value: (
                  <>
                    {whole(booked.travelers)}
                    <small>{t('{0} a booking', booked.averageGroupSize)}</small>
                  </>
                ),
              },
            ]
          : []),
        ...(booked
          ? [
              {
                label: t('Cancelled'),
                value: (
                  <>
                    <Opens of={{ figure: 'cancelled', title: t('Cancelled bookings') }} open={open}>
                      {whole(booked.cancelled)}
                    </Opens>
                    <small>{percent(booked.cancellationRate)}</small>
                  </>
                ),
              },
            ]
          : []),
        ...(booked?.conversionRate !== undefined && booked?.conversionRate !== null
          ? [{ label: t('Checkouts that became bookings'), value: percent(booked.conversionRate) }]
          : []),
        ...(seats
          ? [
              {
                label: t('Occupancy'),
                value: (
                  <>
                    <Opens of={{ figure: 'departures', title: t('Departures') }} open={open}>
                      {percent(seats.occupancyRate)}
                    </Opens>
                    <small>{t('{0} of {1} seats', whole(seats.bookedCapacity), whole(seats.totalCapacity))}</small>
                  </>
                ),
              },
            ]
          : []),
        ...(customers
          ? [
              {
                label: t('Customers'),
                value: (
                  <>
                    {whole(customers.customers)}
                    <small>{t('{0} new, {1} came back', whole(customers.new), percent(customers.returningRate))}</small>
                  </>
                ),
              },
            ]
          : []),
        ...(lead ? [{ label: t('Booked ahead'), value: t('{0} days', lead.averageDays) }] : []),
        ...(outstanding
          ? [
              {
                label: t('Outstanding'),
                value: (
                  <>
                    <Opens of={{ figure: 'outstanding', title: t('Outstanding') }} open={open}>
                      {amount(outstanding.amount)}
                    </Opens>
                    <small>{t('{0, plural, one {# booking} other {# bookings}}', outstanding.bookings ?? 0)}</small>
                  </>
                ),
              },
            ]
          : []),
        ...(refunds
          ? [
              {
                label: t('Refunded'),
                value: (
                  <>
                    <Opens of={{ figure: 'refunds', title: t('Refunds') }} open={open}>
                      {amount(refunds.total)}
                    </Opens>
                    <small>{`${t('{0, plural, one {# refund} other {# refunds}}', refunds.count ?? 0)}, ${percent(refunds.refundRate)}`}</small>
                  </>
                ),
              },
            ]
          : []),
      ]}
    />
  );
}

function Series({ report, is_year }: { report: Report; is_year: boolean }) {
  const amount = in_money(report);
  const by = { group_by: report.group_by ?? 'day' };
  const title = (what: string, change: number | null | undefined) =>
    [what, compared(change, is_year)].filter(Boolean).join(', ');
  return (
    <>
      {report.revenue_trend && (
        <TimeSeries
          {...by}
          title={title(
            t('Revenue was {0}', amount(sum(report.revenue_trend, 'revenue'))),
            report.revenue_stats?.change,
          )}
          rows={report.revenue_trend}
          value={(row) => Number(row.revenue)}
          said={(row) => amount(row.revenue)}
          axis={(value) => whole(value)}
          columns={[
            { key: 'payments', label: t('Paid'), show: (row) => amount(row.payments) },
            { key: 'refunds', label: t('Refunded'), show: (row) => amount(row.refunds) },
            { key: 'revenue', label: t('Revenue'), show: (row) => amount(row.revenue) },
          ]}
        />
      )}
      {report.booking_trend && (
        <TimeSeries
          {...by}
          title={title(
            t(
              '{0, plural, one {# booking was taken} other {# bookings were taken}}',
              sum(report.booking_trend, 'bookings'),
            ),
            report.booking_stats?.change,
          )}
          rows={report.booking_trend}
          value={(row) => row.bookings}
          said={(row) => t('{0, plural, one {# booking} other {# bookings}}', row.bookings)}
          axis={whole}
          columns={[
            { key: 'bookings', label: t('Bookings'), show: (row) => row.bookings },
            { key: 'cancelled', label: t('Cancelled'), show: (row) => row.cancelled },
            { key: 'travelers', label: t('Travelers'), show: (row) => row.travelers },
            ...(report.booking_trend.some((row: any) => row.booked_value !== undefined)
              ? [{ key: 'booked_value', label: t('Booked value'), show: (row: any) => amount(row.booked_value) }]
              : []),
          ]}
        />
      )}
      {report.occupancy_trend && (
        <TimeSeries
          {...by}
          title={t(
            '{0} of {1} seats were taken',
            whole(sum(report.occupancy_trend, 'seats')),
            whole(sum(report.occupancy_trend, 'capacity')),
          )}
          rows={report.occupancy_trend}
          value={(row) => Number(row.occupancyRate)}
          said={(row) => percent(row.occupancyRate)}
          axis={percent}
          columns={[
            { key: 'departures', label: t('Departures'), show: (row) => row.departures },
            { key: 'seats', label: t('Seats taken'), show: (row) => `${row.seats} / ${row.capacity}` },
            { key: 'occupancyRate', label: t('Occupancy'), show: (row) => percent(row.occupancyRate) },
          ]}
        />
      )}
    </>
  );
}

function Rankings({ report, open }: Shown) {
  const amount = in_money(report);
  const counted = { key: 'bookings', label: t('Bookings'), end: true, show: (row: any) => row.bookings };
  const totalled = {
    key: 'total',
    label: t('Booked value'),
    end: true,
    show: (row: any) => (row.total === undefined ? '' : amount(row.total)),
  };
  return (
    <div class="svc-two svc-even">
      <RankingSection
        title={t('Revenue by trip')}
        rows={report.revenue_by_trip}
        by={(row) => Number(row.revenue)}
        columns={[
          { key: 'title', label: t('Trip'), show: (row) => <a href={`/admin/trips/${row.trip_id}`}>{row.title}</a> },
          {
            key: 'revenue',
            label: t('Revenue'),
            end: true,
            show: (row) => (
              <Opens
                of={{ figure: 'payments', title: t('Payments: {0}', row.title), trip_id: row.trip_id }}
                open={open}
              >
                {amount(row.revenue)}
              </Opens>
            ),
          },
        ]}
      />
      <RankingSection
        title={t('How trips did')}
        rows={report.trip_performance}
        by={(row) => row.bookings}
        columns={[
          { key: 'title', label: t('Trip'), show: (row) => <a href={`/admin/trips/${row.trip_id}`}>{row.title}</a> },
          {
            key: 'bookings',
            label: t('Bookings'),
            end: true,
            show: (row) => (
              <Opens
                of={{ figure: 'bookings', title: t('Bookings: {0}', row.title), trip_id: row.trip_id }}
                open={open}
              >
                {row.bookings}
              </Opens>
            ),
          },
          {
            key: 'occupancyRate',
            label: t('Occupancy'),
            end: true,
            show: (row) => (
              <Opens
                of={{ figure: 'departures', title: t('Departures: {0}', row.title), trip_id: row.trip_id }}
                open={open}
              >
                {percent(row.occupancyRate)}
              </Opens>
            ),
          },
        ]}
      />
      <RankingSection
        title={t('Bookings by status')}
        rows={report.status_trend}
        by={(row) => row.bookings}
        columns={[
          { key: 'status', label: t('Status'), show: (row) => said_word(row, 'status') },
          {
            key: 'bookings',
            label: t('Bookings'),
            end: true,
            show: (row) => (
              <Opens of={{ figure: 'bookings', title: said_word(row, 'status'), word: row.status }} open={open}>
                {row.bookings}
              </Opens>
            ),
          },
          ...(report.status_trend?.some((row: any) => row.total !== undefined) ? [totalled] : []),
        ]}
      />
      <RankingSection
        title={t('Ways of payment')}
        rows={report.payment_methods}
        by={(row) => Number(row.amount)}
        columns={[
          { key: 'method', label: t('Way'), show: (row) => said_word(row, 'method') },
          { key: 'count', label: t('Payments'), end: true, show: (row) => row.count },
          {
            key: 'amount',
            label: t('Amount'),
            end: true,
            show: (row) => (
              <Opens of={{ figure: 'payments', title: said_word(row, 'method'), word: row.method }} open={open}>
                {amount(row.amount)}
              </Opens>
            ),
          },
        ]}
      />
      <RankingSection
        title={t('Refunds by way')}
        rows={report.refund_methods}
        by={(row) => Number(row.amount)}
        columns={[
          { key: 'method', label: t('Way'), show: (row) => said_word(row, 'method') },
          { key: 'count', label: t('Refunds'), end: true, show: (row) => row.count },
          {
            key: 'amount',
            label: t('Amount'),
            end: true,
            show: (row) => (
              <Opens of={{ figure: 'refunds', title: said_word(row, 'method'), word: row.method }} open={open}>
                {amount(row.amount)}
              </Opens>
            ),
          },
        ]}
      />
      <RankingSection
        title={t('Paid and unpaid')}
        rows={report.payment_status}
        by={(row) => Number(row.total)}
        columns={[
          { key: 'status', label: t('Status'), show: (row) => said_word(row, 'status') },
          counted,
          totalled,
          { key: 'due', label: t('Due'), end: true, show: (row) => amount(row.due) },
        ]}
      />
      <RankingSection
        title={t('Tax')}
        rows={report.tax_rates}
        by={(row) => Number(row.amount)}
        columns={[
          { key: 'label', label: t('Rate'), show: (row) => row.label },
          counted,
          {
            key: 'amount',
            label: t('Tax'),
            end: true,
            show: (row) => (
              <Opens of={{ figure: 'taxes', title: row.label, word: row.label }} open={open}>
                {amount(row.amount)}
              </Opens>
            ),
          },
        ]}
      />
      <RankingSection
        title={t('How far ahead')}
        rows={report.lead_time?.buckets}
        by={(row) => row.bookings}
        columns={[{ key: 'days', label: t('Days'), show: (row) => row.days }, counted]}
      />
      <RankingSection
        title={t('Party size')}
        rows={report.party_sizes}
        by={(row) => row.bookings}
        columns={[{ key: 'travelers', label: t('Travelers'), show: (row) => row.travelers }, counted]}
      />
      <RankingSection
        title={t('Who cancelled')}
        rows={report.cancellations}
        by={(row) => row.bookings}
        columns={[{ key: 'via', label: t('Through'), show: (row) => said_word(row, 'via') }, counted]}
      />
      <RankingSection
        title={t('Where bookings come from')}
        rows={report.sources}
        by={(row) => row.bookings}
        columns={[{ key: 'name', label: t('Through'), show: (row) => said_word(row, 'name') }, counted, totalled]}
      />
      <RankingSection
        title={t('Countries')}
        rows={report.countries}
        by={(row) => row.bookings}
        columns={[{ key: 'name', label: t('Country'), show: (row) => country(row.name) || '–' }, counted, totalled]}
      />
      <RankingSection
        title={t('Destinations')}
        rows={report.top_destinations}
        by={(row) => row.bookings}
        columns={[{ key: 'name', label: t('Destination'), show: (row) => row.name || '–' }, counted, totalled]}
      />
      <RankingSection
        title={t('Best customers')}
        rows={report.top_customers}
        by={(row) => Number(row.total ?? row.bookings)}
        columns={[
          {
            key: 'name',
            label: t('Customer'),
            show: (row) => <a href={`/admin/customers/${row.customer_id}`}>{row.name || row.email}</a>,
          },
          counted,
          totalled,
        ]}
      />
    </div>
  );
}

// Sections in the order of the page.
function first_rows(report: Report): unknown {
  const lists = [
    'revenue_trend',
    'booking_trend',
    'occupancy_trend',
    'revenue_by_trip',
    'trip_performance',
    'status_trend',
    'payment_methods',
    'tax_rates',
    'countries',
  ];
  return lists.map((name) => report[name]).find(Boolean);
}

export function Body({ report, open, is_year }: Shown & { is_year: boolean }) {
  return (
    <>
      {(report.other_currencies ?? []).length > 0 && (
        <Notice kind="info">
          {t(
            'Not in these amounts: {0}.',
            report.other_currencies
              .map((one: any) =>
                t('{0} in {1}', t('{0, plural, one {# booking} other {# bookings}}', one.bookings), one.currency),
              )
              .join(', '),
          )}
        </Notice>
      )}
      <Head report={report} open={open} is_year={is_year} />
      <FirstRows.Provider value={first_rows(report)}>
        <Series report={report} is_year={is_year} />
        <Rankings report={report} open={open} />
      </FirstRows.Provider>
    </>
  );
}
