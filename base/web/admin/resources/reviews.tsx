// Reviews.
import { t } from '../../kit/i18n';
import { type Resources } from './presentation';

export const reviews: Resources = {
  '/reviews': {
    label: t('Reviews'),
    one: t('review'),
    columns: [
      {
        key: 'author_name',
        label: t('By'),
        show: (row) => (
          <>
            {row.author_name}
            <small>{row.author_email}</small>
          </>
        ),
      },
      { key: 'rating', show: (row) => t('{0} of 5', row.rating), end: true },
      { key: 'content', label: t('Review'), show: (row) => row.title || row.content },
      { key: 'trip_title', label: t('Trip') },
      { key: 'status' },
      { key: 'is_featured', label: t('Featured'), off: true },
      { key: 'created_at', label: t('Written') },
    ],
    empty: t('No reviews yet. Travelers are asked for one after their trip.'),
  },
};
