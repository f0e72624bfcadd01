// How plain records are shown: what a resource does not say here is read from the interface's description.
import type { ComponentChildren } from 'preact';

import { day, money, words } from '../kit/format';
import { t } from '../kit/i18n';
import type { Column, Row } from '../kit/list';
import { Load, Status } from '../kit/ui';
import { Thumb } from '../kit/media';

export interface Presentation {
  label?: string;
  one?: string; // "trip"
  columns?: Column[];
  tabs?: string[];
  filters?: string[];
  empty?: string;
  search?: string;
  href?: (row: Row) => string;
  groups?: { title: string; fields: string[] }[]; // of the form; what none names comes last
  without?: string[]; // fields that the form leaves out
  rich?: string[]; // fields that are kept as HTML
  tree?: boolean; // nested by parent_id
  inside?: boolean; // reached from another screen: not in the rail
  view?: (row: Row) => string | null; // the record's public page
  arranged?: boolean; // in an order of its own, by POST {path}/orders
}

const title = (row: Row): ComponentChildren => row.title ?? row.name ?? row.label;
const parties = (row: Row) =>
  Object.values((row.traveler_counts ?? {}) as Record<string, number>).reduce((sum, one) => sum + Number(one), 0);

const classified: Presentation = {
  columns: [
    {
      key: 'name',
      show: (row) => (
        <>
          {row.featured_image ? <Thumb id={row.featured_image} alt="" /> : null}{' '}
          {row.parent_id ? <span class="svc-none">— </span> : null}
          {title(row)}
        </>
      ),
    },
    { key: 'slug', off: true },
    { key: 'trip_count', label: t('Trips'), end: true },
    { key: 'status' },
    { key: 'sorting', label: t('Place'), end: true, off: true },
    { key: 'updated_at', label: t('Changed') },
  ],
  tabs: ['all', 'publish', 'draft', 'trash'],
  rich: ['description'],
  groups: [
    {
      title: t('What it is'),
      fields: ['name', 'label', 'slug', 'description', 'status', 'parent_id', 'color', 'icon'],
    },
    { title: t('Pictures'), fields: ['featured_image', 'gallery'] },
  ],
};

export const resources: Record<string, Presentation> = {
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
    tabs: ['all', 'pending', 'confirmed', 'processing', 'on-hold', 'completed', 'waitlist', 'cancelled', 'trash'],
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
      { key: 'is_lead', label: t('Lead') },
    ],
    href: (row) => `/admin/bookings/${row.booking_id}`,
    empty: t('No travelers yet.'),
  },
  '/trips': {
    label: t('Trips'),
    one: t('trip'),
    columns: [
      {
        key: 'title',
        show: (row) => (
          <>
            {row.featured_image ? <Thumb id={row.featured_image} /> : null} {row.title}
          </>
        ),
      },
      { key: 'duration', label: t('Days'), end: true },
      {
        key: 'price',
        label: t('From'),
        sort: 'price',
        end: true,
        show: (row) => money(row.display_price ?? row.regular_price, row.currency),
      },
      { key: 'status' },
      { key: 'bookings_count', label: t('Bookings'), end: true },
      { key: 'avg_rating', label: t('Rating'), end: true, off: true },
      { key: 'updated_at', label: t('Changed') },
    ],
    tabs: ['all', 'publish', 'draft', 'review', 'private', 'archived', 'trash'],
    empty: t('No trips yet. The first one takes a title, a price and a date.'),
  },
  '/destinations': { ...classified, tree: true, label: t('Destinations'), one: t('destination') },
  '/activities': { ...classified, tree: true, label: t('Activities'), one: t('activity') },
  '/trip-categories': { ...classified, tree: true, label: t('Categories'), one: t('category') },
  '/difficulty-levels': { ...classified, label: t('Difficulty levels'), one: t('difficulty level') },
  '/traveler-categories': { ...classified, label: t('Traveler categories'), one: t('traveler category') },
  '/items': { ...classified, label: t('Items'), one: t('item') },
  '/item-types': { ...classified, label: t('Item types'), one: t('item type') },
  '/attributes': {
    label: t('Attributes'),
    one: t('attribute'),
    columns: [
      { key: 'name' },
      {
        key: 'field_type',
        label: t('Type'),
        show: (row) => (
          <>
            {words(row.field_type ?? '')}
            {row.field_options?.length ? (
              <small>{row.field_options.map((one: Row) => one.label).join(', ')}</small>
            ) : null}
          </>
        ),
      },
      {
        key: 'show_on_frontend',
        label: t('On pages'),
        show: (row) => (row.show_on_frontend ? t('On pages') : t('Not on pages')),
      },
      { key: 'show_in_filters', label: t('As a filter'), show: (row) => (row.show_in_filters ? t('As a filter') : '') },
      { key: 'trip_count', label: t('Trips'), end: true },
      { key: 'status' },
      { key: 'slug', off: true },
      { key: 'updated_at', label: t('Changed'), off: true },
    ],
    tabs: ['all', 'publish', 'draft', 'trash'],
    arranged: true,
    rich: ['description'],
    empty: t(
      'No attributes yet. They hold what trips have in common, such as a language or a season, and visitors filter by them.',
    ),
  },
  '/media': { label: t('Pictures and files'), one: t('file') },
  '/discounts': {
    label: t('Discounts'),
    one: t('discount'),
    columns: [
      { key: 'name', show: (row) => row.name || row.code },
      { key: 'code', show: (row) => row.code && <span class="svc-mono">{row.code}</span> },
      {
        key: 'amount',
        end: true,
        show: (row) =>
          row.amount === null ? '' : row.type === 'percentage' ? `${row.amount} %` : money(row.amount, row.currency),
      },
      {
        key: 'usage_count',
        label: t('Used'),
        end: true,
        show: (row) => (row.usage_limit ? t('{0} of {1}', row.usage_count, row.usage_limit) : row.usage_count),
      },
      { key: 'valid_from', label: t('From') },
      { key: 'expiry_date', label: t('Until') },
      { key: 'status' },
    ],
    tabs: ['all', 'publish', 'draft', 'expired', 'trash'],
    groups: [
      {
        title: t('What it takes off'),
        fields: [
          'name',
          'code',
          'discount_mode',
          'type',
          'amount',
          'max_discount_amount',
          'min_amount',
          'status',
          'description',
        ],
      },
      {
        title: t('Who and when'),
        fields: [
          'valid_from',
          'expiry_date',
          'usage_limit',
          'usage_limit_per_customer',
          'first_time_customer_only',
          'applicable_to',
          'trip_ids',
        ],
      },
    ],
    without: ['is_group_discount'],
    empty: t('No discounts yet. A coupon takes a code, an amount and, if you like, an end.'),
  },
  '/payments': {
    label: t('Payments'),
    one: t('payment'),
    columns: [
      {
        key: 'reference',
        label: t('Payment'),
        sort: 'payment',
        show: (row) => <span class="svc-mono">{row.reference}</span>,
      },
      { key: 'customer_name', label: t('Customer'), sort: 'customer' },
      {
        key: 'booking_reference',
        label: t('Booking'),
        show: (row) => (
          <a class="svc-mono" href={`/admin/bookings/${row.booking_id}`}>
            {row.booking_reference}
          </a>
        ),
      },
      {
        key: 'method_label',
        label: t('Method'),
        sort: 'method',
        show: (row) => words(row.method_label || row.gateway || ''),
      },
      { key: 'status' },
      { key: 'amount', end: true },
      {
        key: 'amount_refunded',
        label: t('Refunded'),
        end: true,
        show: (row) => (row.amount_refunded ? money(row.amount_refunded, row.currency) : ''),
      },
      { key: 'date', sort: 'payment_date' },
      { key: 'reconciliation', off: true },
      { key: 'transaction_id', off: true },
    ],
    tabs: ['all', 'completed', 'pending', 'failed', 'refunded', 'cancelled'],
    empty: t('No payments yet.'),
  },
  '/payments/pending': { inside: true },
  '/customers': {
    label: t('Customers'),
    one: t('customer'),
    columns: [
      {
        key: 'name',
        show: (row) => (
          <>
            {row.name}
            <small>{row.email}</small>
          </>
        ),
      },
      { key: 'phone' },
      { key: 'country' },
      { key: 'total_bookings', label: t('Bookings'), end: true },
      { key: 'total_spent', label: t('Spent'), end: true },
      { key: 'last_booking_date', label: t('Last booked') },
      { key: 'status' },
      { key: 'loyalty_tier', off: true },
      { key: 'tags', off: true },
    ],
    tabs: ['all', 'active', 'inactive', 'blocked'],
    empty: t('No customers yet. Who books becomes one.'),
  },
  '/enquiries': {
    label: t('Enquiries'),
    one: t('enquiry'),
    columns: [
      {
        key: 'customer_name',
        label: t('From'),
        sort: 'name',
        show: (row) => (
          <>
            {row.customer_name}
            <small>{row.customer_email}</small>
          </>
        ),
      },
      { key: 'trip_title', label: t('About') },
      { key: 'message' },
      { key: 'travel_date', label: t('Travels') },
      { key: 'status' },
      { key: 'created_at', label: t('Received') },
    ],
    tabs: ['all', 'new', 'pending', 'responded', 'closed', 'spam', 'trash'],
    empty: t('No enquiries. They arrive from the trip pages.'),
  },
  '/reviews': {
    label: t('Reviews'),
    one: t('review'),
    columns: [
      {
        key: 'author_name',
        label: t('By'),
        show: (row) => (
          <>
            {row.author_name}
            <small>{row.author_email}</small>
          </>
        ),
      },
      { key: 'rating', show: (row) => t('{0} of 5', row.rating), end: true },
      { key: 'content', label: t('Review'), show: (row) => row.title || row.content },
      { key: 'trip_title', label: t('Trip') },
      { key: 'status' },
      { key: 'is_featured', label: t('Featured'), off: true },
      { key: 'created_at', label: t('Written') },
    ],
    tabs: ['all', 'pending', 'approved', 'rejected', 'spam', 'trash'],
    empty: t('No reviews yet. Travelers are asked for one after their trip.'),
  },
  '/departures': {
    label: t('Departures'),
    one: t('departure'),
    columns: [
      { key: 'start_date', label: t('Leaves'), show: (row) => day(row.start_date, 'D j M Y') },
      { key: 'trip', label: t('Trip'), show: (row) => row.trip?.title, text: (row) => row.trip?.title ?? '' },
      { key: 'time' },
      {
        key: 'booked_count',
        label: t('Booked'),
        show: (row) => <Load booked={row.booked_count} capacity={row.max_capacity} />,
      },
      { key: 'waiting_count', label: t('Waiting'), end: true },
      { key: 'status' },
      { key: 'total_revenue', label: t('Revenue'), end: true },
    ],
    href: (row) => `/admin/departures/${row.trip_id}/${row.id}`,
    tabs: ['all', 'upcoming', 'full', 'past', 'cancelled'],
    empty: t('No departures. Add dates or a rule to a trip.'),
  },
  '/departures/upcoming': { inside: true },
  '/availability': { inside: true },
  '/recurring-availability': { inside: true },
  '/trips/search': { inside: true },
  '/tools/jobs': { inside: true },
  '/tools/logs': { inside: true },
  '/cache/view': { inside: true },
  '/reports/rows': { inside: true },
  '/notices': { inside: true },
  '/scheduled-payments': { label: t('Scheduled payments') },
  '/scheduled-payments/outstanding': { label: t('Outstanding') },
};
