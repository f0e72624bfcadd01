// Google Calendar: connecting in steps, which calendar gets what, how far a copy has come, and what Google answered.
import { useEffect, useState } from 'preact/hooks';

import { json } from '../../kit/client';
import { PlainInput } from '../../kit/controls';
import { Field } from '../../kit/field';
import { Input } from '../../kit/form';
import { number, t } from '../../kit/i18n';
import { can, operation } from '../../kit/interface';
import { type Column, List } from '../../kit/list';
import { useLocation } from '../../kit/location';
import { Facts, Head, Nowhere, Section } from '../../kit/page';
import { changed, useRead } from '../../kit/query';
import { Ago, Button, Confirm, Dialog, Empty, Loaded, Notice, Status, failed, toast } from '../../kit/ui';
import { type Form, Summary, type Values, useForm } from '../../kit/use-form';

const root = '/google-calendar';
const refresh = () => changed(root);
const states: Record<string, [string, string]> = {
  off: ['off', t('Not connected')],
  connected: ['active', t('Connected')],
  reconnect: ['failed', t('Connect again')],
  leaving: ['running', t('Events are being deleted')],
};
const problems: Record<string, string> = {
  revoked: t('Google no longer accepts our access: it was revoked, or it ended. Changes wait; nothing is lost.'),
  client: t('Google does not accept the client ID or the client secret. Changes wait; nothing is lost.'),
  calendar_gone: t('The calendar was deleted at Google. Changes wait until another one is chosen.'),
};
const changes: Record<string, string> = { create: t('New'), update: t('Changed'), remove: t('Removed') };
const kinds: Record<string, string> = { departure: t('Departure'), booking: t('Booking') };

const put = async (body: Values) => {
  await json('put', '/google-calendar/settings', { body });
  await refresh();
};

// Back from Google's page: what came of it, in the address.
function Arrival() {
  const { query } = useLocation();
  if (query.connected) return <Notice kind="good">{t('Connected. What is to come is being copied.')}</Notice>;
  if (query.problem === 'denied')
    return <Notice kind="warn">{t('Google was not allowed to let us in. Agree to each right on its page.')}</Notice>;
  if (query.problem)
    return (
      <Notice kind="bad">
        {t('Google refused to connect. Check client ID, client secret and the redirect address.')}
      </Notice>
    );
  return null;
}

function Redirect({ address }: { address: string }) {
  return (
    <p class="svc-actions">
      <code class="svc-mono">{address}</code>
      <Button onClick={() => navigator.clipboard.writeText(address).then(() => toast(t('Copied.')), failed)}>
        {t('Copy')}
      </Button>
    </p>
  );
}

function Client({ settings }: { settings: Values }) {
  const form = useForm({ client_id: settings.client_id, client_secret: settings.client_secret });
  const save = (event: Event) => {
    event.preventDefault();
    void form.submit(async (written) => {
      await put(written);
      toast(t('Saved.'));
    });
  };
  const input = (name: string, label: string, of_kind?: string) => (
    <Input
      name={name}
      label={label}
      schema={{ type: 'string', maxLength: 300, 'x-kind': of_kind }}
      value={form.values[name]}
      set={(value) => form.set(name, value ?? '')}
      errors={form.errors}
    />
  );
  return (
    <form onSubmit={save}>
      <Summary form={form} />
      <div class="svc-fields">
        {input('client_id', t('Client ID'))}
        {input('client_secret', t('Client secret'), 'secret')}
      </div>
      <p class="svc-actions">
        <Button type="submit" busy={form.busy} disabled={!form.dirty}>
          {t('Save')}
        </Button>
      </p>
    </form>
  );
}

function Connecting({ settings }: { settings: Values }) {
  const [calendar, setCalendar] = useState<string>(settings.calendar_kind);
  const is_ready = settings.client_id && settings.client_secret;
  const go = () =>
    json<{ auth_url: string }>('post', '/google-calendar/connect', { body: { calendar } }).then(
      ({ data }) => location.assign(data.auth_url),
      failed,
    );
  const console_page = (path: string, said: string) => (
    <a href={`https://console.cloud.google.com/${path}`} target="_blank" rel="noreferrer">
      {said}
    </a>
  );
  return (
    <Section title={settings.state === 'reconnect' ? t('Connect again') : t('Connect in five steps')}>
      <ol class="svc-steps">
        <li>
          {t('Make a project in the Google Cloud console and turn on the Google Calendar API:')}{' '}
          {console_page('apis/library/calendar-json.googleapis.com', t('open the API'))}
        </li>
        <li>
          {t(
            'Fill in the consent screen and publish the app. While it is in “Testing”, Google ends our access after seven days.',
          )}{' '}
          {console_page('auth/audience', t('open the consent screen'))}
        </li>
        <li>
          {t('Make an OAuth client of the type “Web application” and enter this redirect address:')}{' '}
          {console_page('auth/clients', t('open the clients'))}
          <Redirect address={settings.redirect_uri} />
        </li>
        <li>
          {t('Google shows a client ID and a client secret. Enter them here:')}
          <Client settings={settings} />
        </li>
        <li>
          <Field label={t('Which calendar gets the events')}>
            {({ id }) => (
              <select id={id} value={calendar} onChange={(event) => setCalendar(event.currentTarget.value)}>
                <option value="own">{t('A calendar of our own, which is made for it')}</option>
                <option value="existing">{t('A calendar of the account, chosen afterwards')}</option>
              </select>
            )}
          </Field>
          <p>
            <small>
              {calendar === 'own'
                ? t('We then see no other calendar of the account.')
                : t('Google then gives access to the events of all calendars of the account.')}
            </small>
          </p>
          <p class="svc-actions">
            <Button kind="primary" disabled={!is_ready} onClick={go}>
              {t('Connect with Google')}
            </Button>
            {!is_ready && <small>{t('Save client ID and client secret first.')}</small>}
          </p>
        </li>
      </ol>
    </Section>
  );
}

// One of the account's calendars; of ours there is only the name.
function CalendarChoice({ settings }: { settings: Values }) {
  const is_own = settings.calendar_kind === 'own';
  const read = useRead(is_own ? null : `${root}/calendars`, async () => {
    return (await json<Values[]>('get', '/google-calendar/calendars')).data;
  });
  if (is_own && settings.calendar_id) return <>{settings.calendar_name || settings.calendar_id}</>;
  if (is_own)
    return (
      <Button
        onClick={() =>
          json('post', '/google-calendar/calendars').then(() => {
            toast(t('A new calendar is made.'));
            return refresh();
          }, failed)
        }
      >
        {t('Make a new calendar')}
      </Button>
    );
  return (
    <Loaded read={read} rows={1}>
      {(all) => (
        <select
          aria-label={t('Calendar')}
          value={settings.calendar_id}
          onChange={(event) => {
            const chosen = all.find((one) => one.id === event.currentTarget.value);
            if (chosen) put({ calendar_id: chosen.id, calendar_name: chosen.name }).catch(failed);
          }}
        >
          {!all.some((one) => one.id === settings.calendar_id) && <option value="">{t('Choose a calendar')}</option>}
          {all.map((one) => (
            <option key={one.id} value={one.id}>
              {one.is_primary ? t('{0} (main calendar)', one.name) : one.name}
            </option>
          ))}
        </select>
      )}
    </Loaded>
  );
}

function Running({ progress, again }: { progress: Values; again: () => Promise<void> }) {
  const is_running = progress.state === 'running';
  const over = progress.synced + progress.failed;
  useEffect(() => {
    if (!is_running) return;
    const timer = setTimeout(() => again().then(() => changed(`${root}/settings`)), 2000);
    return () => clearTimeout(timer);
  }, [is_running, progress]);
  return (
    <>
      {is_running && (
        <p>
          <progress max={progress.total || 1} value={over} aria-label={t('Progress')} />{' '}
          {t('{0} of {1} copied', number(progress.synced), number(progress.total))}
        </p>
      )}
      {progress.failures.length > 0 && (
        <Notice kind="warn">
          <p>{t('These failed and are tried again by themselves:')}</p>
          <ul>
            {progress.failures.map((one: Values) => (
              <li key={`${one.kind}${one.id}`}>
                {kinds[one.kind]} {one.id}: {one.error} {one.next_attempt_at && <Ago at={one.next_attempt_at} />}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}

function Plan({ plan, onClose }: { plan: Values; onClose: () => void }) {
  const rows: Values[] = plan.changes;
  return (
    <Dialog
      title={t('What would change')}
      wide
      onClose={onClose}
      footer={<Button onClick={onClose}>{t('Close')}</Button>}
    >
      <p>
        {t(
          'New: {0}. Changed: {1}. Removed: {2}. As it is: {3}.',
          number(plan.created),
          number(plan.updated),
          number(plan.removed),
          number(plan.unchanged),
        )}
      </p>
      {!rows.length && <Empty>{t('The calendar has all that it should have.')}</Empty>}
      <ul class="svc-rows">
        {rows.map((one) => (
          <li key={`${one.kind}${one.id}`}>
            <div>
              <b>{one.title || kinds[one.kind]}</b>
              <small>
                {kinds[one.kind]} {one.id} · {one.day}
              </small>
            </div>
            <span>{changes[one.change]}</span>
          </li>
        ))}
      </ul>
      <p>
        <small>{t('By what we have sent before; events that somebody deleted at Google come back too.')}</small>
      </p>
    </Dialog>
  );
}

function Leaving({ settings, onClose }: { settings: Values; onClose: () => void }) {
  const [deletes, setDeletes] = useState(false);
  return (
    <Confirm
      title={t('Disconnect Google Calendar?')}
      action={t('Disconnect')}
      danger
      onClose={onClose}
      run={async () => {
        await json('post', '/google-calendar/disconnect', { body: { delete_events: deletes } });
        await refresh();
      }}
    >
      <p>{t('Changes are no longer copied, and our access is given back to Google.')}</p>
      {settings.events > 0 && settings.state === 'reconnect' && (
        <Notice kind="warn">
          {t(
            'Our {0} events stay: Google refuses our access, so they cannot be deleted from here. Connect again first to delete them, or delete them in Google Calendar.',
            number(settings.events),
          )}{' '}
          <a href="https://calendar.google.com/" target="_blank" rel="noreferrer">
            {t('Open Google Calendar')}
          </a>
        </Notice>
      )}
      {settings.events > 0 && settings.state !== 'reconnect' && (
        <PlainInput
          kind="boolean"
          label={t('Delete our {0} events from the calendar first', number(settings.events))}
          value={deletes}
          set={setDeletes}
        />
      )}
    </Confirm>
  );
}

function Connection({ settings }: { settings: Values }) {
  const [plan, setPlan] = useState<Values | null>(null);
  const [leaves, setLeaves] = useState(false);
  const progress = useRead(
    `${root}/sync-all`,
    async () => (await json<Values>('get', '/google-calendar/sync-all')).data,
  );
  const copy = () =>
    json('post', '/google-calendar/sync-all', { body: {} }).then(() => {
      toast(t('Everything that is to come is being copied.'));
      return refresh();
    }, failed);
  const look = () =>
    json<Values>('post', '/google-calendar/sync-all', { body: { dry_run: true } }).then(
      ({ data }) => setPlan(data.plan),
      failed,
    );
  const is_connected = settings.connected;
  return (
    <Section
      title={t('Connection')}
      action={settings.state !== 'off' && <Button onClick={() => setLeaves(true)}>{t('Disconnect')}</Button>}
    >
      <Facts
        rows={[
          [t('Calendar'), is_connected ? <CalendarChoice settings={settings} /> : settings.calendar_name],
          [t('Last copied'), settings.last_sync && <Ago at={settings.last_sync} />],
          [t('Events in the calendar'), number(settings.events)],
          [t('Changes that wait'), number(settings.queued)],
          [t('Google asked us to wait until'), settings.rests_until && <Ago at={settings.rests_until} />],
        ]}
      />
      <Loaded read={progress} rows={1}>
        {(now) => <Running progress={now} again={progress.again} />}
      </Loaded>
      {is_connected && (
        <p class="svc-actions">
          <Button onClick={copy}>{t('Copy everything again')}</Button>
          <Button onClick={look}>{t('See what would change')}</Button>
        </p>
      )}
      {plan && <Plan plan={plan} onClose={() => setPlan(null)} />}
      {leaves && <Leaving settings={settings} onClose={() => setLeaves(false)} />}
    </Section>
  );
}

const days_of = (typed: string) =>
  typed
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map((one) => (/^\d+$/.test(one) ? Number(one) : one));

function Reminders({ form, typed, set }: { form: Form; typed: string; set: (typed: string) => void }) {
  const errors = Object.entries(form.errors)
    .filter(([field]) => field.startsWith('reminder_days'))
    .flatMap(([, said]) => said);
  return (
    <PlainInput
      kind="text"
      label={t('Days before the start on which the calendar reminds')}
      help={t('Up to five numbers from 0 to 28, such as 7, 1. Empty: no reminder.')}
      value={typed}
      set={(value) => {
        set(value);
        form.set('reminder_days', days_of(value));
      }}
      errors={errors}
    />
  );
}

const wishes = ['auto_sync', 'sync_departures', 'sync_bookings', 'share_names', 'send_invitations', 'reminder_days'];

function Wishes({ settings }: { settings: Values }) {
  const form = useForm(Object.fromEntries(wishes.map((name) => [name, settings[name]])));
  const [typed, setTyped] = useState<string>(settings.reminder_days.join(', '));
  const save = (event: Event) => {
    event.preventDefault();
    void form.submit(async (written) => {
      await put(written);
      toast(t('The settings are saved.'));
    });
  };
  const flag = (name: string, label: string, help?: string) => (
    <PlainInput
      kind="boolean"
      label={label}
      help={help}
      value={form.values[name]}
      set={(value) => form.set(name, value)}
      errors={form.errors[name]}
    />
  );
  return (
    <Section title={t('What is copied')}>
      <form onSubmit={save}>
        <Summary form={form} />
        {flag('auto_sync', t('Copy changes by themselves'))}
        {flag('sync_departures', t('Departures, with their load and their guide'))}
        {flag('sync_bookings', t('Confirmed bookings, without personal data'))}
        {flag(
          'share_names',
          t('Events of bookings name the contact'),
          t('Google then stores the name. Your privacy notice must say so.'),
        )}
        {flag('send_invitations', t('Google invites the contact of a booking by e-mail'))}
        <Reminders form={form} typed={typed} set={setTyped} />
        <p class="svc-actions">
          <Button type="submit" kind="primary" busy={form.busy} disabled={!form.dirty}>
            {t('Save')}
          </Button>
        </p>
      </form>
    </Section>
  );
}

const columns: Column[] = [
  { key: 'created_at', label: t('When'), sort: 'created_at', show: (row) => <Ago at={row.created_at} /> },
  {
    key: 'path',
    label: t('Call'),
    show: (row) => (
      <>
        <code>{row.method}</code> <span class="svc-mono">{row.path}</span>
      </>
    ),
    text: (row) => `${row.method} ${row.path}`,
  },
  {
    key: 'kind',
    label: t('About'),
    show: (row) => (row.kind ? `${kinds[row.kind] ?? row.kind} ${row.subject_id ?? ''}` : ''),
  },
  { key: 'status', label: t('Answer'), end: true, show: (row) => row.status ?? t('none') },
  { key: 'error', label: t('Problem') },
  { key: 'duration_ms', label: t('Took'), end: true, show: (row) => t('{0} ms', number(row.duration_ms)) },
];

function Log() {
  return (
    <div class="svc-page">
      <Head
        title={t('Calls of Google')}
        sub={t('The latest 200, without what was sent.')}
        back={{ href: '/admin/google-calendar', label: t('Google Calendar') }}
      />
      <List
        path="/google-calendar/log"
        list={operation('get', '/google-calendar/log')!}
        columns={columns}
        empty={<Empty>{t('Google was not asked yet.')}</Empty>}
      />
    </div>
  );
}

function Screen({ settings }: { settings: Values }) {
  const is_off = settings.state === 'off' || settings.state === 'reconnect';
  const has_left = settings.state === 'off' && !settings.events && !settings.queued;
  return (
    <>
      {settings.problem && <Notice kind="bad">{problems[settings.problem]}</Notice>}
      {is_off && <Connecting settings={settings} />}
      {!has_left && <Connection settings={settings} />}
      <Wishes settings={settings} />
    </>
  );
}

export default function GoogleCalendar({ part }: { part?: string }) {
  const read = useRead(
    can('get', '/google-calendar/settings') && part !== 'log' ? `${root}/settings` : null,
    async () => (await json<Values>('get', '/google-calendar/settings')).data,
  );
  // What the job does meanwhile is followed while there is something to do.
  const has_work = read.data?.state === 'leaving' || read.data?.queued > 0;
  useEffect(() => {
    if (!has_work) return;
    const timer = setInterval(() => void read.again(), 4000);
    return () => clearInterval(timer);
  }, [has_work]);
  if (!can('get', '/google-calendar/settings'))
    return <Nowhere>{t('There is no such list. The address may be wrong, or its module off.')}</Nowhere>;
  if (part === 'log') return <Log />;
  const [tone, said] = states[read.data?.state] ?? ['', ''];
  return (
    <div class="svc-page">
      <Head
        title={t('Google Calendar')}
        sub={t('Departures and bookings as events of a calendar.')}
        status={read.data && <Status value={tone} say={said} />}
      >
        <a class="svc-button svc-plain" href="/admin/google-calendar/log">
          {t('Calls')}
        </a>
      </Head>
      <Arrival />
      <Loaded read={read}>{(settings) => <Screen settings={settings} />}</Loaded>
    </div>
  );
}
