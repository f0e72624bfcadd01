// Every resource that says how its list and form look: one file each.
import { attributes } from './attributes';
import { bookings } from './bookings';
import { classifications } from './classifications';
import { customers } from './customers';
import { departures } from './departures';
import { discounts } from './discounts';
import { enquiries } from './enquiries';
import { media } from './media';
import { payments } from './payments';
import { reviews } from './reviews';
import { trips } from './trips';
import type { Resources } from './presentation';

export const resources: Resources = {
  ...bookings,
  ...trips,
  ...classifications,
  ...attributes,
  ...media,
  ...discounts,
  ...payments,
  ...customers,
  ...enquiries,
  ...reviews,
  ...departures,
};
