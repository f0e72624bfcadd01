// What the screens of Facebook Pixel and Google Analytics share: ids and secrets with their tests, the events in words, what
// needs the visitor's consent, and what this server reported.
import { useState } from 'preact/hooks';

import { json, sentence } from '../kit/client';
import { PlainInput } from '../kit/controls';
import { Field } from '../kit/field';
import { moment, money } from '../kit/format';
import { number, t } from '../kit/i18n';
import { can, operation } from '../kit/interface';
import { type Column, List, type Row } from '../kit/list';
import { ListEditor } from '../kit/list-editor';
import { Facts, Head, Nowhere, Section } from '../kit/page';
import { changed, useRead } from '../kit/query';
import { Ago, Button, Confirm, Dialog, Empty, Loaded, Notice, Status, toast } from '../kit/ui';
import { type Form, Summary, type Values, useForm } from '../kit/use-form';

export interface Partner {
  title: string;
  sub: string;
  root: string; // of its routes
  logs: string;
  name: string; // of the company
  id: { name: string; label: string; where: string; place: string };
  secret: { name: string; label: string; where: string };
  tests: { path: string; label: string }[]; // each gets id and secret
  server: string; // what reporting from the server brings
  testing: { name: string; kind: 'boolean' | 'text'; label: string; help: string };
  testing_on: string;
  parameters: { name: string; title: string; help: string; label: string }; // of the operator's own
  consent: string;
  causes: Record<string, string>; // of tests, where they differ from the words below
}

const events: Record<string, string> = {
  page_view: t('A page is opened'),
  view_item: t('A trip is looked at'),
  begin_checkout: t('A booking is begun'),
  add_to_cart: t('Date and travelers are chosen'),
  add_payment_info: t('A payment is begun'),
  purchase: t('A trip is booked'),
  refund: t('Money is paid back'),
};
const outcomes: Record<string, string> = {
  queued: t('Waiting'),
  sending: t('Being sent'),
  sent: t('Sent'),
  failed: t('Failed, tried again'),
  rejected: t('Rejected'),
  skipped: t('Skipped'),
};
const tones: Record<string, string> = {
  queued: 'queued',
  sending: 'running',
  sent: 'succeeded',
  failed: 'warning',
  rejected: 'failed',
  skipped: 'off',
};
const reasons: Record<string, string> = {
  no_consent: t('The visitor did not agree, or was not asked.'),
  no_client_id: t('The visitor’s browser has no client id of Google.'),
  no_browser: t('Nothing is known of the visitor’s browser.'),
  old_base: t('This release of the base keeps no consent of visitors.'),
  too_old: t('It was too old to be taken.'),
  switched_off: t('Reporting from the server was switched off.'),
  no_credentials: t('The id or the secret was missing.'),
  no_purchase: t('The purchase was not reported, so neither is its refund.'),
  unreachable: t('There was no usable answer.'),
  throttled: t('There were too many requests.'),
  credentials: t('The id or the secret was not accepted. Test them above.'),
  refused: t('It was refused; see the answer.'),
  gave_up: t('It failed for two days and was given up.'),
};
const causes: Record<string, string> = {
  no_secret: t('Enter the secret as well.'),
  no_id: t('Enter the id as well, so that the right to report for it is checked.'),
};

// A secret is shown by its last characters and replaced as a whole.
function Secret({ form, name, label, help }: { form: Form; name: string; label: string; help: string }) {
  return (
    <Field label={label} help={help} errors={form.errors[name]}>
      {({ id, describedby, invalid }) => (
        <input
          id={id}
          type={String(form.values[name] ?? '').startsWith('****') ? 'text' : 'password'}
          autocomplete="off"
          aria-describedby={describedby}
          aria-invalid={invalid}
          value={form.values[name] ?? ''}
          onFocus={(event) => event.currentTarget.select()}
          onInput={(event) => form.set(name, event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

type Tested = { kind: 'good' | 'warn' | 'bad'; said: string };

function Tests({ partner, form }: { partner: Partner; form: Form }) {
  const [tested, setTested] = useState<Tested | null>(null);
  const said = (found: Values): string =>
    found.cause === 'refused'
      ? t('{0} says: {1}', partner.name, found.reason)
      : (partner.causes[found.cause] ?? causes[found.cause] ?? found.reason) || t('It is right.');
  const test = (path: string) =>
    json<Values>('post', path, {
      body: {
        [partner.id.name]: form.values[partner.id.name] ?? '',
        [partner.secret.name]: form.values[partner.secret.name] ?? '',
      },
    }).then(
      ({ data }) => setTested({ kind: !data.valid ? 'bad' : data.cause ? 'warn' : 'good', said: said(data) }),
      (error) => setTested({ kind: 'bad', said: sentence(error) }),
    );
  return (
    <>
      <p class="svc-actions">
        {partner.tests.map((one) => (
          <Button key={one.path} onClick={() => test(one.path)}>
            {one.label}
          </Button>
        ))}
      </p>
      <div aria-live="polite">{tested && <Notice kind={tested.kind}>{tested.said}</Notice>}</div>
    </>
  );
}

const tellable: [string, string][] = [
  ['trip_id', t('Number of the trip')],
  ['trip_name', t('Name of the trip')],
  ['travelers', t('How many travel')],
  ['currency', t('Currency')],
  ['language', t('Language')],
  ['travel_month', t('Month of travel')],
  ['days_before', t('Days until the trip')],
];

// Rows while they are typed: the settings hold those alone that have a name.
function Parameters({ partner, form }: { partner: Partner; form: Form }) {
  const { name, title, help, label } = partner.parameters;
  const stored: Record<string, string> = form.values[name] ?? {};
  const as_stored = (rows: Row[]) =>
    Object.fromEntries(rows.filter((row) => row.name).map((row) => [row.name, row.fact]));
  const [typed, setTyped] = useState<Row[]>([]);
  const is_same = JSON.stringify(as_stored(typed)) === JSON.stringify(stored);
  const rows = is_same ? typed : Object.entries(stored).map(([name, fact]) => ({ name, fact }));
  return (
    <>
      <h3>{title}</h3>
      <p>{help}</p>
      <ListEditor
        name={title}
        columns={[
          {
            label,
            cell: (row, change, at) => (
              <Field label={`${label} ${at + 1}`} errors={form.errors[`${name}.${row.name}`]}>
                {({ id, describedby, invalid }) => (
                  <input
                    id={id}
                    maxLength={40}
                    aria-describedby={describedby}
                    aria-invalid={invalid}
                    value={row.name}
                    onInput={(event) => change({ name: event.currentTarget.value.trim() })}
                  />
                )}
              </Field>
            ),
          },
          {
            label: t('What it tells'),
            cell: (row, change, at) => (
              <Field label={`${t('What it tells')} ${at + 1}`}>
                {({ id }) => (
                  <select id={id} value={row.fact} onChange={(event) => change({ fact: event.currentTarget.value })}>
                    {tellable.map(([value, said]) => (
                      <option key={value} value={value}>
                        {said}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
            ),
          },
        ]}
        rows={rows}
        put={(next) => {
          setTyped(next);
          form.set(name, as_stored(next));
        }}
        called={(row, at) => row.name || `${label} ${at + 1}`}
        fresh={() => ({ name: '', fact: 'trip_name' })}
        add={t('Add a row')}
      />
    </>
  );
}

function Settings({ partner, saved, again }: { partner: Partner; saved: Values; again: () => unknown }) {
  const form = useForm(saved);
  const path = `${partner.root}/settings`;
  const known = useRead(
    `${partner.root}/events`,
    async () => (await json<Row[]>('get', `${partner.root}/events`)).data,
  );
  const save = () =>
    form.submit(async (changes) => {
      await json('put', path, { body: changes });
      await Promise.all([again(), changed(partner.logs)]);
      toast(t('The settings are saved.'));
    });
  const plain = (name: string, kind: 'boolean' | 'text', label: string, help?: string) => (
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
    <form
      class="svc-list"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Section title={t('Connection')}>
        <Summary form={form} />
        {saved[partner.testing.name] && <Notice kind="warn">{partner.testing_on}</Notice>}
        <div class="svc-fields">
          <Field label={partner.id.label} help={partner.id.where} errors={form.errors[partner.id.name]}>
            {({ id, describedby, invalid }) => (
              <input
                id={id}
                autocomplete="off"
                placeholder={partner.id.place}
                aria-describedby={describedby}
                aria-invalid={invalid}
                value={form.values[partner.id.name] ?? ''}
                onInput={(event) => form.set(partner.id.name, event.currentTarget.value.trim())}
              />
            )}
          </Field>
          <Secret form={form} name={partner.secret.name} label={partner.secret.label} help={partner.secret.where} />
        </div>
        <Tests partner={partner} form={form} />
        {plain('server_side', 'boolean', t('This server reports too'), partner.server)}
        {plain(partner.testing.name, partner.testing.kind, partner.testing.label, partner.testing.help)}
      </Section>
      <Section title={t('What is reported')}>
        <Notice>{partner.consent}</Notice>
        <Loaded read={known} rows={6}>
          {(all) => (
            <ul class="svc-rows">
              {all.map((one) => (
                <li key={one.key}>
                  <div>
                    <b>{events[one.key] ?? one.help}</b>
                    <small>
                      <code>{one.name}</code> ·{' '}
                      {one.by_browser && one.by_server
                        ? t('by the browser and by this server, counted once')
                        : one.by_server
                          ? t('by this server')
                          : t('by the browser')}
                      {one.key === 'add_to_cart' &&
                        one.by_server &&
                        ` · ${t('by this server once the booking is made')}`}
                      {one.key === 'purchase' && ` · ${t('once, when it is paid for the first time or confirmed')}`}
                    </small>
                  </div>
                  <input
                    type="checkbox"
                    role="switch"
                    aria-label={t('Report: {0}', events[one.key] ?? one.name)}
                    checked={!!form.values.events?.[one.key]}
                    onChange={(event) =>
                      form.set('events', { ...form.values.events, [one.key]: event.currentTarget.checked })
                    }
                  />
                </li>
              ))}
            </ul>
          )}
        </Loaded>
        <Parameters partner={partner} form={form} />
        <p class="svc-actions">
          <Button kind="primary" type="submit" busy={form.busy} disabled={!form.dirty}>
            {t('Save')}
          </Button>
          {form.dirty && <Button onClick={form.reset}>{t('Discard')}</Button>}
        </p>
      </Section>
    </form>
  );
}

const columns: Column[] = [
  {
    key: 'event',
    label: t('Event'),
    show: (row) => events[row.event] ?? row.event,
    text: (row) => events[row.event] ?? row.event,
  },
  { key: 'booking_reference', label: t('Booking') },
  {
    key: 'value',
    label: t('Amount'),
    end: true,
    show: (row) => money(row.value, row.currency),
    text: (row) => money(row.value, row.currency),
  },
  {
    key: 'status',
    show: (row) => (
      <>
        <Status value={tones[row.status]} say={outcomes[row.status]} />
        {row.reason && <small>{reasons[row.reason] ?? row.reason}</small>}
      </>
    ),
    text: (row) => outcomes[row.status] ?? row.status,
  },
  { key: 'occurred_at', label: t('Happened'), sort: 'occurred_at' },
  {
    key: 'next_attempt_at',
    label: t('Next try'),
    show: (row) => (row.status === 'failed' ? <Ago at={row.next_attempt_at} /> : null),
  },
];

function Event({ row, partner, close }: { row: Row; partner: Partner; close: () => void }) {
  return (
    <Dialog title={events[row.event] ?? row.event} sheet onClose={close}>
      <Facts
        rows={[
          [t('Status'), <Status value={tones[row.status]} say={outcomes[row.status]} />],
          [t('Reason'), row.reason && (reasons[row.reason] ?? row.reason)],
          [t('Booking'), <a href={`/admin/bookings/${row.booking_id}`}>{row.booking_reference}</a>],
          [t('Amount'), money(row.value, row.currency)],
          [t('Counted once by'), <code>{row.event_id}</code>],
          [t('Happened'), moment(row.occurred_at)],
          [t('Sent'), row.sent_at && moment(row.sent_at)],
          [t('Tries'), number(row.attempts)],
          [t('Answer'), row.http_status],
        ]}
      />
      <h3>{t('What was sent')}</h3>
      <pre>{JSON.stringify(row.payload, null, 2)}</pre>
      <h3>{t('Answer of {0}', partner.name)}</h3>
      <pre>{row.answer || t('It has no text.')}</pre>
    </Dialog>
  );
}

function Log({ partner }: { partner: Partner }) {
  const [clearing, setClearing] = useState(false);
  const clear = async () => {
    const { data } = await json<Values>('delete', partner.logs);
    await changed(partner.logs);
    toast(t('Deleted: {0}', number(data.cleared ?? 0)));
  };
  return (
    <Section
      title={t('What this server reported')}
      action={can('delete', partner.logs) && <Button onClick={() => setClearing(true)}>{t('Delete the log')}</Button>}
    >
      <List
        path={partner.logs}
        list={operation('get', partner.logs)!}
        columns={columns}
        tabs
        look={(row, close) => <Event row={row} partner={partner} close={close} />}
        search={t('Reference')}
        empty={<Empty>{t('Nothing was reported yet. Purchases appear here once this server reports too.')}</Empty>}
      />
      {clearing && (
        <Confirm
          title={t('Delete the log?')}
          action={t('Delete the log')}
          danger
          onClose={() => setClearing(false)}
          run={clear}
        >
          <p>{t('Events that are still to be sent stay. Nothing is reported a second time.')}</p>
        </Confirm>
      )}
    </Section>
  );
}

export function Tracking({ partner }: { partner: Partner }) {
  const path = `${partner.root}/settings`;
  const read = useRead(path, async () => (await json<Values>('get', path)).data);
  if (!can('get', partner.logs))
    return <Nowhere>{t('There is no such list. The address may be wrong, or its module off.')}</Nowhere>;
  return (
    <div class="svc-page">
      <Head title={partner.title} sub={partner.sub} />
      <Loaded read={read} rows={8}>
        {(saved) => <Settings partner={partner} saved={saved} again={read.again} />}
      </Loaded>
      <Log partner={partner} />
    </div>
  );
}
