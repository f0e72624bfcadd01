// What waits for somebody, as quiet numbers in the rail. Read every minute while the page is looked at.
import { signal } from '@preact/signals';

import { json } from '../kit/client';
import { can } from '../kit/interface';
import { me } from '../kit/session';

// Whether the server wants the first steps to be offered.
export const first_steps_wanted = signal(false);
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
  if (!found) return;
  const now: Record<string, number> = Object.fromEntries(found);
  // What is newer than this user has seen, where the server notes that.
  if (can('get', '/admin/new-counts')) {
    const fresh = await json<Record<string, number>>('get', '/admin/new-counts', { quiet: true }).catch(() => null);
    for (const name of ['bookings', 'payments']) now[name] = Math.max(now[name] ?? 0, Number(fresh?.data[name]) || 0);
  }
  counters.value = now;
}

// A section's list is open: what is in it now is no news any more.
export function mark_seen(section: string) {
  if (!['bookings', 'payments', 'enquiries', 'reviews'].includes(section) || !can('post', '/admin/mark-seen')) return;
  void json('post', '/admin/mark-seen', { body: { section } }).then(refresh_counters, () => undefined);
}

export function watch_counters() {
  me.subscribe((now) => now && setTimeout(() => void refresh_counters(), 800));
  setInterval(() => void refresh_counters(), 60_000);
}
