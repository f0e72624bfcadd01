// Trips.
import { money } from '../../kit/format';
import { t } from '../../kit/i18n';
import { Thumb } from '../../kit/media';
import { type Resources } from './presentation';

export const trips: Resources = {
  '/trips': {
    label: t('Trips'),
    one: t('trip'),
    columns: [
      {
        key: 'title',
        show: (row) => (
          <>
            {row.featured_image ? <Thumb id={row.featured_image} /> : null} {row.title}
          </>
        ),
      },
      { key: 'duration', label: t('Days'), end: true },
      {
        key: 'price',
        label: t('From'),
        sort: 'price',
        end: true,
        show: (row) => money(row.display_price ?? row.regular_price, row.currency),
      },
      { key: 'status' },
      { key: 'bookings_count', label: t('Bookings'), end: true },
      { key: 'avg_rating', label: t('Rating'), end: true, off: true },
      { key: 'updated_at', label: t('Changed') },
    ],
    empty: t('No trips yet. The first one takes a title, a price and a date.'),
  },
};
