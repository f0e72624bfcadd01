// What this process keeps in memory to answer faster, how often that helped, and forgetting it.
import { useState } from 'preact/hooks';

import { api } from '../../kit/client';
import { Field } from '../../kit/field';
import { t } from '../../kit/i18n';
import { Section } from '../../kit/page';
import { changed, useRead } from '../../kit/query';
import { Ago, Button, Empty, Loaded, Notice, Switch, failed, toast } from '../../kit/ui';

const size = (bytes: number) =>
  !bytes
    ? '–'
    : bytes < 1024
      ? `${bytes} B`
      : bytes < 1024 * 1024
        ? t('{0} kB', Math.round(bytes / 1024))
        : t('{0} MB', (bytes / 1024 / 1024).toFixed(1));

function Keys() {
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const read = useRead(`/cache/view?${search}&${page}`, () => api.list('/cache/view', { search, page, per_page: 50 }));
  const forget = (what: Promise<unknown>) => what.then(() => (toast(t('Forgotten.')), changed('/cache')), failed);
  return (
    <Section title={t('Entries')}>
      <div class="svc-bar">
        <input
          type="search"
          data-search
          aria-label={t('Beginning of the key')}
          placeholder={t('Beginning of the key')}
          value={search}
          onInput={(event) => (setSearch(event.currentTarget.value), setPage(1))}
        />
        {search.length >= 3 && (
          <Button onClick={() => forget(api.remove('/cache/clear-pattern', { pattern: search } as never))}>
            {t('Forget all that begin so')}
          </Button>
        )}
      </div>
      <Loaded read={read}>
        {({ data, meta }) =>
          (data.cache_data ?? []).length ? (
            <>
              <div class="svc-scroll" tabIndex={0} role="region" aria-label={t('Entries')}>
                <table class="svc-table">
                  <thead>
                    <tr>
                      <th>{t('Key')}</th>
                      <th>{t('Group')}</th>
                      <th class="svc-end">{t('Size')}</th>
                      <th>{t('Since')}</th>
                      <th>
                        <span class="svc-hidden">{t('Forget')}</span>
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {((data.cache_data ?? []) as any[]).map((one) => (
                      <tr key={one.key}>
                        <td class="svc-mono">{one.key}</td>
                        <td>{one.group}</td>
                        <td class="svc-end">{size(one.size ?? 0)}</td>
                        <td>
                          <Ago at={one.created_at} />
                        </td>
                        <td class="svc-end">
                          <Button
                            kind="quiet"
                            aria-label={t('Forget {0}', one.key)}
                            onClick={() =>
                              forget(api.remove('/cache/clear-item', { key: one.key, type: 'memory' } as never))
                            }
                          >
                            {t('Forget')}
                          </Button>
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
              {(meta.total_pages ?? 1) > 1 && (
                <footer class="svc-pages">
                  <span>
                    {page} / {meta.total_pages}
                  </span>
                  <Button disabled={page <= 1} onClick={() => setPage(page - 1)}>
                    {t('Back')}
                  </Button>
                  <Button disabled={page >= meta.total_pages} onClick={() => setPage(page + 1)}>
                    {t('Next')}
                  </Button>
                </footer>
              )}
            </>
          ) : (
            <Empty>{search ? t('Nothing matches.') : t('Nothing is kept.')}</Empty>
          )
        }
      </Loaded>
    </Section>
  );
}

export function Caches() {
  const read = useRead('/cache/stats', () => api.get('/cache/stats', {}));
  const act = (what: Promise<unknown>, said: string) => what.then(() => (toast(said), changed('/cache')), failed);
  return (
    <>
      <Section title={t('Caches')}>
        <Loaded read={read} rows={6}>
          {(now) => (
            <>
              <Field
                label={t('Use caches')}
                help={t('Without them each answer is made anew: right, and slower.')}
                inline
              >
                {({ id, describedby }) => (
                  <Switch
                    id={id}
                    aria-describedby={describedby}
                    checked={!!now.cache_enabled}
                    set={(enabled) =>
                      act(
                        api.post('/cache/toggle', null, { enabled }),
                        enabled ? t('Caches are on.') : t('Caches are off.'),
                      )
                    }
                  />
                )}
              </Field>
              {!now.cache_effective && (
                <Notice kind="info">
                  {now.cache_reason_disabled || t('Caches are off. Answers are right and slower.')}
                </Notice>
              )}
              <div class="svc-scroll" tabIndex={0} role="region" aria-label={t('Caches')}>
                <table class="svc-table">
                  <thead>
                    <tr>
                      <th>{t('Cache')}</th>
                      <th class="svc-end">{t('Entries')}</th>
                      <th class="svc-end">{t('Size')}</th>
                      <th class="svc-end">{t('Helped')}</th>
                      <th>
                        <span class="svc-hidden">{t('Clear')}</span>
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {(now.caches ?? []).map((one) => (
                      <tr key={one.name}>
                        <td>
                          {one.name}
                          <small>{one.description}</small>
                        </td>
                        <td class="svc-end">{t('{0, plural, one {# entry} other {# entries}}', one.entries ?? 0)}</td>
                        <td class="svc-end">{size(one.size ?? 0)}</td>
                        <td class="svc-end">{`${Math.round(one.hit_rate ?? 0)} %`}</td>
                        <td class="svc-end">
                          <Button
                            kind="quiet"
                            aria-label={t('Clear {0}', one.name)}
                            onClick={() =>
                              act(api.remove('/cache/clear-group', { group: one.group } as never), t('Cleared.'))
                            }
                          >
                            {t('Clear')}
                          </Button>
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
              <p class="svc-actions">
                <Button onClick={() => act(api.post('/cache/warm', null), t('Filled.'))}>{t('Fill beforehand')}</Button>
                <Button
                  onClick={() => act(api.remove('/cache/clear-all', {} as never), t('Cleared, in all processes.'))}
                >
                  {t('Clear all')}
                </Button>
              </p>
            </>
          )}
        </Loaded>
      </Section>
      <Keys />
    </>
  );
}
