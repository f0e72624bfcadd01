// Whether a traveler of the manifest has arrived, and the button that notes it.
import { Check } from 'lucide-preact';

import { json } from '../kit/client';
import { moment } from '../kit/format';
import { t } from '../kit/i18n';
import type { Row } from '../kit/list';
import { changed, useRead } from '../kit/query';
import { Button, failed } from '../kit/ui';

export default function CheckIn({ departure, traveler, name }: { departure: number; traveler: number; name: string }) {
  const key = `/departures/${departure}/check-ins`;
  const read = useRead(
    key,
    async () => (await json<Row[]>('get', '/departures/{id}/check-ins', { params: { id: departure } })).data,
  );
  const found = (read.data ?? []).find((one) => one.traveler_id === traveler);
  const set = (checked_in: boolean) =>
    json('put', '/travelers/{id}/check-in', { params: { id: traveler }, body: { checked_in } }).then(
      () => changed(key),
      failed,
    );
  if (read.error && !read.data) return <Button onClick={() => read.again()}>{t('Try again')}</Button>;
  return found ? (
    <Button
      kind="quiet"
      icon={<Check size={16} aria-hidden />}
      title={moment(found.checked_in_at)}
      aria-label={t('{0} has arrived. Take that back', name)}
      onClick={() => set(false)}
    >
      {t('Arrived')}
    </Button>
  ) : (
    <Button disabled={!read.data} aria-label={t('Check in {0}', name)} onClick={() => set(true)}>
      {t('Check in')}
    </Button>
  );
}
