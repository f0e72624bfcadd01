// A list that is edited as a whole and saved at once: a row an entry, moved and removed by buttons.
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-preact';
import type { ComponentChildren } from 'preact';

import { Conflict } from './conflict';
import { t } from './i18n';
import { Head } from './page';
import { Button } from './ui';
import { type Form, Summary } from './use-form';

type Row = Record<string, any>;

interface EditorPageProps {
  title: string;
  sub: string;
  form: Form;
  save: () => Promise<unknown>;
  read: () => Promise<Row>; // what is stored now
  again: () => void; // shows it
  children: ComponentChildren;
}
export function EditorPage({ title, sub, form, save, read, again, children }: EditorPageProps) {
  return (
    <>
      <form
        class="svc-page"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Head title={title} sub={sub}>
          <Button type="submit" kind="primary" busy={form.busy} disabled={!form.dirty}>
            {t('Save')}
          </Button>
        </Head>
        <Summary form={form} />
        {children}
      </form>
      {form.conflict && (
        <Conflict form={form} read={read} keep={() => void save()} take={() => (form.reset(), again())} />
      )}
    </>
  );
}

export interface EditedColumn {
  label: string;
  cell: (row: Row, change: (some: Row) => void, at: number) => ComponentChildren;
}
interface ListEditorProps {
  name: string; // of the table
  columns: EditedColumn[];
  rows: Row[];
  put: (rows: Row[]) => void;
  called: (row: Row, at: number) => string; // a row, for its buttons
  fresh: () => Row;
  add: string;
  moves?: boolean;
  stays?: (row: Row) => boolean; // may not be removed
}
export function ListEditor({ name, columns, rows, put, called, fresh, add, moves, stays }: ListEditorProps) {
  const move = (from: number, to: number) => {
    const next = [...rows];
    next.splice(to, 0, ...next.splice(from, 1));
    put(next);
  };
  return (
    <>
      {rows.length > 0 && (
        <div class="svc-scroll" tabIndex={0} role="region" aria-label={name}>
          <table class="svc-table svc-edit">
            <thead>
              <tr>
                {columns.map((one) => (
                  <th key={one.label}>{one.label}</th>
                ))}
                <th>
                  <span class="svc-hidden">{t('Order')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row, at) => (
                <tr key={row.id ?? at}>
                  {columns.map((one) => (
                    <td key={one.label}>
                      {one.cell(
                        row,
                        (some) => put(rows.map((each, index) => (index === at ? { ...each, ...some } : each))),
                        at,
                      )}
                    </td>
                  ))}
                  <td class="svc-end">
                    {moves && (
                      <Button
                        kind="quiet"
                        icon={<ArrowUp size={16} aria-hidden />}
                        aria-label={t('{0} earlier', called(row, at))}
                        disabled={at === 0}
                        onClick={() => move(at, at - 1)}
                      />
                    )}
                    {moves && (
                      <Button
                        kind="quiet"
                        icon={<ArrowDown size={16} aria-hidden />}
                        aria-label={t('{0} later', called(row, at))}
                        disabled={at === rows.length - 1}
                        onClick={() => move(at, at + 1)}
                      />
                    )}
                    {!stays?.(row) && (
                      <Button
                        kind="quiet"
                        icon={<Trash2 size={16} aria-hidden />}
                        aria-label={t('Remove {0}', called(row, at))}
                        onClick={() => put(rows.filter((_, index) => index !== at))}
                      />
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p class="svc-actions">
        <Button icon={<Plus size={16} aria-hidden />} onClick={() => put([...rows, fresh()])}>
          {add}
        </Button>
      </p>
    </>
  );
}
