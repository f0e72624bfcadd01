// The rail: areas, their screens, and what each needs to be shown.
import {
  CalendarDays, CreditCard, Gauge, House, Mail, Map, Settings2, ShoppingBag, Sparkles, Users,
} from 'lucide-preact';

import { can, list_paths, operations } from '../kit/interface';
import { resources } from './resources';

export interface Entry {
  label: string;
  href: string;
  shown: () => boolean;
  count?: string; // of the counters
  words?: string; // what else people search for
}
export interface Area {
  label: string;
  icon: typeof House;
  entries: Entry[];
}

const records = (path: string, label: string, words = ''): Entry => ({ label, href: `/admin${path}`, shown: () => can('get', path), words });

export const areas: Area[] = [
  { label: 'Today', icon: House, entries: [{ label: 'Today', href: '/admin', shown: () => true, words: 'home start dashboard' }] },
  {
    label: 'Bookings',
    icon: ShoppingBag,
    entries: [
      { ...records('/bookings', 'Bookings', 'reservations orders'), count: 'bookings' },
      records('/travelers', 'Travelers', 'passengers participants'),
      records('/waitlist', 'Waiting list'),
    ],
  },
  {
    label: 'Departures',
    icon: CalendarDays,
    entries: [records('/departures', 'Departures', 'calendar dates manifest')],
  },
  {
    label: 'Catalogue',
    icon: Map,
    entries: [
      records('/trips', 'Trips', 'tours products'),
      records('/destinations', 'Destinations', 'places'),
      records('/activities', 'Activities'),
      records('/trip-categories', 'Categories'),
      records('/difficulty-levels', 'Difficulty levels'),
      records('/traveler-categories', 'Traveler categories', 'adult child price'),
      records('/attributes', 'Attributes', 'filters fields'),
      records('/items', 'Items', 'included'),
      records('/item-types', 'Item types'),
      records('/media', 'Pictures and files', 'media images'),
      records('/discounts', 'Discounts', 'coupons'),
    ],
  },
  {
    label: 'Money',
    icon: CreditCard,
    entries: [
      { ...records('/payments', 'Payments', 'refunds transactions'), count: 'payments' },
      records('/scheduled-payments', 'Scheduled payments'),
      records('/scheduled-payments/outstanding', 'Outstanding'),
      { label: 'Gateways', href: '/admin/gateways', shown: () => can('get', '/payment/gateways/definitions'), words: 'paypal stripe bank payment methods' },
      { label: 'Reports', href: '/admin/reports', shown: () => operations.value.some((one) => one.path === '/reports'), words: 'revenue statistics' },
    ],
  },
  {
    label: 'People',
    icon: Users,
    entries: [
      records('/customers', 'Customers', 'clients'),
      { ...records('/enquiries', 'Enquiries', 'inbox questions messages'), count: 'enquiries' },
      { ...records('/reviews', 'Reviews', 'ratings moderation'), count: 'reviews' },
    ],
  },
  {
    label: 'Words',
    icon: Mail,
    entries: [
      { label: 'E-mail templates', href: '/admin/emails', shown: () => can('get', '/email-templates') || can('get', '/settings'), words: 'mails messages texts' },
      { label: 'Booking form', href: '/admin/booking-form', shown: () => can('put', '/settings/booking-form'), words: 'fields questions checkout' },
    ],
  },
  {
    label: 'Site',
    icon: Settings2,
    entries: [
      { label: 'Settings', href: '/admin/settings', shown: () => can('get', '/settings'), words: 'configuration options currency company' },
      { label: 'Modules', href: '/admin/modules', shown: () => can('get', '/modules'), words: 'pro features licence' },
      { label: 'Pages', href: '/admin/pages', shown: () => can('get', '/settings/pages'), words: 'terms privacy' },
      { label: 'Everything', href: '/admin/everything', shown: () => true, words: 'routes actions api tools' },
    ],
  },
];

// Lists that no area names, such as a newer module's: the generic screen shows them below a line.
export function further(): Entry[] {
  const named = new Set(areas.flatMap((area) => area.entries.map((entry) => entry.href)));
  return list_paths()
    .filter((path) => !named.has(`/admin${path}`) && !path.startsWith('/customers/my') && !resources[path]?.inside)
    .map((path) => ({ label: resources[path]?.label ?? title_of(path), href: `/admin${path}`, shown: () => true }));
}

export function title_of(path: string): string {
  const text = path.slice(1).replace(/[/-]+/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export const further_icon = Sparkles;
export const gauge = Gauge;
