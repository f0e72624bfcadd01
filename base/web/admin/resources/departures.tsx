// Departures and the rules that make them.
import { day } from '../../kit/format';
import { t } from '../../kit/i18n';
import { Load } from '../../kit/ui';
import { type Resources } from './presentation';

export const departures: Resources = {
  '/departures': {
    label: t('Departures'),
    one: t('departure'),
    columns: [
      { key: 'start_date', label: t('Leaves'), show: (row) => day(row.start_date, 'D j M Y') },
      { key: 'trip', label: t('Trip'), show: (row) => row.trip?.title, text: (row) => row.trip?.title ?? '' },
      { key: 'time' },
      {
        key: 'booked_count',
        label: t('Booked'),
        show: (row) => <Load booked={row.booked_count} capacity={row.max_capacity} />,
      },
      { key: 'waiting_count', label: t('Waiting'), end: true },
      { key: 'status' },
      { key: 'total_revenue', label: t('Revenue'), end: true },
    ],
    href: (row) => `/admin/departures/${row.trip_id}/${row.id}`,
    empty: t('No departures. Add dates or a rule to a trip.'),
  },
};
