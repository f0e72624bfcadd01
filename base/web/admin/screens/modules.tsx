// What the site can do: modules on and off, their settings, and the licence of Pro.
import { useState } from 'preact/hooks';

import { type DataOf, api, json } from '../../kit/client';
import { SchemaFields, Summary, useForm } from '../../kit/form';
import { day, words } from '../../kit/format';
import { can, load_interface, operation } from '../../kit/interface';
import { changed, useRead } from '../../kit/query';
import { Button, Dialog, Empty, Facts, Head, Loaded, Section, Status, failed, toast } from '../../kit/ui';
import { ActionDialog } from '../action';

type Module = DataOf<'/modules/{slug}', 'get'>;

function ModuleSettings({ module, onClose }: { module: Module; onClose: () => void }) {
  const read = useRead(`/modules/${module.slug}/settings`, async () => (await json<{ settings: Record<string, any>; schema: any }>('get', '/modules/{slug}/settings', { params: { slug: module.slug } })).data);
  const form = useForm(read.data?.settings);
  const save = () =>
    form
      .submit(async (changes) => {
        await api.put('/modules/{slug}/settings', { slug: module.slug! }, changes);
        toast('Saved.');
        changed('/modules', '/settings');
      })
      .then((good) => good && onClose());
  return (
    <Dialog title={module.name!} wide onClose={onClose} footer={<><Button onClick={onClose}>Back</Button><Button kind="primary" busy={form.busy} disabled={!form.dirty} onClick={() => void save()}>Save</Button></>}>
      <Summary form={form} />
      <Loaded read={read}>{(found) => <div class="svc-fields"><SchemaFields schema={found.schema} form={form} /></div>}</Loaded>
    </Dialog>
  );
}

function License() {
  const [action, setAction] = useState('');
  const read = useRead('/license', async () => (await json<any>('get', '/license')).data);
  return (
    <Section title="Licence">
      <Loaded read={read} rows={2}>
        {(found) => {
          const info = found.license_info ?? {};
          return (
            <>
              <Facts rows={[['Key', info.key && <code>{info.key}</code>], ['Status', <Status value={info.status} />], ['Plan', info.plan?.name ?? info.plan?.slug], ['Until', day(info.expires?.slice(0, 10))], ['Installations left', info.activations_left]]} />
              <p class="svc-actions">
                <Button kind={info.status === 'active' ? 'plain' : 'primary'} onClick={() => setAction('/license/activate')}>{info.status === 'active' ? 'Another key' : 'Enter a key'}</Button>
                {info.key && <Button onClick={() => void api.post('/license/check', null).then(() => (read.again(), toast('The licence is checked.')), failed)}>Check now</Button>}
                {info.status === 'active' && <Button onClick={() => setAction('/license/deactivate')}>Deactivate here</Button>}
              </p>
            </>
          );
        }}
      </Loaded>
      {action && <ActionDialog found={operation('post', action)!} params={{}} onClose={() => setAction('')} done={() => (read.again(), changed('/modules'), void load_interface(true))} />}
    </Section>
  );
}

export default function Modules() {
  const read = useRead('/modules', () => api.get('/modules', {}));
  const [open, setOpen] = useState<Module | null>(null);
  const [text, setText] = useState('');
  const toggle = (module: Module) =>
    void api.post('/modules/{slug}/toggle', { slug: module.slug! }, { enabled: !module.enabled }).then(async (done) => {
      await load_interface(true);
      changed('/modules', '/settings');
      toast(`${done.name} is ${done.enabled ? 'on' : 'off'}.`);
    }, failed);
  return (
    <div class="svc-page">
      <Head title="Modules" sub="What is off has no routes, no screens and no settings." />
      {can('get', '/license') && <License />}
      <div class="svc-bar">
        <input type="search" data-search aria-label="Search modules" placeholder="Search modules" value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </div>
      <Loaded read={read} rows={10}>
        {(all) => {
          const hits = all.filter((one) => `${one.name} ${one.description} ${(one.tags ?? []).join(' ')}`.toLowerCase().includes(text.toLowerCase()));
          const categories = [...new Set(hits.map((one) => one.category))];
          if (!hits.length) return <Empty>No module matches.</Empty>;
          return categories.map((category) => (
            <Section key={category} title={words(category ?? '')}>
              <ul class="svc-rows">
                {hits.filter((one) => one.category === category).map((one) => (
                  <li key={one.slug}>
                    <div>
                      <b>{one.name}</b> {one.requires_pro && <small class="svc-badge">Pro</small>}
                      <small>
                        {one.description}
                        {(one.depends_on ?? []).length > 0 && ` Needs ${one.depends_on!.map(words).join(', ')}.`}
                      </small>
                    </div>
                    {one.settings_page && one.enabled && <Button onClick={() => setOpen(one)}>Settings</Button>}
                    {one.is_core ? (
                      <small>always on</small>
                    ) : one.is_available ? (
                      <input type="checkbox" role="switch" aria-label={one.name} checked={!!one.enabled} onChange={() => toggle(one)} />
                    ) : (
                      <small>{one.plan === 'free' ? 'not in this build' : `plan ${one.plan}`}</small>
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
