// What forms of single resources have, apart from their lists, which every screen loads.
import { attributes_form } from './attributes-form';
import { discounts_form } from './discounts-form';
import type { Resources } from './presentation';

export const forms: Resources = { '/attributes': attributes_form, '/discounts': discounts_form };
