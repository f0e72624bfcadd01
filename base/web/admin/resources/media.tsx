// Pictures and files.
import { t } from '../../kit/i18n';
import { type Resources } from './presentation';

export const media: Resources = {
  '/media': { label: t('Pictures and files'), one: t('file') },
};
