// Whether each traveler of a booking has signed, on the booking's screen.
import { json } from '../kit/client';
import { t } from '../kit/i18n';
import { can } from '../kit/interface';
import type { Row } from '../kit/list';
import { Section } from '../kit/page';
import { changed, useRead } from '../kit/query';
import { Ago, Button, Loaded, Status, failed, toast } from '../kit/ui';
import { request_status } from './consent-words';

export default function ConsentStatus({ booking }: { booking: Row }) {
  const path = '/bookings/{id}/consent-status';
  const read = useRead(
    `/bookings/${booking.id}/consent-status`,
    async () => (await json<Row>('get', path, { params: { id: booking.id } })).data,
  );
  if (read.data && !read.data.travelers.length) return null;
  const ask = (one: Row) =>
    (one.request_id && one.status !== 'revoked'
      ? json('post', '/consent/requests/{id}/resend', { params: { id: one.request_id } })
      : json('post', '/consent/requests', {
          body: { booking_id: booking.id, form_id: one.form_id, traveler_indexes: [one.traveler_index] },
        })
    ).then(async () => {
      await changed(`/bookings/${booking.id}/consent-status`, '/consent');
      toast(t('The link is on its way.'));
    }, failed);
  return (
    <Section title={read.data ? t('Consent: {0} of {1} signed', read.data.signed, read.data.required) : t('Consent')}>
      <Loaded read={read} rows={2}>
        {(now) => (
          <ul class="svc-rows">
            {now.travelers.map((one: Row) => {
              const [tone, say] = request_status(one);
              const name = one.name || t('Traveler {0}', one.traveler_index);
              return (
                <li key={`${one.form_id} ${one.traveler_index}`}>
                  <div>
                    <b>{name}</b>
                    <small>
                      {one.form_name}
                      {one.signed_at || one.sent_at ? ' · ' : ''}
                      <Ago at={one.signed_at ?? one.sent_at} />
                    </small>
                  </div>
                  <Status value={tone} say={say} />
                  {one.status !== 'signed' && can('post', '/consent/requests') && (
                    <Button aria-label={t('Ask {0} to sign', name)} onClick={() => ask(one)}>
                      {one.status === 'unsent' ? t('Ask') : t('Send again')}
                    </Button>
                  )}
                </li>
              );
            })}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}
