// The rail: areas, their screens, and what each needs to be shown.
import {
  CalendarDays,
  CreditCard,
  Gauge,
  House,
  Mail,
  Map,
  Settings2,
  ShoppingBag,
  Sparkles,
  Users,
} from 'lucide-preact';

import { words } from '../kit/format';
import { t } from '../kit/i18n';
import { can, list_paths } from '../kit/interface';

export interface Entry {
  label: string;
  href: string;
  shown: () => boolean;
  count?: string; // of the counters
}
export interface Area {
  label: string;
  icon: typeof House;
  entries: Entry[];
}

// A screen at the path of the route that it reads first.
const records = (path: string, label: string): Entry => ({
  label,
  href: `/admin${path}`,
  shown: () => can('get', path),
});

export const areas: Area[] = [
  {
    label: t('Today'),
    icon: House,
    entries: [{ label: t('Today'), href: '/admin', shown: () => true }],
  },
  {
    label: t('Bookings'),
    icon: ShoppingBag,
    entries: [
      { ...records('/bookings', t('Bookings')), count: 'bookings' },
      records('/travelers', t('Travelers')),
      records('/waitlist', t('Waiting list')),
      records('/abandoned-bookings', t('Abandoned')),
      records('/consent/forms', t('Consent forms')),
    ],
  },
  {
    label: t('Departures'),
    icon: CalendarDays,
    entries: [records('/departures', t('Departures'))],
  },
  {
    label: t('Catalogue'),
    icon: Map,
    entries: [
      records('/trips', t('Trips')),
      records('/destinations', t('Destinations')),
      records('/activities', t('Activities')),
      records('/trip-categories', t('Categories')),
      records('/difficulty-levels', t('Difficulty levels')),
      records('/traveler-categories', t('Traveler categories')),
      records('/attributes', t('Attributes')),
      records('/items', t('Items')),
      records('/item-types', t('Item types')),
      records('/media', t('Pictures and files')),
      records('/discounts', t('Discounts')),
      records('/additional-services', t('Additional services')),
      records('/dynamic-pricing/rules', t('Dynamic pricing')),
      records('/landing-pages', t('Landing pages')),
    ],
  },
  {
    label: t('Money'),
    icon: CreditCard,
    entries: [
      { ...records('/payments', t('Payments')), count: 'payments' },
      records('/scheduled-payments', t('Scheduled payments')),
      records('/scheduled-payments/outstanding', t('Outstanding')),
      {
        label: t('Gateways'),
        href: '/admin/gateways',
        shown: () => can('get', '/payment/gateways/definitions'),
      },
      records('/reports', t('Reports')),
    ],
  },
  {
    label: t('People'),
    icon: Users,
    entries: [
      records('/customers', t('Customers')),
      records('/customers/duplicates', t('Duplicates')),
      { ...records('/enquiries', t('Enquiries')), count: 'enquiries' },
      { ...records('/reviews', t('Reviews')), count: 'reviews' },
    ],
  },
  {
    label: t('Words'),
    icon: Mail,
    entries: [
      {
        label: t('E-mail templates'),
        href: '/admin/emails',
        shown: () => can('get', '/settings'),
      },
      records('/email-sequences', t('E-mail automation')),
      {
        label: t('Booking form'),
        href: '/admin/booking-form',
        shown: () => can('put', '/settings/booking-form'),
      },
    ],
  },
  {
    label: t('Site'),
    icon: Settings2,
    entries: [
      records('/settings', t('Settings')),
      records('/modules', t('Modules')),
      { label: t('Pages'), href: '/admin/pages', shown: () => can('get', '/settings/pages') },
      {
        label: t('Templates'),
        href: '/admin/templates',
        shown: () => can('get', '/site/templates'),
      },
      records('/webhooks/endpoints', t('Webhooks')),
      records('/mailchimp/settings', 'Mailchimp'),
      {
        label: t('Google Calendar'),
        href: '/admin/google-calendar',
        shown: () => can('get', '/google-calendar/settings'),
      },
      records('/facebook-pixel/event-logs', t('Facebook Pixel')),
      records('/google-analytics/logs', t('Google Analytics')),
      {
        label: t('Tools'),
        href: '/admin/tools',
        shown: () => can('get', '/tools/jobs') || can('get', '/cache/stats'),
      },
      { label: t('Everything'), href: '/admin/everything', shown: () => true },
    ],
  },
];

// Beginnings of the paths of lists to which other screens lead.
const inside = [
  '/tools/',
  '/cache/',
  '/notices',
  '/trips/search',
  '/payments/pending',
  '/departures/upcoming',
  '/customers/my-',
  '/webhooks/',
  '/email-',
  '/abandoned-bookings/campaigns',
  '/google-calendar/log',
  '/mailchimp/log',
  '/consent/',
];

// Lists that no area names, such as a newer module's: the generic screen shows them below a line. What resources/ says of
// a list is loaded with its screen, so that it costs the first load nothing.
export function further(): Entry[] {
  const named = new Set(areas.flatMap((area) => area.entries.map((entry) => entry.href)));
  return list_paths()
    .filter((path) => !named.has(`/admin${path}`) && !inside.some((one) => path.startsWith(one)))
    .map((path) => ({ label: title_of(path), href: `/admin${path}`, shown: () => true }));
}

export function title_of(path: string): string {
  return words(path.slice(1).replace(/\//g, ' '));
}

export const further_icon = Sparkles;
export const gauge = Gauge;
