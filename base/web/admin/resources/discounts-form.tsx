// The form of one: controls that no kind of field has, and what stands beside it.
import { later } from '../../kit/later';
import type { Presentation } from './presentation';

export const discounts_form: Presentation = {
  own: {
    code: later(() => import('../discount-parts').then((found) => ({ default: found.DiscountCode }))),
    category_discounts: later(() =>
      import('../discount-parts').then((found) => ({ default: found.CategoryDiscounts })),
    ),
  },
  beside: later(() => import('../discount-parts').then((found) => ({ default: found.DiscountSummary }))),
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
};
