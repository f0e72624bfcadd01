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

// A screen at the path of the route that it reads first.
const records = (path: string, label: string, words = ''): Entry => ({
  label,
  href: `/admin${path}`,
  shown: () => can('get', path),
  words,
});

export const areas: Area[] = [
  {
    label: t('Today'),
    icon: House,
    entries: [{ label: t('Today'), href: '/admin', shown: () => true, words: 'home start dashboard' }],
  },
  {
    label: t('Bookings'),
    icon: ShoppingBag,
    entries: [
      { ...records('/bookings', t('Bookings'), 'reservations orders'), count: 'bookings' },
      records('/travelers', t('Travelers'), 'passengers participants'),
      records('/waitlist', t('Waiting list'), 'waitlist queue full sold out'),
    ],
  },
  {
    label: t('Departures'),
    icon: CalendarDays,
    entries: [records('/departures', t('Departures'), 'calendar dates manifest')],
  },
  {
    label: t('Catalogue'),
    icon: Map,
    entries: [
      records('/trips', t('Trips'), 'tours products'),
      records('/destinations', t('Destinations'), 'places'),
      records('/activities', t('Activities')),
      records('/trip-categories', t('Categories')),
      records('/difficulty-levels', t('Difficulty levels')),
      records('/traveler-categories', t('Traveler categories'), 'adult child price'),
      records('/attributes', t('Attributes'), 'filters fields'),
      records('/items', t('Items'), 'included'),
      records('/item-types', t('Item types')),
      records('/media', t('Pictures and files'), 'media images'),
      records('/discounts', t('Discounts'), 'coupons'),
      records('/dynamic-pricing/rules', t('Dynamic pricing'), 'yield price rules season early bird'),
    ],
  },
  {
    label: t('Money'),
    icon: CreditCard,
    entries: [
      { ...records('/payments', t('Payments'), 'refunds transactions'), count: 'payments' },
      records('/scheduled-payments', t('Scheduled payments')),
      records('/scheduled-payments/outstanding', t('Outstanding')),
      {
        label: t('Gateways'),
        href: '/admin/gateways',
        shown: () => can('get', '/payment/gateways/definitions'),
        words: 'paypal stripe bank payment methods',
      },
      records('/reports', t('Reports'), 'revenue statistics'),
    ],
  },
  {
    label: t('People'),
    icon: Users,
    entries: [
      records('/customers', t('Customers'), 'clients'),
      records('/customers/duplicates', t('Duplicates'), 'merge same person'),
      { ...records('/enquiries', t('Enquiries'), 'inbox questions messages'), count: 'enquiries' },
      { ...records('/reviews', t('Reviews'), 'ratings moderation'), count: 'reviews' },
    ],
  },
  {
    label: t('Words'),
    icon: Mail,
    entries: [
      {
        label: t('E-mail templates'),
        href: '/admin/emails',
        shown: () => can('get', '/email-templates') || can('get', '/settings'),
        words: 'mails messages texts',
      },
      {
        label: t('Booking form'),
        href: '/admin/booking-form',
        shown: () => can('put', '/settings/booking-form'),
        words: 'fields questions checkout',
      },
    ],
  },
  {
    label: t('Site'),
    icon: Settings2,
    entries: [
      records('/settings', t('Settings'), 'configuration options currency company'),
      records('/modules', t('Modules'), 'pro features licence'),
      { label: t('Pages'), href: '/admin/pages', shown: () => can('get', '/settings/pages'), words: 'terms privacy' },
      {
        label: t('Templates'),
        href: '/admin/templates',
        shown: () => can('get', '/site/templates'),
        words: 'html layout theme look',
      },
      records('/webhooks/endpoints', t('Webhooks')),
      {
        label: t('Tools'),
        href: '/admin/tools',
        shown: () => can('get', '/tools/jobs') || can('get', '/cache/stats'),
        words: 'import export jobs logs cron cache migration status backup',
      },
      { label: t('Everything'), href: '/admin/everything', shown: () => true, words: 'routes actions api tools' },
    ],
  },
];

// Lists that no area names, such as a newer module's: the generic screen shows them below a line.
// Those of a customer's own account, and of webhooks, whose screen leads to both, are left out; each byte of this file
// counts for the largest screen.
export function further(): Entry[] {
  const named = new Set(areas.flatMap((area) => area.entries.map((entry) => entry.href)));
  return list_paths()
    .filter((path) => !named.has(`/admin${path}`) && !/s.my|webh/.test(path) && !resources[path]?.inside)
    .map((path) => ({ label: resources[path]?.label ?? title_of(path), href: `/admin${path}`, shown: () => true }));
}

export function title_of(path: string): string {
  return words(path.slice(1).replace(/\//g, ' '));
}

export const further_icon = Sparkles;
export const gauge = Gauge;
