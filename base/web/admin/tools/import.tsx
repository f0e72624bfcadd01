// Starts an import: an export of ours, or a table whose columns are mapped to fields; first as a dry run, if wished.
import { useState } from 'preact/hooks';

import { type DataOf, api, json } from '../../kit/client';
import { Field } from '../../kit/field';
import { words } from '../../kit/format';
import { t } from '../../kit/i18n';
import { Section } from '../../kit/page';
import { changed } from '../../kit/query';
import { Button, failed, toast } from '../../kit/ui';
import { Summary, useForm } from '../../kit/use-form';
import { head_of, is_table } from './csv-head';
import { KindChoice, kinds_of_records } from './export';
import { Jobs } from './jobs';

type Mapping = DataOf<'/tools/import/mapping', 'post'>;
const tables = ['customers', 'trips', 'departures'];
const modes: Record<string, string> = { skip: t('Leave it as it is'), update: t('Update it'), create: t('Create another one') };

export function Import() {
  const kinds = kinds_of_records();
  const form = useForm({ data_types: kinds, mode: 'skip', dry_run: true, table: 'customers' });
  const [chosen, setChosen] = useState<File | null>(null);
  const [columns, setColumns] = useState<string[]>([]);
  const [mapping, setMapping] = useState<Mapping | null>(null);
  const table = !!chosen && is_table(chosen);
  const map = async (kind: string, names: string[]) => {
    if (!names.length) return setMapping(null);
    try {
      setMapping(await api.post('/tools/import/mapping', null, { data_type: kind, columns: names }));
    } catch (error) {
      failed(error);
    }
  };
  const take = async (file: File | null) => {
    setChosen(file);
    setMapping(null);
    const names = file && is_table(file) ? await head_of(file) : [];
    setColumns(names);
    await map(form.values.table, names);
  };
  const start = () =>
    form.submit(async () => {
      const body = new FormData();
      const { data_types, mode, dry_run } = form.values;
      body.set('data_types', table ? form.values.table : (data_types as string[]).join(','));
      body.set('mode', mode);
      body.set('dry_run', String(dry_run));
      if (table && mapping) body.set('mapping', JSON.stringify(mapping.mapping));
      body.set('file', chosen!);
      await json('post', '/tools/import', { body });
      changed('/tools/jobs');
      toast(dry_run ? t('The dry run has started. It stores nothing.') : t('The import has started.'));
    });
  const missing = ((mapping?.fields ?? []) as any[]).filter((one) => one.required && !Object.values(mapping!.mapping as Record<string, any>).includes(one.name));
  return (
    <>
      <Section title={t('Import')}>
        <p>{t('An export of this program (zip or JSON), or a table (CSV) of customers, trips or departures. Nobody gets an e-mail by it.')}</p>
        <Summary form={form} />
        <Field label={t('File')} errors={form.errors.file} required>
          {({ id }) => <input id={id} type="file" accept=".zip,.json,.csv,.txt,.tsv" onChange={(event) => void take(event.currentTarget.files?.[0] ?? null)} />}
        </Field>
        {chosen && table && (
          <Field label={t('Each row is one of')} errors={form.errors.data_types}>
            {({ id }) => (
              <select
                id={id}
                value={form.values.table}
                onChange={(event) => {
                  form.set('table', event.currentTarget.value);
                  void map(event.currentTarget.value, columns);
                }}
              >
                {tables.map((one) => <option key={one} value={one}>{words(one)}</option>)}
              </select>
            )}
          </Field>
        )}
        {chosen && table && mapping && (
          <div class="svc-scroll" tabIndex={0} role="region" aria-label={t('Columns')}>
            <table class="svc-table svc-edit">
              <thead><tr><th>{t('Column of the file')}</th><th>{t('Becomes')}</th></tr></thead>
              <tbody>
                {columns.map((column) => (
                  <tr key={column}>
                    <td>{column}</td>
                    <td>
                      <select
                        aria-label={t('Column {0} becomes', column)}
                        value={(mapping.mapping as Record<string, any>)[column] ?? ''}
                        onChange={(event) => setMapping({ ...mapping, mapping: { ...(mapping.mapping as object), [column]: event.currentTarget.value || null } })}
                      >
                        <option value="">{t('Nothing')}</option>
                        {((mapping.fields ?? []) as any[]).map((one) => <option key={one.name} value={one.name}>{words(one.name ?? '')}{one.required ? ' *' : ''}</option>)}
                      </select>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        {missing.length > 0 && <p class="svc-error">{t('No column becomes {0}, which each row needs.', missing.map((one) => words(one.name ?? '')).join(', '))}</p>}
        {chosen && !table && <KindChoice name={t('What to import')} kinds={kinds} chosen={form.values.data_types} set={(all) => form.set('data_types', all)} />}
        <Field label={t('A record that is here already')} errors={form.errors.mode}>
          {({ id }) => (
            <select id={id} value={form.values.mode} onChange={(event) => form.set('mode', event.currentTarget.value)}>
              {Object.entries(modes).map(([name, said]) => <option key={name} value={name}>{said}</option>)}
            </select>
          )}
        </Field>
        <Field label={t('Dry run')} help={t('Checks every row and stores nothing. What would fail is told as a file.')} inline errors={form.errors.dry_run}>
          {({ id, describedby }) => <input id={id} type="checkbox" role="switch" aria-describedby={describedby} checked={form.values.dry_run} onChange={(event) => form.set('dry_run', event.currentTarget.checked)} />}
        </Field>
        <p class="svc-actions">
          <Button kind="primary" busy={form.busy} disabled={!chosen} onClick={start}>{form.values.dry_run ? t('Try it') : t('Import')}</Button>
        </p>
      </Section>
      <Jobs type="import" />
    </>
  );
}
