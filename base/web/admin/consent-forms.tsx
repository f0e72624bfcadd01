// The list of consent forms.
import { Ellipsis, Plus } from 'lucide-preact';

import { json } from '../kit/client';
import { t } from '../kit/i18n';
import { can, operation } from '../kit/interface';
import { useLocation } from '../kit/location';
import { type Column, List, type Row } from '../kit/list';
import { Head } from '../kit/page';
import { Ago, Empty, Menu, Status, failed, toast } from '../kit/ui';
import { Ways, forms_path, refresh } from './consent-ways';

const form_states: Record<string, string> = {
  publish: t('Published'),
  draft: t('Draft'),
  archived: t('Archived'),
  trash: t('In the trash'),
};
const form_columns: Column[] = [
  {
    key: 'name',
    show: (row) => (
      <>
        <a href={`/admin/consent/forms/${row.id}`}>{row.name}</a>
        {row.description ? <small>{row.description}</small> : null}
      </>
    ),
  },
  {
    key: 'status',
    show: (row) => <Status value={row.status} say={form_states[row.status]} />,
    text: (row) => form_states[row.status] ?? row.status,
  },
  {
    key: 'applicable_to',
    label: t('For'),
    show: (row) =>
      row.applicable_to === 'all'
        ? t('All trips')
        : t('{0, plural, one {# trip} other {# trips}}', row.trip_ids?.length ?? 0),
  },
  { key: 'pending_count', label: t('Open'), end: true },
  { key: 'signed_count', label: t('Signed'), end: true },
  { key: 'version', label: t('Version'), end: true },
  { key: 'updated_at', label: t('Changed'), show: (row) => <Ago at={row.updated_at} /> },
];

export function Forms() {
  const { route } = useLocation();
  const list = operation('get', forms_path)!;
  const duplicate = (row: Row) =>
    json<Row>('post', `${forms_path}/{id}/duplicate`, { params: { id: row.id } }).then(async (made) => {
      await refresh();
      route(`/admin/consent/forms/${made.data.id}`);
      toast(t('The copy is a draft.'));
    }, failed);
  const columns: Column[] = [
    ...form_columns,
    {
      key: 'actions',
      label: t('Actions'),
      action: true,
      end: true,
      show: (row) => (
        <Menu
          label={t('Actions for {0}', row.name)}
          icon={<Ellipsis size={18} aria-hidden />}
          items={[
            { label: t('Change'), run: () => route(`/admin/consent/forms/${row.id}`) },
            { label: t('Duplicate'), run: () => duplicate(row) },
            { label: t('Who was asked'), run: () => route(`/admin/consent/requests?form_id=${row.id}`) },
          ]}
        />
      ),
    },
  ];
  const fresh = can('post', forms_path) && (
    <a class="svc-button svc-primary" href="/admin/consent/forms/new">
      <Plus size={16} aria-hidden /> {t('New form')}
    </a>
  );
  return (
    <div class="svc-page">
      <Head title={t('Consent forms')} sub={t('What travelers read and sign before their trip.')}>
        <Ways here={forms_path} />
        {fresh}
      </Head>
      <List
        path={forms_path}
        list={list}
        columns={columns}
        href={(row) => `/admin/consent/forms/${row.id}`}
        tabs
        filters={[]}
        bulk={{
          method: 'post',
          path: `${forms_path}/bulk`,
          actions: [
            { name: 'publish', label: t('Publish') },
            { name: 'draft', label: t('Make a draft') },
            { name: 'archive', label: t('Archive') },
            { name: 'trash', label: t('Move to trash'), danger: true },
            { name: 'delete', label: t('Delete for good'), danger: true },
          ],
        }}
        search={t('Name of a form')}
        empty={
          <Empty action={fresh}>
            {t('No form yet. A published one is sent by itself, some days before the trip.')}
          </Empty>
        }
      />
    </div>
  );
}
