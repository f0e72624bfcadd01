// Settings by group, with search over all of them and a view of those that differ from a new installation's.
import { useState } from 'preact/hooks';

import { api, json } from '../../kit/client';
import { Conflict } from '../../kit/conflict';
import { Input } from '../../kit/form';
import { later } from '../../kit/later';
import { useLocation } from '../../kit/location';
import { Summary, useForm } from '../../kit/use-form';
import { words } from '../../kit/format';
import { t, translated } from '../../kit/i18n';
import { can } from '../../kit/interface';
import { changed, useRead } from '../../kit/query';
import { load_me } from '../../kit/session';
import { Button, Empty, Loaded, Notice, toast } from '../../kit/ui';
import { Head, Section } from '../../kit/page';

const CancellationTerms = later(() => import('../cancellation-terms'));

interface Described {
  key: string;
  group: string;
  description: string;
  schema: any;
  default: any;
  is_secret: boolean;
  is_read_only: boolean;
  module: string;
  also: string[];
}

// Groups in the order in which an operator asks; what is not here follows.
const first = ['company', 'general', 'booking', 'payment', 'currency', 'tax', 'email', 'smtp'];
// An address as people write it; what is not here follows by name.
const leading = ['name', 'email', 'phone', 'website', 'address', 'zip', 'city', 'state', 'country', 'logo'].map(
  (one) => `company_${one}`,
);
// On other screens; require_email_verification has no effect any more.
const elsewhere = /^(email_tpl_|booking_form_config$|require_email_verification$)/;
const texts = /^email_template/;

const stored = async () => (await json<Record<string, any>>('get', '/settings')).data;

function Changes({
  settings,
  values,
  again,
}: {
  settings: Described[];
  values: Record<string, any>;
  again: () => void;
}) {
  const { query, route, path } = useLocation();
  const form = useForm(values);
  const [notices, setNotices] = useState<any[]>([]);
  const search = (query.search ?? '').toLowerCase();
  const only_changed = query.changed === '1';
  const groups = [...new Set(settings.map((one) => one.group))].sort((a, b) => {
    const at = (name: string) => (first.indexOf(name) + 1 || 99) + (name === 'internal' ? 99 : 0);
    return at(a) - at(b) || a.localeCompare(b);
  });
  const group = query.group ?? groups[0] ?? '';
  const differs = (one: Described) =>
    !one.is_secret && JSON.stringify(form.values[one.key] ?? null) !== JSON.stringify(one.default ?? null);
  const shown = settings.filter((one) => {
    if (search)
      return (
        search
          .split(/\s+/)
          .every((word) =>
            `${one.key} ${words(one.key)} ${one.description} ${translated(one.description)} ${one.group}`
              .toLowerCase()
              .includes(word),
          ) &&
        (!only_changed || differs(one))
      );
    if (only_changed) return differs(one);
    return one.group === group;
  });
  shown.sort((a, b) => (leading.indexOf(a.key) + 1 || 99) - (leading.indexOf(b.key) + 1 || 99));
  const go = (change: Record<string, string>) => {
    const next = new URLSearchParams({ ...query, ...change });
    for (const [name, value] of [...next]) if (!value) next.delete(name);
    route(`${path}?${next}`, true);
  };
  const save = () =>
    form.submit(async (changes) => {
      const done = await api.put('/settings', null, changes);
      setNotices((done.notices ?? []) as any[]);
      if ((done.rejected_keys ?? []).length) toast(t('Not stored: {0}.', done.rejected_keys!.join(', ')), 'info');
      else toast(t('Saved. The site shows it at once.'));
      changed('/settings', '/booking', '/trips');
      again();
      void load_me();
    }, stored);
  return (
    <>
      <form
        class="svc-list"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <div class="svc-bar">
          <input
            type="search"
            data-search
            aria-label={t('Search settings')}
            placeholder={t('Search settings')}
            value={query.search ?? ''}
            onInput={(event) => go({ search: event.currentTarget.value })}
          />
          <label class="svc-check">
            <input
              type="checkbox"
              checked={only_changed}
              onChange={(event) => go({ changed: event.currentTarget.checked ? '1' : '' })}
            />{' '}
            {t('Changed only')}
          </label>
          <span class="svc-gap" />
          <Button type="submit" kind="primary" busy={form.busy} disabled={!form.dirty}>
            {t('Save')}
          </Button>
        </div>
        <Summary form={form} known={shown.map((one) => one.key)} />
        {notices.map((one) => (
          <Notice key={one.code} kind="warn">
            {one.message}
          </Notice>
        ))}
        <div class="svc-parts">
          <nav aria-label={t('Groups of settings')}>
            {groups.map((one) => {
              const touched = settings.some((each) => each.group === one && each.key in form.changes);
              const wrong = settings.some((each) => each.group === one && form.errors[each.key]);
              return (
                <a
                  key={one}
                  href={`/admin/settings?group=${one}`}
                  data-stay
                  aria-current={!search && !only_changed && one === group ? 'page' : undefined}
                  onClick={(event) => {
                    event.preventDefault();
                    event.stopPropagation();
                    go({ group: one, search: '', changed: '' });
                  }}
                >
                  {words(one)}
                  {wrong ? <small class="svc-bad">{t('check')}</small> : touched ? <small>{t('changed')}</small> : null}
                </a>
              );
            })}
          </nav>
          <div>
            <Section
              title={
                search ? t('Found: {0}', shown.length) : only_changed ? t('Changed: {0}', shown.length) : words(group)
              }
            >
              {!shown.length && (
                <Empty>{search ? t('No setting matches.') : t('Everything is as in a new installation.')}</Empty>
              )}
              <div class="svc-fields">
                {shown.map((one) =>
                  one.is_read_only ? (
                    <div class="svc-field" key={one.key}>
                      <span class="svc-label">{words(one.key)}</span>
                      <output>{String(form.values[one.key] ?? '–')}</output>
                      <small>{translated(one.description)}</small>
                    </div>
                  ) : one.key === 'cancellation_terms' ? (
                    <CancellationTerms
                      key={one.key}
                      rows={form.values[one.key]}
                      set={(rows) => form.set(one.key, rows ?? [])}
                      errors={form.errors}
                      currency={form.values.currency}
                    />
                  ) : (
                    <Input
                      key={one.key}
                      name={one.key}
                      label={words(one.key)}
                      schema={{
                        ...one.schema,
                        description: one.description,
                        ...(one.is_secret && { type: 'string', maxLength: 100 }),
                      }}
                      value={form.values[one.key]}
                      set={(value) => form.set(one.key, value ?? (one.schema.type === 'string' ? '' : null))}
                      errors={form.errors}
                    />
                  ),
                )}
              </div>
            </Section>
          </div>
        </div>
        {form.dirty && (
          <div class="svc-savebar" role="region" aria-label={t('Unsaved changes')}>
            <span>{t('Changed: {0}', Object.keys(form.changes).map(words).join(', '))}</span>
            <Button onClick={form.reset}>{t('Discard')}</Button>
            <Button type="submit" kind="primary" busy={form.busy}>
              {t('Save')}
            </Button>
          </div>
        )}
      </form>
      {form.conflict && (
        <Conflict form={form} read={stored} keep={() => void save()} take={() => (form.reset(), again())} />
      )}
    </>
  );
}

export default function Settings() {
  const described = useRead('/settings/schema', () => api.get('/settings/schema', {}));
  const values = useRead('/settings', stored);
  return (
    <div class="svc-page">
      <Head title={t('Settings')}>
        {can('post', '/settings/test-email') && (
          <a class="svc-button svc-plain" href="/admin/emails">
            {t('Test the mail server')}
          </a>
        )}
      </Head>
      <Loaded read={described} rows={10}>
        {(all) => (
          <Loaded read={values} rows={10}>
            {(stored) => (
              <Changes
                settings={(all as Described[]).filter((one) => !elsewhere.test(one.key) && !texts.test(one.key))}
                values={stored}
                again={values.again}
              />
            )}
          </Loaded>
        )}
      </Loaded>
    </div>
  );
}
