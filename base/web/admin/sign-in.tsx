// The door: sign in, or ask for a link that sets a new password.
import { useState } from 'preact/hooks';

import { api, sentence } from '../kit/client';
import { display } from '../kit/format';
import { Field } from '../kit/field';
import { t } from '../kit/i18n';
import { sign_in } from '../kit/session';
import { Button, Notice } from '../kit/ui';

export function SignInForm({ done, login = '' }: { done?: () => void; login?: string }) {
  const [name, setName] = useState(login);
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const submit = async (event: Event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setError('');
    try {
      await sign_in(name, password);
      done?.();
    } catch (failure) {
      setError(sentence(failure));
      setBusy(false);
    }
  };
  return (
    <form class="svc-form" onSubmit={(event) => void submit(event)}>
      {error && <Notice kind="bad">{error}</Notice>}
      <Field label={t('Login or e-mail')}>
        {({ id }) => (
          <input
            id={id}
            name="username"
            autocomplete="username"
            required
            autofocus={!login}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field label={t('Password')}>
        {({ id }) => (
          <input
            id={id}
            name="password"
            type="password"
            autocomplete="current-password"
            required
            autofocus={!!login}
            value={password}
            onInput={(event) => setPassword(event.currentTarget.value)}
          />
        )}
      </Field>
      <Button type="submit" kind="primary" busy={busy}>
        {t('Sign in')}
      </Button>
    </form>
  );
}

function Forgot({ back }: { back: () => void }) {
  const [email, setEmail] = useState('');
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<{ good: boolean; text: string } | null>(null);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    try {
      await api.post('/auth/password/forgot', null, { email });
      setSaid({
        good: true,
        text: t('If this address has an account, a link is on its way. It is valid for an hour.'),
      });
    } catch (failure) {
      setSaid({ good: false, text: sentence(failure) });
    }
    setBusy(false);
  };
  return (
    <form class="svc-form" onSubmit={(event) => void submit(event)}>
      {said && <Notice kind={said.good ? 'good' : 'bad'}>{said.text}</Notice>}
      <Field label={t('E-mail address')}>
        {({ id }) => (
          <input
            id={id}
            type="email"
            autocomplete="email"
            required
            autofocus
            value={email}
            onInput={(event) => setEmail(event.currentTarget.value)}
          />
        )}
      </Field>
      <Button type="submit" kind="primary" busy={busy}>
        {t('Send the link')}
      </Button>
      <Button kind="quiet" onClick={back}>
        {t('Back to signing in')}
      </Button>
    </form>
  );
}

export function SignIn() {
  const [forgot, setForgot] = useState(false);
  document.title = t('Sign in · svc');
  return (
    <main class="svc-alone">
      <h1>
        {forgot
          ? t('New password')
          : t('Sign in{0}', display.value.site_name ? ` ${t('to {0}', display.value.site_name)}` : '')}
      </h1>
      {forgot ? <Forgot back={() => setForgot(false)} /> : <SignInForm />}
      {!forgot && (
        <p>
          <Button kind="quiet" onClick={() => setForgot(true)}>
            {t('Forgot the password?')}
          </Button>
        </p>
      )}
    </main>
  );
}
