// Any list of records: what its file in resources/ says of it, the rest from the interface's description.
import { Plus } from 'lucide-preact';
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { json } from '../../kit/client';
import { words } from '../../kit/format';
import { t } from '../../kit/i18n';
import { fields, kind, label_of, operation, resolved, resource } from '../../kit/interface';
import { List, type Row, columns_of } from '../../kit/list';
import { later } from '../../kit/later';
import { useLocation } from '../../kit/location';
import { useRead } from '../../kit/query';
import { may } from '../../kit/session';
import { Button, Empty, Menu, Notice } from '../../kit/ui';
import { Head, Nowhere, Section } from '../../kit/page';
import { ActionDialog } from '../action';
import { mark_seen } from '../counters';
import { title_of } from '../navigation';
import { resources } from '../resources';
import Tree from '../tree';

const Arrange = later(() => import('../arrange'));
// A row beside its list, where it tells enough.
const sheets: Record<string, ComponentType<{ row: Row; close: () => void }>> = {
  '/bookings': later(() => import('../booking-sheet')),
};

const dangerous = /^(delete|trash|mark_trash|mark_cancelled|block|spam|mark_spam|reject)$/;

export default function Records({ path }: { path: string }) {
  const about = resources[path] ?? {};
  const found = resource(path);
  const [action, setAction] = useState('');
  const { query, route } = useLocation();
  const title = about.label ?? title_of(path);
  const stats_path = found?.stats?.parameters.some((one) => one.required) ? undefined : found?.stats?.path;
  const stats = useRead(
    stats_path ? stats_path : null,
    async () => (await json<Record<string, number>>('get', stats_path!)).data,
  );
  useEffect(() => mark_seen(path.slice(1)), [path]);
  if (!found) return <Nowhere>{t('There is no such list. The address may be wrong, or its module off.')}</Nowhere>;
  if (!may(found.list.permission))
    return (
      <div class="svc-page">
        <Head title={title} />
        <Notice kind="warn">
          {t('Your role may not see this. Ask an administrator for {0}.', found.list.permission)}
        </Notice>
      </div>
    );
  const needed = found.list.parameters.filter((one) => one.in === 'query' && one.required);
  const body = fields(found.bulk?.body);
  const names = resolved(body.action).enum ?? [];
  const href =
    about.href ??
    (found.item && (found.read || found.update)
      ? (row: Record<string, any>) => `/admin${path}/${row[found.parameter] ?? row.id}`
      : undefined);
  const create =
    found.create && kind(resolved(found.create.body ?? {})) === 'object' && found.create.permission !== 'everyone';
  const upload = found.create?.media === 'multipart/form-data';
  const arranges = !!about.arranged && may(operation('post', `${path}/orders`)?.permission ?? 'the nobody');
  const view = query.view ?? (about.tree && !Object.keys(query).length ? 'tree' : 'list');
  const Sheet = sheets[path];
  const others = found.others.filter((one) => one.method !== 'get' && one.path !== found.bulk?.path);
  return (
    <div class="svc-page">
      <Head title={title}>
        {about.tree && (
          <div class="svc-switch" role="group" aria-label={t('View')}>
            <Button aria-pressed={view === 'tree'} onClick={() => route(`/admin${path}`, true)}>
              {t('Tree')}
            </Button>
            <Button aria-pressed={view === 'list'} onClick={() => route(`/admin${path}?view=list`, true)}>
              {t('List')}
            </Button>
          </div>
        )}
        {arranges && (
          <div class="svc-switch" role="group" aria-label={t('View')}>
            <Button aria-pressed={view !== 'order'} onClick={() => route(`/admin${path}`, true)}>
              {t('List')}
            </Button>
            <Button aria-pressed={view === 'order'} onClick={() => route(`/admin${path}?view=order`, true)}>
              {t('Order')}
            </Button>
          </div>
        )}
        <Menu
          label={t('More')}
          items={others.map((one) => ({ label: label_of(one), run: () => setAction(`${one.method} ${one.path}`) }))}
        />
        {(create || upload) && path !== '/bookings' && (
          <a class="svc-button svc-primary" href={`/admin${path}/new`}>
            <Plus size={16} aria-hidden />
            <span>{upload ? t('Upload') : t('New {0}', about.one ?? t('entry'))}</span>
          </a>
        )}
      </Head>
      {about.tree && view === 'tree' ? (
        <Section>
          <Tree found={found} empty={about.empty ?? t('Nothing here yet.')} />
        </Section>
      ) : arranges && view === 'order' ? (
        <Section>
          <Arrange path={path} empty={about.empty ?? t('Nothing here yet.')} />
        </Section>
      ) : (
        <List
          path={path}
          list={found.list}
          columns={about.columns ?? columns_of(found.list)}
          tabs
          counts={stats.data}
          filters={about.filters}
          href={href}
          look={Sheet && ((row, close) => <Sheet row={row} close={close} />)}
          search={about.search}
          bulk={
            found.bulk && names.length
              ? {
                  method: found.bulk.method as 'post' | 'put',
                  path: found.bulk.path,
                  actions: names
                    .map(String)
                    .filter((one) => !/^mark_trash$|^mark_spam$/.test(one))
                    .map((one) => ({
                      name: one,
                      label:
                        one === 'delete'
                          ? t('Delete')
                          : one === 'trash'
                            ? t('Move to the trash')
                            : words(one.replace(/^mark_/, 'mark ')),
                      danger: dangerous.test(one),
                    })),
                }
              : undefined
          }
          empty={
            <Empty
              action={
                create ? (
                  <a class="svc-button svc-primary" href={`/admin${path}/new`}>
                    {t('New {0}', about.one ?? t('entry'))}
                  </a>
                ) : undefined
              }
            >
              {about.empty ??
                (needed.length
                  ? t('Choose {0} first.', needed.map((one) => words(one.name)).join(', '))
                  : t('Nothing here yet.'))}
            </Empty>
          }
        />
      )}
      {action && (
        <ActionDialog
          found={operation(action.split(' ')[0] as 'post', action.split(' ')[1]!)!}
          params={{}}
          onClose={() => setAction('')}
        />
      )}
    </div>
  );
}
