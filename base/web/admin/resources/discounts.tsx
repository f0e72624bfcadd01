// Discounts and their codes.
import { money } from '../../kit/format';
import { t } from '../../kit/i18n';
import { type Resources } from './presentation';

export const discounts: Resources = {
  '/discounts': {
    label: t('Discounts'),
    one: t('discount'),
    columns: [
      { key: 'name', show: (row) => row.name || row.code },
      { key: 'code', show: (row) => row.code && <span class="svc-mono">{row.code}</span> },
      {
        key: 'amount',
        end: true,
        show: (row) =>
          row.amount === null ? '' : row.type === 'percentage' ? `${row.amount} %` : money(row.amount, row.currency),
      },
      {
        key: 'usage_count',
        label: t('Used'),
        end: true,
        show: (row) => (row.usage_limit ? t('{0} of {1}', row.usage_count, row.usage_limit) : row.usage_count),
      },
      { key: 'valid_from', label: t('From') },
      { key: 'expiry_date', label: t('Until') },
      { key: 'status' },
    ],
    groups: [
      {
        title: t('What it takes off'),
        fields: [
          'name',
          'code',
          'discount_mode',
          'type',
          'amount',
          'max_discount_amount',
          'min_amount',
          'status',
          'description',
        ],
      },
      {
        title: t('Who and when'),
        fields: [
          'valid_from',
          'expiry_date',
          'usage_limit',
          'usage_limit_per_customer',
          'first_time_customer_only',
          'applicable_to',
          'trip_ids',
        ],
      },
    ],
    without: ['is_group_discount'],
    empty: t('No discounts yet. A coupon takes a code, an amount and, if you like, an end.'),
    begun: { discount_mode: 'promo', type: 'percentage', applicable_to: 'all', status: 'publish' },
    hides: (values) => [
      ...(values.applicable_to === 'specific_trips' ? [] : ['trip_ids']),
      ...(values.type === 'fixed' ? ['max_discount_amount'] : []),
      ...(values.group_discount_mode === 'category_based' ? [] : ['category_discounts']),
      ...(['group', 'both'].includes(values.discount_mode)
        ? []
        : [
            'group_discount_mode',
            'min_group_size',
            'max_group_size',
            'group_discount_type',
            'group_discount_amount',
            'group_discount_ranges',
            'category_discounts',
          ]),
    ],
  },
};
