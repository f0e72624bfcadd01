// What waits for somebody, as quiet numbers in the rail. Read every minute while the page is looked at.
import { signal } from '@preact/signals';

import { json } from '../kit/client';
import { can } from '../kit/interface';
import { me } from '../kit/session';

export const counters = signal<Record<string, number>>({});

const sources: { name: string; path: string; of: (data: any) => number }[] = [
  { name: 'bookings', path: '/bookings/stats', of: (data) => data.needs_attention },
  { name: 'enquiries', path: '/enquiries/stats', of: (data) => data.unread ?? data.new },
  { name: 'reviews', path: '/reviews/stats', of: (data) => data.pending },
];

export async function refresh_counters() {
  if (!me.value || document.hidden) return;
  const found = await Promise.all(
    sources
      .filter((one) => can('get', one.path))
      .map(async (one) => [one.name, Number(one.of((await json('get', one.path, { quiet: true })).data)) || 0] as const),
  ).catch(() => null);
  if (found) counters.value = Object.fromEntries(found);
}

export function watch_counters() {
  me.subscribe((now) => now && setTimeout(() => void refresh_counters(), 800));
  setInterval(() => void refresh_counters(), 60_000);
}
