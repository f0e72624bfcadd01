// Landing pages: the list, and the editor of one with its blocks, its address and what search engines read.
import { Ellipsis, ExternalLink, Plus } from 'lucide-preact';
import { useState } from 'preact/hooks';

import { json } from '../../kit/client';
import { Field } from '../../kit/field';
import { EditorPage } from '../../kit/list-editor';
import { t } from '../../kit/i18n';
import { operation } from '../../kit/interface';
import { type Column, List, type Row } from '../../kit/list';
import { useLocation } from '../../kit/location';
import { Nowhere, Opened, Head, Section } from '../../kit/page';
import { Pick } from '../../kit/pickers';
import { changed, useRead } from '../../kit/query';
import { Ago, Button, Confirm, Empty, Menu, Status, failed, toast } from '../../kit/ui';
import { type Form, type Values, useForm } from '../../kit/use-form';
import { Blocks } from '../landing-blocks';

const path = '/landing-pages';
const back = { href: `/admin${path}`, label: t('Landing pages') };
const refresh = () => changed(path);
const owners: Record<string, string> = {
  none: t('No other page'),
  destination: t('The page of a destination'),
  activity: t('The page of an activity'),
  trip_category: t('The page of a category'),
};
const lists: Record<string, string> = {
  destination: '/destinations',
  activity: '/activities',
  trip_category: '/trip-categories',
};

function Line({
  form,
  name,
  label,
  help,
  required,
}: {
  form: Form;
  name: string;
  label: string;
  help?: string;
  required?: boolean;
}) {
  return (
    <Field label={label} help={help} errors={form.errors[name]} required={required}>
      {({ id, describedby, invalid }) => (
        <input
          id={id}
          aria-describedby={describedby}
          aria-invalid={invalid}
          value={form.values[name] ?? ''}
          onInput={(event) => form.set(name, event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

function Owner({ form }: { form: Form }) {
  const kind: string = form.values.owner_type ?? 'none';
  return (
    <>
      <Field
        label={t('Replaces')}
        help={t('Links to that page lead here while this one is published.')}
        errors={form.errors.owner_type}
      >
        {({ id }) => (
          <select
            id={id}
            value={kind}
            onChange={(event) => {
              form.set('owner_type', event.currentTarget.value);
              form.set('owner_id', null);
            }}
          >
            {Object.entries(owners).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      {lists[kind] && (
        <Field label={t('Which one')} errors={form.errors.owner_id} required>
          {({ id, describedby, invalid }) => (
            <Pick
              id={id}
              describedby={describedby}
              invalid={invalid}
              list={lists[kind]!}
              value={form.values.owner_id ?? null}
              onPick={(one) => form.set('owner_id', one?.id ?? null)}
            />
          )}
        </Field>
      )}
    </>
  );
}

function Editor({ page, again }: { page: Values | null; again: () => void }) {
  const { route } = useLocation();
  const form = useForm(
    page ?? undefined,
    page ? {} : { title: '', status: 'draft', owner_type: 'none', blocks: [], is_indexed: true },
  );
  const save = () =>
    form.submit(async (changes) => {
      if (page) {
        await json('put', `${path}/{id}`, {
          params: { id: page.id },
          body: { ...changes, row_version: page.row_version },
        });
        await refresh();
        again();
      } else {
        const made = (await json<Values>('post', path, { body: form.values })).data;
        await refresh();
        route(`/admin${path}/${made.id}`);
      }
      toast(t('The page is saved.'));
    });
  const published = page?.status === 'publish';
  return (
    <EditorPage
      title={page ? page.title : t('New landing page')}
      sub={published ? t('Visitors see it at {0}.', page.path) : t('A draft: visitors do not see it yet.')}
      form={form}
      save={save}
      read={async () => (await json<Values>('get', `${path}/{id}`, { params: { id: page!.id } })).data}
      again={again}
    >
      <p class="svc-actions">
        <a href={back.href}>{back.label}</a>
        {page && (
          <a
            class="svc-button svc-plain"
            href={published ? page.path : `${page.path}?preview=1`}
            target="_blank"
            rel="noreferrer"
          >
            <ExternalLink size={16} aria-hidden /> {published ? t('Open the page') : t('Preview')}
          </a>
        )}
      </p>
      <div class="svc-two">
        <div>
          <Section title={t('What visitors read')}>
            <Blocks form={form} />
          </Section>
        </div>
        <div>
          <Section title={t('The page')}>
            <Line form={form} name="title" label={t('Title')} required />
            <Line
              form={form}
              name="slug"
              label={t('End of the address')}
              help={page ? t('Links to the former address end when it changes.') : t('Empty: made of the title.')}
            />
            <Field label={t('State')} errors={form.errors.status}>
              {({ id }) => (
                <select
                  id={id}
                  value={form.values.status}
                  onChange={(event) => form.set('status', event.currentTarget.value)}
                >
                  <option value="draft">{t('Draft')}</option>
                  <option value="publish">{t('Published')}</option>
                </select>
              )}
            </Field>
            <Owner form={form} />
          </Section>
          <Section title={t('Search engines')}>
            <Line form={form} name="seo_title" label={t('Title in results')} help={t('Empty: the title.')} />
            <Line form={form} name="seo_description" label={t('Description in results')} />
            <Field label={t('They may list the page')} inline>
              {({ id }) => (
                <input
                  id={id}
                  type="checkbox"
                  role="switch"
                  checked={form.values.is_indexed ?? true}
                  onChange={(event) => form.set('is_indexed', event.currentTarget.checked)}
                />
              )}
            </Field>
          </Section>
        </div>
      </div>
    </EditorPage>
  );
}

function One({ id }: { id: number }) {
  const read = useRead(
    `${path}/${id}`,
    async () => (await json<Values>('get', `${path}/{id}`, { params: { id } })).data,
  );
  return (
    <Opened read={read} back={back}>
      {(page) => <Editor key={page.id} page={page} again={read.again} />}
    </Opened>
  );
}

export default function LandingPages({ part }: { part?: string }) {
  const { route } = useLocation();
  const [removed, setRemoved] = useState<Row | null>(null);
  const list = operation('get', path);
  if (!list) return <Nowhere>{t('There is no such list. The address may be wrong, or its module off.')}</Nowhere>;
  if (part === 'new') return <Editor page={null} again={() => undefined} />;
  if (part) return <One id={Number(part)} />;
  const set_status = (row: Row, status: string, done: string) =>
    json('put', `${path}/{id}`, { params: { id: row.id }, body: { status } })
      .then(refresh)
      .then(() => toast(done), failed);
  const columns: Column[] = [
    {
      key: 'title',
      sort: 'title',
      show: (row) => (
        <>
          <a href={`/admin${path}/${row.id}`}>{row.title}</a>
          <small class="svc-whole">{row.path}</small>
        </>
      ),
    },
    { key: 'status', label: t('State'), show: (row) => <Status value={row.status} /> },
    { key: 'owner_type', label: t('Replaces'), show: (row) => owners[row.owner_type] },
    { key: 'updated_at', label: t('Changed'), sort: 'updated_at', show: (row) => <Ago at={row.updated_at} /> },
    {
      key: 'actions',
      label: t('Actions'),
      action: true,
      end: true,
      show: (row) => (
        <Menu
          label={t('Actions for {0}', row.title)}
          icon={<Ellipsis size={18} aria-hidden />}
          items={[
            row.status === 'publish'
              ? { label: t('Withdraw it'), run: () => set_status(row, 'draft', t('Visitors no longer see it.')) }
              : { label: t('Publish it'), run: () => set_status(row, 'publish', t('Visitors see it now.')) },
            { label: t('Delete'), danger: true, run: () => setRemoved(row) },
          ]}
        />
      ),
    },
  ];
  const add = (
    <Button kind="primary" icon={<Plus size={16} aria-hidden />} onClick={() => route(`/admin${path}/new`)}>
      {t('New landing page')}
    </Button>
  );
  return (
    <div class="svc-page">
      <Head title={t('Landing pages')} sub={t('Pages for a campaign, or in place of the page of a destination.')}>
        {add}
      </Head>
      <List
        path={path}
        list={list}
        columns={columns}
        tabs
        filters={['owner_type']}
        href={(row) => `/admin${path}/${row.id}`}
        empty={<Empty action={add}>{t('No landing page yet.')}</Empty>}
      />
      {removed && (
        <Confirm
          title={t('Delete {0}?', removed.title)}
          action={t('Delete')}
          danger
          onClose={() => setRemoved(null)}
          run={async () => {
            await json('delete', `${path}/{id}`, { params: { id: removed.id } });
            await refresh();
          }}
        >
          <p>{t('It goes to the trash, and its address ends.')}</p>
        </Confirm>
      )}
    </div>
  );
}
