// My account: password, language, where I am signed in, application passwords.
import { useState } from 'preact/hooks';

import { api, json } from '../../kit/client';
import { Field } from '../../kit/field';
import { FormDialog } from '../../kit/form-dialog';
import { words } from '../../kit/format';
import { choose_language, chosen_language, languages, t } from '../../kit/i18n';
import { Summary, useForm } from '../../kit/use-form';
import { useRead } from '../../kit/query';
import { can } from '../../kit/interface';
import { me } from '../../kit/session';
import { Ago, Button, Confirm, Dialog, Empty, Loaded, Notice, failed, toast } from '../../kit/ui';
import { Facts, Head, Section } from '../../kit/page';

function Password() {
  const form = useForm({ current_password: '', new_password: '' });
  const save = (event: Event) => {
    event.preventDefault();
    void form.submit(async () => {
      await api.put('/customers/me/password', null, form.values);
      toast(t('The password is changed. Other sessions are ended.'));
    });
  };
  return (
    <Section title={t('Password')}>
      <form class="svc-form" onSubmit={save}>
        <Summary form={form} known={['current_password', 'new_password']} />
        <Field label={t('Present password')} errors={form.errors.current_password} required>
          {({ id, describedby, invalid }) => (
            <input
              id={id}
              type="password"
              autocomplete="current-password"
              required
              aria-describedby={describedby}
              aria-invalid={invalid}
              value={form.values.current_password}
              onInput={(event) => form.set('current_password', event.currentTarget.value)}
            />
          )}
        </Field>
        <Field
          label={t('New password')}
          help={t('Signs out your other sessions. Application passwords stay valid until you revoke them.')}
          errors={form.errors.new_password}
          required
        >
          {({ id, describedby, invalid }) => (
            <input
              id={id}
              type="password"
              autocomplete="new-password"
              required
              aria-describedby={describedby}
              aria-invalid={invalid}
              value={form.values.new_password}
              onInput={(event) => form.set('new_password', event.currentTarget.value)}
            />
          )}
        </Field>
        <Button type="submit" kind="primary" busy={form.busy} disabled={!form.dirty}>
          {t('Change the password')}
        </Button>
      </form>
    </Section>
  );
}

// "Chrome on Linux", as far as the browser's own name tells.
function browser(agent: string): string {
  const name = /Edg/.test(agent)
    ? 'Edge'
    : /Chrome/.test(agent)
      ? 'Chrome'
      : /Firefox/.test(agent)
        ? 'Firefox'
        : /Safari/.test(agent)
          ? 'Safari'
          : '';
  const system = /Windows/.test(agent)
    ? 'Windows'
    : /Android/.test(agent)
      ? 'Android'
      : /iPhone|iPad/.test(agent)
        ? 'iOS'
        : /Mac OS/.test(agent)
          ? 'macOS'
          : /Linux/.test(agent)
            ? 'Linux'
            : '';
  return name && system ? t('{0} on {1}', name, system) : name || system || agent.slice(0, 60) || t('Unknown browser');
}

function Sessions() {
  const read = useRead('/auth/sessions', () => api.get('/auth/sessions', {}));
  const end = (id: number) =>
    api.remove('/auth/sessions/{id}', { id }).then(() => (toast(t('The session is ended.')), read.again()), failed);
  return (
    <Section
      title={t('Where I am signed in')}
      action={
        (read.data ?? []).length > 1 ? (
          <Button
            onClick={() =>
              api
                .remove('/auth/sessions', {})
                .then((done) => (toast(t('{0} ended.', done.ended)), read.again()), failed)
            }
          >
            {t('End all others')}
          </Button>
        ) : undefined
      }
    >
      <Loaded read={read} rows={3}>
        {(all) =>
          all.length ? (
            <ul class="svc-rows">
              {all.map((one) => (
                <li key={one.id}>
                  <div>
                    <b>{browser(one.user_agent)}</b>
                    <small>
                      {t('{0} · used', one.address)} <Ago at={one.seen_at} /> {t('· signed in')}{' '}
                      <Ago at={one.created_at} />
                    </small>
                  </div>
                  {one.is_current ? (
                    <small>{t('this one')}</small>
                  ) : (
                    <Button onClick={() => end(one.id)}>{t('End')}</Button>
                  )}
                </li>
              ))}
            </ul>
          ) : (
            <Empty>{t('No sessions.')}</Empty>
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
    <Section title={t('Application passwords')} action={<Button onClick={() => setMaking(true)}>{t('New')}</Button>}>
      <p>{t('For programs that call the interface in my name.')}</p>
      <Loaded read={read} rows={2}>
        {(all) =>
          all.length ? (
            <ul class="svc-rows">
              {all.map((one) => (
                <li key={one.id}>
                  <div>
                    <b>{one.name}</b>
                    <small>
                      {one.last_used_at ? (
                        <>
                          {t('used')} <Ago at={one.last_used_at} /> {t('from {0}', one.last_address)}
                        </>
                      ) : (
                        t('never used')
                      )}
                    </small>
                  </div>
                  <Button onClick={() => setRevoking({ id: one.id!, name: one.name! })}>{t('Revoke')}</Button>
                </li>
              ))}
            </ul>
          ) : (
            <Empty>{t('None yet.')}</Empty>
          )
        }
      </Loaded>
      {making && (
        <Dialog
          title={t('New application password')}
          onClose={() => (setMaking(false), setMade(''))}
          footer={
            made ? (
              <Button kind="primary" onClick={() => (setMaking(false), setMade(''))}>
                {t('Done')}
              </Button>
            ) : (
              <Button
                kind="primary"
                busy={form.busy}
                disabled={!form.values.name}
                onClick={() =>
                  void form.submit(async () => {
                    setMade(
                      (await api.post('/auth/application-passwords', null, { name: form.values.name })).password!,
                    );
                    read.again();
                  })
                }
              >
                {t('Create')}
              </Button>
            )
          }
        >
          <Summary form={form} />
          {made ? (
            <Notice kind="good">
              <p>{t('Shown this once. Keep it where the program finds it.')}</p>
              <code class="svc-secret">{made}</code>
            </Notice>
          ) : (
            <Field label={t('What it is for')} errors={form.errors.name}>
              {({ id }) => (
                <input
                  id={id}
                  value={form.values.name}
                  onInput={(event) => form.set('name', event.currentTarget.value)}
                />
              )}
            </Field>
          )}
        </Dialog>
      )}
      {revoking && (
        <Confirm
          title={t('Revoke {0}?', revoking.name)}
          action={t('Revoke')}
          danger
          onClose={() => setRevoking(null)}
          run={async () => {
            await json('delete', '/auth/application-passwords/{id}', { params: { id: revoking.id } });
            read.again();
          }}
        >
          <p>{t('The program that uses it stops at once.')}</p>
        </Confirm>
      )}
    </Section>
  );
}

// This browser's choice; where the account has a customer's record, that is told, too, for mails and pages.
function Language() {
  const own = useRead(can('put', '/customers/me') ? '/customers/me' : null, () => api.get('/customers/me', {}));
  const choose = async (code: string) => {
    try {
      if (own.data?.id && code && code !== own.data.preferred_language)
        await api.put('/customers/me', null, { preferred_language: code });
      choose_language(code);
      location.reload(); // texts of the screens are made where their code is loaded
    } catch (error) {
      failed(error);
    }
  };
  return (
    <Section title={t('Language')}>
      <Field label={t('Language')} help={t('Of the admin in this browser. The site has its own.')}>
        {({ id, describedby }) => (
          <select
            id={id}
            aria-describedby={describedby}
            value={chosen_language()}
            onChange={(event) => void choose(event.currentTarget.value)}
          >
            <option value="">{t('As the site')}</option>
            {Object.entries(languages).map(([code, name]) => (
              <option key={code} value={code} lang={code}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
    </Section>
  );
}

// The address that mails go to. A new one counts once the link that was mailed to it is used.
function Email() {
  const user = me.value!.user;
  const moves = can('post', '/customers/me/email');
  const own = useRead(can('get', '/customers/me') ? '/customers/me' : null, () => api.get('/customers/me', {}));
  const [moving, setMoving] = useState(false);
  const waiting = own.data?.pending_email;
  const again = () =>
    api.post('/customers/me/email/resend', null).then(() => toast(t('The link is on its way.')), failed);
  const keep = () =>
    api.remove('/customers/me/email', {}).then(() => (toast(t('The address stays as it is.')), own.again()), failed);
  return (
    <Section
      title={t('Who I am')}
      action={moves ? <Button onClick={() => setMoving(true)}>{t('Change the e-mail')}</Button> : undefined}
    >
      <Facts
        rows={[
          [t('Name'), user.display_name],
          [t('Login'), user.login],
          [t('E-mail'), user.email],
          [t('Role'), words(user.role ?? '')],
        ]}
      />
      {!user.email_verified && (
        <Notice kind="warn">
          <p>{t('The address is not confirmed yet.')}</p>
          <p class="svc-actions">
            <Button
              onClick={() =>
                api
                  .post('/auth/resend-verification', null, { email: user.email })
                  .then(() => toast(t('The link is on its way.')), failed)
              }
            >
              {t('Send a link to confirm it')}
            </Button>
          </p>
        </Notice>
      )}
      {waiting && (
        <Notice kind="info">
          <p>{t('A link was mailed to {0}. The address changes when it is used.', waiting)}</p>
          <p class="svc-actions">
            <Button onClick={again}>{t('Send the link again')}</Button>
            <Button onClick={keep}>{t('Keep the present address')}</Button>
          </p>
        </Notice>
      )}
      {moving && <EmailDialog onClose={() => setMoving(false)} done={own.again} />}
    </Section>
  );
}

function EmailDialog({ onClose, done }: { onClose: () => void; done: () => void }) {
  const form = useForm({ email: '', current_password: '' });
  const run = () => api.post('/customers/me/email', null, form.values);
  return (
    <FormDialog
      title={t('Change the e-mail')}
      form={form}
      run={run}
      done={done}
      onClose={onClose}
      action={t('Send the link')}
      disabled={!form.values.email || !form.values.current_password}
      known={['email', 'current_password']}
    >
      <p>{t('A link goes to the new address. Nothing changes before it is used.')}</p>
      <Field label={t('New address')} errors={form.errors.email} required>
        {({ id, describedby, invalid }) => (
          <input
            id={id}
            type="email"
            autocomplete="email"
            aria-describedby={describedby}
            aria-invalid={invalid}
            value={form.values.email}
            onInput={(event) => form.set('email', event.currentTarget.value)}
          />
        )}
      </Field>
      <Field label={t('Present password')} errors={form.errors.current_password} required>
        {({ id, describedby, invalid }) => (
          <input
            id={id}
            type="password"
            autocomplete="current-password"
            aria-describedby={describedby}
            aria-invalid={invalid}
            value={form.values.current_password}
            onInput={(event) => form.set('current_password', event.currentTarget.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
}

export default function Self() {
  const user = me.value!.user;
  return (
    <div class="svc-page">
      <Head title={t('My account')} sub={`${user.email} · ${words(user.role ?? '')}`} />
      <div class="svc-two">
        <div>
          <Email />
          <Password />
          <Language />
        </div>
        <div>
          <Sessions />
          <ApplicationPasswords />
        </div>
      </div>
    </div>
  );
}
