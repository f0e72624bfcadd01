// The three lists of consents, and the ways between them.
import { t } from '../kit/i18n';
import { can } from '../kit/interface';
import { changed } from '../kit/query';

export const forms_path = '/consent/forms';
export const requests_path = '/consent/requests';
export const signed_path = '/consent/signed';
export const refresh = () => changed('/consent', '/bookings');

// A screen leaves out its own.
export function Ways({ here }: { here: string }) {
  const ways: [string, string][] = [
    [forms_path, t('Forms')],
    [requests_path, t('Requests')],
    [signed_path, t('Signed copies')],
  ];
  return (
    <>
      {ways
        .filter(([path]) => path !== here && can('get', path))
        .map(([path, label]) => (
          <a key={path} class="svc-button svc-plain" href={`/admin${path}`}>
            {label}
          </a>
        ))}
    </>
  );
}
