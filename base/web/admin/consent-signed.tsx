// The signed copies with their evidence.
import { useState } from 'preact/hooks';

import { file, json } from '../kit/client';
import { PlainInput } from '../kit/controls';
import { day, moment } from '../kit/format';
import { FormDialog } from '../kit/form-dialog';
import { number, t } from '../kit/i18n';
import { can, operation } from '../kit/interface';
import { useLocation } from '../kit/location';
import { type Column, List, type Row } from '../kit/list';
import { Facts, Head } from '../kit/page';
import { useRead } from '../kit/query';
import { Ago, Button, Dialog, Empty, Loaded, Notice, Status, failed, toast } from '../kit/ui';
import { useForm } from '../kit/use-form';
import { Ways, refresh, signed_path } from './consent-ways';

const signed_states: Record<string, [string, string]> = {
  signed: ['succeeded', t('Signed')],
  revoked: ['over', t('Withdrawn')],
};
const of_signed = (status: string) => {
  const [tone, say] = signed_states[status] ?? [status, status];
  return <Status value={tone} say={say} />;
};

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

// What the server writes; other reasons are words of staff.
const reasons: Record<string, string> = {
  'The seat was given to another person.': t('The seat was given to another person.'),
};

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
              <Notice kind="info">
                {t('Answers about health are shown only to those who may read sealed answers.')}
              </Notice>
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
                [
                  t('Withdrawn'),
                  one.revoked_at &&
                    `${moment(one.revoked_at)} ${reasons[one.revoked_reason] ?? one.revoked_reason ?? ''}`,
                ],
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

export function Signed() {
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
