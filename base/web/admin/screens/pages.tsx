// The site's own pages, which settings refer to: terms, privacy and their like.
import { api } from '../../kit/client';
import { t } from '../../kit/i18n';
import { type EditedColumn, EditorPage, ListEditor } from '../../kit/list-editor';
import { Opened, Section } from '../../kit/page';
import { changed, useRead } from '../../kit/query';
import { Empty, toast } from '../../kit/ui';
import { useForm } from '../../kit/use-form';

const texts = { title: t('Title'), slug: t('Name in addresses'), url: t('Address') };
const columns: EditedColumn[] = Object.entries(texts).map(([name, label]) => ({
  label,
  cell: (row, change, at) => (
    <input
      aria-label={t('{0} of page {1}', label, at + 1)}
      value={row[name] ?? ''}
      onInput={(event) => change({ [name]: event.currentTarget.value })}
    />
  ),
}));

const stored = async () => ({ pages: await api.get('/settings/pages', {}) });

function Editor({ saved, again }: { saved: Record<string, any>[]; again: () => void }) {
  const form = useForm({ pages: saved });
  const rows: Record<string, any>[] = form.values.pages;
  const save = () =>
    form.submit(async () => {
      await api.put('/settings/pages', null, {
        pages: rows.map(({ id, title, slug, url }) => ({
          ...(id && { id }),
          title,
          slug: slug || null,
          url: url || null,
        })),
      });
      changed('/settings');
      again();
      toast(t('The pages are saved.'));
    }, stored);
  return (
    <EditorPage
      title={t('Pages')}
      sub={t('Where terms, privacy and other pages of the site are. Settings refer to them.')}
      form={form}
      save={save}
      read={stored}
      again={again}
    >
      <Section>
        {!rows.length && <Empty>{t('No pages yet.')}</Empty>}
        <ListEditor
          name={t('Pages')}
          columns={columns}
          rows={rows}
          put={(next) => form.set('pages', next)}
          called={(row, at) => row.title || t('page {0}', at + 1)}
          fresh={() => ({ title: '', slug: '', url: '' })}
          add={t('Add a page')}
        />
      </Section>
    </EditorPage>
  );
}

export default function Pages() {
  const read = useRead('/settings/pages', () => api.get('/settings/pages', {}));
  return (
    <Opened read={read}>
      {(saved) => <Editor key={JSON.stringify(saved)} saved={saved as Record<string, any>[]} again={read.again} />}
    </Opened>
  );
}
