// Exports, imports and migrations that run on their own: progress, cancelling, files, undoing. Leaving the page stops
// nothing, and coming back finds them here.
import { useEffect, useState } from 'preact/hooks';

import { type DataOf, api, file, json } from '../../kit/client';
import { words } from '../../kit/format';
import { language, t } from '../../kit/i18n';
import { Section } from '../../kit/page';
import { changed, useRead } from '../../kit/query';
import { Ago, Button, Confirm, Empty, Loaded, Notice, Status, failed, toast } from '../../kit/ui';

export type Job = DataOf<'/tools/jobs/{job_id}', 'get'>;
const often = 1000; // milliseconds between two looks at a job that is not over

export function is_over(job: Pick<Job, 'status'>): boolean {
  return !['pending', 'running'].includes(job.status);
}

const kinds: Record<string, string> = { export: t('Export'), import: t('Import'), migrate: t('Migration') };
const files: Record<string, string> = { result: t('Download'), errors: t('What failed') };

function save(job: Job, which: 'result' | 'errors') {
  const name = which === 'errors' ? `${job.id}-errors.csv` : `${job.id}.${job.type === 'export' ? 'zip' : 'csv'}`;
  return file(
    '/tools/jobs/{job_id}/download',
    { job_id: job.id, file: which },
    name,
    which === 'errors' ? 'text/csv' : 'application/zip',
  ).catch(failed);
}

// Counts by kind of record: {"customers": {"total": 5, "created": 3, ...}}.
export function Counts({ stats }: { stats: Record<string, any> | undefined }) {
  const rows = Object.entries(stats ?? {}).filter(([, one]) => one && typeof one === 'object');
  if (!rows.length) return null;
  const names = [
    ...new Set(rows.flatMap(([, one]) => Object.keys(one).filter((name) => typeof one[name] === 'number'))),
  ];
  return (
    <div class="svc-scroll" tabIndex={0} role="region" aria-label={t('Counts')}>
      <table class="svc-table">
        <thead>
          <tr>
            <th>{t('Kind')}</th>
            {names.map((name) => (
              <th key={name} class="svc-end">
                {words(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([kind, one]) => (
            <tr key={kind}>
              <td>{words(kind)}</td>
              {names.map((name) => (
                <td key={name} class="svc-end">
                  {one[name] ?? ''}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function JobRow({ job, again }: { job: Job; again: () => void }) {
  const [asking, setAsking] = useState<'cancel' | 'delete' | 'undo' | ''>('');
  const over = is_over(job);
  const stored =
    job.type === 'import' &&
    over &&
    job.status !== 'failed' &&
    !job.dry_run &&
    !job.undoes &&
    job.processed_records > 0;
  return (
    <li class="svc-job">
      <div>
        <b>{job.undoes ? t('Undoing an import') : (kinds[job.type] ?? words(job.type))}</b>{' '}
        <span>{job.data_types.map(words).join(', ')}</span>
        {job.dry_run && <small class="svc-badge">{t('dry run')}</small>}
        <Status value={job.status} />
        <small>
          <Ago at={job.completed_at ?? job.created_at} />{' '}
          {job.total_records > 0 &&
            t(
              '{0} of {1}',
              job.processed_records.toLocaleString(language),
              t('{0, plural, one {# record} other {# records}}', job.total_records),
            )}
          {job.error_count > 0 && `, ${t('{0, plural, one {# error} other {# errors}}', job.error_count)}`}
        </small>
        {!over && <progress max={100} value={job.progress} aria-label={t('Progress of {0}', job.id)} />}
        {job.error && <Notice kind="bad">{job.error}</Notice>}
        {over && job.type !== 'export' && Object.keys(job.import_stats ?? {}).length > 0 && (
          <details>
            <summary>{t('Counts')}</summary>
            <Counts stats={job.import_stats as Record<string, any>} />
          </details>
        )}
      </div>
      <span class="svc-actions">
        {job.has_file && over && <Button onClick={() => save(job, 'result')}>{files.result}</Button>}
        {job.has_errors_file && over && <Button onClick={() => save(job, 'errors')}>{files.errors}</Button>}
        {stored && <Button onClick={() => setAsking('undo')}>{t('Undo')}</Button>}
        <Button kind="quiet" onClick={() => setAsking(over ? 'delete' : 'cancel')}>
          {over ? t('Delete') : t('Cancel')}
        </Button>
      </span>
      {asking === 'undo' && (
        <Confirm
          title={t('Undo this import?')}
          action={t('Undo')}
          danger
          onClose={() => setAsking('')}
          run={async () => {
            await api.post('/tools/jobs/{job_id}/undo', { job_id: job.id } as never);
            toast(t('The import is being undone.'));
            again();
          }}
        >
          <p>
            {t('What it created is deleted unless something newer refers to it. What it changed becomes as it was.')}
          </p>
        </Confirm>
      )}
      {(asking === 'cancel' || asking === 'delete') && (
        <Confirm
          title={asking === 'cancel' ? t('Cancel this job?') : t('Delete this job with its files?')}
          action={asking === 'cancel' ? t('Cancel the job') : t('Delete')}
          danger
          onClose={() => setAsking('')}
          run={async () => {
            await json('delete', '/tools/jobs/{job_id}', { params: { job_id: job.id } });
            again();
          }}
        >
          <p>
            {asking === 'cancel'
              ? t('It stops after the step at hand; what is stored by then stays.')
              : t('The records that it stored stay.')}
          </p>
        </Confirm>
      )}
    </li>
  );
}

export function Jobs({ type }: { type?: string }) {
  const key = `/tools/jobs?type=${type ?? ''}`;
  const read = useRead(key, () => api.list('/tools/jobs', { type, per_page: 50 } as never));
  const rows = (read.data?.data ?? []) as Job[];
  const runs = rows.some((one) => !is_over(one));
  useEffect(() => {
    if (!runs) return;
    const timer = setInterval(() => !document.hidden && read.again(), often);
    return () => clearInterval(timer);
  }, [runs, key]);
  return (
    <Section title={type ? t('Earlier') : undefined}>
      <Loaded read={read}>
        {() =>
          rows.length ? (
            <ul class="svc-rows">
              {rows.map((job) => (
                <JobRow key={job.id} job={job} again={() => (read.again(), changed('/tools/jobs'))} />
              ))}
            </ul>
          ) : (
            <Empty>{t('No jobs yet. Exports, imports and migrations appear here.')}</Empty>
          )
        }
      </Loaded>
    </Section>
  );
}
