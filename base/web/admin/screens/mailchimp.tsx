// Contacts at Mailchimp: the connection, what is sent and when, how far it is, and the log with the reasons.
import { Copy } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';

import { json, sentence } from '../../kit/client';
import { PlainInput } from '../../kit/controls';
import { Field } from '../../kit/field';
import { moment } from '../../kit/format';
import { number, t } from '../../kit/i18n';
import { can, operation } from '../../kit/interface';
import { type Column, List, type Row } from '../../kit/list';
import { Figures, Head, Nowhere, Opened, Section } from '../../kit/page';
import { changed, useRead } from '../../kit/query';
import { Ago, Button, Confirm, Empty, Loaded, Notice, Status, failed, toast } from '../../kit/ui';
import { type Form, SaveBar, Summary, type Values, useForm } from '../../kit/use-form';

const path = '/mailchimp';
const get = (route: string, params = {}) => json<any>('get', route, { params }).then((answer) => answer.data);

const sources: Record<string, string> = {
  first_name: t('First name'),
  last_name: t('Last name'),
  full_name: t('Whole name'),
  phone: t('Phone'),
  country: t('Country'),
  language: t('Language'),
  latest_trip: t('Trip of the latest booking'),
  next_travel_date: t('Next day of travel'),
  latest_booking: t('Reference of the latest booking'),
  bookings: t('Number of bookings'),
};
const problems: Record<string, string> = {
  key: t('Mailchimp does not accept the key any more. Enter a new one; what waits is sent then.'),
  list: t('The audience is gone. Choose another one; what waits is sent then.'),
  throttled: t('Mailchimp takes no more requests for a while. What waits is sent later.'),
  unavailable: t('Mailchimp does not answer. What waits is sent later.'),
  garbled: t('Mailchimp sends answers that cannot be read. What waits is sent later.'),
};
const states: Record<string, string> = {
  sent: t('Sent'),
  skipped: t('Not sent'),
  failed: t('Failed'),
  received: t('Reported there'),
};
const tones: Record<string, string> = { sent: 'succeeded', skipped: 'over', failed: 'failed', received: 'info' };
const reasons: Record<string, string> = {
  subscribed: t('Is subscribed'),
  pending: t('Is asked to confirm'),
  transactional: t('Is a contact without newsletter'),
  no_opt_in: t('Did not agree to the newsletter'),
  unsubscribed_there: t('Unsubscribed at Mailchimp'),
  unsubscribed: t('Unsubscribed at Mailchimp'),
  unsubscribe: t('Unsubscribed at Mailchimp'),
  subscribe: t('Confirmed at Mailchimp'),
  archived_there: t('Removed at Mailchimp'),
  delete: t('Removed at Mailchimp'),
  upemail: t('Has another address at Mailchimp'),
  cleaned: t('The address does not exist any more'),
  compliance: t('Can come back by the form of Mailchimp only'),
  rejected: t('Mailchimp refuses these data'),
  gone: t('The customer was deleted'),
  other_list: t('About another audience'),
  key: t('The key is refused'),
  list: t('The audience is gone'),
  throttled: t('Too many requests; sent later'),
  unavailable: t('No answer; sent later'),
  garbled: t('An answer that cannot be read; sent later'),
};
const actions: Record<string, string> = {
  upsert: t('Contact'),
  unsubscribe: t('Unsubscribe'),
  archive: t('Remove'),
  forget: t('Delete for good'),
  tags: t('Tags'),
  report: t('Report'),
  consent: t('Consent withdrawn here'),
};

function Progress({ now }: { now: Values }) {
  const run = now.run;
  const done = run.synced + run.skipped + run.failed;
  if (!run.started_at) return null;
  return (
    <Section title={run.running ? t('Sending all customers') : t('The latest run over all customers')}>
      {run.running && <progress max={Math.max(run.total, 1)} value={done} aria-label={t('Progress')} />}
      <p role="status">
        {t(
          '{0} of {1}: {2} sent, {3} not sent, {4} failed.',
          ...[done, run.total, run.synced, run.skipped, run.failed].map(number),
        )}{' '}
        {run.ended_at && <Ago at={run.ended_at} />}
      </p>
    </Section>
  );
}

function Now() {
  const read = useRead(`${path}/status`, () => get('/mailchimp/status'));
  const busy = read.data && (read.data.run.running || read.data.waiting > 0) && !read.data.problem;
  useEffect(() => {
    if (!busy) return undefined;
    const timer = setTimeout(() => void read.again(), 2000);
    return () => clearTimeout(timer);
  }, [read.data]);
  return (
    <Loaded read={read} rows={2}>
      {(now) => (
        <>
          {now.problem && (
            <Notice kind={now.problem === 'key' || now.problem === 'list' ? 'bad' : 'warn'}>
              <p>{problems[now.problem]}</p>
              <p>
                {now.problem_detail} {now.resume_at && t('Next try: {0}', moment(now.resume_at))}
              </p>
            </Notice>
          )}
          <Figures
            rows={[
              { label: t('Agreed to the newsletter'), value: number(now.opted_in) },
              { label: t('Did not agree'), value: number(now.customers - now.opted_in) },
              { label: t('Subscribed there'), value: number(now.subscribed) },
              { label: t('Asked to confirm'), value: number(now.pending) },
              { label: t('Unsubscribed there'), value: number(now.unsubscribed_there) },
              { label: t('Refused there'), value: number(now.refused), tone: now.refused ? 'bad' : undefined },
              { label: t('Waiting'), value: number(now.waiting) },
            ]}
          />
          <Progress now={now} />
        </>
      )}
    </Loaded>
  );
}

function Connection({ form, saved }: { form: Form; saved: Values }) {
  const [tested, setTested] = useState<{ kind: 'good' | 'bad'; text: string } | null>(null);
  const lists = useRead(saved.api_key ? `${path}/lists` : null, () => get('/mailchimp/lists'));
  const chosen = form.values.list_id;
  const test = () =>
    json('post', '/mailchimp/test', { body: { api_key: form.values.api_key } }).then(
      (done) => setTested({ kind: 'good', text: t('Mailchimp accepts the key. Account: {0}', done.data.account) }),
      (error) => setTested({ kind: 'bad', text: sentence(error) }),
    );
  return (
    <Section title={t('Connection')}>
      <PlainInput
        kind="text"
        label={t('API key')}
        help={t('At Mailchimp: Account, Extras, API keys. It ends with a data centre such as -us19.')}
        value={form.values.api_key}
        set={(value) => {
          form.set('api_key', value);
          setTested(null);
        }}
        errors={form.errors.api_key}
      />
      <p class="svc-actions">
        <Button disabled={!form.values.api_key} onClick={test}>
          {t('Test the key')}
        </Button>
      </p>
      {tested && (
        <div role="status">
          <Notice kind={tested.kind}>{tested.text}</Notice>
        </div>
      )}
      {!saved.api_key && <p>{t('Save the key, then choose an audience.')}</p>}
      {saved.api_key && (
        <Loaded read={lists} rows={1}>
          {(found: Row[]) => (
            <Field
              label={t('Audience')}
              help={t('Customers who agree to the newsletter are added to it.')}
              errors={form.errors.list_id}
            >
              {({ id, describedby, invalid }) => (
                <select
                  id={id}
                  aria-describedby={describedby}
                  aria-invalid={invalid}
                  value={chosen}
                  onChange={(event) => form.set('list_id', event.currentTarget.value)}
                >
                  <option value="">{t('None: nothing is sent')}</option>
                  {chosen && !found.some((one) => one.id === chosen) && (
                    <option value={chosen}>{saved.list_name || chosen}</option>
                  )}
                  {found.map((one) => (
                    <option key={one.id} value={one.id}>
                      {t('{0} ({1} contacts)', one.name, number(one.member_count))}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          )}
        </Loaded>
      )}
    </Section>
  );
}

function Fields({ form }: { form: Form }) {
  const list = form.values.list_id;
  const read = useRead(`${path}/lists/${list}`, () =>
    get('/mailchimp/lists/{list_id}/merge-fields', { list_id: list }),
  );
  const mapping: Record<string, string> = form.values.field_mapping ?? {};
  return (
    <Section title={t('Merge fields')}>
      <p>{t('What each field of a contact shows. Those without a choice stay as they are.')}</p>
      <Loaded read={read} rows={3}>
        {(found: Row[]) => (
          <div class="svc-fields">
            {found.map((one) => (
              <Field
                key={one.tag}
                label={one.name || one.tag}
                help={one.tag}
                errors={form.errors[`field_mapping.${one.tag}`]}
              >
                {({ id, describedby }) => (
                  <select
                    id={id}
                    aria-describedby={describedby}
                    value={mapping[one.tag] ?? ''}
                    onChange={(event) => {
                      const { [one.tag]: _, ...rest } = mapping;
                      const source = event.currentTarget.value;
                      form.set('field_mapping', source ? { ...rest, [one.tag]: source } : rest);
                    }}
                  >
                    <option value="">{t('Nothing')}</option>
                    {Object.entries(sources).map(([source, said]) => (
                      <option key={source} value={source}>
                        {said}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
            ))}
            {!found.length && <p>{t('This audience has no merge fields.')}</p>}
          </div>
        )}
      </Loaded>
    </Section>
  );
}

function What({ form }: { form: Form }) {
  const input = (name: string, label: string, help?: string, kind: 'boolean' | 'text' = 'boolean') => (
    <PlainInput
      kind={kind}
      label={label}
      help={help}
      value={form.values[name]}
      set={(value) => form.set(name, value)}
      errors={form.errors[name]}
    />
  );
  return (
    <Section title={t('What is sent, and when')}>
      <p>{t('Only customers who agreed to the newsletter are subscribed, whatever is chosen here.')}</p>
      {input('sync_on_booking', t('When they book'))}
      {input('sync_on_payment', t('When they pay'))}
      {input(
        'double_optin',
        t('Mailchimp asks new contacts to confirm'),
        t('They get no newsletter before they have confirmed.'),
      )}
      {input(
        'sync_transactional',
        t('Add customers who did not agree too, as transactional contacts'),
        t('They get no newsletter. Mailchimp may charge for them.'),
      )}
      {input('add_tags', t('Tag contacts with their trips and the states of their bookings'))}
      {input('default_tags', t('Tags of all contacts, separated by commas'), undefined, 'text')}
    </Section>
  );
}

function Receiver({ saved }: { saved: Values }) {
  const [asks, setAsks] = useState(false);
  return (
    <Section title={t('Who unsubscribes at Mailchimp')}>
      <p>
        {t(
          'Enter this address at Mailchimp: Audience, Settings, Webhooks. Tick unsubscribes, cleaned addresses, subscribes and changes of address. Whoever leaves there then gets no newsletter from here either.',
        )}
      </p>
      <Field label={t('Address of the webhook')} help={t('It holds a secret: show it to nobody else.')}>
        {({ id, describedby }) => (
          <input id={id} aria-describedby={describedby} readOnly class="svc-mono" value={saved.webhook_url} />
        )}
      </Field>
      <p class="svc-actions">
        <Button
          icon={<Copy size={16} aria-hidden />}
          onClick={() => navigator.clipboard.writeText(saved.webhook_url).then(() => toast(t('Copied.')), failed)}
        >
          {t('Copy')}
        </Button>
        <Button onClick={() => setAsks(true)}>{t('Make a new address')}</Button>
      </p>
      {asks && (
        <Confirm
          title={t('Make a new address?')}
          action={t('Make a new address')}
          onClose={() => setAsks(false)}
          run={async () => {
            await json('post', '/mailchimp/webhook-address');
            await changed(`${path}/settings`);
          }}
        >
          <p>{t('The present one takes nothing any more. Enter the new one at Mailchimp.')}</p>
        </Confirm>
      )}
    </Section>
  );
}

function Settings({ saved }: { saved: Values }) {
  const form = useForm(saved);
  const [asks, setAsks] = useState(false);
  const save = () =>
    form.submit(async (changes) => {
      await json('put', '/mailchimp/settings', { body: changes });
      await changed(path);
      toast(t('The settings are saved.'));
    });
  return (
    <div class="svc-page">
      <Head
        title="Mailchimp"
        sub={t('Customers who agree to the newsletter become contacts of your audience.')}
        status={
          <Status
            value={saved.connected ? 'active' : 'inactive'}
            say={saved.connected ? t('Connected') : t('Not connected')}
          />
        }
      >
        <a class="svc-button svc-plain" href="/admin/mailchimp/log">
          {t('Log')}
        </a>
        {saved.connected && <Button onClick={() => setAsks(true)}>{t('Send all customers')}</Button>}
      </Head>
      {saved.connected && <Now />}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Summary form={form} />
        <Connection form={form} saved={saved} />
        {saved.api_key && form.values.list_id && <Fields form={form} />}
        <What form={form} />
        <SaveBar form={form} />
      </form>
      <Receiver saved={saved} />
      {asks && (
        <Confirm
          title={t('Send all customers?')}
          action={t('Send all customers')}
          onClose={() => setAsks(false)}
          run={async () => {
            await json('post', '/mailchimp/sync-all');
            await changed(`${path}/status`);
          }}
        >
          <p>
            {t(
              'Those who agreed to the newsletter are added or brought up to date. Nobody else is subscribed, and whoever left at Mailchimp is left alone.',
            )}
          </p>
        </Confirm>
      )}
    </div>
  );
}

const columns: Column[] = [
  { key: 'created_at', label: t('Time'), sort: 'created_at' },
  {
    key: 'email',
    label: t('Contact'),
    show: (row) =>
      row.customer_id && row.email ? <a href={`/admin/customers/${row.customer_id}`}>{row.email}</a> : row.email,
  },
  {
    key: 'action',
    label: t('What'),
    show: (row) => actions[row.action] ?? row.action,
    text: (row) => actions[row.action] ?? row.action,
  },
  {
    key: 'status',
    show: (row) => (
      <>
        <Status value={tones[row.status]} say={states[row.status]} />
        {row.reason && <small>{reasons[row.reason] ?? row.reason}</small>}
        {row.detail && <small>{row.detail}</small>}
      </>
    ),
    text: (row) => `${states[row.status]} ${reasons[row.reason] ?? row.reason}`,
  },
  {
    key: 'booking_id',
    label: t('Booking'),
    show: (row) => row.booking_id && <a href={`/admin/bookings/${row.booking_id}`}>{row.booking_id}</a>,
  },
];

function Log() {
  return (
    <div class="svc-page">
      <Head
        title={t('Log of Mailchimp')}
        sub={t('What was sent and what was not, with the reason; kept for 90 days.')}
        back={{ href: '/admin/mailchimp/settings', label: 'Mailchimp' }}
      />
      <List
        path="/mailchimp/log"
        list={operation('get', '/mailchimp/log')!}
        columns={columns}
        tabs
        empty={<Empty>{t('Nothing was sent yet.')}</Empty>}
      />
    </div>
  );
}

function Main() {
  const read = useRead(`${path}/settings`, () => get('/mailchimp/settings'));
  return <Opened read={read}>{(saved: Values) => <Settings saved={saved} />}</Opened>;
}

export default function Mailchimp({ part }: { part?: string }) {
  if (!can('get', '/mailchimp/settings'))
    return <Nowhere>{t('There is no such list. The address may be wrong, or its module off.')}</Nowhere>;
  return part === 'log' ? <Log /> : <Main />;
}
