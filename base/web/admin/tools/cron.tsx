// What runs by the clock, when it ran and runs next; run now.
import { api } from '../../kit/client';
import { t } from '../../kit/i18n';
import { Section } from '../../kit/page';
import { useRead } from '../../kit/query';
import { Ago, Button, Empty, Loaded, Status, failed, toast } from '../../kit/ui';

export function Cron() {
  const read = useRead('/tools/cron-jobs', () => api.get('/tools/cron-jobs', {}));
  const run = async (hook: string) => {
    try {
      const done = await api.post('/tools/cron-run', null, { hook });
      const counts = Object.entries((done.result ?? {}) as Record<string, unknown>).map(
        ([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`,
      );
      toast(t('Done in {0} ms. {1}', done.duration_ms, counts.join(', ')));
    } catch (error) {
      failed(error);
    }
    await read.again();
  };
  return (
    <Section>
      <Loaded read={read} rows={8}>
        {(data) =>
          (data.cron_jobs ?? []).length ? (
            <div class="svc-scroll" tabIndex={0} role="region" aria-label={t('Jobs by the clock')}>
              <table class="svc-table">
                <thead>
                  <tr>
                    <th>{t('Job')}</th>
                    <th>{t('How often')}</th>
                    <th>{t('Ran')}</th>
                    <th>{t('Runs next')}</th>
                    <th>{t('Outcome')}</th>
                    <th>
                      <span class="svc-hidden">{t('Run')}</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {(data.cron_jobs ?? []).map((one) => (
                    <tr key={one.hook}>
                      <td>
                        <span class="svc-mono">{one.hook}</span>
                        <small>{one.description}</small>
                      </td>
                      <td>{one.schedule_label}</td>
                      <td>{one.last_run ? <Ago at={one.last_run} /> : <span class="svc-none">–</span>}</td>
                      <td>
                        {one.next_run ? <Ago at={one.next_run} /> : <span class="svc-none">–</span>}
                        {one.is_overdue && <small class="svc-bad">{t('overdue')}</small>}
                      </td>
                      <td>{one.last_status ? <Status value={one.last_status} /> : <span class="svc-none">–</span>}</td>
                      <td class="svc-end">
                        <Button aria-label={t('Run {0} now', one.hook)} onClick={() => run(one.hook!)}>
                          {t('Run now')}
                        </Button>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          ) : (
            <Empty>{t('Nothing runs by the clock.')}</Empty>
          )
        }
      </Loaded>
    </Section>
  );
}
