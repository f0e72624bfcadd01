// Customers.
import { t } from '../../kit/i18n';
import { type Resources } from './presentation';

export const customers: Resources = {
  '/customers': {
    label: t('Customers'),
    one: t('customer'),
    columns: [
      {
        key: 'name',
        show: (row) => (
          <>
            {row.name}
            <small>{row.email}</small>
          </>
        ),
      },
      { key: 'phone' },
      { key: 'country' },
      { key: 'total_bookings', label: t('Bookings'), end: true },
      { key: 'total_spent', label: t('Spent'), end: true },
      { key: 'last_booking_date', label: t('Last booked') },
      { key: 'status' },
      { key: 'loyalty_tier', off: true },
      { key: 'tags', off: true },
    ],
    empty: t('No customers yet. Who books becomes one.'),
    without: ['fields'], // of the customer's own screen, which knows them
  },
};
