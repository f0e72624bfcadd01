// Words of the states of a request to sign, for the lists and for the screens of bookings and departures.
import { t } from '../kit/i18n';

// The tone of Status, and what it says.
const states: Record<string, [string, string]> = {
  unsent: ['new', t('Not asked yet')],
  pending: ['new', t('Asked')],
  viewed: ['info', t('Opened')],
  signed: ['succeeded', t('Signed')],
  expired: ['overdue', t('Expired')],
  revoked: ['over', t('Taken back')],
};
export function request_status(row: Record<string, any>): [string, string] {
  const status = row.status === 'pending' && row.viewed_at ? 'viewed' : row.status;
  return states[status] ?? [status, status];
}
