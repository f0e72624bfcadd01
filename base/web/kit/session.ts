// Who is signed in, what that role may do, and how the site writes money and days.
import { computed, signal } from '@preact/signals';

import { type DataOf, ApiError, api, nonce } from './client';
import { display } from './format';
import { forget_all } from './query';

export type Me = DataOf<'/auth/me', 'get'>;
export const me = signal<Me | null>(null);
export const capabilities = computed(() => new Set(me.value?.capabilities ?? []));

// Whether the signed-in role has one of these: "svc_view_trips or svc_edit_trips".
export function may(permission: string | undefined): boolean {
  if (!permission || permission === 'everyone' || permission === 'signed in') return true;
  if (permission.startsWith('staff')) return has('svc_view_bookings');
  if (permission.startsWith('the ')) return false;
  return permission.split(' or ').some(has);
}

// manage_options stands for every right of the site's own.
function has(capability: string): boolean {
  return (
    capabilities.value.has(capability) || (capability.startsWith('svc_') && capabilities.value.has('manage_options'))
  );
}

// Guides, who neither see customers nor work on bookings, see no sums of money (shared/api/guided.hpp).
const beyond_guides = [
  'svc_view_customers',
  'svc_create_bookings',
  'svc_edit_bookings',
  'svc_delete_bookings',
  'svc_change_booking_status',
  'svc_refund_bookings',
  'svc_manage_departures',
];
export const sees_money = () => beyond_guides.some(has);

// Whether this is somebody of the staff at all.
export const is_staff = computed(() =>
  (me.value?.capabilities ?? []).some((one) => one.startsWith('svc_') || one === 'manage_options'),
);

export async function load_me(): Promise<Me | null> {
  if (!nonce.get()) return null;
  try {
    const found = await api.get('/auth/me', {}, { quiet: true });
    display.value = { ...display.value, ...found.display };
    me.value = found;
    return found;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 401 || error.status === 403)) {
      nonce.clear();
      return null;
    }
    throw error;
  }
}

export async function sign_in(username: string, password: string) {
  const answer = await api.post('/auth/login', null, { username, password }, { quiet: true });
  nonce.set(answer.nonce ?? '');
  await load_me();
}

export async function sign_out() {
  await api.post('/auth/logout', null, {}, { quiet: true }).catch(() => undefined);
  nonce.clear();
  forget_all();
  me.value = null;
}

// A nonce lives a day; a page that stays open longer gets another one in time.
export function renew_nonce_daily() {
  const hours = 6;
  setInterval(
    () => {
      if (me.value)
        void api.get('/auth/nonce', {}, { quiet: true }).then(
          (answer) => nonce.set(answer.nonce ?? ''),
          () => undefined,
        );
    },
    hours * 3600 * 1000,
  );
}
