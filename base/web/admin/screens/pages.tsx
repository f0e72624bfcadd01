// The site's own pages, which settings refer to: terms, privacy and their like.
import { Plus, Trash2 } from 'lucide-preact';

import { api } from '../../kit/client';
import { Summary, useForm } from '../../kit/form';
import { changed, useRead } from '../../kit/query';
import { Button, Empty, Head, Loaded, Section, toast } from '../../kit/ui';

function Editor({ saved, again }: { saved: Record<string, any>[]; again: () => void }) {
  const form = useForm({ pages: saved });
  const rows: Record<string, any>[] = form.values.pages;
  const put = (next: Record<string, any>[]) => form.set('pages', next);
  const save = () =>
    form.submit(async () => {
      await api.put('/settings/pages', null, { pages: rows.map(({ id, title, slug, url }) => ({ ...(id && { id }), title, slug: slug || null, url: url || null })) });
      changed('/settings');
      again();
      toast('The pages are saved.');
    });
  return (
    <form
      class="svc-page"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Head title="Pages" sub="Where terms, privacy and other pages of the site are. Settings refer to them.">
        <Button type="submit" kind="primary" busy={form.busy} disabled={!form.dirty}>Save</Button>
      </Head>
      <Summary form={form} />
      <Section>
        {!rows.length && <Empty>No pages yet.</Empty>}
        {rows.length > 0 && (
          <div class="svc-scroll" tabIndex={0} role="region" aria-label="Pages">
            <table class="svc-table svc-edit">
              <thead><tr><th>Title</th><th>Name in addresses</th><th>Address</th><th><span class="svc-hidden">Remove</span></th></tr></thead>
              <tbody>
                {rows.map((row, at) => (
                  <tr key={at}>
                    {(['title', 'slug', 'url'] as const).map((name) => (
                      <td key={name}>
                        <input aria-label={`${name} of page ${at + 1}`} value={row[name] ?? ''} onInput={(event) => put(rows.map((one, index) => (index === at ? { ...one, [name]: event.currentTarget.value } : one)))} />
                      </td>
                    ))}
                    <td><Button kind="quiet" icon={<Trash2 size={16} aria-hidden />} aria-label={`Remove ${row.title || `page ${at + 1}`}`} onClick={() => put(rows.filter((_, index) => index !== at))} /></td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        <Button icon={<Plus size={16} aria-hidden />} onClick={() => put([...rows, { title: '', slug: '', url: '' }])}>Add a page</Button>
      </Section>
    </form>
  );
}

export default function Pages() {
  const read = useRead('/settings/pages', () => api.get('/settings/pages', {}));
  return <Loaded read={read}>{(saved) => <Editor key={JSON.stringify(saved)} saved={saved as Record<string, any>[]} again={read.again} />}</Loaded>;
}
