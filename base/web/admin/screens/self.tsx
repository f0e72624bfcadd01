// My account: password, where I am signed in, application passwords.
import { useState } from 'preact/hooks';

import { api, json } from '../../kit/client';
import { Field, Summary, useForm } from '../../kit/form';
import { useRead } from '../../kit/query';
import { me } from '../../kit/session';
import { Ago, Button, Confirm, Dialog, Empty, Facts, Head, Loaded, Notice, Section, failed, toast } from '../../kit/ui';

function Password() {
  const form = useForm({ current_password: '', new_password: '' });
  const save = (event: Event) => {
    event.preventDefault();
    void form.submit(async () => {
      await api.put('/customers/me/password', null, form.values);
      toast('The password is changed. Other sessions are ended.');
    });
  };
  return (
    <Section title="Password">
      <form class="svc-form" onSubmit={save}>
        <Summary form={form} known={['current_password', 'new_password']} />
        <Field label="Present password" errors={form.errors.current_password} required>
          {({ id, describedby, invalid }) => <input id={id} type="password" autocomplete="current-password" required aria-describedby={describedby} aria-invalid={invalid} value={form.values.current_password} onInput={(event) => form.set('current_password', event.currentTarget.value)} />}
        </Field>
        <Field label="New password" errors={form.errors.new_password} required>
          {({ id, describedby, invalid }) => <input id={id} type="password" autocomplete="new-password" required aria-describedby={describedby} aria-invalid={invalid} value={form.values.new_password} onInput={(event) => form.set('new_password', event.currentTarget.value)} />}
        </Field>
        <Button type="submit" kind="primary" busy={form.busy} disabled={!form.dirty}>Change the password</Button>
      </form>
    </Section>
  );
}

// "Chrome on Linux", as far as the browser's own name tells.
function browser(agent: string): string {
  const name = /Edg/.test(agent) ? 'Edge' : /Chrome/.test(agent) ? 'Chrome' : /Firefox/.test(agent) ? 'Firefox' : /Safari/.test(agent) ? 'Safari' : '';
  const system = /Windows/.test(agent) ? 'Windows' : /Android/.test(agent) ? 'Android' : /iPhone|iPad/.test(agent) ? 'iOS' : /Mac OS/.test(agent) ? 'macOS' : /Linux/.test(agent) ? 'Linux' : '';
  return [name, system].filter(Boolean).join(' on ') || agent.slice(0, 60) || 'Unknown browser';
}

function Sessions() {
  const read = useRead('/auth/sessions', () => api.get('/auth/sessions', {}));
  const end = (id: number) => void api.remove('/auth/sessions/{id}', { id }).then(() => (toast('The session is ended.'), read.again()), failed);
  return (
    <Section title="Where I am signed in" action={(read.data ?? []).length > 1 ? <Button onClick={() => void api.remove('/auth/sessions', {}).then((done) => (toast(`${done.ended} ended.`), read.again()), failed)}>End all others</Button> : undefined}>
      <Loaded read={read} rows={3}>
        {(all) =>
          all.length ? (
            <ul class="svc-rows">
              {all.map((one) => (
                <li key={one.id}>
                  <div>
                    <b>{browser(one.user_agent)}</b>
                    <small>
                      {one.address} · used <Ago at={one.seen_at} /> · signed in <Ago at={one.created_at} />
                    </small>
                  </div>
                  {one.is_current ? <small>this one</small> : <Button onClick={() => end(one.id)}>End</Button>}
                </li>
              ))}
            </ul>
          ) : (
            <Empty>No sessions.</Empty>
          )
        }
      </Loaded>
    </Section>
  );
}

function ApplicationPasswords() {
  const read = useRead('/auth/application-passwords', () => api.get('/auth/application-passwords', {}));
  const [made, setMade] = useState('');
  const [making, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<{ id: number; name: string } | null>(null);
  const form = useForm({ name: '' });
  return (
    <Section title="Application passwords" action={<Button onClick={() => setMaking(true)}>New</Button>}>
      <p>For programs that call the interface in my name.</p>
      <Loaded read={read} rows={2}>
        {(all) =>
          all.length ? (
            <ul class="svc-rows">
              {all.map((one) => (
                <li key={one.id}>
                  <div>
                    <b>{one.name}</b>
                    <small>
                      {one.last_used_at ? <>used <Ago at={one.last_used_at} /> from {one.last_address}</> : 'never used'}
                    </small>
                  </div>
                  <Button onClick={() => setRevoking({ id: one.id!, name: one.name! })}>Revoke</Button>
                </li>
              ))}
            </ul>
          ) : (
            <Empty>None yet.</Empty>
          )
        }
      </Loaded>
      {making && (
        <Dialog
          title="New application password"
          onClose={() => (setMaking(false), setMade(''))}
          footer={
            made ? (
              <Button kind="primary" onClick={() => (setMaking(false), setMade(''))}>Done</Button>
            ) : (
              <Button
                kind="primary"
                busy={form.busy}
                disabled={!form.values.name}
                onClick={() =>
                  void form.submit(async () => {
                    setMade((await api.post('/auth/application-passwords', null, { name: form.values.name })).password!);
                    read.again();
                  })
                }
              >
                Create
              </Button>
            )
          }
        >
          <Summary form={form} />
          {made ? (
            <Notice kind="good">
              <p>Shown this once. Keep it where the program finds it.</p>
              <code class="svc-secret">{made}</code>
            </Notice>
          ) : (
            <Field label="What it is for" errors={form.errors.name}>
              {({ id }) => <input id={id} value={form.values.name} onInput={(event) => form.set('name', event.currentTarget.value)} />}
            </Field>
          )}
        </Dialog>
      )}
      {revoking && (
        <Confirm title={`Revoke ${revoking.name}?`} action="Revoke" danger onClose={() => setRevoking(null)} run={async () => {
          await json('delete', '/auth/application-passwords/{id}', { params: { id: revoking.id } });
          read.again();
        }}>
          <p>The program that uses it stops at once.</p>
        </Confirm>
      )}
    </Section>
  );
}

export default function Self() {
  const user = me.value!.user;
  return (
    <div class="svc-page">
      <Head title="My account" sub={`${user.email} · ${user.role}`} />
      <div class="svc-two">
        <div>
          <Section title="Who I am">
            <Facts rows={[['Name', user.display_name], ['Login', user.login], ['E-mail', user.email], ['Role', user.role]]} />
            {!user.email_verified && <Notice kind="warn">The address is not confirmed yet.</Notice>}
          </Section>
          <Password />
        </div>
        <div>
          <Sessions />
          <ApplicationPasswords />
        </div>
      </div>
    </div>
  );
}
