// Starts an import: an export of ours, or a table whose columns are mapped to fields. The server reads the table's first
// rows and says how; a dry run shows what would fail, and offers the good rows.
import { useEffect, useRef, useState } from 'preact/hooks';

import { type DataOf, api, json, sentence } from '../../kit/client';
import { Field } from '../../kit/field';
import { words } from '../../kit/format';
import { language, t } from '../../kit/i18n';
import { operation, resolved } from '../../kit/interface';
import { Section } from '../../kit/page';
import { changed } from '../../kit/query';
import { Button, Notice } from '../../kit/ui';
import { Summary, useForm } from '../../kit/use-form';
import { KindChoice, kinds_of_records } from './export';
import { type Job, Jobs, is_over } from './jobs';

type Preview = DataOf<'/tools/import/preview', 'post'>;
const tables = ['customers', 'trips', 'departures', 'bookings', 'travelers'];
// Fields that no screen of the admin has.
const labels: Record<string, string> = {
  traveler_id: t('Traveler ID'),
  passport_number: t('Passport number'),
  passport_expiry: t('Passport valid until'),
};
const modes: Record<string, string> = {
  skip: t('Leave it as it is'),
  update: t('Update it'),
  create: t('Create another one'),
};
const day_forms: Record<string, string> = {
  any: t('As this site writes them'),
  dmy: t('Day, month, year (31/12/2027)'),
  mdy: t('Month, day, year (12/31/2027)'),
  ymd: t('Year, month, day (2027/12/31)'),
};
const looked_at = 1_000_000;
const often = 1000; // milliseconds between two looks at a job that is not over

interface Choices {
  table: string;
  data_types: string[];
  mode: string;
  dry_run: boolean;
  encoding: string; // empty: the server finds it out
  date_form: string;
  mapping: Record<string, string | null> | null; // null: the one that the server proposes
}

function is_table(file: File): boolean {
  return !/\.(zip|json|xlsx?|ods)$/i.test(file.name);
}

function encodings(): string[] {
  const parts = resolved(operation('post', '/tools/import/preview')?.parts ?? {});
  return (resolved(parts.properties?.encoding ?? {}).enum ?? []).map(String);
}

// The first lines of a file, whole.
async function first_lines(file: File): Promise<File> {
  if (file.size <= looked_at) return file;
  const bytes = new Uint8Array(await file.slice(0, looked_at).arrayBuffer());
  const end = bytes.lastIndexOf(10) + 1;
  return new File([bytes.slice(0, end || bytes.length)], file.name);
}

// The state of a job until it is over.
function useJob(id: string | null): Job | null {
  const [job, setJob] = useState<Job | null>(null);
  useEffect(() => {
    setJob(null);
    if (!id) return;
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      try {
        const found = (await api.get('/tools/jobs/{job_id}', { job_id: id } as never)) as Job;
        setJob(found);
        if (is_over(found)) return changed('/tools/jobs');
      } catch {
        // asked again: the list below says what is wrong
      }
      timer = setTimeout(look, often);
    };
    void look();
    return () => clearTimeout(timer);
  }, [id]);
  return job;
}

const number = (count: number) => count.toLocaleString(language);

// What a run did, or would do, with the rows that it refused.
function Outcome({ job, busy, go_on }: { job: Job; busy: boolean; go_on: () => void }) {
  const stats = Object.values((job.import_stats ?? {}) as Record<string, Record<string, number>>);
  const sum = (name: string) => stats.reduce((all, one) => all + (one[name] ?? 0), 0);
  const failures = (job.failures ?? []) as { line: number; problem: string }[];
  const [good, same, failed_rows] = [sum('imported'), sum('skipped'), sum('failed')];
  const ignored = Object.entries(((job.file as any)?.ignored ?? {}) as Record<string, number>);
  return (
    <Section title={job.dry_run ? t('What the dry run found') : t('What the import did')}>
      {job.error ? (
        <Notice kind="bad">{job.error}</Notice>
      ) : (
        <p>
          {job.dry_run
            ? t('{0, plural, one {# row is good} other {# rows are good}}', good)
            : t('{0, plural, one {# row was stored} other {# rows were stored}}', good)}
          {same > 0 &&
            `, ${t('{0, plural, one {# is here already and stays as it is} other {# are here already and stay as they are}}', same)}`}
          {failed_rows > 0 && `, ${t('{0, plural, one {# was refused} other {# were refused}}', failed_rows)}`}.
        </p>
      )}
      {ignored.length > 0 && (
        <p>
          {t(
            'Not taken from this file, because only the program changes it: {0}.',
            ignored.map(([column, cells]) => `${column} (${number(cells)})`).join(', '),
          )}
        </p>
      )}
      {failures.length > 0 && (
        <div class="svc-scroll" tabIndex={0} role="region" aria-label={t('Refused rows')}>
          <table class="svc-table">
            <thead>
              <tr>
                <th class="svc-end">{t('Row')}</th>
                <th>{t('Why')}</th>
              </tr>
            </thead>
            <tbody>
              {failures.map((one, at) => (
                <tr key={at}>
                  <td class="svc-end">{number(one.line)}</td>
                  <td>{one.problem}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {failed_rows > failures.length && (
        <p>{t('These are the first {0}; the file below has all of them.', number(failures.length))}</p>
      )}
      {job.dry_run && !job.error && good > 0 && (
        <p class="svc-actions">
          <Button kind="primary" busy={busy} onClick={go_on}>
            {t('{0, plural, one {Import the # good row now} other {Import the # good rows now}}', good)}
          </Button>
        </p>
      )}
    </Section>
  );
}

export function Import() {
  const kinds = kinds_of_records();
  const form = useForm({});
  const [choices, setChoices] = useState<Choices>({
    table: 'customers',
    data_types: kinds,
    mode: 'skip',
    dry_run: true,
    encoding: '',
    date_form: 'any',
    mapping: null,
  });
  const [chosen, setChosen] = useState<File | null>(null);
  const [preview, setPreview] = useState<Preview | null>(null);
  const [fault, setFault] = useState('');
  const [started, setStarted] = useState<string | null>(null);
  const turn = useRef(0);
  const job = useJob(started);
  const table = !!chosen && is_table(chosen);
  const mapping = choices.mapping ?? (preview?.mapping as Record<string, string | null> | undefined) ?? {};

  const look = async (file: File, next: Choices) => {
    const mine = ++turn.current;
    const body = new FormData();
    body.set('data_types', next.table);
    body.set('date_form', next.date_form);
    if (next.encoding) body.set('encoding', next.encoding);
    if (next.mapping) body.set('mapping', JSON.stringify(next.mapping));
    body.set('file', await first_lines(file));
    try {
      const found = (await json<Preview>('post', '/tools/import/preview', { body })).data;
      if (mine !== turn.current) return;
      setPreview(found);
      setFault('');
    } catch (error) {
      if (mine !== turn.current) return;
      setPreview(null);
      setFault(sentence(error));
    }
  };
  const choose = (more: Partial<Choices>, reads = true) => {
    const next = { ...choices, ...more };
    setChoices(next);
    if (reads && table) void look(chosen!, next);
  };
  const take = (file: File | null) => {
    const next = { ...choices, mapping: null, encoding: '' };
    setChosen(file);
    setChoices(next);
    setPreview(null);
    setFault('');
    setStarted(null);
    if (file && is_table(file)) void look(file, next);
  };
  const start = (dry_run: boolean) =>
    form.submit(async () => {
      const body = new FormData();
      body.set('data_types', table ? choices.table : choices.data_types.join(','));
      body.set('mode', choices.mode);
      body.set('dry_run', String(dry_run));
      if (table && preview) {
        body.set('mapping', JSON.stringify(mapping));
        body.set('encoding', preview.encoding);
        body.set('date_form', choices.date_form);
      }
      body.set('file', chosen!);
      const begun = await json<{ job_id: string }>('post', '/tools/import', { body });
      changed('/tools/jobs');
      setStarted(begun.data.job_id);
    });

  const fields = ((preview?.fields ?? []) as any[]).map((one) => ({
    ...one,
    label: labels[one.name] ?? words(one.name ?? ''),
  }));
  const missing = fields.filter((one) => one.required && !Object.values(mapping).includes(one.name));
  const rows = (preview?.rows ?? []) as {
    line: number;
    cells: string[];
    fields: Record<string, unknown>;
    problem: string | null;
  }[];
  const problems = rows.filter((one) => one.problem);
  // A cell, and what it is read as where that is something else.
  const shown = (row: (typeof rows)[number], at: number, column: string) => {
    const text = row.cells[at] ?? '';
    const value = row.fields[mapping[column] ?? ''];
    return value === undefined || value === null || String(value) === text ? text : `${text} → ${String(value)}`;
  };
  return (
    <>
      <Section title={t('Import')}>
        <p>
          {t(
            'An export of this program (zip or JSON), or a table (CSV) of customers, trips, departures, bookings or travelers. It changes only contact and notes of bookings, and only the answers of travelers. It sends no e-mails.',
          )}
        </p>
        <Summary form={form} />
        <Field label={t('File')} errors={fault ? [fault] : form.errors.file} required>
          {({ id }) => (
            <input
              id={id}
              type="file"
              accept=".zip,.json,.csv,.txt,.tsv"
              onChange={(event) => take(event.currentTarget.files?.[0] ?? null)}
            />
          )}
        </Field>
        {table && (
          <Field label={t('Each row is one of')} errors={form.errors.data_types}>
            {({ id }) => (
              <select
                id={id}
                value={choices.table}
                onChange={(event) => choose({ table: event.currentTarget.value, mapping: null })}
              >
                {tables.map((one) => (
                  <option key={one} value={one}>
                    {words(one)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        {table && (preview || choices.encoding) && (
          <Field label={t('Encoding')} errors={form.errors.encoding}>
            {({ id }) => (
              <select
                id={id}
                value={choices.encoding}
                onChange={(event) => choose({ encoding: event.currentTarget.value })}
              >
                <option value="">
                  {preview && !choices.encoding ? t('Found out: {0}', preview.encoding) : t('Find it out')}
                </option>
                {encodings().map((one) => (
                  <option key={one} value={one}>
                    {one}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        {table && preview?.encoding_guessed && (
          <Notice kind="warn">
            {t(
              'The file does not say its encoding and is read as {0}. Look at letters with accents below; where they are wrong, choose another encoding.',
              preview.encoding,
            )}
          </Notice>
        )}
        {table && preview && (
          <Field label={t('Days are written as')} errors={form.errors.date_form}>
            {({ id }) => (
              <select
                id={id}
                value={choices.date_form}
                onChange={(event) => choose({ date_form: event.currentTarget.value })}
              >
                {Object.entries(day_forms).map(([name, said]) => (
                  <option key={name} value={name}>
                    {said}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        {table && preview && (
          <div class="svc-scroll" tabIndex={0} role="region" aria-label={t('Columns')}>
            <table class="svc-table svc-edit">
              <thead>
                <tr>
                  <th>{t('Column of the file')}</th>
                  <th>{t('Becomes')}</th>
                  <th>{t('First rows')}</th>
                </tr>
              </thead>
              <tbody>
                {(preview.columns as string[]).map((column, at) => (
                  <tr key={at}>
                    <td>{column}</td>
                    <td>
                      <select
                        aria-label={t('Column {0} becomes', column)}
                        value={mapping[column] ?? ''}
                        onChange={(event) =>
                          choose({ mapping: { ...mapping, [column]: event.currentTarget.value || null } })
                        }
                      >
                        <option value="">{t('Nothing')}</option>
                        {fields.map((one) => (
                          <option key={one.name} value={one.name}>
                            {one.label}
                            {one.required ? ' *' : ''}
                          </option>
                        ))}
                      </select>
                    </td>
                    <td>
                      {rows
                        .slice(0, 3)
                        .map((row) => shown(row, at, column))
                        .filter(Boolean)
                        .join(' · ')}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        {table && preview && rows.length === 0 && (
          <Notice kind="warn">{t('The file has no row below its head.')}</Notice>
        )}
        {problems.map((one) => (
          <p key={one.line} class="svc-error">
            {t('Row {0}: {1}', one.line, one.problem)}
          </p>
        ))}
        {table && preview && missing.length > 0 && (
          <p class="svc-error">
            {t('No column becomes {0}, which each row needs.', missing.map((one) => one.label).join(', '))}
          </p>
        )}
        {chosen && !table && (
          <KindChoice
            name={t('What to import')}
            kinds={kinds}
            chosen={choices.data_types}
            set={(all) => choose({ data_types: all }, false)}
          />
        )}
        <Field label={t('A record that is here already')} errors={form.errors.mode}>
          {({ id }) => (
            <select
              id={id}
              value={choices.mode}
              onChange={(event) => choose({ mode: event.currentTarget.value }, false)}
            >
              {Object.entries(modes).map(([name, said]) => (
                <option key={name} value={name}>
                  {said}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field
          label={t('Dry run')}
          help={t('Checks every row and stores nothing. Rows that would fail are shown with their reasons.')}
          inline
          errors={form.errors.dry_run}
        >
          {({ id, describedby }) => (
            <input
              id={id}
              type="checkbox"
              role="switch"
              aria-describedby={describedby}
              checked={choices.dry_run}
              onChange={(event) => choose({ dry_run: event.currentTarget.checked }, false)}
            />
          )}
        </Field>
        <p class="svc-actions">
          <Button
            kind="primary"
            busy={form.busy}
            disabled={!chosen || (table && !preview)}
            onClick={() => start(choices.dry_run)}
          >
            {choices.dry_run ? t('Try it') : t('Import')}
          </Button>
        </p>
      </Section>
      {started && (
        <div aria-live="polite">
          {job && is_over(job) ? (
            <Outcome job={job} busy={form.busy} go_on={() => start(false)} />
          ) : (
            <Section title={choices.dry_run ? t('The dry run is under way') : t('The import is under way')}>
              <progress max={100} value={job?.progress ?? 0} aria-label={t('Progress')} />
            </Section>
          )}
        </div>
      )}
      <Jobs type="import" />
    </>
  );
}
