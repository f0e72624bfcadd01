// Messages to other programs: the endpoints that receive them, and what was delivered.
import { Ellipsis } from 'lucide-preact';
import { useState } from 'preact/hooks';

import { api } from '../../kit/client';
import { Input } from '../../kit/form';
import { FormDialog } from '../../kit/form-dialog';
import { Field } from '../../kit/field';
import { number, t } from '../../kit/i18n';
import { can, operation } from '../../kit/interface';
import { type Column, List } from '../../kit/list';
import { Facts, Head, Nowhere, Section } from '../../kit/page';
import { useLocation } from '../../kit/location';
import { changed, useRead } from '../../kit/query';
import { Ago, Button, Confirm, Dialog, Empty, Loaded, Menu, Notice, Status, Switch, failed, toast } from '../../kit/ui';
import { useForm } from '../../kit/use-form';

type Endpoint = Record<string, any>;

const names: Record<string, string> = {
  '*': t('Every event'),
  'booking.created': t('Booking created'),
  'booking.confirmed': t('Booking confirmed'),
  'booking.completed': t('Booking completed'),
  'booking.cancelled': t('Booking cancelled'),
  'booking.expired': t('Booking expired'),
  'payment.received': t('Payment received in full'),
  'payment.partial_received': t('Part payment received'),
  'scheduled.payment.succeeded': t('Scheduled payment charged'),
  'scheduled.payment.failed': t('Scheduled payment failed'),
  'account.email_verification': t('Address to be verified'),
  'account.email_change_request': t('Change of address requested'),
  'account.email_changed': t('Address changed'),
  'webhook.ping': t('Test message'),
};
const states: Record<string, string> = { active: t('Active'), inactive: t('Off'), paused: t('Paused') };
const outcomes: Record<string, string> = {
  queued: t('Waiting'),
  delivering: t('Being sent'),
  delivered: t('Delivered'),
  failed: t('Failed, tried again'),
  permanent_failure: t('Failed for good'),
};
const tones: Record<string, string> = {
  queued: 'queued',
  delivering: 'running',
  delivered: 'succeeded',
  failed: 'warning',
  permanent_failure: 'failed',
};
const event_name = (key: string) => names[key] ?? key;
const refresh = () => changed('/webhooks');

// Headers as people type them, one a line.
const lines_of = (headers: Record<string, string> = {}) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
function headers_of(lines: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const line of lines.split('\n')) {
    const colon = line.indexOf(':');
    if (line.trim())
      found[(colon < 0 ? line : line.slice(0, colon)).trim()] = colon < 0 ? '' : line.slice(colon + 1).trim();
  }
  return found;
}

// Which members of a message are sent: all, or those that are ticked beside an example.
function Fields({ event, chosen, set }: { event: string; chosen: string[]; set: (paths: string[]) => void }) {
  const read = useRead(`/webhooks/events/${event}/sample`, () =>
    api.get('/webhooks/events/{key}/sample', { key: event }),
  );
  const listens = useRead(`/webhooks/events/${event}/listen`, () =>
    api.get('/webhooks/events/{key}/listen', { key: event }),
  );
  return (
    <details open={chosen.length > 0}>
      <summary>
        {chosen.length ? t('Fields that are sent: {0}', number(chosen.length)) : t('All fields are sent')}
      </summary>
      <Loaded read={read} rows={3}>
        {(sample) => (
          <>
            <p class="svc-actions">
              <Button
                disabled={listens.data?.armed}
                onClick={() =>
                  api.post('/webhooks/events/{key}/listen', { key: event }).then(() => listens.again(), failed)
                }
              >
                {listens.data?.armed ? t('Waits for the next event') : t('Show the next event here')}
              </Button>
              <Button onClick={() => Promise.all([read.again(), listens.again()])}>{t('Read again')}</Button>
              {chosen.length > 0 && <Button onClick={() => set([])}>{t('Send all')}</Button>}
            </p>
            <ul class="svc-rows">
              {(sample.paths ?? [])
                .filter((one: any) => one.path.startsWith('data.'))
                .map((one: any) => (
                  <li key={one.path}>
                    <label>
                      <input
                        type="checkbox"
                        checked={chosen.includes(one.path)}
                        onChange={(change) =>
                          set(
                            change.currentTarget.checked
                              ? [...chosen, one.path]
                              : chosen.filter((path) => path !== one.path),
                          )
                        }
                      />{' '}
                      <code>{one.path.slice('data.'.length)}</code>
                    </label>
                    <small>{JSON.stringify(one.sample)}</small>
                  </li>
                ))}
            </ul>
          </>
        )}
      </Loaded>
    </details>
  );
}

function EndpointDialog({
  endpoint,
  onClose,
  made,
}: {
  endpoint?: Endpoint;
  onClose: () => void;
  made: (secret: string) => void;
}) {
  const form = useForm(endpoint ? { ...endpoint, headers: lines_of(endpoint.headers) } : undefined, {
    ...(endpoint ? {} : { event: '*', http_method: 'POST', log_deliveries: true }),
  });
  const write = async (changes: Record<string, any>, row_version = endpoint?.row_version) => {
    const body = 'headers' in changes ? { ...changes, headers: headers_of(changes.headers ?? '') } : changes;
    if (endpoint) {
      await api.put('/webhooks/endpoints/{id}', { id: endpoint.id }, { ...body, row_version });
      toast(t('Saved.'));
    } else made((await api.post('/webhooks/endpoints', null, body)).secret ?? '');
    await refresh();
  };
  const read = async () => {
    const now = await api.get('/webhooks/endpoints/{id}', { id: endpoint!.id });
    return { ...now, headers: lines_of(now.headers as Record<string, string>) };
  };
  const text = (name: string, label: string, length: number, required = false, of_kind?: string) => (
    <Input
      name={name}
      label={label}
      schema={{ type: 'string', maxLength: length, 'x-kind': of_kind }}
      required={required}
      value={form.values[name]}
      set={(value) => form.set(name, value ?? '')}
      errors={form.errors}
    />
  );
  const choice = (name: string, label: string, options: [string, string][]) => (
    <Field label={label} errors={form.errors[name]}>
      {({ id }) => (
        <select id={id} value={form.values[name]} onChange={(event) => form.set(name, event.currentTarget.value)}>
          {options.map(([value, said]) => (
            <option key={value} value={value}>
              {said}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
  return (
    <FormDialog
      title={endpoint ? endpoint.name : t('New endpoint')}
      form={form}
      wide
      run={write}
      disabled={!form.values.name || !form.values.url}
      onClose={onClose}
      compare={endpoint ? { saved: { ...endpoint, headers: lines_of(endpoint.headers) }, read } : undefined}
    >
      {text('name', t('Name'), 190, true)}
      {text('url', t('Address that receives the messages'), 2000, true, 'url')}
      {choice(
        'event',
        t('What is sent'),
        Object.entries(names).filter(([key]) => key !== 'webhook.ping'),
      )}
      {form.values.event && form.values.event !== '*' && (
        <Fields
          event={form.values.event}
          chosen={form.values.selected_fields ?? []}
          set={(paths) => form.set('selected_fields', paths)}
        />
      )}
      {choice(
        'http_method',
        t('HTTP method'),
        ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'].map((one) => [one, one]),
      )}
      <Field
        label={t('Headers')}
        help={t('One a line, such as Authorization: Bearer abc. Secret values are not shown again.')}
        errors={form.errors.headers}
      >
        {({ id }) => (
          <textarea
            id={id}
            rows={3}
            value={form.values.headers ?? ''}
            onInput={(event) => form.set('headers', event.currentTarget.value)}
          />
        )}
      </Field>
      {text('description', t('Note'), 1000)}
      {!endpoint && text('custom_secret', t('A secret of your own, or empty'), 100, false, 'secret')}
      <Input
        name="log_deliveries"
        label={t('Keep requests and answers for 30 days')}
        schema={{ type: 'boolean' }}
        value={form.values.log_deliveries}
        set={(value) => form.set('log_deliveries', value)}
        errors={form.errors}
      />
    </FormDialog>
  );
}

function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog title={t('The secret')} onClose={onClose} footer={<Button onClick={onClose}>{t('Done')}</Button>}>
      <Notice kind="warn">
        {t('It is shown only now. The receiver checks by it that messages are from this site.')}
      </Notice>
      <p>
        <code class="svc-mono" data-secret>
          {secret}
        </code>
      </p>
      <Button onClick={() => navigator.clipboard.writeText(secret).then(() => toast(t('Copied.')), failed)}>
        {t('Copy')}
      </Button>
    </Dialog>
  );
}

function pause_of(endpoint: Endpoint): string {
  if (endpoint.pause_reason === 'gone') return t('The receiver says that it exists no longer. Its messages wait.');
  if (endpoint.paused_at) return t('It has failed for five days. Its messages wait until you turn it on.');
  if (endpoint.consecutive_failures) return t('Failed attempts in a row: {0}', number(endpoint.consecutive_failures));
  return '';
}

type Step = { kind: 'edit' | 'replace' | 'delete'; endpoint: Endpoint };

function Endpoints({ is_new }: { is_new: boolean }) {
  const { route } = useLocation();
  const read = useRead('/webhooks/endpoints', () => api.get('/webhooks/endpoints', { per_page: 100 }));
  const [step, setStep] = useState<Step | null>(null);
  const [secret, setSecret] = useState('');
  const close = () => setStep(null);
  const ping = (endpoint: Endpoint) =>
    api.post('/webhooks/endpoints/{id}/ping', { id: endpoint.id }).then(() => {
      toast(t('A test message is being sent. See the deliveries.'));
      return refresh();
    }, failed);
  return (
    <div class="svc-page">
      <Head title={t('Webhooks')} sub={t('Messages to other programs when something happens.')}>
        <a class="svc-button svc-plain" href="/admin/webhooks/deliveries">
          {t('Deliveries')}
        </a>
        <a class="svc-button svc-primary" href="/admin/webhooks/endpoints/new">
          {t('New endpoint')}
        </a>
      </Head>
      <Loaded read={read}>
        {(found) => (
          <Section>
            {!found.length && (
              <Empty
                action={
                  <a class="svc-button svc-primary" href="/admin/webhooks/endpoints/new">
                    {t('New endpoint')}
                  </a>
                }
              >
                {t('Nothing is sent yet. An endpoint is the address of a program that wants to hear of bookings.')}
              </Empty>
            )}
            <ul class="svc-rows">
              {(found as Endpoint[]).map((one) => (
                <li key={one.id}>
                  <div>
                    <b>{one.name}</b>
                    <small>{event_name(one.event)}</small>
                    <small class="svc-mono">{one.url}</small>
                    {pause_of(one) && <small class="svc-bad">{pause_of(one)}</small>}
                    {one.last_delivered_at && (
                      <small>
                        {t('Delivered')} <Ago at={one.last_delivered_at} />
                        {one.health?.waiting ? ` · ${t('{0} waiting', number(one.health.waiting))}` : ''}
                      </small>
                    )}
                  </div>
                  <Status value={one.state} say={states[one.state]} />
                  <Switch
                    aria-label={t('Send to {0}', one.name)}
                    checked={!!one.is_active}
                    set={(is_active) =>
                      api
                        .put('/webhooks/endpoints/{id}', { id: one.id }, { is_active, row_version: one.row_version })
                        .then(read.again, (error) => (failed(error), read.again()))
                    }
                  />
                  <Menu
                    label={t('Actions for {0}', one.name)}
                    icon={<Ellipsis size={18} aria-hidden />}
                    items={[
                      { label: t('Edit'), run: () => setStep({ kind: 'edit', endpoint: one }) },
                      one.is_active && { label: t('Send a test message'), run: () => ping(one) },
                      { label: t('Replace the secret'), run: () => setStep({ kind: 'replace', endpoint: one }) },
                      { label: t('Delete'), danger: true, run: () => setStep({ kind: 'delete', endpoint: one }) },
                    ]}
                  />
                </li>
              ))}
            </ul>
          </Section>
        )}
      </Loaded>
      {is_new && <EndpointDialog onClose={() => route('/admin/webhooks/endpoints')} made={setSecret} />}
      {step?.kind === 'edit' && <EndpointDialog endpoint={step.endpoint} onClose={close} made={setSecret} />}
      {step?.kind === 'replace' && (
        <Confirm
          title={t('Replace the secret?')}
          action={t('Replace the secret')}
          onClose={close}
          run={async () => {
            const id = step.endpoint.id;
            setSecret((await api.post('/webhooks/endpoints/{id}/regenerate-secret', { id })).secret ?? '');
            await refresh();
          }}
        >
          <p>
            {t('For 24 hours messages are signed with both secrets. Enter the new one at the receiver until then.')}
          </p>
        </Confirm>
      )}
      {step?.kind === 'delete' && (
        <Confirm
          title={t('Delete {0}?', step.endpoint.name)}
          action={t('Delete')}
          danger
          onClose={close}
          run={async () => {
            await api.remove('/webhooks/endpoints/{id}', { id: step.endpoint.id });
            await refresh();
          }}
        >
          <p>{t('Its deliveries are deleted too, and those that wait are not sent.')}</p>
        </Confirm>
      )}
      {secret && !step && !is_new && <SecretDialog secret={secret} onClose={() => setSecret('')} />}
    </div>
  );
}

// Why there was no answer, as the program that asked says it.
const causes: Record<string, string> = {
  'the address is not public': t('the address is not public'),
  'the address cannot be used': t('the address cannot be used'),
  'the address is neither http nor https': t('the address is neither http nor https'),
  'the port is neither 80 nor 443': t('the port is neither 80 nor 443'),
  'a header of the request is not valid': t('a header of the request is not valid'),
  'a header of the request is not ours to set': t('a header of the request is not ours to set'),
  'it has not answered lately, and others are waiting for it': t(
    'it has not answered lately, and others are waiting for it',
  ),
  'the answer is too large': t('the answer is too large'),
  'Timeout was reached': t('it took too long'),
  "Couldn't connect to server": t('no connection'),
  'Could not connect to server': t('no connection'),
  "Couldn't resolve host name": t('its name is unknown'),
  'Could not resolve hostname': t('its name is unknown'),
  'SSL connect error': t('no encrypted connection'),
  'SSL peer certificate or SSH remote key was not OK': t('its certificate is not valid'),
  'Server returned nothing (no headers, no data)': t('the connection was closed'),
  'Failure when receiving data from the peer': t('the connection was closed'),
};

// What went wrong, which deliveries keep in English.
function problem(message: string | null | undefined): string {
  if (!message) return '';
  const [, redirect] = /^The endpoint redirects \((\d+)\);/.exec(message) ?? [];
  if (redirect) return t('The endpoint redirects ({0}); redirects are not followed.', redirect);
  const [, status] = /^The endpoint answered (\d+)\.$/.exec(message) ?? [];
  if (status) return t('The endpoint answered {0}.', status);
  const [, cause] = /^No answer: (.*)\.$/.exec(message) ?? [];
  if (cause) return t('No answer: {0}.', causes[cause] ?? cause);
  return message === 'The endpoint did not answer.' ? t('The endpoint did not answer.') : message;
}

const columns: Column[] = [
  {
    key: 'event_key',
    label: t('Event'),
    show: (row) => event_name(row.event_key),
    text: (row) => event_name(row.event_key),
  },
  { key: 'endpoint_name', label: t('Endpoint') },
  {
    key: 'status',
    show: (row) => (
      <>
        <Status value={tones[row.status]} say={outcomes[row.status]} />
        {row.error_message ? <small>{problem(row.error_message)}</small> : null}
      </>
    ),
    text: (row) => outcomes[row.status] ?? row.status,
  },
  { key: 'http_status', label: t('Answer'), end: true },
  { key: 'attempts', label: t('Tries'), end: true },
  { key: 'created_at', label: t('Created'), sort: 'created_at' },
  {
    key: 'next_attempt_at',
    label: t('Next try'),
    show: (row) => (row.status === 'failed' || row.status === 'queued' ? <Ago at={row.next_attempt_at} /> : null),
  },
];

const text_of = (value: unknown) => JSON.stringify(value ?? {}, null, 2);

function DeliverySheet({ id, close }: { id: number; close: () => void }) {
  const read = useRead(`/webhooks/deliveries/${id}`, () => api.get('/webhooks/deliveries/{id}', { id }));
  const again = () =>
    api.post('/webhooks/deliveries/{id}/replay', { id }).then(() => {
      toast(t('It is sent again.'));
      return refresh();
    }, failed);
  return (
    <Dialog title={read.data ? event_name(read.data.event_key ?? '') : t('Delivery')} sheet onClose={close}>
      <Loaded read={read} rows={6}>
        {(one: any) => (
          <>
            {can('post', '/webhooks/deliveries/{id}/replay') && (
              <p class="svc-actions">
                <Button onClick={again}>{t('Send again')}</Button>
              </p>
            )}
            <Facts
              rows={[
                [t('Status'), <Status value={tones[one.status]} say={outcomes[one.status]} />],
                [t('Problem'), problem(one.error_message)],
                [t('Endpoint'), one.endpoint_name],
                [t('Answer'), one.http_status],
                [t('Took'), one.duration_ms === null ? '' : t('{0} ms', number(one.duration_ms))],
                [t('Tries'), number(one.attempts)],
                [t('Message'), <code>{one.event_id}</code>],
              ]}
            />
            <h3>{t('Request')}</h3>
            <pre>{text_of(one.request_headers)}</pre>
            <pre>{text_of(one.payload)}</pre>
            <h3>{t('Answer')}</h3>
            <pre>{text_of(one.response_headers)}</pre>
            <pre>{one.response_body || t('It has no text.')}</pre>
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

function Deliveries() {
  const list = operation('get', '/webhooks/deliveries')!;
  const send_failed = () =>
    api.post('/webhooks/deliveries/bulk-replay', null, { filter: { status: 'permanent_failure' } }).then((done) => {
      toast(t('Sent again: {0}', number(done.requeued ?? 0)));
      return refresh();
    }, failed);
  return (
    <div class="svc-page">
      <Head
        title={t('Deliveries')}
        sub={t('What was sent, and what the receivers answered.')}
        back={{ href: '/admin/webhooks/endpoints', label: t('Webhooks') }}
      >
        <Button onClick={send_failed}>{t('Send all failed ones again')}</Button>
      </Head>
      <List
        path="/webhooks/deliveries"
        list={list}
        columns={columns}
        tabs
        look={(row, close) => <DeliverySheet id={row.id} close={close} />}
        empty={<Empty>{t('Nothing was sent yet.')}</Empty>}
      />
    </div>
  );
}

export default function Webhooks({ part, item }: { part?: string; item?: string }) {
  if (!can('get', '/webhooks/endpoints'))
    return <Nowhere>{t('There is no such list. The address may be wrong, or its module off.')}</Nowhere>;
  return part === 'deliveries' ? <Deliveries /> : <Endpoints is_new={item === 'new'} />;
}
