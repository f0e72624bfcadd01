// Tools of whoever runs the server: jobs, export, import, migration, logs, what runs by the clock, caches, status.
import type { ComponentType } from 'preact';

import { type Method } from '../../kit/client';
import { t } from '../../kit/i18n';
import { can } from '../../kit/interface';
import { Head } from '../../kit/page';
import { Empty } from '../../kit/ui';
import { Caches } from '../tools/caches';
import { Cron } from '../tools/cron';
import { Export } from '../tools/export';
import { Import } from '../tools/import';
import { Jobs } from '../tools/jobs';
import { Logs } from '../tools/logs';
import { Migration } from '../tools/migration';
import { SystemStatus } from '../tools/status';

interface Part {
  name: string;
  label: string;
  needs: [Method, string];
  screen: ComponentType;
}
const parts: Part[] = [
  { name: 'jobs', label: t('Jobs'), needs: ['get', '/tools/jobs'], screen: () => <Jobs /> },
  { name: 'export', label: t('Export'), needs: ['post', '/tools/export'], screen: Export },
  { name: 'import', label: t('Import'), needs: ['post', '/tools/import'], screen: Import },
  { name: 'migration', label: t('Migration'), needs: ['get', '/migration/status'], screen: Migration },
  { name: 'logs', label: t('Logs'), needs: ['get', '/tools/logs'], screen: Logs },
  { name: 'cron', label: t('By the clock'), needs: ['get', '/tools/cron-jobs'], screen: Cron },
  { name: 'caches', label: t('Caches'), needs: ['get', '/cache/stats'], screen: Caches },
  { name: 'status', label: t('Status'), needs: ['get', '/tools/system-status'], screen: SystemStatus },
];

export default function Tools({ part }: { part?: string }) {
  const shown = parts.filter((one) => can(...one.needs));
  const here = shown.find((one) => one.name === part) ?? shown[0];
  if (!here)
    return (
      <div class="svc-page">
        <Head title={t('Tools')} />
        <Empty>{t('Your role may use none of the tools.')}</Empty>
      </div>
    );
  const Screen = here.screen;
  return (
    <div class="svc-page">
      <Head
        title={here === shown[0] && !part ? t('Tools') : here.label}
        back={part ? { href: '/admin/tools', label: t('Tools') } : undefined}
      />
      <nav class="svc-tabs" aria-label={t('Tools')}>
        {shown.map((one) => (
          <a key={one.name} href={`/admin/tools/${one.name}`} aria-current={one === here ? 'page' : undefined}>
            {one.label}
          </a>
        ))}
      </nav>
      <Screen key={here.name} />
    </div>
  );
}
