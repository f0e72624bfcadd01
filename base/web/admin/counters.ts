// What waits for somebody, as quiet numbers in the rail. Read every minute while the page is looked at.
import { signal } from '@preact/signals';

import { json } from '../kit/client';
import { can } from '../kit/interface';
import { me } from '../kit/session';

// Whether the server wants the first steps to be offered.
export const first_steps_wanted = signal(false);
export const counters = signal<Record<string, number>>({});
let noted_at = 0;

// The first screen reads them with everything else.
export function note_counters(now: Record<string, number>) {
  counters.value = now;
  noted_at = Date.now();
}

export async function refresh_counters() {
  if (!me.value || document.hidden || !can('get', '/admin/today')) return;
  const found = await json<{ counts: Record<string, number> }>('get', '/admin/today', {
    params: { counts_only: true },
    quiet: true,
  }).catch(() => null);
  if (found) note_counters(found.data.counts);
}

// A section's list is open: what is in it now is no news any more.
export function mark_seen(section: string) {
  if (!['bookings', 'payments', 'enquiries', 'reviews'].includes(section) || !can('post', '/admin/mark-seen')) return;
  void json('post', '/admin/mark-seen', { body: { section } }).then(refresh_counters, () => undefined);
}

const minute = 60_000;
export function watch_counters() {
  const unless_noted = () => Date.now() - noted_at > minute / 2 && void refresh_counters();
  me.subscribe((now) => now && setTimeout(unless_noted, 2500));
  setInterval(unless_noted, minute);
}
