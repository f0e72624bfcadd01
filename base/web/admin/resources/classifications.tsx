// What trips are sorted by: seven kinds of one shape.
import { t } from '../../kit/i18n';
import { Thumb } from '../../kit/media';
import { type Presentation, type Resources, title } from './presentation';

const classified: Presentation = {
  columns: [
    {
      key: 'name',
      show: (row) => (
        <>
          {row.featured_image ? <Thumb id={row.featured_image} alt="" /> : null}{' '}
          {row.parent_id ? <span class="svc-none">— </span> : null}
          {title(row)}
        </>
      ),
    },
    { key: 'slug', off: true },
    { key: 'trip_count', label: t('Trips'), end: true },
    { key: 'status' },
    { key: 'sorting', label: t('Place'), end: true, off: true },
    { key: 'updated_at', label: t('Changed') },
  ],
  groups: [
    {
      title: t('What it is'),
      fields: ['name', 'label', 'slug', 'description', 'status', 'parent_id', 'color', 'icon'],
    },
    { title: t('Pictures'), fields: ['featured_image', 'gallery'] },
  ],
};

export const classifications: Resources = {
  '/destinations': { ...classified, tree: true, label: t('Destinations'), one: t('destination') },
  '/activities': { ...classified, tree: true, label: t('Activities'), one: t('activity') },
  '/trip-categories': { ...classified, tree: true, label: t('Categories'), one: t('category') },
  '/difficulty-levels': { ...classified, label: t('Difficulty levels'), one: t('difficulty level') },
  '/traveler-categories': { ...classified, label: t('Traveler categories'), one: t('traveler category') },
  '/items': { ...classified, label: t('Items'), one: t('item') },
  '/item-types': { ...classified, label: t('Item types'), one: t('item type') },
};
