// Controls of single resources that no kind of field has, and what stands beside a form: apart from resources/, since
// what they load is loaded with forms alone.
import { later } from '../../kit/later';
import type { Resources } from './presentation';

export const forms: Resources = {
  '/attributes': {
    own: { field_options: later(() => import('../attribute-options')) },
  },
  '/discounts': {
    own: {
      code: later(() => import('../discount-parts').then((found) => ({ default: found.DiscountCode }))),
      category_discounts: later(() =>
        import('../discount-parts').then((found) => ({ default: found.CategoryDiscounts })),
      ),
    },
    beside: later(() => import('../discount-parts').then((found) => ({ default: found.DiscountSummary }))),
  },
};
