// Consent forms: the forms, who was asked to sign, and the signed copies.
import { t } from '../../kit/i18n';
import { operation } from '../../kit/interface';
import { later } from '../../kit/later';
import { Nowhere } from '../../kit/page';
import { Forms } from '../consent-forms';
import { Requests } from '../consent-requests';
import { Signed } from '../consent-signed';
import { requests_path, signed_path } from '../consent-ways';

const ConsentForm = later(() => import('../consent-form'));

export default function Consent({ part, item }: { part?: string; item?: string }) {
  const path = `/consent/${part ?? 'forms'}`;
  if (!operation('get', path))
    return <Nowhere>{t('There is no such list. The address may be wrong, or its module off.')}</Nowhere>;
  if (path === requests_path) return <Requests />;
  if (path === signed_path) return <Signed />;
  return item ? <ConsentForm key={item} id={item === 'new' ? null : Number(item)} /> : <Forms />;
}
