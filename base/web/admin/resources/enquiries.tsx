// Enquiries.
import { t } from '../../kit/i18n';
import { type Resources } from './presentation';

export const enquiries: Resources = {
  '/enquiries': {
    label: t('Enquiries'),
    one: t('enquiry'),
    columns: [
      {
        key: 'customer_name',
        label: t('From'),
        sort: 'name',
        show: (row) => (
          <>
            {row.customer_name}
            <small>{row.customer_email}</small>
          </>
        ),
      },
      { key: 'trip_title', label: t('About') },
      { key: 'message' },
      { key: 'travel_date', label: t('Travels') },
      { key: 'status' },
      { key: 'created_at', label: t('Received') },
    ],
    empty: t('No enquiries. They arrive from the trip pages.'),
  },
};
