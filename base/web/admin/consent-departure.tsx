// How many travelers of a departure have signed, and the names of those who have not.
import { json } from '../kit/client';
import { t } from '../kit/i18n';
import type { Row } from '../kit/list';
import { Section } from '../kit/page';
import { useRead } from '../kit/query';
import { Loaded, Status } from '../kit/ui';
import { request_status } from './consent-words';

export default function ConsentDeparture({ departure }: { departure: number }) {
  const read = useRead(
    `/consent/departures/${departure}`,
    async () => (await json<Row>('get', '/consent/departures/{id}', { params: { id: departure } })).data,
  );
  const now = read.data;
  if (now && !now.required) return null;
  const missing = (now?.travelers ?? []).filter((one: Row) => one.status !== 'signed');
  return (
    <Section title={now ? t('Consent: {0} of {1} signed', now.signed, now.required) : t('Consent')}>
      <Loaded read={read} rows={2}>
        {() =>
          missing.length ? (
            <ul class="svc-rows">
              {missing.map((one: Row) => {
                const [tone, say] = request_status(one);
                return (
                  <li key={`${one.booking_id} ${one.form_id} ${one.traveler_index}`}>
                    <div>
                      <b>{one.name || t('Not named yet')}</b>
                      <small>
                        {one.form_name} · <a href={`/admin/bookings/${one.booking_id}`}>{one.booking_reference}</a>
                      </small>
                    </div>
                    <Status value={tone} say={say} />
                  </li>
                );
              })}
            </ul>
          ) : (
            <p>{t('Everybody has signed.')}</p>
          )
        }
      </Loaded>
    </Section>
  );
}
