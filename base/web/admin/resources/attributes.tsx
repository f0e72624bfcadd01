// Attributes of trips.
import { words } from '../../kit/format';
import { t } from '../../kit/i18n';
import type { Row } from '../../kit/list';
import { type Resources } from './presentation';

export const attributes: Resources = {
  '/attributes': {
    label: t('Attributes'),
    one: t('attribute'),
    columns: [
      { key: 'name' },
      {
        key: 'field_type',
        label: t('Type'),
        show: (row) => (
          <>
            {words(row.field_type ?? '')}
            {row.field_options?.length ? (
              <small>{row.field_options.map((one: Row) => one.label).join(', ')}</small>
            ) : null}
          </>
        ),
      },
      {
        key: 'show_on_frontend',
        label: t('On pages'),
        show: (row) => (row.show_on_frontend ? t('On pages') : t('Not on pages')),
      },
      { key: 'show_in_filters', label: t('As a filter'), show: (row) => (row.show_in_filters ? t('As a filter') : '') },
      { key: 'trip_count', label: t('Trips'), end: true },
      { key: 'status' },
      { key: 'slug', off: true },
      { key: 'updated_at', label: t('Changed'), off: true },
    ],
    tabs: ['all', 'publish', 'draft', 'trash'],
    arranged: true,
    rich: ['description'],
    empty: t(
      'No attributes yet. They hold what trips have in common, such as a language or a season, and visitors filter by them.',
    ),
  },
};
