// Consent forms: the forms, who was asked to sign, and the signed copies with their evidence.
import { Ellipsis, Plus } from 'lucide-preact';
import { useState } from 'preact/hooks';

import { file, json } from '../../kit/client';
import { PlainInput } from '../../kit/controls';
import { Field } from '../../kit/field';
import { day, moment } from '../../kit/format';
import { FormDialog } from '../../kit/form-dialog';
import { number, t } from '../../kit/i18n';
import { can, operation } from '../../kit/interface';
import { later } from '../../kit/later';
import { useLocation } from '../../kit/location';
import { type Column, List, type Row } from '../../kit/list';
import { Facts, Head, Nowhere } from '../../kit/page';
import { Pick } from '../../kit/pickers';
import { changed, useRead } from '../../kit/query';
import { Ago, Button, Confirm, Dialog, Empty, Loaded, Menu, Notice, Status, failed, toast } from '../../kit/ui';
import { useForm } from '../../kit/use-form';
import { request_status } from '../consent-words';

const ConsentForm = later(() => import('../consent-form'));

const forms_path = '/consent/forms';
const requests_path = '/consent/requests';
const signed_path = '/consent/signed';
const refresh = () => changed('/consent', '/bookings');

const form_states: Record<string, string> = {
  publish: t('Published'),
  draft: t('Draft'),
  archived: t('Archived'),
  trash: t('In the trash'),
};
const signed_states: Record<string, [string, string]> = {
  signed: ['succeeded', t('Signed')],
  expired: ['over', t('Expired')],
  revoked: ['over', t('Withdrawn')],
};
const of_signed = (status: string) => {
  const [tone, say] = signed_states[status] ?? [status, status];
  return <Status value={tone} say={say} />;
};

// The ways between the three lists; a screen leaves out its own.
function Ways({ here }: { here: string }) {
  const ways: [string, string][] = [
    [forms_path, t('Forms')],
    [requests_path, t('Requests')],
    [signed_path, t('Signed copies')],
  ];
  return (
    <>
      {ways
        .filter(([path]) => path !== here && can('get', path))
        .map(([path, label]) => (
          <a key={path} class="svc-button svc-plain" href={`/admin${path}`}>
            {label}
          </a>
        ))}
    </>
  );
}

// ---- Forms.
const form_columns: Column[] = [
  {
    key: 'name',
    show: (row) => (
      <>
        <a href={`/admin/consent/forms/${row.id}`}>{row.name}</a>
        {row.description ? <small>{row.description}</small> : null}
      </>
    ),
  },
  {
    key: 'status',
    show: (row) => <Status value={row.status} say={form_states[row.status]} />,
    text: (row) => form_states[row.status] ?? row.status,
  },
  {
    key: 'applicable_to',
    label: t('For'),
    show: (row) =>
      row.applicable_to === 'all'
        ? t('All trips')
        : t('{0, plural, one {# trip} other {# trips}}', row.trip_ids?.length ?? 0),
  },
  { key: 'pending_count', label: t('Open'), end: true },
  { key: 'signed_count', label: t('Signed'), end: true },
  { key: 'version', label: t('Version'), end: true },
  { key: 'updated_at', label: t('Changed'), show: (row) => <Ago at={row.updated_at} /> },
];

function Forms() {
  const { route } = useLocation();
  const list = operation('get', forms_path)!;
  const duplicate = (row: Row) =>
    json<Row>('post', `${forms_path}/{id}/duplicate`, { params: { id: row.id } }).then(async (made) => {
      await refresh();
      route(`/admin/consent/forms/${made.data.id}`);
      toast(t('The copy is a draft.'));
    }, failed);
  const columns: Column[] = [
    ...form_columns,
    {
      key: 'actions',
      label: t('Actions'),
      action: true,
      end: true,
      show: (row) => (
        <Menu
          label={t('Actions for {0}', row.name)}
          icon={<Ellipsis size={18} aria-hidden />}
          items={[
            { label: t('Change'), run: () => route(`/admin/consent/forms/${row.id}`) },
            { label: t('Duplicate'), run: () => duplicate(row) },
            { label: t('Who was asked'), run: () => route(`/admin/consent/requests?form_id=${row.id}`) },
          ]}
        />
      ),
    },
  ];
  const fresh = can('post', forms_path) && (
    <a class="svc-button svc-primary" href="/admin/consent/forms/new">
      <Plus size={16} aria-hidden /> {t('New form')}
    </a>
  );
  return (
    <div class="svc-page">
      <Head title={t('Consent forms')} sub={t('What travelers read and sign before their trip.')}>
        <Ways here={forms_path} />
        {fresh}
      </Head>
      <List
        path={forms_path}
        list={list}
        columns={columns}
        href={(row) => `/admin/consent/forms/${row.id}`}
        tabs
        filters={[]}
        bulk={{
          method: 'post',
          path: `${forms_path}/bulk`,
          actions: [
            { name: 'publish', label: t('Publish') },
            { name: 'draft', label: t('Make a draft') },
            { name: 'archive', label: t('Archive') },
            { name: 'trash', label: t('Move to trash'), danger: true },
            { name: 'delete', label: t('Delete for good'), danger: true },
          ],
        }}
        search={t('Name of a form')}
        empty={
          <Empty action={fresh}>
            {t('No form yet. A published one is sent by itself, some days before the trip.')}
          </Empty>
        }
      />
    </div>
  );
}

// ---- Requests.
const request_columns: Column[] = [
  {
    key: 'name',
    label: t('Traveler'),
    show: (row) => (
      <>
        {row.name || row.email || t('Not named yet')}
        {row.name ? <small>{row.email}</small> : null}
      </>
    ),
  },
  { key: 'form_name', label: t('Form') },
  {
    key: 'trip_title',
    label: t('Trip'),
    show: (row) => (
      <>
        {row.trip_title}
        <small>
          {day(row.travel_date)} · <a href={`/admin/bookings/${row.booking_id}`}>{row.booking_reference}</a>
        </small>
      </>
    ),
  },
  {
    key: 'status',
    show: (row) => {
      const [tone, say] = request_status(row);
      return <Status value={tone} say={say} />;
    },
    text: (row) => request_status(row)[1],
  },
  { key: 'sent_at', label: t('Sent'), show: (row) => <Ago at={row.sent_at} /> },
  { key: 'reminders_sent', label: t('Reminders'), end: true },
  { key: 'expires_at', label: t('Valid until'), show: (row) => moment(row.expires_at), off: true },
];

function RequestSheet({ row, close }: { row: Row; close: () => void }) {
  const [asks, setAsks] = useState(false);
  const [tone, say] = request_status(row);
  const is_open = row.status === 'pending';
  const resend = () =>
    json('post', `${requests_path}/{id}/resend`, { params: { id: row.id } }).then(async () => {
      close();
      await refresh();
      toast(t('A new link is on its way. Older links no longer work.'));
    }, failed);
  return (
    <Dialog title={row.name || row.email || t('Request')} sheet onClose={close}>
      {(is_open || row.status === 'expired') && (
        <p class="svc-actions">
          <Button kind="primary" onClick={resend}>
            {t('Send again')}
          </Button>
          {is_open && <Button onClick={() => setAsks(true)}>{t('Take back')}</Button>}
        </p>
      )}
      <Facts
        rows={[
          [t('Status'), <Status value={tone} say={say} />],
          [t('Form'), t('{0}, version {1}', row.form_name, row.form_version)],
          [t('Trip'), `${row.trip_title}, ${day(row.travel_date)}`],
          [t('Booking'), <a href={`/admin/bookings/${row.booking_id}`}>{row.booking_reference}</a>],
          [t('E-mail'), row.email],
          [t('Sent'), moment(row.sent_at)],
          [t('Opened'), moment(row.viewed_at)],
          [t('Reminders'), row.reminders_sent ? `${number(row.reminders_sent)}, ${moment(row.last_reminder_at)}` : ''],
          [t('Valid until'), moment(row.expires_at)],
          [
            t('Signed'),
            row.signed_id && <a href={`/admin/consent/signed?look=${row.signed_id}`}>{moment(row.signed_at)}</a>,
          ],
        ]}
      />
      {asks && (
        <Confirm
          title={t('Take this request back?')}
          action={t('Take back')}
          danger
          onClose={() => setAsks(false)}
          run={async () => {
            await json('delete', `${requests_path}/{id}`, { params: { id: row.id } });
            close();
            await refresh();
          }}
        >
          <p>{t('The link in the e-mail opens nothing any more.')}</p>
        </Confirm>
      )}
    </Dialog>
  );
}

// Asks the travelers of one booking to sign, by hand.
function AskDialog({ booking, onClose }: { booking: number | null; onClose: () => void }) {
  const form = useForm(undefined, { booking_id: booking, form_id: null, chosen: null });
  const forms = useRead(
    `${forms_path}?publish`,
    async () => (await json<Row[]>('get', forms_path, { params: { status: 'publish', per_page: 100 } })).data,
  );
  const { booking_id, form_id, chosen } = form.values;
  const read = useRead(
    booking_id ? `/bookings/${booking_id}/asked` : null,
    async () => (await json<Row>('get', '/bookings/{id}', { params: { id: booking_id } })).data,
  );
  const party: [number, string][] = [
    [0, t('The contact')],
    ...((read.data?.travelers ?? []) as Row[]).map(
      (one, at) =>
        [
          one.traveler_index ?? at + 1,
          [one.fields?.first_name, one.fields?.last_name].filter(Boolean).join(' ') || t('Traveler {0}', at + 1),
        ] as [number, string],
    ),
  ];
  return (
    <FormDialog
      title={t('Ask to sign')}
      action={t('Send')}
      form={form}
      disabled={!booking_id || !form_id || chosen?.length === 0}
      onClose={onClose}
      run={async () => {
        const done = await json<Row>('post', requests_path, {
          body: { booking_id, form_id, ...(chosen ? { traveler_indexes: chosen } : {}) },
        });
        await refresh();
        toast(t('{0, plural, one {# request is} other {# requests are}} on the way.', done.data.requests.length));
      }}
    >
      <Field label={t('Booking')} errors={form.errors.booking_id} required>
        {({ id, describedby, invalid }) => (
          <Pick
            id={id}
            describedby={describedby}
            invalid={invalid}
            list="/bookings"
            value={booking_id}
            onPick={(choice) => {
              form.set('booking_id', choice?.id ?? null);
              form.set('chosen', null);
            }}
          />
        )}
      </Field>
      <Field label={t('Form')} errors={form.errors.form_id} required>
        {({ id, invalid }) => (
          <select
            id={id}
            aria-invalid={invalid}
            value={form_id ?? ''}
            onChange={(event) => form.set('form_id', Number(event.currentTarget.value) || null)}
          >
            <option value="" />
            {(forms.data ?? []).map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </select>
        )}
      </Field>
      {forms.data?.length === 0 && <Notice kind="warn">{t('Publish a form first.')}</Notice>}
      {forms.error && <Notice kind="bad">{forms.error}</Notice>}
      <Field label={t('Who signs')} errors={form.errors.traveler_indexes} group>
        {() => (
          <>
            <label>
              <input type="radio" name="who" checked={chosen === null} onChange={() => form.set('chosen', null)} />{' '}
              {t('As the form says')}
            </label>
            <label>
              <input type="radio" name="who" checked={chosen !== null} onChange={() => form.set('chosen', [])} />{' '}
              {t('Only these')}
            </label>
            {chosen !== null &&
              booking_id &&
              party.map(([index, name]) => (
                <label key={index}>
                  <input
                    type="checkbox"
                    checked={chosen.includes(index)}
                    onChange={(event) =>
                      form.set(
                        'chosen',
                        event.currentTarget.checked
                          ? [...chosen, index]
                          : chosen.filter((one: number) => one !== index),
                      )
                    }
                  />{' '}
                  {name}
                </label>
              ))}
          </>
        )}
      </Field>
    </FormDialog>
  );
}

function Requests() {
  const { query } = useLocation();
  const [asks, setAsks] = useState(false);
  const list = operation('get', requests_path)!;
  const ask = can('post', requests_path) && (
    <Button kind="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setAsks(true)}>
      {t('Ask to sign')}
    </Button>
  );
  return (
    <div class="svc-page">
      <Head
        title={t('Requests to sign')}
        sub={t('Who was asked, and who has not signed.')}
        back={{ href: '/admin/consent/forms', label: t('Consent forms') }}
      >
        <Ways here={requests_path} />
        {ask}
      </Head>
      <List
        path={requests_path}
        list={list}
        columns={request_columns}
        tabs
        filters={['form_id', 'booking_id', 'from', 'to']}
        look={(row, close) => <RequestSheet row={row} close={close} />}
        search={t('Name, e-mail or reference')}
        empty={<Empty action={ask || undefined}>{t('Nobody was asked yet.')}</Empty>}
      />
      {asks && <AskDialog booking={Number(query.booking_id) || null} onClose={() => setAsks(false)} />}
    </div>
  );
}

// ---- Signed copies.
// A copy outlives its booking.
const booking_of = (row: Row) =>
  row.booking_id ? <a href={`/admin/bookings/${row.booking_id}`}>{row.booking_reference}</a> : row.booking_reference;

const signed_columns: Column[] = [
  {
    key: 'signer_name',
    label: t('Signed by'),
    show: (row) => (
      <>
        {row.signer_name || t('Erased')}
        {row.signer_email ? <small>{row.signer_email}</small> : null}
      </>
    ),
  },
  { key: 'form_name', label: t('Form'), show: (row) => t('{0}, version {1}', row.form_name, row.form_version) },
  {
    key: 'booking_id',
    label: t('Booking'),
    show: (row) => booking_of(row),
  },
  { key: 'signed_at', label: t('Signed'), sort: 'signed_at', show: (row) => <Ago at={row.signed_at} /> },
  {
    key: 'status',
    show: (row) => of_signed(row.status),
    text: (row) => signed_states[row.status]?.[1] ?? row.status,
  },
];

const answer_of = (value: unknown) =>
  value === true ? t('Yes') : value === false ? t('No') : value === null || value === undefined ? '' : String(value);

// A drawn signature is a picture, a typed one its words.
function Mark({ value, label }: { value: string | null | undefined; label: string }) {
  if (!value) return null;
  return value.startsWith('data:image/png;') ? <img class="svc-mark" src={value} alt={label} /> : <p>{value}</p>;
}

function SignedSheet({ id, close }: { id: number; close: () => void }) {
  const read = useRead(
    `${signed_path}/${id}`,
    async () => (await json<Row>('get', `${signed_path}/{id}`, { params: { id } })).data,
  );
  const [revokes, setRevokes] = useState(false);
  const form = useForm(undefined, { reason: '' });
  return (
    <Dialog title={read.data?.signer_name || t('Signed copy')} sheet onClose={close}>
      <Loaded read={read} rows={8}>
        {(one) => (
          <>
            <p class="svc-actions">
              <Button kind="primary" onClick={() => file(`${signed_path}/{id}/pdf`, { id: one.id }).catch(failed)}>
                {t('Open the PDF')}
              </Button>
              {one.status === 'signed' && can('post', `${signed_path}/{id}/revoke`) && (
                <Button onClick={() => setRevokes(true)}>{t('Withdraw')}</Button>
              )}
            </p>
            {one.is_intact === false && (
              <Notice kind="bad">{t('What is stored is no longer what was signed: its hash differs.')}</Notice>
            )}
            {one.has_masked_answers && (
              <Notice kind="info">{t('Answers about health are shown only to those who may see bookings.')}</Notice>
            )}
            {one.health_deleted_at && (
              <Notice kind="info">
                {t('Answers about health were deleted on {0}.', moment(one.health_deleted_at))}
              </Notice>
            )}
            <Facts
              rows={[
                [t('Status'), of_signed(one.status)],
                [t('Form'), t('{0}, version {1}', one.form_name, one.form_version)],
                [t('Trip'), one.trip_title && `${one.trip_title}, ${day(one.travel_date)}`],
                [t('Booking'), booking_of(one)],
                [t('For the minor'), one.minor_name],
                [t('As'), one.guardian_relation],
                [t('E-mail'), one.signer_email],
              ]}
            />
            {(one.form?.fields ?? []).length > 0 && (
              <>
                <h3>{t('Answers')}</h3>
                <Facts
                  rows={one.form.fields.map((field: Row) => [field.label, answer_of(one.form_data?.[field.id])])}
                />
              </>
            )}
            <h3>{t('Signature')}</h3>
            <Mark value={one.signature_data} label={t('Signature of {0}', one.signer_name)} />
            <Mark value={one.initials_data} label={t('Initials of {0}', one.signer_name)} />
            <h3>{t('Evidence')}</h3>
            <Facts
              rows={[
                [t('Signed'), moment(one.signed_at)],
                [t('Time zone'), one.time_zone],
                [t('Opened'), moment(one.opened_at)],
                [t('Shown for'), one.shown_seconds ? t('{0} seconds', number(one.shown_seconds)) : ''],
                [t('Network address'), one.ip_address],
                [t('Browser'), one.user_agent],
                [t('Hash of the form'), <code>{one.form_sha256}</code>],
                [t('Hash of the answers'), <code>{one.data_sha256}</code>],
                [t('Hash of the PDF'), one.pdf_sha256 && <code>{one.pdf_sha256}</code>],
                [t('Unchanged since'), one.is_intact === true ? t('Yes') : ''],
                [t('Withdrawn'), one.revoked_at && `${moment(one.revoked_at)} ${one.revoked_reason ?? ''}`],
              ]}
            />
            <h3>{t('What was signed')}</h3>
            {(one.form?.content_blocks ?? []).map((block: Row) => (
              <section key={block.id}>
                {block.title && <b>{block.title}</b>}
                <p class="svc-pre">{block.content}</p>
              </section>
            ))}
            {revokes && (
              <FormDialog
                title={t('Withdraw this signature?')}
                action={t('Withdraw')}
                danger
                form={form}
                onClose={() => setRevokes(false)}
                then={close}
                run={async () => {
                  await json('post', `${signed_path}/{id}/revoke`, {
                    params: { id: one.id },
                    body: { reason: form.values.reason },
                  });
                  await refresh();
                  toast(t('The signature is withdrawn. The traveler can be asked again.'));
                }}
              >
                <p>{t('The copy stays, marked as withdrawn. Do this when the signer takes the consent back.')}</p>
                <PlainInput
                  kind="text"
                  label={t('Reason')}
                  value={form.values.reason}
                  set={(value) => form.set('reason', value)}
                  errors={form.errors.reason}
                />
              </FormDialog>
            )}
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

function Signed() {
  const { query, route } = useLocation();
  const list = operation('get', signed_path)!;
  return (
    <div class="svc-page">
      <Head
        title={t('Signed copies')}
        sub={t('Each with the text as it was signed, and the evidence.')}
        back={{ href: '/admin/consent/forms', label: t('Consent forms') }}
      >
        <Ways here={signed_path} />
      </Head>
      <List
        path={signed_path}
        list={list}
        columns={signed_columns}
        tabs
        filters={['form_id', 'booking_id', 'from', 'to']}
        look={(row, close) => <SignedSheet id={row.id} close={close} />}
        search={t('Name or e-mail')}
        empty={<Empty>{t('Nothing was signed yet.')}</Empty>}
      />
      {Number(query.look) > 0 && (
        <SignedSheet id={Number(query.look)} close={() => route('/admin/consent/signed', true)} />
      )}
    </div>
  );
}

export default function Consent({ part, item }: { part?: string; item?: string }) {
  const path = `/consent/${part ?? 'forms'}`;
  if (!operation('get', path))
    return <Nowhere>{t('There is no such list. The address may be wrong, or its module off.')}</Nowhere>;
  if (path === requests_path) return <Requests />;
  if (path === signed_path) return <Signed />;
  return item ? <ConsentForm key={item} id={item === 'new' ? null : Number(item)} /> : <Forms />;
}
