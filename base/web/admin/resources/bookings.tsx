// Bookings and their travelers.
import { money, words } from '../../kit/format';
import { t } from '../../kit/i18n';
import type { Row } from '../../kit/list';
import { Status } from '../../kit/ui';
import { type Resources } from './presentation';

const parties = (row: Row) =>
  Object.values((row.traveler_counts ?? {}) as Record<string, number>).reduce((sum, one) => sum + Number(one), 0);

export const bookings: Resources = {
  '/bookings': {
    label: t('Bookings'),
    one: t('booking'),
    columns: [
      { key: 'reference', show: (row) => <span class="svc-mono">{row.reference}</span> },
      {
        key: 'customer_name',
        label: t('Customer'),
        sort: 'customer',
        show: (row) => (
          <>
            {row.customer_name || row.contact?.email}
            <small>{row.customer_email}</small>
          </>
        ),
      },
      { key: 'trip_title', label: t('Trip'), sort: 'trip' },
      { key: 'travel_date', label: t('Travels') },
      {
        key: 'travelers_count',
        label: t('Party'),
        sort: 'travelers',
        end: true,
        show: (row) => row.travelers_count ?? parties(row),
      },
      {
        key: 'status',
        sort: 'booking_status',
        show: (row) => (
          <>
            <Status value={row.status} />
            {row.needs_attention ? (
              <small class="svc-bad">{t('needs a decision')}</small>
            ) : (
              <small>
                {row.payments_unknown
                  ? t('payments not known')
                  : row.payment_status === 'pending'
                    ? t('not paid')
                    : row.payment_status === 'partial'
                      ? t('paid in part')
                      : words(row.payment_status ?? '').toLowerCase()}
              </small>
            )}
          </>
        ),
      },
      { key: 'payment_status', label: t('Payment'), off: true },
      {
        key: 'total',
        sort: 'total_amount',
        end: true,
        show: (row) => (
          <>
            {money(row.total, row.currency)}
            {row.amount_due > 0 && <small>{t('{0} due', money(row.amount_due, row.currency))}</small>}
          </>
        ),
      },
      { key: 'amount_due', label: t('Due'), end: true, off: true },
      { key: 'created_at', label: t('Booked'), sort: 'booking_date', off: true },
      { key: 'customer_phone', label: t('Phone'), off: true },
    ],
    search: t('Reference, name, e-mail or phone'),
    empty: t('No bookings yet. They appear here as soon as somebody books.'),
  },
  '/travelers': {
    label: t('Travelers'),
    columns: [
      {
        key: 'name',
        label: t('Traveler'),
        show: (row) =>
          [row.fields?.first_name, row.fields?.last_name].filter(Boolean).join(' ') ||
          t('Traveler {0}', row.traveler_index),
        text: (row) => [row.fields?.first_name, row.fields?.last_name].filter(Boolean).join(' '),
      },
      {
        key: 'booking_reference',
        label: t('Booking'),
        show: (row) => (
          <a class="svc-mono" href={`/admin/bookings/${row.booking_id}`}>
            {row.booking_reference}
          </a>
        ),
      },
      { key: 'trip_title', label: t('Trip') },
      { key: 'travel_date', label: t('Travels') },
      { key: 'booking_status', label: t('Status') },
      // A phone shows no headings: the value says it.
      { key: 'is_lead', label: t('Lead'), show: (row) => (row.is_lead ? t('Lead') : '') },
    ],
    href: (row) => `/admin/bookings/${row.booking_id}`,
    empty: t('No travelers yet.'),
  },
};
