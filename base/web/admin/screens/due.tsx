// Money that is still to come: what is charged on later days, and balances for which nothing is planned.
import { Ellipsis } from 'lucide-preact';
import { useState } from 'preact/hooks';

import { api, json } from '../../kit/client';
import { day, money, today, words } from '../../kit/format';
import { t } from '../../kit/i18n';
import { can, operation } from '../../kit/interface';
import { type Column, List, type Row } from '../../kit/list';
import { useRead } from '../../kit/query';
import { Ago, Confirm, Dialog, Empty, Loaded, Menu, type MenuItem, Notice, Status, toast } from '../../kit/ui';
import { Figures, Head, Nowhere } from '../../kit/page';
import { type Booking, PaymentDialog, refresh } from '../booking-dialogs';
import { ChargeDialog, LinkDialog } from '../booking-money';

type Step = { kind: 'charge' | 'link' | 'paid'; booking_id: number } | { kind: 'off'; row: Row };

// A dialog about a booking, which is read for it.
function OfBooking({ id, kind, onClose }: { id: number; kind: 'charge' | 'link' | 'paid'; onClose: () => void }) {
  const read = useRead(`/bookings/${id}`, () => api.get('/bookings/{id}', { id }));
  if (!read.data)
    return (
      <Dialog title={t('Booking')} onClose={onClose}>
        <Loaded read={read} rows={2}>
          {() => null}
        </Loaded>
      </Dialog>
    );
  const booking = read.data as Booking;
  return kind === 'charge' ? (
    <ChargeDialog booking={booking} onClose={onClose} />
  ) : kind === 'link' ? (
    <LinkDialog booking={booking} onClose={onClose} />
  ) : (
    <PaymentDialog booking={booking} onClose={onClose} />
  );
}

function Totals() {
  const read = useRead(can('get', '/scheduled-payments/stats') ? '/scheduled-payments/stats' : null, () =>
    api.get('/scheduled-payments/stats', {}),
  );
  const now = read.data;
  if (!now) return null;
  return (
    <Figures
      rows={[
        { label: t('Overdue'), value: now.overdue ?? 0, tone: now.overdue ? 'bad' : undefined },
        { label: t('In the next 7 days'), value: now.due_next_7_days ?? 0 },
        { label: t('In the next 30 days'), value: now.due_next_30_days ?? 0 },
        { label: t('Planned'), value: money(now.amount_scheduled ?? 0, now.currency) },
        {
          label: t('Failed'),
          value: money(now.amount_failed ?? 0, now.currency),
          href: '/admin/scheduled-payments?status=failed',
          tone: now.failed ? 'bad' : undefined,
        },
      ]}
    />
  );
}

const who = (row: Row, reference: string) => (
  <>
    <b>{row.customer_name || row.customer_email}</b>
    <small class="svc-mono">{reference}</small>
  </>
);
const late = (date: string) => date < today();

const scheduled: Column[] = [
  {
    key: 'customer_name',
    label: t('Customer'),
    sort: 'name',
    show: (row) => who(row, row.booking_reference),
    text: (row) => `${row.customer_name} (${row.booking_reference})`,
  },
  {
    key: 'scheduled_date',
    label: t('Due'),
    show: (row) => (
      <>
        {day(row.scheduled_date)}
        {row.kind !== 'link' && row.status === 'scheduled' && late(row.scheduled_date) && (
          <small class="svc-bad">{t('overdue')}</small>
        )}
      </>
    ),
  },
  {
    key: 'kind',
    label: t('How'),
    show: (row) => (row.kind === 'link' ? t('A link was sent') : t('Charged to the saved card')),
    text: (row) => row.kind,
  },
  {
    key: 'status',
    show: (row) => (
      <>
        <Status value={row.status} />
        {row.last_error ? <small>{row.last_error}</small> : null}
        {row.next_attempt_at && row.status !== 'paid' ? (
          <small>
            {t('again')} <Ago at={row.next_attempt_at} />
          </small>
        ) : null}
      </>
    ),
  },
  { key: 'amount', end: true },
  { key: 'payment_type', label: t('For'), show: (row) => words(row.payment_type), off: true },
  {
    key: 'attempts',
    label: t('Tries'),
    end: true,
    show: (row) => t('{0} of {1}', row.attempts, row.max_attempts),
    off: true,
  },
  { key: 'reminder_sent_at', label: t('Reminded'), off: true },
];
const reasons: Record<string, string> = {
  guest_booking: t('Booked as a guest: no card is kept.'),
  no_saved_method: t('The customer has saved no card.'),
  gateway_unsupported: t('This way of paying cannot be charged later.'),
  charge_failed: t('The charge failed.'),
  cancelled_by_admin: t('The charge was called off.'),
  module_enabled_later: t('Booked before charges were planned.'),
  travel_too_soon: t('The trip begins too soon.'),
};
const outstanding: Column[] = [
  {
    key: 'customer_name',
    label: t('Customer'),
    sort: 'name',
    show: (row) => who(row, row.reference),
    text: (row) => `${row.customer_name} (${row.reference})`,
  },
  {
    key: 'tour_date',
    label: t('Travels'),
    show: (row) => (
      <>
        {day(row.tour_date)}
        {late(row.tour_date) && <small class="svc-bad">{t('has begun')}</small>}
      </>
    ),
  },
  { key: 'reason', label: t('Why nothing is planned'), show: (row) => reasons[row.reason] ?? words(row.reason) },
  { key: 'amount_due', label: t('Due'), end: true },
];

export default function Due({ outstanding: is_outstanding }: { outstanding: boolean }) {
  const [step, setStep] = useState<Step | null>(null);
  const path = is_outstanding ? '/scheduled-payments/outstanding' : '/scheduled-payments';
  const list = operation('get', path);
  if (!list) return <Nowhere>{t('There is no such list. The address may be wrong, or its module off.')}</Nowhere>;
  const of_booking = (booking_id: number, links = true): (MenuItem | false)[] => [
    can('post', '/bookings/{id}/payments') && {
      label: t('Mark as paid'),
      run: () => setStep({ kind: 'paid', booking_id }),
    },
    can('post', '/bookings/{id}/charge') && {
      label: t('Charge a saved card'),
      run: () => setStep({ kind: 'charge', booking_id }),
    },
    links &&
      can('post', '/scheduled-payments/outstanding/{booking_id}/send-link') && {
        label: t('Send a link to pay'),
        run: () => setStep({ kind: 'link', booking_id }),
      },
  ];
  const open = ['scheduled', 'failed'];
  const actions: Column = {
    key: 'actions',
    label: t('Actions'),
    action: true,
    end: true,
    show: (row) => (
      <Menu
        label={t('Actions for {0}', row.customer_name || row.customer_email || row.booking_reference)}
        icon={<Ellipsis size={18} aria-hidden />}
        items={
          is_outstanding
            ? of_booking(row.booking_id)
            : open.includes(row.status)
              ? [
                  ...of_booking(row.booking_id, row.status === 'failed'),
                  row.status === 'scheduled' &&
                    can('post', '/scheduled-payments/{id}/cancel') && {
                      label: t('Call off'),
                      danger: true,
                      run: () => setStep({ kind: 'off', row }),
                    },
                ]
              : []
        }
      />
    ),
  };
  return (
    <div class="svc-page">
      <Head
        title={is_outstanding ? t('Outstanding') : t('Scheduled payments')}
        sub={
          is_outstanding
            ? t('Balances for which no charge is planned, the next to travel first.')
            : t('What is charged on later days, the next first.')
        }
      />
      <Totals />
      <List
        path={path}
        list={list}
        columns={[...(is_outstanding ? outstanding : scheduled), actions]}
        tabs
        href={(row) => `/admin/bookings/${row.booking_id}`}
        search={t('Reference, name, e-mail or phone')}
        empty={
          <Empty
            action={
              is_outstanding ? (
                <a class="svc-button svc-plain" href="/admin/scheduled-payments">
                  {t('Scheduled payments')}
                </a>
              ) : (
                <a class="svc-button svc-plain" href="/admin/scheduled-payments/outstanding">
                  {t('Outstanding')}
                </a>
              )
            }
          >
            {is_outstanding
              ? t('Nothing is outstanding: each balance is planned or paid.')
              : t('No payments are planned. They come from bookings with a deposit.')}
          </Empty>
        }
      />
      {step?.kind === 'off' && (
        <Confirm
          title={t('Call off this payment?')}
          action={t('Call off')}
          danger
          onClose={() => setStep(null)}
          run={async () => {
            await json('post', '/scheduled-payments/{id}/cancel', { params: { id: step.row.id }, body: {} });
            toast(t('It is called off.'));
            refresh(step.row.booking_id);
          }}
        >
          <Notice kind="info">
            {t(
              '{0} on {1} is not charged; the amount stays due.',
              money(step.row.amount, step.row.currency),
              day(step.row.scheduled_date),
            )}
          </Notice>
        </Confirm>
      )}
      {step && step.kind !== 'off' && <OfBooking id={step.booking_id} kind={step.kind} onClose={() => setStep(null)} />}
    </div>
  );
}
