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
    arranged: true,
    empty: t(
      'No attributes yet. They hold what trips have in common, such as a language or a season, and visitors filter by them.',
    ),
    begun: { field_type: 'text_field', show_on_frontend: true },
    hides: (values) => [
      ...(['select', 'radio', 'checkbox'].includes(values.field_type) ? [] : ['field_options']),
      ...(values.show_in_filters ? [] : ['filter_type']),
    ],
    groups: [
      { title: t('What it is'), fields: ['name', 'field_type', 'field_options', 'unit', 'description', 'status'] },
      {
        title: t('Where visitors see it'),
        fields: ['show_on_frontend', 'show_in_filters', 'filter_type', 'searchable'],
      },
      { title: t('What trips say'), fields: ['required', 'default_value', 'placeholder', 'validation_rules'] },
    ],
  },
};
