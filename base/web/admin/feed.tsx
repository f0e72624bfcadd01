// The calendar feed of all departures, or of one trip's: its address, a new one, none.
import { json } from '../kit/client';
import { Field } from '../kit/field';
import { t } from '../kit/i18n';
import { useRead } from '../kit/query';
import { Button, Dialog, Loaded, failed, toast } from '../kit/ui';

interface Feed {
  enabled: boolean;
  url: string | null;
}

export function FeedDialog({ trip, onClose }: { trip: number | null; onClose: () => void }) {
  const path = trip ? '/trips/{trip_id}/departures/feed' : '/departures/feed';
  const params = trip ? { trip_id: trip } : {};
  const read = useRead(`/feed/${trip ?? ''}`, async () => (await json<Feed>('get', path, { params })).data);
  const change = (method: 'post' | 'delete', said: string) =>
    json(method, path, { params, ...(method === 'post' && { body: {} }) }).then(
      () => (toast(said), read.again()),
      failed,
    );
  const copy = (url: string) => navigator.clipboard.writeText(url).then(() => toast(t('Copied.')), failed);
  return (
    <Dialog
      title={trip ? t('Calendar feed of this trip') : t('Calendar feed of all departures')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Back')}</Button>
          {read.data?.enabled && (
            <Button kind="danger" onClick={() => change('delete', t('The feed is off; its addresses no longer work.'))}>
              {t('Turn it off')}
            </Button>
          )}
          {read.data && (
            <Button
              kind={read.data.enabled ? 'plain' : 'primary'}
              onClick={() => change('post', t('The feed has a new address.'))}
            >
              {read.data.enabled ? t('New address') : t('Turn it on')}
            </Button>
          )}
        </>
      }
    >
      <p>
        {t(
          'Calendars of phones and offices subscribe to it. Whoever has the address can read it; a new address revokes the old one.',
        )}
      </p>
      <Loaded read={read} rows={2}>
        {(feed) =>
          feed.url ? (
            <>
              <Field label={t('Address')}>
                {({ id }) => (
                  <input id={id} readOnly value={feed.url!} onFocus={(event) => event.currentTarget.select()} />
                )}
              </Field>
              <Button onClick={() => copy(feed.url!)}>{t('Copy')}</Button>
            </>
          ) : (
            <p class="svc-none">{t('It is off.')}</p>
          )
        }
      </Loaded>
    </Dialog>
  );
}
