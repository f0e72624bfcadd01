// Which additional services a trip offers; those for all trips are shown and changed on their own screen.
import { useState } from 'preact/hooks';

import { json } from '../kit/client';
import { money } from '../kit/format';
import { t } from '../kit/i18n';
import { can } from '../kit/interface';
import { changed, useRead } from '../kit/query';
import { Button, Empty, Loaded, Status, failed, toast } from '../kit/ui';

export function TripServices({ id }: { id: number }) {
  const read = useRead(
    `/additional-services for ${id}`,
    async () => (await json<Record<string, any>[]>('get', '/additional-services', { params: { per_page: 100 } })).data,
  );
  const [ticked, setTicked] = useState<Set<number> | null>(null);
  const [busy, setBusy] = useState(false);
  return (
    <Loaded read={read} rows={3}>
      {(services) => {
        const linked = services
          .filter((one) => one.applicable_to !== 'all' && one.trip_ids.includes(id))
          .map((one) => one.id as number);
        const chosen = ticked ?? new Set(linked);
        const save = async () => {
          setBusy(true);
          try {
            await json('put', '/trips/{id}/services', { params: { id }, body: { service_ids: [...chosen] } });
            await changed('/additional-services', '/booking/trip');
            setTicked(null);
            toast(t('The services of this trip are saved.'));
          } catch (error) {
            failed(error);
          } finally {
            setBusy(false);
          }
        };
        return services.length ? (
          <>
            <ul class="svc-rows">
              {services.map((one) => (
                <li key={one.id}>
                  <label class="svc-check">
                    <input
                      type="checkbox"
                      checked={one.applicable_to === 'all' || chosen.has(one.id)}
                      disabled={one.applicable_to === 'all' || !can('put', '/trips/{id}/services')}
                      onChange={(event) => {
                        const next = new Set(chosen);
                        if (event.currentTarget.checked) next.add(one.id);
                        else next.delete(one.id);
                        setTicked(next);
                      }}
                    />
                    {one.name}{' '}
                    <small>
                      {one.price_type === 'percentage' ? `${one.price} %` : money(one.price, one.currency)}
                      {one.applicable_to === 'all' && ` · ${t('on all trips')}`}
                    </small>
                  </label>
                  {one.status !== 'publish' && <Status value={one.status} />}
                </li>
              ))}
            </ul>
            <p class="svc-actions">
              <Button kind="primary" busy={busy} disabled={!ticked} onClick={() => void save()}>
                {t('Save the services')}
              </Button>
              <a class="svc-button svc-plain" href="/admin/additional-services">
                {t('All services')}
              </a>
            </p>
          </>
        ) : (
          <Empty
            action={
              <a class="svc-button svc-primary" href="/admin/additional-services/new">
                {t('New service')}
              </a>
            }
          >
            {t('There are no services yet.')}
          </Empty>
        );
      }}
    </Loaded>
  );
}
