// E-mail automation: sequences in words, templates with their overrides and which applies, the log of what was sent, and
// who gets no marketing.
import { Ellipsis } from 'lucide-preact';
import { useState } from 'preact/hooks';

import { api, json } from '../../kit/client';
import { Field } from '../../kit/field';
import { moment, words } from '../../kit/format';
import { number, t } from '../../kit/i18n';
import { can, operation } from '../../kit/interface';
import { type Column, List } from '../../kit/list';
import { Facts, Head, Nowhere, Section } from '../../kit/page';
import { Pick } from '../../kit/pickers';
import { changed, useRead } from '../../kit/query';
import { Button, Confirm, Dialog, Empty, Loaded, Menu, Notice, Status, Switch, failed, toast } from '../../kit/ui';
import type { Values } from '../../kit/use-form';
import { SequenceDialog, sequences_path, step_said, trigger_said, useTemplates } from '../mail-steps';
import { TemplateDialog, templates_path, trip_types } from '../mail-texts';
import { Suppressed, suppressions_path } from '../suppressed';

const here = '/admin/email-sequences';

// The parts of the screen, named alike on each.
function Parts({ at }: { at: 'sequences' | 'templates' | 'log' | 'suppressed' }) {
  const parts = [
    ['sequences', here, t('Sequences')],
    ['templates', `${here}/templates`, t('Templates')],
    ['log', `${here}/log`, t('Log')],
    ['suppressed', `${here}/suppressed`, t('No marketing')],
  ] as const;
  return (
    <nav class="svc-tabs" aria-label={t('E-mail automation')}>
      {parts.map(([key, href, label]) => (
        <a
          key={key}
          href={href}
          aria-current={key === at ? 'page' : undefined}
          ref={(tab) => {
            if (key === at) tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
          }}
        >
          {label}
        </a>
      ))}
    </nav>
  );
}

type Step = { kind: 'edit' | 'new' | 'delete'; sequence?: Values };

function Sequences() {
  const [step, setStep] = useState<Step | null>(null);
  const names = useTemplates();
  const read = useRead(sequences_path, () => api.get('/email-sequences', { per_page: 100 }));
  const close = () => setStep(null);
  const set_status = (one: Values, status: string) =>
    api
      .put('/email-sequences/{id}', { id: one.id }, { status, row_version: one.row_version })
      .then(read.again, (error) => (failed(error), read.again()));
  return (
    <div class="svc-page">
      <Head title={t('E-mail automation')} sub={t('E-mails that follow a booking by themselves.')}>
        <Button kind="primary" onClick={() => setStep({ kind: 'new' })}>
          {t('New sequence')}
        </Button>
      </Head>
      <Parts at="sequences" />
      <Loaded read={read}>
        {(found) => (
          <Section>
            {!found.length && (
              <Empty action={<Button onClick={() => setStep({ kind: 'new' })}>{t('New sequence')}</Button>}>
                {t('No sequences yet. One sends e-mails by itself when something happens to a booking.')}
              </Empty>
            )}
            <ul class="svc-rows">
              {(found as Values[]).map((one) => (
                <li key={one.id}>
                  <div>
                    <b>{one.name}</b>
                    <small>{trigger_said(one)}</small>
                    {(one.steps as Values[]).map((each, at) => (
                      <small key={each.id}>{step_said(each, at, names.data ?? {})}</small>
                    ))}
                    <small>
                      {t(
                        'In it: {0} · through: {1} · ended early: {2} · e-mails: {3}',
                        number(one.enrolled_active),
                        number(one.enrolled_finished),
                        number(one.enrolled_stopped),
                        number(one.sent),
                      )}
                    </small>
                  </div>
                  <Status value={one.status} />
                  <Switch
                    aria-label={t('Run {0}', one.name)}
                    checked={one.status === 'active'}
                    set={(on) => set_status(one, on ? 'active' : 'paused')}
                  />
                  <Menu
                    label={t('Actions for {0}', one.name)}
                    icon={<Ellipsis size={18} aria-hidden />}
                    items={[
                      { label: t('Edit'), run: () => setStep({ kind: 'edit', sequence: one }) },
                      { label: t('Delete'), danger: true, run: () => setStep({ kind: 'delete', sequence: one }) },
                    ]}
                  />
                </li>
              ))}
            </ul>
          </Section>
        )}
      </Loaded>
      {(step?.kind === 'edit' || step?.kind === 'new') && <SequenceDialog sequence={step.sequence} onClose={close} />}
      {step?.kind === 'delete' && (
        <Confirm
          title={t('Delete {0}?', step.sequence!.name)}
          action={t('Delete')}
          danger
          onClose={close}
          run={async () => {
            await api.remove('/email-sequences/{id}', { id: step.sequence!.id });
            await changed(sequences_path);
          }}
        >
          <p>{t('Its steps that wait are not sent. What was sent stays in the log.')}</p>
        </Confirm>
      )}
    </div>
  );
}

const reasons: Record<string, string> = {
  trip: t('because it names the trip'),
  category: t('because it names a category of the trip'),
  trip_type: t('because it is for this kind of trip'),
  global: t('because no other text is for this trip'),
};

// The text that an e-mail about a trip is written by, and why.
function Applies({ templates }: { templates: Values[] }) {
  const [trip, setTrip] = useState<number | null>(null);
  const [key, setKey] = useState('booking_confirmed');
  const read = useRead(trip ? `${templates_path}/resolve/${trip}/${key}` : null, () =>
    api.get('/email-templates/resolve', { trip_id: trip!, template_key: key }),
  );
  return (
    <Section title={t('Which text applies')}>
      <div class="svc-fields">
        <Field label={t('E-mail')}>
          {({ id }) => (
            <select id={id} value={key} onChange={(event) => setKey(event.currentTarget.value)}>
              {templates.map((one) => (
                <option key={one.id} value={one.template_key}>
                  {one.name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t('Trip')}>
          {({ id }) => <Pick id={id} list="/trips" value={trip} onPick={(choice) => setTrip(choice?.id ?? null)} />}
        </Field>
      </div>
      {trip && (
        <Loaded read={read} rows={1}>
          {(match) => (
            <Notice kind="good">
              <b>{(match.template as Values).name}</b>: {(match.template as Values).subject},{' '}
              {reasons[match.matched_by] ?? match.matched_by}
            </Notice>
          )}
        </Loaded>
      )}
    </Section>
  );
}

const targets_said = (one: Values): string => {
  const { trips = [], categories = [], trip_types: kinds = [] } = one.settings?.targets ?? {};
  return [
    trips.length && t('{0, plural, one {# trip} other {# trips}}', trips.length),
    categories.length && t('{0, plural, one {# category} other {# categories}}', categories.length),
    ...kinds.map((kind: string) => trip_types[kind]),
  ]
    .filter(Boolean)
    .join(', ');
};

type Open = { kind: 'edit' | 'override' | 'new' | 'delete'; template?: Values };

function Templates() {
  const [open, setOpen] = useState<Open | null>(null);
  const [text, setText] = useState('');
  const read = useRead(templates_path, async () => {
    const all: Values[] = [];
    for (let page = 1; ; page += 1) {
      const found = await json<Values[]>('get', templates_path, {
        params: { per_page: 100, page, orderby: 'name', order: 'asc' },
      });
      all.push(...found.data);
      if (page >= (found.meta?.total_pages ?? 1)) return all;
    }
  });
  const close = () => setOpen(null);
  const write = (one: Values, changes: Values, done: string) =>
    api
      .put('/email-templates/{id}', { id: one.id }, { ...changes, row_version: one.row_version })
      .then(() => (toast(done), read.again()), failed);
  const copy = (one: Values) =>
    api
      .post('/email-templates/{id}/duplicate', { id: one.id })
      .then(() => (toast(t('The copy is off until you turn it on.')), read.again()), failed);
  const raise = (one: Values, others: Values[]) =>
    api
      .post('/email-templates/overrides/reorder', null, {
        overrides: one.settings.overrides,
        ids: [one.id, ...others.filter((each) => each.id !== one.id).map((each) => each.id)],
      })
      .then(read.again, failed);
  const row = (one: Values, others: Values[] = []) => (
    <li key={one.id}>
      <div>
        <b>{one.settings?.overrides ? t('For {0}', targets_said(one)) : one.name}</b>
        <small>
          {one.settings?.overrides
            ? one.subject
            : [
                one.category === 'marketing' ? t('Marketing') : '',
                one.is_customized ? one.subject : t('As it comes with this release'),
              ]
                .filter(Boolean)
                .join(' · ')}
        </small>
      </div>
      <Switch
        aria-label={t('Use {0}', one.settings?.overrides ? `${one.name}, ${targets_said(one)}` : one.name)}
        checked={!!one.is_active}
        set={(is_active) => write(one, { is_active }, is_active ? t('Turned on.') : t('Turned off.'))}
      />
      <Menu
        label={t('Actions for {0}', one.settings?.overrides ? `${one.name}, ${targets_said(one)}` : one.name)}
        icon={<Ellipsis size={18} aria-hidden />}
        items={[
          { label: t('Edit'), run: () => setOpen({ kind: 'edit', template: one }) },
          !one.settings?.overrides && {
            label: t('Another text for some trips'),
            run: () => setOpen({ kind: 'override', template: one }),
          },
          others.length > 1 && others[0]!.id !== one.id && { label: t('Put it first'), run: () => raise(one, others) },
          { label: t('Copy'), run: () => copy(one) },
          one.is_system &&
            one.is_customized && {
              label: t('Back to the text of this release'),
              run: () => write(one, { reset: true }, t('The text of this release is used again.')),
            },
          !one.is_system && {
            label: t('Delete'),
            danger: true,
            run: () => setOpen({ kind: 'delete', template: one }),
          },
        ]}
      />
    </li>
  );
  return (
    <div class="svc-page">
      <Head title={t('E-mail automation')} sub={t('What e-mails say, for everybody or for some trips.')}>
        <Button kind="primary" onClick={() => setOpen({ kind: 'new' })}>
          {t('New template')}
        </Button>
      </Head>
      <Parts at="templates" />
      <Loaded read={read} rows={10}>
        {(all) => {
          const everybody = all.filter((one) => !one.settings?.overrides);
          const found = everybody.filter((one) => one.name.toLowerCase().includes(text.toLowerCase()));
          return (
            <>
              <Applies templates={everybody} />
              <div class="svc-bar">
                <input
                  type="search"
                  data-search
                  aria-label={t('Search templates')}
                  placeholder={t('Search templates')}
                  value={text}
                  onInput={(event) => setText(event.currentTarget.value)}
                />
              </div>
              <Section>
                {!found.length && <Empty>{t('No template matches.')}</Empty>}
                <ul class="svc-rows">
                  {found.map((one) => {
                    const others = all
                      .filter((each) => each.settings?.overrides === one.template_key)
                      .sort((a, b) => b.settings.priority - a.settings.priority || a.id - b.id);
                    return [row(one), ...others.map((each) => row(each, others))];
                  })}
                </ul>
              </Section>
            </>
          );
        }}
      </Loaded>
      {open && open.kind !== 'delete' && (
        <TemplateDialog
          template={open.kind === 'edit' ? open.template : undefined}
          of={open.kind === 'override' ? open.template : undefined}
          onClose={close}
        />
      )}
      {open?.kind === 'delete' && (
        <Confirm
          title={t('Delete {0}?', open.template!.name)}
          action={t('Delete')}
          danger
          onClose={close}
          run={async () => {
            await api.remove('/email-templates/{id}', { id: open.template!.id });
            await changed(templates_path);
          }}
        >
          <p>{t('E-mails use the text for everybody again.')}</p>
        </Confirm>
      )}
    </div>
  );
}

const outcomes: Record<string, string> = {
  queued: t('Waiting'),
  sent: t('Sent'),
  failed: t('Failed'),
  suppressed: t('Switched off'),
  skipped: t('Not sent'),
};
const columns: Column[] = [
  { key: 'subject', label: t('Subject') },
  { key: 'recipient_email', label: t('To') },
  {
    key: 'status',
    show: (row) => (
      <>
        <Status value={row.status} say={outcomes[row.status]} />
        {row.error_message ? <small>{row.error_message}</small> : null}
      </>
    ),
    text: (row) => outcomes[row.status] ?? row.status,
  },
  { key: 'template_key', label: t('Template'), show: (row) => words(row.template_key), off: true },
  { key: 'created_at', label: t('When'), show: (row) => moment(row.created_at) },
];

function Entry({ id, close }: { id: number; close: () => void }) {
  const read = useRead(`/email-logs/${id}`, () => api.get('/email-logs/{id}', { id }));
  return (
    <Dialog title={read.data?.subject || t('E-mail')} onClose={close} sheet>
      <Loaded read={read} rows={5}>
        {(one) => (
          <>
            <Facts
              rows={[
                [t('To'), [one.recipient_name, one.recipient_email].filter(Boolean).join(', ')],
                [t('Status'), outcomes[one.status] ?? one.status],
                [t('Reason'), one.error_message || '–'],
                [t('Template'), words(one.template_key) || '–'],
                [t('Made'), moment(one.created_at)],
                [t('Sent'), one.sent_at ? moment(one.sent_at) : '–'],
                [
                  t('About'),
                  one.context_type === 'booking' ? (
                    <a href={`/admin/bookings/${one.context_id}`}>{t('Booking {0}', `#${one.context_id}`)}</a>
                  ) : one.context_type === 'enquiry' ? (
                    <a href={`/admin/enquiries/${one.context_id}`}>{t('Enquiry {0}', `#${one.context_id}`)}</a>
                  ) : (
                    '–'
                  ),
                ],
              ]}
            />
            {one.body && <pre class="svc-mono svc-whole">{one.body}</pre>}
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

function Log() {
  const list = operation('get', '/email-logs')!;
  return (
    <div class="svc-page">
      <Head title={t('E-mail automation')} sub={t('What was sent, and why something was not.')} />
      <Parts at="log" />
      <List
        path="/email-logs"
        list={list}
        columns={columns}
        tabs
        look={(row, close) => <Entry id={row.id} close={close} />}
        search={t('Recipient or subject')}
        empty={<Empty>{t('No e-mail yet.')}</Empty>}
      />
    </div>
  );
}

export default function EmailAutomation({ part }: { part?: string }) {
  if (!can('get', sequences_path))
    return <Nowhere>{t('There is no such list. The address may be wrong, or its module off.')}</Nowhere>;
  if (part === 'suppressed' && can('get', suppressions_path)) return <Suppressed parts={<Parts at="suppressed" />} />;
  return part === 'templates' ? <Templates /> : part === 'log' ? <Log /> : <Sequences />;
}
