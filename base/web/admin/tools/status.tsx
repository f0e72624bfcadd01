// What the server is made of and whether anything is wrong with it; what a usage report would tell.
import { api } from '../../kit/client';
import { Field } from '../../kit/field';
import { words } from '../../kit/format';
import { t } from '../../kit/i18n';
import { can } from '../../kit/interface';
import { Facts, Section } from '../../kit/page';
import { useRead } from '../../kit/query';
import { Ago, Button, Loaded, Notice, Status, Switch, failed, toast } from '../../kit/ui';

const plain = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'boolean'
      ? value
        ? t('Yes')
        : t('No')
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);
// Facts of what is not there are left out: a base alone misses nothing.
const is_there = (value: unknown) => value !== null && value !== 'none' && !(Array.isArray(value) && !value.length);
const facts = (of: unknown): [string, string][] =>
  Object.entries((of ?? {}) as Record<string, unknown>)
    .filter(([, value]) => is_there(value))
    .map(([name, value]) => [words(name), plain(value)]);

function Usage() {
  const read = useRead('/usage-tracking/status', () => api.get('/usage-tracking/status', {}));
  const preview = useRead('/usage-tracking/preview', () => api.get('/usage-tracking/preview', {}));
  const act = (what: Promise<unknown>, said: string) =>
    what.then(() => (toast(said), Promise.all([read.again(), preview.again()])), failed);
  return (
    <Section title={t('Usage reports')}>
      <Loaded read={read} rows={3}>
        {(now) => (
          <>
            <p>
              {now.has_address
                ? t('Off unless you turn them on. The report below is sent, word for word.')
                : t('This build has no address to send reports to: nothing leaves this server.')}
            </p>
            <Field label={t('Send usage reports')} inline>
              {({ id }) => (
                <Switch
                  id={id}
                  checked={!!now.enabled}
                  set={(enabled) => act(api.post('/usage-tracking/settings', null, { enabled }), t('Saved.'))}
                />
              )}
            </Field>
            <Facts
              rows={[
                [t('Sent last'), now.last_sync && <Ago at={now.last_sync} />],
                [t('Sent next'), now.next_scheduled && <Ago at={now.next_scheduled} />],
                [t('Tries'), now.retry_count || ''],
                [t('What failed'), now.last_send_error],
              ]}
            />
            <details>
              <summary>{t('The report')}</summary>
              <pre class="svc-code" tabIndex={0}>
                {preview.data?.json}
              </pre>
            </details>
            <p class="svc-actions">
              {now.enabled && now.has_address && (
                <Button onClick={() => act(api.post('/usage-tracking/send', null, {}), t('The report is sent.'))}>
                  {t('Send now')}
                </Button>
              )}
              <Button kind="quiet" onClick={() => act(api.post('/usage-tracking/clear-cache', null), t('Forgotten.'))}>
                {t('Forget a report that waits')}
              </Button>
              <Button
                kind="quiet"
                onClick={() => act(api.post('/usage-tracking/delete-snapshots', null), t('Deleted.'))}
              >
                {t('Delete copies')}
              </Button>
            </p>
          </>
        )}
      </Loaded>
    </Section>
  );
}

export function SystemStatus() {
  const read = useRead('/tools/system-status', () => api.get('/tools/system-status', {}));
  return (
    <>
      <Loaded read={read} rows={10}>
        {(data) => {
          const needs = Object.entries(
            (data.requirements ?? {}) as Record<string, { required: string; current: string; status: string }>,
          );
          const bad = needs.filter(([, one]) => one.status !== 'pass');
          return (
            <>
              <Section title={t('Requirements')}>
                {bad.length ? (
                  <Notice kind={bad.some(([, one]) => one.status === 'fail') ? 'bad' : 'warn'}>
                    {t('{0} of {1} need attention.', bad.length, needs.length)}
                  </Notice>
                ) : (
                  <Notice kind="good">{t('All requirements are met.')}</Notice>
                )}
                <div class="svc-scroll" tabIndex={0} role="region" aria-label={t('Requirements')}>
                  <table class="svc-table">
                    <thead>
                      <tr>
                        <th>{t('What')}</th>
                        <th>{t('Needed')}</th>
                        <th>{t('Found')}</th>
                        <th>{t('Status')}</th>
                      </tr>
                    </thead>
                    <tbody>
                      {needs.map(([name, one]) => (
                        <tr key={name}>
                          <td>{words(name)}</td>
                          <td>{one.required}</td>
                          <td>{one.current}</td>
                          <td>
                            <Status value={one.status} />
                          </td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
              </Section>
              <div class="svc-two svc-even">
                <Section title={t('Program')}>
                  <Facts rows={[...facts(data.service), ...facts(data.runtime)]} />
                </Section>
                <Section title={t('Database')}>
                  <Facts rows={facts(data.database)} />
                </Section>
                <Section title={t('Server')}>
                  <Facts rows={facts(data.server)} />
                </Section>
                <Section title={t('Libraries')}>
                  <Facts
                    rows={facts(Object.fromEntries(Object.entries(data.extensions ?? {}).filter(([, on]) => on)))}
                  />
                  <p>
                    <a href="/svc-assets/admin/third-party.txt" target="_blank">
                      {t('Licences of parts that others made')}
                    </a>
                  </p>
                </Section>
              </div>
            </>
          );
        }}
      </Loaded>
      {can('get', '/usage-tracking/status') && <Usage />}
    </>
  );
}
