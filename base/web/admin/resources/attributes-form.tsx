// The form of one: controls that no kind of field has, and what stands beside it.
import { t } from '../../kit/i18n';
import { later } from '../../kit/later';
import type { Presentation } from './presentation';

export const attributes_form: Presentation = {
  own: { field_options: later(() => import('../attribute-options')) },
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
};
