// Payments: made, pending, planned and outstanding.
import { money, words } from '../../kit/format';
import { t } from '../../kit/i18n';
import { type Resources } from './presentation';

export const payments: Resources = {
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
    empty: t('No payments yet.'),
  },
  '/scheduled-payments': { label: t('Scheduled payments') },
  '/scheduled-payments/outstanding': { label: t('Outstanding') },
};
