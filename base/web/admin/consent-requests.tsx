// Who was asked to sign, and who has not.
import { Plus } from 'lucide-preact';
import { useState } from 'preact/hooks';

import { json } from '../kit/client';
import { Field } from '../kit/field';
import { day, moment } from '../kit/format';
import { FormDialog } from '../kit/form-dialog';
import { number, t } from '../kit/i18n';
import { can, operation } from '../kit/interface';
import { useLocation } from '../kit/location';
import { type Column, List, type Row } from '../kit/list';
import { Facts, Head } from '../kit/page';
import { Pick } from '../kit/pickers';
import { useRead } from '../kit/query';
import { Ago, Button, Confirm, Dialog, Empty, Notice, Status, failed, toast } from '../kit/ui';
import { useForm } from '../kit/use-form';
import { Ways, forms_path, refresh, requests_path } from './consent-ways';
import { request_status } from './consent-words';

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
      {read.error && <Notice kind="bad">{read.error}</Notice>}
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

export function Requests() {
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
