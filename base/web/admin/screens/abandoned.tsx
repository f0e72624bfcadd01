// Abandoned bookings: who did not finish, where they stopped, what reminders brought back; campaigns and settings.
import { Ellipsis, Megaphone, Plus, Settings2 } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { json } from '../../kit/client';
import { Field } from '../../kit/field';
import { FormDialog } from '../../kit/form-dialog';
import { day, moment, money } from '../../kit/format';
import { number, t } from '../../kit/i18n';
import { can, operation } from '../../kit/interface';
import { later } from '../../kit/later';
import { type Column, List, type Row } from '../../kit/list';
import { Facts, Figures, Head, Nowhere, Section } from '../../kit/page';
import { PlainInput } from '../../kit/controls';
import { changed, forget, useRead } from '../../kit/query';
import { Ago, Button, Confirm, Dialog, Empty, Loaded, Menu, Status, Switch, failed, toast } from '../../kit/ui';
import { type Values, useForm } from '../../kit/use-form';

const SettingsDialog = later(() => import('../abandoned-settings'));
const path = '/abandoned-bookings';
const campaigns_path = '/abandoned-bookings/campaigns';
const refresh = () => changed(path);

const states: Record<string, string> = {
  abandoned: t('Not reminded yet'),
  contacted: t('Reminded'),
  recovered: t('Came back'),
  expired: t('Over'),
};
const tones: Record<string, string> = { abandoned: 'new', contacted: 'info', recovered: 'succeeded', expired: 'over' };
const steps: Record<string, string> = { details: t('Details'), pay: t('Payment') };
const ways: Record<string, string> = {
  link: t('by a link or coupon of a reminder'),
  time: t('after a reminder, without its link'),
  self: t('before any reminder'),
};
const ends: Record<string, string> = {
  booked: t('The trip was booked.'),
  unsubscribed: t('The customer wants no reminders.'),
  date_gone: t('The date can no longer be booked.'),
  trip_gone: t('The trip is no longer offered.'),
  recently_reminded: t('The customer was reminded of another booking a short time ago.'),
  all_sent: t('All reminders were sent.'),
  sold_out: t('The date is sold out.'),
  not_bookable: t('It cannot be booked like that at present.'),
  late: t('It was too late for this reminder.'),
};
const consents: Record<string, string> = {
  opt_in: t('Ticked the box'),
  customer: t('Has booked before'),
  notice: t('Was told'),
};
const reminders: Record<string, string> = { 1: t('First reminder'), 2: t('Second reminder'), 3: t('Last reminder') };
const step_name = (step: string) => steps[step] ?? step;
// A field of the form as people read it: "contact_phone" is Phone.
const fault_name = (fault: string) => fault.replace(/^(contact|emergency)_/, '').replace(/[_.]/g, ' ');
const stopped = (row: Row) => [step_name(row.step), row.fault && fault_name(row.fault)].filter(Boolean).join(': ');

function happened(event: Row): [string, string] {
  switch (event.kind) {
    case 'began':
      return [t('Began the booking'), step_name(event.detail)];
    case 'reached':
      return [t('Went on'), step_name(event.detail)];
    case 'abandoned':
      return [t('Stopped'), step_name(event.detail)];
    case 'mail_sent':
      return [t('Reminder sent'), reminders[event.detail] ?? event.detail];
    case 'coupon':
      return [t('With a coupon'), event.detail];
    case 'skipped':
      return [t('Reminder left out'), ends[event.detail] ?? event.detail];
    case 'link_used':
      return [t('Came back by the link'), ''];
    case 'recovered':
      return [t('Booked'), ways[event.detail] ?? event.detail];
    default:
      return [t('No further reminders'), ends[event.detail] ?? event.detail];
  }
}

function Totals() {
  const read = useRead(
    '/abandoned-bookings/statistics',
    async () => (await json<Values>('get', '/abandoned-bookings/statistics')).data,
  );
  return (
    <Loaded read={read} rows={2}>
      {(now) => (
        <>
          <Figures
            rows={[
              { label: t('Not finished'), value: number(now.total_abandoned + now.total_contacted) },
              { label: t('Worth'), value: money(now.open_value, now.currency) },
              { label: t('Came back'), value: `${number(now.recovery_rate)} %` },
              {
                label: t('By links: {0}', number(now.recovered_by_link.count)),
                value: money(now.recovered_by_link.value, now.currency),
              },
              {
                label: t('By time: {0}', number(now.recovered_by_time.count)),
                value: money(now.recovered_by_time.value, now.currency),
              },
              {
                label: t('By themselves: {0}', number(now.recovered_by_self.count)),
                value: money(now.recovered_by_self.value, now.currency),
              },
            ]}
          />
          {now.by_step.length > 0 && (
            <Section title={t('Where they stopped')}>
              <ul class="svc-rows">
                {now.by_step.slice(0, 6).map((one: Row) => (
                  <li key={`${one.step}${one.fault}`}>
                    <div>
                      <b>{step_name(one.step)}</b>
                      {one.fault && <small>{t('Refused there: {0}', fault_name(one.fault))}</small>}
                    </div>
                    <meter
                      min={0}
                      max={now.by_step[0].count}
                      value={one.count}
                      aria-label={t('{0} stopped here', number(one.count))}
                    />
                    <span class="svc-end">
                      {number(one.count)} <small>{t('{0} came back', number(one.recovered))}</small>
                    </span>
                  </li>
                ))}
              </ul>
            </Section>
          )}
        </>
      )}
    </Loaded>
  );
}

function SendDialog({ row, onClose }: { row: Row; onClose: () => void }) {
  const read = useRead(
    campaigns_path,
    async () => (await json<Row[]>('get', '/abandoned-bookings/campaigns', { params: { per_page: 100 } })).data,
  );
  const form = useForm(undefined, { campaign_id: null });
  return (
    <FormDialog
      title={t('Send a reminder to {0}', row.customer_name || row.customer_email)}
      action={t('Send now')}
      form={form}
      onClose={onClose}
      run={async () => {
        await json('post', '/abandoned-bookings/{id}/send-email', {
          params: { id: row.id },
          body: { campaign_id: form.values.campaign_id },
        });
        await refresh();
        toast(t('The reminder is on its way.'));
      }}
    >
      <p>{t('Nobody gets more than three reminders of a booking.')}</p>
      <Field label={t('Text')} errors={form.errors.campaign_id}>
        {({ id }) => (
          <select
            id={id}
            value={form.values.campaign_id ?? ''}
            onChange={(event) => form.set('campaign_id', Number(event.currentTarget.value) || null)}
          >
            <option value="">{t('The next reminder')}</option>
            {(read.data ?? []).map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </select>
        )}
      </Field>
    </FormDialog>
  );
}

function Sheet({ id, close }: { id: number; close: () => void }) {
  const read = useRead(
    `${path}/${id}`,
    async () => (await json<Row>('get', '/abandoned-bookings/{id}', { params: { id } })).data,
  );
  const [step, setStep] = useState<'send' | 'delete' | null>(null);
  const row = read.data;
  // An e-mail is composed a moment after it was queued: it is looked for ten times.
  const looked = useRef(0);
  useEffect(() => {
    if (!row || row.mails.length >= row.recovery_emails_sent || looked.current >= 10) return undefined;
    const timer = setTimeout(() => {
      looked.current += 1;
      void read.again();
    }, 1000);
    return () => clearTimeout(timer);
  }, [row]);
  const may_send =
    row && ['abandoned', 'contacted'].includes(row.status) && !row.unsubscribed && row.recovery_emails_sent < 3;
  return (
    <Dialog
      title={row ? row.customer_name || row.customer_email || t('Unknown by now') : t('Abandoned booking')}
      sheet
      onClose={close}
    >
      <Loaded read={read} rows={8}>
        {(one) => (
          <>
            <p class="svc-actions">
              {may_send && can('post', '/abandoned-bookings/{id}/send-email') && (
                <Button kind="primary" onClick={() => setStep('send')}>
                  {t('Send a reminder')}
                </Button>
              )}
              <Button onClick={() => setStep('delete')}>{t('Delete')}</Button>
            </p>
            <Facts
              rows={[
                [t('Status'), <Status value={tones[one.status]} say={states[one.status]} />],
                [t('Trip'), one.trip_name],
                [t('Date'), day(one.departure_date)],
                [t('Travelers'), number(one.travelers_count)],
                [t('Price then'), money(one.total_amount, one.currency)],
                [t('Stopped at'), stopped(one)],
                [t('E-mail'), one.customer_email && <a href={`mailto:${one.customer_email}`}>{one.customer_email}</a>],
                [t('Phone'), one.customer_phone && <a href={`tel:${one.customer_phone}`}>{one.customer_phone}</a>],
                [t('Why it may be kept'), `${consents[one.consent]}, ${moment(one.consent_at)}`],
                [
                  t('Next reminder'),
                  one.next_email_at ? moment(one.next_email_at) : (ends[one.end_reason] ?? t('None')),
                ],
                [
                  t('Booking'),
                  one.recovered_booking_id && (
                    <>
                      <a href={`/admin/bookings/${one.recovered_booking_id}`}>{one.recovered_booking_reference}</a>{' '}
                      <small>{ways[one.recovered_by]}</small>
                    </>
                  ),
                ],
                [t('Forgotten on'), one.status === 'expired' ? '' : moment(one.expires_at)],
              ]}
            />
            <h3>{t('What happened')}</h3>
            <ol class="svc-timeline">
              {one.timeline.map((event: Row, index: number) => {
                const [title, detail] = happened(event);
                return (
                  <li key={index}>
                    <div>
                      <b>{title}</b> {detail}
                      <small>
                        <time dateTime={event.happened_at}>{moment(event.happened_at)}</time>
                      </small>
                    </div>
                  </li>
                );
              })}
            </ol>
            <h3>{t('E-mails')}</h3>
            {one.mails.length === 0 && <p>{t('No reminder was sent yet.')}</p>}
            <ul class="svc-rows">
              {one.mails.map((mail: Row, index: number) => (
                <li key={index}>
                  <div>
                    <b>{mail.subject}</b>
                    <small>{moment(mail.sent_at ?? mail.created_at)}</small>
                    {mail.error && <small class="svc-bad">{mail.error}</small>}
                  </div>
                  <Status value={mail.status} />
                </li>
              ))}
            </ul>
            {step === 'send' && <SendDialog row={one} onClose={() => setStep(null)} />}
            {step === 'delete' && (
              <Confirm
                title={t('Delete this unfinished booking?')}
                action={t('Delete')}
                danger
                onClose={() => setStep(null)}
                run={async () => {
                  await json('delete', '/abandoned-bookings/{id}', { params: { id: one.id } });
                  forget(`${path}/${one.id}`);
                  close();
                  await refresh();
                }}
              >
                <p>{t('What is known of the customer goes with it, and the links of its e-mails open nothing.')}</p>
              </Confirm>
            )}
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

const columns: Column[] = [
  {
    key: 'customer_name',
    label: t('Customer'),
    show: (row) => (
      <>
        {row.customer_name || row.customer_email || <i>{t('Unknown by now')}</i>}
        {row.customer_name ? <small>{row.customer_email}</small> : null}
      </>
    ),
  },
  {
    key: 'trip_name',
    label: t('Trip'),
    show: (row) => (
      <>
        {row.trip_name}
        <small>
          {day(row.departure_date)} · {t('{0} travelers', number(row.travelers_count))}
        </small>
      </>
    ),
  },
  {
    key: 'total_amount',
    label: t('Price then'),
    end: true,
    sort: 'total_amount',
    show: (row) => money(row.total_amount, row.currency),
  },
  { key: 'step', label: t('Stopped at'), show: stopped, text: stopped },
  {
    key: 'status',
    show: (row) => <Status value={tones[row.status]} say={states[row.status]} />,
    text: (row) => states[row.status] ?? row.status,
  },
  { key: 'recovery_emails_sent', label: t('Reminders'), end: true },
  {
    key: 'last_activity_at',
    label: t('Last seen'),
    sort: 'last_activity_at',
    show: (row) => <Ago at={row.last_activity_at} />,
  },
];

const tags = [
  'customer_name',
  'customer_first_name',
  'trip_name',
  'travel_date',
  'travelers_count',
  'total',
  'coupon_code',
  'coupon_html',
  'recovery_link',
  'stop_link',
];
const new_campaign = {
  subject: t('Your trip {0} is waiting', '{{ trip_name }}'),
  email_body: `<p>${t('Dear {0},', '{{ customer_first_name }}')}</p>\n<p>${t('You began a booking of {0}.', '{{ trip_name }}')}</p>\n{{ coupon_html }}\n<p><a href="{{ recovery_link }}">${t('Go on with my booking')}</a></p>`,
  delay_hours: 24,
  status: 'inactive',
  discount_type: 'percentage',
  discount_amount: 0,
};

function CampaignDialog({ campaign, onClose }: { campaign: Row | null; onClose: () => void }) {
  const form = useForm(campaign ?? undefined, campaign ? {} : new_campaign);
  const input = (name: string, label: string, kind: 'integer' | 'number' | 'text', required = false) => (
    <PlainInput
      kind={kind}
      label={label}
      required={required}
      value={form.values[name]}
      set={(value) => form.set(name, value)}
      errors={form.errors[name]}
    />
  );
  return (
    <FormDialog
      title={campaign ? campaign.name : t('New campaign')}
      form={form}
      wide
      onClose={onClose}
      disabled={!form.values.name}
      run={async (changes, row_version = campaign?.row_version) => {
        if (campaign)
          await json('put', '/abandoned-bookings/campaigns/{id}', {
            params: { id: campaign.id },
            body: { ...changes, row_version },
          });
        else await json('post', '/abandoned-bookings/campaigns', { body: changes });
        await refresh();
        toast(t('The campaign is saved.'));
      }}
      compare={
        campaign
          ? {
              saved: campaign,
              read: async () =>
                (await json<Values>('get', '/abandoned-bookings/campaigns/{id}', { params: { id: campaign.id } })).data,
            }
          : undefined
      }
    >
      {input('name', t('Name, for you alone'), 'text', true)}
      {input('subject', t('Subject'), 'text', true)}
      <Field
        label={t('Text, as HTML')}
        help={t('Tags: {0}', tags.map((one) => `{{ ${one} }}`).join(' '))}
        errors={form.errors.email_body}
      >
        {({ id }) => (
          <textarea
            id={id}
            rows={10}
            value={form.values.email_body ?? ''}
            onInput={(event) => form.set('email_body', event.currentTarget.value)}
          />
        )}
      </Field>
      {input('delay_hours', t('Hours after the visitor stopped'), 'integer')}
      <Field label={t('Coupon')} errors={form.errors.discount_type}>
        {({ id }) => (
          <select
            id={id}
            value={form.values.discount_type}
            onChange={(event) => form.set('discount_type', event.currentTarget.value)}
          >
            <option value="percentage">{t('In percent')}</option>
            <option value="fixed">{t('An amount')}</option>
          </select>
        )}
      </Field>
      {input('discount_amount', t('How much, 0 for none'), 'number')}
      {input('discount_code', t('A code of yours in place of one for each customer'), 'text')}
    </FormDialog>
  );
}

function Campaigns() {
  const read = useRead(
    campaigns_path,
    async () => (await json<Row[]>('get', '/abandoned-bookings/campaigns', { params: { per_page: 100 } })).data,
  );
  const [step, setStep] = useState<{ kind: 'edit' | 'delete'; campaign: Row | null } | null>(null);
  const close = () => setStep(null);
  const fresh = (
    <Button
      kind="primary"
      icon={<Plus size={16} aria-hidden />}
      onClick={() => setStep({ kind: 'edit', campaign: null })}
    >
      {t('New campaign')}
    </Button>
  );
  return (
    <div class="svc-page">
      <Head
        title={t('Campaigns')}
        sub={t('Reminders in your own words. While one is on, the standard reminders are not sent.')}
        back={{ href: '/admin/abandoned-bookings', label: t('Abandoned bookings') }}
      >
        {fresh}
      </Head>
      <Loaded read={read} rows={4}>
        {(found) => (
          <Section>
            {!found.length && (
              <Empty action={fresh}>{t('No campaign yet: the three standard reminders are sent.')}</Empty>
            )}
            <ul class="svc-rows">
              {found.map((one) => (
                <li key={one.id}>
                  <div>
                    <b>{one.name}</b>
                    <small>{one.subject}</small>
                    <small>
                      {t('After {0} hours', number(one.delay_hours))}
                      {one.discount_code
                        ? ` · ${one.discount_code}`
                        : one.discount_amount > 0
                          ? ` · ${one.discount_type === 'fixed' ? money(one.discount_amount, one.currency) : `${number(one.discount_amount)} %`}`
                          : ''}
                    </small>
                  </div>
                  <Switch
                    aria-label={t('Send {0} by itself', one.name)}
                    checked={one.status === 'active'}
                    set={(on) =>
                      json('put', '/abandoned-bookings/campaigns/{id}', {
                        params: { id: one.id },
                        body: { status: on ? 'active' : 'inactive', row_version: one.row_version },
                      }).then(read.again, (error) => (failed(error), read.again()))
                    }
                  />
                  <Menu
                    label={t('Actions for {0}', one.name)}
                    icon={<Ellipsis size={18} aria-hidden />}
                    items={[
                      { label: t('Change'), run: () => setStep({ kind: 'edit', campaign: one }) },
                      { label: t('Delete'), danger: true, run: () => setStep({ kind: 'delete', campaign: one }) },
                    ]}
                  />
                </li>
              ))}
            </ul>
          </Section>
        )}
      </Loaded>
      {step?.kind === 'edit' && <CampaignDialog campaign={step.campaign} onClose={close} />}
      {step?.kind === 'delete' && (
        <Confirm
          title={t('Delete {0}?', step.campaign!.name)}
          action={t('Delete')}
          danger
          onClose={close}
          run={async () => {
            await json('delete', '/abandoned-bookings/campaigns/{id}', { params: { id: step.campaign!.id } });
            await refresh();
          }}
        >
          <p>{t('What was sent of it stays in the history of each booking.')}</p>
        </Confirm>
      )}
    </div>
  );
}

export default function Abandoned({ part }: { part?: string }) {
  const [settings, setSettings] = useState(false);
  const list = operation('get', path);
  if (!list) return <Nowhere>{t('There is no such list. The address may be wrong, or its module off.')}</Nowhere>;
  if (part === 'campaigns') return <Campaigns />;
  return (
    <div class="svc-page">
      <Head title={t('Abandoned bookings')} sub={t('Bookings that visitors began and did not finish.')}>
        <Button icon={<Settings2 size={16} aria-hidden />} onClick={() => setSettings(true)}>
          {t('Settings')}
        </Button>
        <a class="svc-button svc-plain" href="/admin/abandoned-bookings/campaigns">
          <Megaphone size={16} aria-hidden /> {t('Campaigns')}
        </a>
      </Head>
      <Totals />
      <List
        path={path}
        list={list}
        columns={columns}
        tabs
        filters={['trip_id', 'from', 'to']}
        look={(row, close) => <Sheet id={row.id} close={close} />}
        search={t('Name or e-mail')}
        empty={
          <Empty>
            {t('Nobody has left a booking unfinished. Visitors are asked in the form whether they may be reminded.')}
          </Empty>
        }
      />
      {settings && <SettingsDialog onClose={() => setSettings(false)} />}
    </div>
  );
}
