// Any record: its form made from the route's schema, its further actions as buttons, its value where nothing may change.
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';

import { json } from '../../kit/client';
import { Conflict } from '../../kit/conflict';
import { SchemaFields } from '../../kit/form';
import { useLocation } from '../../kit/location';
import { SaveBar, Summary, type Values, useForm } from '../../kit/use-form';
import { t } from '../../kit/i18n';
import { type Resource, fields, kind, label_of, operation, resolved, resource } from '../../kit/interface';
import { name_of } from '../../kit/pickers';
import { changed, forget, useRead } from '../../kit/query';
import { Ago, Button, Confirm, Menu, Status, toast } from '../../kit/ui';
import { Head, Nowhere, Opened, Section } from '../../kit/page';
import { ActionDialog, Value } from '../action';
import { title_of } from '../navigation';
import { resources } from '../resources';
import { forms } from '../resources/forms';

// A form, with what belongs beside it.
function Columns({ beside, children }: { beside: ComponentChildren; children: ComponentChildren }) {
  if (!beside) return <>{children}</>;
  return (
    <div class="svc-two">
      <div>{children}</div>
      <div class="svc-beside">{beside}</div>
    </div>
  );
}

function Editor({
  found,
  id,
  saved,
  again,
}: {
  found: Resource;
  id: string | number | null;
  saved?: Values;
  again: () => void;
}) {
  const { route, query } = useLocation();
  const about = { ...resources[found.path], ...forms[found.path] };
  const Beside = about.beside;
  const write = id === null ? found.create : found.update;
  const [removing, setRemoving] = useState(false);
  const [action, setAction] = useState('');
  const all = fields(write?.body);
  const begun = useMemo(
    () =>
      id === null
        ? {
            ...about.begun,
            ...Object.fromEntries(
              Object.entries(query)
                .filter(([name]) => Object.hasOwn(all, name))
                .map(([name, said]) => [name, /^\d+$/.test(said) ? Number(said) : said]),
            ),
          }
        : {},
    [],
  );
  const form = useForm(saved, begun);
  const list_title = about.label ?? title_of(found.path);
  const title = saved ? name_of(saved) : t('New {0}', about.one ?? t('entry'));
  const writable = Object.keys(all);
  const actions = found.actions.filter((one) => one.path.slice(found.item!.length).split('/').length === 2);
  const save = (extra: Values = {}) =>
    form.submit(async (changes) => {
      if (id === null) {
        const made = await json('post', found.path, { body: changes });
        changed(found.path);
        toast(t('Saved.'));
        const key = made.data?.[found.parameter] ?? made.data?.id;
        setTimeout(() => route(key ? `/admin${found.path}/${key}` : `/admin${found.path}`), 0);
      } else {
        const version =
          writable.includes('row_version') && saved?.row_version !== undefined
            ? { row_version: saved.row_version }
            : {};
        await json('put', found.item!, {
          params: { [found.parameter]: id },
          body: { ...changes, ...version, ...extra },
        });
        changed(found.path);
        again();
        toast(t('Saved.'));
      }
    });
  const named = about.groups?.flatMap((group) => group.fields) ?? [];
  const hidden = about.hides?.(form.values) ?? [];
  const rest = writable.filter(
    (one) =>
      !named.includes(one) &&
      !hidden.includes(one) &&
      one !== 'row_version' &&
      !about.without?.includes(one) &&
      !resolved(all[one]).deprecated,
  );
  return (
    <>
      <form
        class="svc-page"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Head
          title={title}
          back={{ href: `/admin${found.path}`, label: list_title }}
          status={<Status value={saved?.status} />}
          sub={
            saved?.updated_at ? (
              <>
                {t('Changed')} <Ago at={saved.updated_at} />
                {saved.updated_by_name ? ` ${t('by {0}', saved.updated_by_name)}` : ''}
              </>
            ) : undefined
          }
        >
          <Menu
            label={t('More')}
            items={[
              ...actions.map((one) => ({ label: label_of(one), run: () => setAction(`${one.method} ${one.path}`) })),
              found.remove &&
                id !== null && {
                  label: saved?.status === 'trash' ? t('Delete for good') : t('Delete'),
                  danger: true,
                  run: () => setRemoving(true),
                },
            ]}
          />
          {write && (
            <Button type="submit" kind="primary" busy={form.busy} disabled={id !== null && !form.dirty}>
              {t('Save')}
            </Button>
          )}
        </Head>
        <Summary form={form} known={writable} />
        {write ? (
          <Columns beside={Beside && <Beside form={form} saved={saved} />}>
            {about.groups?.map((group) => (
              <Section key={group.title} title={group.title}>
                <div class="svc-fields">
                  <SchemaFields
                    schema={write.body!}
                    form={form}
                    only={group.fields.filter((one) => writable.includes(one) && !hidden.includes(one))}
                    list={found.path}
                    own={about.own}
                  />
                </div>
              </Section>
            ))}
            {rest.length > 0 && (
              <Section title={named.length ? t('Further') : undefined}>
                <div class="svc-fields">
                  <SchemaFields schema={write.body!} form={form} only={rest} list={found.path} own={about.own} />
                </div>
              </Section>
            )}
          </Columns>
        ) : Beside && saved ? (
          <Beside form={form} saved={saved} />
        ) : null}
        {saved && (
          <details class="svc-section" open={!write}>
            <summary>{write ? t('Everything that is stored') : t('Details')}</summary>
            <Value
              value={Object.fromEntries(Object.entries(saved).filter(([name]) => !write || !writable.includes(name)))}
            />
          </details>
        )}
        {id !== null && <SaveBar form={form} />}
      </form>
      {form.conflict && saved && (
        <Conflict
          form={form}
          read={async () => (await json('get', found.item!, { params: { [found.parameter]: id } })).data}
          keep={(theirs) => save({ row_version: theirs.row_version })}
          take={() => {
            form.reset();
            again();
          }}
        />
      )}
      {removing && (
        <Confirm
          title={t('Delete {0}?', title)}
          action={t('Delete')}
          danger
          onClose={() => setRemoving(false)}
          run={async () => {
            form.reset();
            await json('delete', found.item!, { params: { [found.parameter]: id } });
            forget(`${found.path}/${id}`);
            changed(found.path);
            toast(t('Deleted.'));
            route(`/admin${found.path}`);
          }}
        >
          <p>{found.remove!.summary}</p>
        </Confirm>
      )}
      {action && (
        <ActionDialog
          found={operation(action.split(' ')[0] as 'post', action.split(' ')[1]!)!}
          params={{ [found.parameter]: id }}
          onClose={() => setAction('')}
          done={again}
        />
      )}
    </>
  );
}

export default function Record({ path, id }: { path: string; id: string | null }) {
  const found = resource(path);
  const read = useRead(
    id !== null && found?.read ? `${path}/${id}` : null,
    async () => (await json('get', found!.item!, { params: { [found!.parameter]: id } })).data as Values,
  );
  const { url } = useLocation();
  const list_title = resources[path]?.label ?? title_of(path);
  if (!found || (id !== null && !found.read) || (id === null && !found.create))
    return (
      <Nowhere back={found ? { href: `/admin${path}`, label: list_title } : undefined}>
        {t('There is no such screen, or your role may not use it.')}
      </Nowhere>
    );
  if (id === null && found.create?.media === 'multipart/form-data')
    return (
      <div class="svc-page">
        <Head title={t('Upload')} back={{ href: `/admin${path}`, label: list_title }} />
        <ActionDialog found={found.create} params={{}} onClose={() => history.back()} />
      </div>
    );
  if (id === null) return <Editor key={url} found={found} id={null} again={() => undefined} />; // another address begins another record
  return (
    <Opened read={read} back={{ href: `/admin${path}`, label: list_title }}>
      {(saved) =>
        kind(resolved(found.read!.answer ?? {})) === 'object' || typeof saved === 'object' ? (
          <Editor found={found} id={id} saved={saved} again={read.again} />
        ) : (
          <Value value={saved} />
        )
      }
    </Opened>
  );
}
