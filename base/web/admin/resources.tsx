// How plain records are shown: what a resource does not say here is read from the interface's description.
import type { ComponentChildren } from 'preact';

import { money } from '../kit/format';
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
  inside?: boolean; // reached from another screen: not in the rail
  view?: (row: Row) => string | null; // the record's public page
}

const title = (row: Row): ComponentChildren => row.title ?? row.name ?? row.label;
const parties = (row: Row) => Object.values((row.traveler_counts ?? {}) as Record<string, number>).reduce((sum, one) => sum + Number(one), 0);

const classified: Presentation = {
  columns: [
    { key: 'name', show: (row) => <>{row.featured_image ? <Thumb id={row.featured_image} alt="" /> : null} {row.parent_id ? <span class="svc-none">— </span> : null}{title(row)}</> },
    { key: 'slug', off: true },
    { key: 'trip_count', label: 'Trips', end: true },
    { key: 'status' },
    { key: 'sorting', label: 'Place', end: true, off: true },
    { key: 'updated_at', label: 'Changed' },
  ],
  tabs: ['all', 'publish', 'draft', 'trash'],
  groups: [
    { title: 'What it is', fields: ['name', 'label', 'slug', 'description', 'status', 'parent_id', 'color', 'icon'] },
    { title: 'Pictures', fields: ['featured_image', 'gallery'] },
  ],
};

export const resources: Record<string, Presentation> = {
  '/bookings': {
    label: 'Bookings',
    one: 'booking',
    columns: [
      { key: 'reference', show: (row) => <span class="svc-mono">{row.reference}</span> },
      { key: 'customer_name', label: 'Customer', sort: 'customer', show: (row) => <>{row.customer_name || row.contact?.email}<small>{row.customer_email}</small></> },
      { key: 'trip_title', label: 'Trip', sort: 'trip' },
      { key: 'travel_date', label: 'Travels' },
      { key: 'travelers_count', label: 'Party', sort: 'travelers', end: true, show: (row) => row.travelers_count ?? parties(row) },
      { key: 'status', sort: 'booking_status', show: (row) => <><Status value={row.status} />{row.needs_attention ? <small class="svc-bad">needs a decision</small> : <small>{row.payment_status === 'pending' ? 'not paid' : row.payment_status === 'partial' ? 'paid in part' : row.payment_status}</small>}</> },
      { key: 'payment_status', label: 'Payment', off: true },
      { key: 'total', sort: 'total_amount', end: true, show: (row) => <>{money(row.total, row.currency)}{row.amount_due > 0 && <small>{money(row.amount_due, row.currency)} due</small>}</> },
      { key: 'amount_due', label: 'Due', end: true, off: true },
      { key: 'created_at', label: 'Booked', sort: 'booking_date', off: true },
      { key: 'customer_phone', label: 'Phone', off: true },
    ],
    tabs: ['all', 'pending', 'confirmed', 'processing', 'on-hold', 'completed', 'waitlist', 'cancelled', 'trash'],
    search: 'Reference, name, e-mail or phone',
    empty: 'No bookings yet. They appear here as soon as somebody books.',
  },
  '/travelers': {
    label: 'Travelers',
    columns: [
      { key: 'name', label: 'Traveler', show: (row) => [row.fields?.first_name, row.fields?.last_name].filter(Boolean).join(' ') || `Traveler ${row.traveler_index}`, text: (row) => [row.fields?.first_name, row.fields?.last_name].filter(Boolean).join(' ') },
      { key: 'booking_reference', label: 'Booking', show: (row) => <a class="svc-mono" href={`/admin/bookings/${row.booking_id}`}>{row.booking_reference}</a> },
      { key: 'trip_title', label: 'Trip' },
      { key: 'travel_date', label: 'Travels' },
      { key: 'booking_status', label: 'Status' },
      { key: 'is_lead', label: 'Lead' },
    ],
    href: (row) => `/admin/bookings/${row.booking_id}`,
    empty: 'No travelers yet.',
  },
  '/trips': {
    label: 'Trips',
    one: 'trip',
    columns: [
      { key: 'title', show: (row) => <>{row.featured_image ? <Thumb id={row.featured_image} /> : null} {row.title}</> },
      { key: 'duration', label: 'Days', end: true },
      { key: 'price', label: 'From', sort: 'price', end: true, show: (row) => money(row.display_price ?? row.regular_price, row.currency) },
      { key: 'status' },
      { key: 'bookings_count', label: 'Bookings', end: true },
      { key: 'avg_rating', label: 'Rating', end: true, off: true },
      { key: 'updated_at', label: 'Changed' },
    ],
    tabs: ['all', 'publish', 'draft', 'review', 'private', 'archived', 'trash'],
    empty: 'No trips yet. The first one takes a title, a price and a date.',
  },
  '/destinations': { ...classified, label: 'Destinations', one: 'destination' },
  '/activities': { ...classified, label: 'Activities', one: 'activity' },
  '/trip-categories': { ...classified, label: 'Categories', one: 'category' },
  '/difficulty-levels': { ...classified, label: 'Difficulty levels', one: 'difficulty level' },
  '/traveler-categories': { ...classified, label: 'Traveler categories', one: 'traveler category' },
  '/items': { ...classified, label: 'Items', one: 'item' },
  '/item-types': { ...classified, label: 'Item types', one: 'item type' },
  '/attributes': { label: 'Attributes', one: 'attribute', tabs: ['all', 'publish', 'draft', 'trash'] },
  '/media': {
    label: 'Pictures and files',
    one: 'file',
    columns: [
      { key: 'original_name', label: 'Name', sort: 'name', show: (row) => <>{row.thumbnail_url && <img class="svc-thumb" src={row.thumbnail_url} alt="" loading="lazy" />} {row.original_name}</> },
      { key: 'alt_text', label: 'Description' },
      { key: 'byte_size', label: 'Size', end: true, show: (row) => `${Math.max(1, Math.round(row.byte_size / 1024)).toLocaleString('en')} kB` },
      { key: 'width', label: 'Pixels', show: (row) => (row.width ? `${row.width} × ${row.height}` : '') },
      { key: 'created_at', label: 'Uploaded' },
    ],
  },
  '/discounts': {
    label: 'Discounts',
    one: 'discount',
    columns: [
      { key: 'name', show: (row) => row.name || row.code },
      { key: 'code', show: (row) => row.code && <span class="svc-mono">{row.code}</span> },
      { key: 'amount', end: true, show: (row) => (row.amount === null ? '' : row.type === 'percentage' ? `${row.amount} %` : money(row.amount, row.currency)) },
      { key: 'usage_count', label: 'Used', end: true, show: (row) => (row.usage_limit ? `${row.usage_count} of ${row.usage_limit}` : row.usage_count) },
      { key: 'valid_from', label: 'From' },
      { key: 'expiry_date', label: 'Until' },
      { key: 'status' },
    ],
    tabs: ['all', 'publish', 'draft', 'expired', 'trash'],
    groups: [
      { title: 'What it takes off', fields: ['name', 'code', 'discount_mode', 'type', 'amount', 'max_discount_amount', 'min_amount', 'status', 'description'] },
      { title: 'Who and when', fields: ['valid_from', 'expiry_date', 'usage_limit', 'usage_limit_per_customer', 'first_time_customer_only', 'applicable_to', 'trip_ids'] },
    ],
    without: ['is_group_discount'],
  },
  '/payments': {
    label: 'Payments',
    one: 'payment',
    columns: [
      { key: 'reference', label: 'Payment', sort: 'payment', show: (row) => <span class="svc-mono">{row.reference}</span> },
      { key: 'customer_name', label: 'Customer', sort: 'customer' },
      { key: 'booking_reference', label: 'Booking', show: (row) => <a class="svc-mono" href={`/admin/bookings/${row.booking_id}`}>{row.booking_reference}</a> },
      { key: 'method_label', label: 'Method', sort: 'method', show: (row) => row.method_label || row.gateway },
      { key: 'status' },
      { key: 'amount', end: true },
      { key: 'amount_refunded', label: 'Refunded', end: true, show: (row) => (row.amount_refunded ? money(row.amount_refunded, row.currency) : '') },
      { key: 'date', sort: 'payment_date' },
      { key: 'reconciliation', off: true },
      { key: 'transaction_id', off: true },
    ],
    tabs: ['all', 'completed', 'pending', 'failed', 'refunded', 'cancelled'],
    empty: 'No payments yet.',
  },
  '/payments/pending': { inside: true },
  '/customers': {
    label: 'Customers',
    one: 'customer',
    columns: [
      { key: 'name', show: (row) => <>{row.name}<small>{row.email}</small></> },
      { key: 'phone' },
      { key: 'country' },
      { key: 'total_bookings', label: 'Bookings', end: true },
      { key: 'total_spent', label: 'Spent', end: true },
      { key: 'last_booking_date', label: 'Last booked' },
      { key: 'status' },
      { key: 'loyalty_tier', off: true },
      { key: 'tags', off: true },
    ],
    tabs: ['all', 'active', 'inactive', 'blocked'],
    empty: 'No customers yet. Who books becomes one.',
  },
  '/enquiries': {
    label: 'Enquiries',
    one: 'enquiry',
    columns: [
      { key: 'customer_name', label: 'From', sort: 'name', show: (row) => <>{row.customer_name}<small>{row.customer_email}</small></> },
      { key: 'trip_title', label: 'About' },
      { key: 'message' },
      { key: 'travel_date', label: 'Travels' },
      { key: 'status' },
      { key: 'created_at', label: 'Received' },
    ],
    tabs: ['all', 'new', 'pending', 'responded', 'closed', 'spam', 'trash'],
    empty: 'No enquiries. They arrive from the trip pages.',
  },
  '/reviews': {
    label: 'Reviews',
    one: 'review',
    columns: [
      { key: 'author_name', label: 'By', show: (row) => <>{row.author_name}<small>{row.author_email}</small></> },
      { key: 'rating', show: (row) => `${row.rating} of 5`, end: true },
      { key: 'content', label: 'Review', show: (row) => row.title || row.content },
      { key: 'trip_title', label: 'Trip' },
      { key: 'status' },
      { key: 'is_featured', label: 'Featured', off: true },
      { key: 'created_at', label: 'Written' },
    ],
    tabs: ['all', 'pending', 'approved', 'rejected', 'spam', 'trash'],
    empty: 'No reviews yet. Travelers are asked for one after their trip.',
  },
  '/departures': {
    label: 'Departures',
    one: 'departure',
    columns: [
      { key: 'start_date', label: 'Leaves' },
      { key: 'trip', label: 'Trip', show: (row) => row.trip?.title, text: (row) => row.trip?.title ?? '' },
      { key: 'time' },
      { key: 'booked_count', label: 'Booked', show: (row) => <Load booked={row.booked_count} capacity={row.max_capacity} /> },
      { key: 'waiting_count', label: 'Waiting', end: true },
      { key: 'status' },
      { key: 'total_revenue', label: 'Revenue', end: true },
    ],
    href: (row) => `/admin/departures/${row.trip_id}/${row.id}`,
    tabs: ['all', 'upcoming', 'full', 'past', 'cancelled'],
    empty: 'No departures. Add dates or a rule to a trip.',
  },
  '/departures/upcoming': { inside: true },
  '/availability': { inside: true },
  '/recurring-availability': { inside: true },
  '/trips/search': { inside: true },
  '/scheduled-payments': { label: 'Scheduled payments', one: 'scheduled payment', href: (row) => `/admin/bookings/${row.booking_id}` },
  '/scheduled-payments/outstanding': { label: 'Outstanding', href: (row) => `/admin/bookings/${row.booking_id ?? row.id}` },
};
