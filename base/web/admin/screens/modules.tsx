// What the site can do: modules on and off, their settings, and the licence of Pro.
import { useState } from 'preact/hooks';

import { type DataOf, api, json } from '../../kit/client';
import { SchemaFields } from '../../kit/form';
import { type Values, useForm } from '../../kit/use-form';
import { day, moment, words } from '../../kit/format';
import { FormDialog } from '../../kit/form-dialog';
import { t } from '../../kit/i18n';
import { can, load_interface, operation } from '../../kit/interface';
import { changed, useRead } from '../../kit/query';
import { Button, Empty, Loaded, Status, Switch, failed, toast } from '../../kit/ui';
import { Facts, Head, Section } from '../../kit/page';
import { ActionDialog } from '../action';
import { evaluation_end } from '../evaluation';
import { LicenceState } from '../licence-state';

type Module = DataOf<'/modules/{slug}', 'get'>;

// Turns on the modules of an evaluation that has begun, and shows its banner. Loaded with this screen alone.
async function enable_evaluated_modules() {
  const license = await json<any>('get', '/license');
  evaluation_end.value = license.data.evaluation?.ends_at ?? '';
  const off = (await api.get('/modules', {})).filter((one) => one.requires_pro && one.is_available && !one.enabled);
  if (off.length)
    await api.post('/modules/bulk-toggle', {}, { items: off.map((one) => ({ slug: one.slug!, enabled: true })) });
  await load_interface(true);
  await changed('/license', '/modules', '/settings');
}

function ModuleSettings({ module, onClose }: { module: Module; onClose: () => void }) {
  const load = async () =>
    (
      await json<{ settings: Record<string, any>; schema: any }>('get', '/modules/{slug}/settings', {
        params: { slug: module.slug },
      })
    ).data;
  const read = useRead(`/modules/${module.slug}/settings`, load);
  const stored = async () => (await load()).settings;
  const form = useForm(read.data?.settings);
  const run = async (changes: Values) => {
    await api.put('/modules/{slug}/settings', { slug: module.slug! }, changes);
    toast(t('Saved.'));
    changed('/modules', '/settings');
  };
  return (
    <FormDialog
      title={module.name!}
      form={form}
      run={run}
      compare={{ saved: {}, read: stored }}
      onClose={onClose}
      disabled={!form.dirty}
      wide
    >
      <Loaded read={read}>
        {(found) => (
          <div class="svc-fields">
            <SchemaFields schema={found.schema} form={form} />
          </div>
        )}
      </Loaded>
    </FormDialog>
  );
}

function License() {
  const [action, setAction] = useState('');
  const read = useRead('/license', async () => (await json<any>('get', '/license')).data);
  // An evaluation had turned modules on: without a licence they go off.
  const ends: { modules: string[]; at: string | null } = read.data?.without_license ?? { modules: [], at: null };
  const gives_up = action === '/license/deactivate' || (action === '/license/activate' && read.data?.license_info?.key);
  const warning =
    gives_up && ends.at && ends.modules.length
      ? Date.parse(ends.at) > Date.now()
        ? t(
            'Without an active licence these modules go off on {0}: {1}. Their data stays.',
            moment(ends.at),
            ends.modules.map(words).join(', '),
          )
        : t(
            'Without an active licence these modules go off at once: {0}. Their data stays.',
            ends.modules.map(words).join(', '),
          )
      : undefined;
  return (
    <Section title={t('Licence')}>
      <Loaded read={read} rows={2}>
        {(found) => {
          const info = found.license_info ?? {};
          const { code } = found.state;
          const holds = ['active', 'ending', 'grace', 'unreached', 'plan_lowered'].includes(code);
          const check = () =>
            api.post('/license/check', null).then(() => (read.again(), toast(t('The licence is checked.'))), failed);
          const enter = (kind: 'plain' | 'primary', label: string) => (
            <Button kind={kind} onClick={() => setAction('/license/activate')}>
              {label}
            </Button>
          );
          const buy = (label: string) =>
            found.upgrade_url && (
              <a class="svc-button svc-primary" href={found.upgrade_url} target="_blank" rel="noopener">
                {label}
              </a>
            );
          const check_now = (kind: 'plain' | 'primary') => (
            <Button kind={kind} onClick={check}>
              {t('Check now')}
            </Button>
          );
          // The step that follows comes first; with no other it is to check.
          const tries = !!found.evaluation?.can_begin;
          const renews = ['ending', 'expired'].includes(code) && buy(t('Renew the licence'));
          const raises = code === 'plan_lowered' && buy(t('Change the plan'));
          const enters = !holds && code !== 'expired' && !tries;
          const checks = !enters && !tries && !renews && !raises && code !== 'active';
          return (
            <>
              <LicenceState state={found.state} plan={info.plan?.name || words(info.plan?.tier ?? '')}>
                {tries && (
                  <Button kind="primary" onClick={() => setAction('/license/evaluate')}>
                    {t('Try all modules for 30 days')}
                  </Button>
                )}
                {renews || raises}
                {checks && info.key && check_now('primary')}
                {enter(
                  enters ? 'primary' : 'plain',
                  code === 'stored' || code === 'deactivated'
                    ? t('Activate here')
                    : holds || code === 'disabled' || code === 'invalid'
                      ? t('Another key')
                      : t('Enter a key'),
                )}
                {!checks && info.key && check_now('plain')}
                {holds && <Button onClick={() => setAction('/license/deactivate')}>{t('Deactivate here')}</Button>}
              </LicenceState>
              <Facts
                rows={[
                  [t('Key'), info.key && <code>{info.key}</code>],
                  [t('Status'), <Status value={info.status} />],
                  [t('Plan'), info.plan?.name || words(info.plan?.tier ?? '')],
                  [t('Until'), day(info.expires?.slice(0, 10))],
                  [t('Installations left'), info.activations_left],
                  [t('Checked'), info.last_checked && moment(info.last_checked)],
                ]}
              />
            </>
          );
        }}
      </Loaded>
      {action && (
        <ActionDialog
          found={operation('post', action)!}
          params={{}}
          warning={warning}
          onClose={() => setAction('')}
          done={() => {
            setAction(''); // the state says what came of it
            if (action === '/license/evaluate') enable_evaluated_modules().then(read.again, failed);
            else (read.again(), changed('/modules'), void load_interface(true));
          }}
        />
      )}
    </Section>
  );
}

export default function Modules() {
  const read = useRead('/modules', () => api.get('/modules', {}));
  const [open, setOpen] = useState<Module | null>(null);
  const [text, setText] = useState('');
  const toggle = (module: Module) =>
    api.post('/modules/{slug}/toggle', { slug: module.slug! }, { enabled: !module.enabled }).then(async (done) => {
      await load_interface(true);
      await changed('/modules', '/settings');
      toast(done.enabled ? t('{0} is on.', done.name) : t('{0} is off.', done.name));
    }, failed);
  return (
    <div class="svc-page">
      <Head title={t('Modules')} sub={t('What is off has no routes, no screens and no settings.')} />
      {can('get', '/license') && <License />}
      <div class="svc-bar">
        <input
          type="search"
          data-search
          aria-label={t('Search modules')}
          placeholder={t('Search modules')}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      <Loaded read={read} rows={10}>
        {(all) => {
          const hits = all.filter((one) =>
            `${one.name} ${one.description} ${(one.tags ?? []).join(' ')}`.toLowerCase().includes(text.toLowerCase()),
          );
          const categories = [...new Set(hits.map((one) => one.category))];
          if (!hits.length) return <Empty>{t('No module matches.')}</Empty>;
          return categories.map((category) => (
            <Section key={category} title={words(category ?? '')}>
              <ul class="svc-rows">
                {hits
                  .filter((one) => one.category === category)
                  .map((one) => (
                    <li key={one.slug}>
                      <div>
                        <b>{one.name}</b> {one.requires_pro && <small class="svc-badge">{t('Pro')}</small>}
                        <small>
                          {one.description}
                          {(one.depends_on ?? []).length > 0 &&
                            ` ${t('Needs {0}.', one.depends_on!.map(words).join(', '))}`}
                        </small>
                      </div>
                      {one.settings_page && one.enabled && (
                        <Button onClick={() => setOpen(one)}>{t('Settings')}</Button>
                      )}
                      {one.is_core ? (
                        <small>{t('always on')}</small>
                      ) : one.is_available ? (
                        <Switch aria-label={one.name} checked={!!one.enabled} set={() => toggle(one)} />
                      ) : (
                        <small>{one.plan === 'free' ? t('not in this build') : t('plan {0}', one.plan)}</small>
                      )}
                    </li>
                  ))}
              </ul>
            </Section>
          ));
        }}
      </Loaded>
      {open && <ModuleSettings module={open} onClose={() => setOpen(null)} />}
    </div>
  );
}
