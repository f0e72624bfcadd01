// One booking: what it is, what is due, what happened, and what can be done next.
import { useState } from 'preact/hooks';

import { api, file, json } from '../../kit/client';
import { day, moment, money, words } from '../../kit/format';
import { t } from '../../kit/i18n';
import { next_statuses } from '../../kit/control';
import { can, operation, resolved } from '../../kit/interface';
import { useLocation } from '../../kit/location';
import { later } from '../../kit/later';
import { forget, useRead } from '../../kit/query';
import { Ago, Button, Confirm, Dialog, Empty, Menu, Notice, Status, failed, toast } from '../../kit/ui';
import { Facts, Figures, Head, Opened, Section } from '../../kit/page';
import { type Booking, PaymentDialog, RefundDialog, StatusDialog, refresh, verbs } from '../booking-dialogs';
import { ChargeDialog, LaterPayments, LinkDialog } from '../booking-money';
import { History, Note } from '../booking-history';
import { FileLink, is_file } from '../answer-input';
import { ContactDialog } from '../contact-dialog';
import { MoveBooking } from '../move-booking';
import { TravelersDialog } from '../travelers-dialog';

const LaterServices = later(() => import('../later-services'));
const PriceReasons = later(() => import('../price-reasons'));
const BookingCancellation = later(() => import('../booking-cancellation'));
const ConsentStatus = later(() => import('../consent-status'));
const mails: Record<string, string> = {
  confirmation: t('Confirmation'),
  payment_confirmation: t('Receipt of payment'),
  reminder: t('Reminder before the trip'),
  cancellation: t('Cancellation'),
  completed: t('Thanks after the trip'),
  admin_new_booking: t('New booking, to the office'),
  admin_payment_received: t('Payment received, to the office'),
};
function Screen({ booking, again }: { booking: Booking; again: () => void }) {
  const { route } = useLocation();
  const [dialog, setDialog] = useState<string>('');
  const [refunding, setRefunding] = useState<Record<string, any> | null>(null);
  const changes = can('put', '/bookings/{id}/status');
  const edits = can('put', '/bookings/{id}');
  // Those that have a verb: the others follow from payments and refunds.
  const steps = changes
    ? next_statuses(operation('put', '/bookings/{id}/status'), booking.status).filter((one) => verbs[one])
    : [];
  const seesMoney = booking.total !== null; // guides do not
  const open = (booking.amount_due ?? 0) > 0 && !['cancelled', 'refunded', 'failed', 'trash'].includes(booking.status);
  const main = booking.status === 'pending' && steps.includes('confirmed') ? 'confirmed' : '';
  const close = () => setDialog('');
  const documents = (['invoice', 'voucher', 'itinerary'] as const).filter(
    (one) => operation('get', `/bookings/{id}/${one}`) && (seesMoney || one !== 'invoice'),
  );
  const print = (what: string) => file(`/bookings/{id}/${what}`, { id: booking.id }).catch(failed);
  const mail_kinds =
    resolved(resolved(operation('post', '/bookings/{id}/email')?.body ?? {}).properties?.type).enum ?? [];
  const travelers: Record<string, any>[] = booking.travelers ?? [];
  return (
    <div class="svc-page">
      <Head
        title={booking.reference}
        back={{ href: '/admin/bookings', label: t('Bookings') }}
        status={
          <>
            <Status value={booking.status} />
            <Status
              value={booking.payment_status}
              say={
                ({ pending: t('not paid'), partial: t('paid in part') } as Record<string, string>)[
                  booking.payment_status
                ]
              }
            />
          </>
        }
        sub={
          <>
            <a href={`/admin/customers/${booking.customer_id}`}>{booking.customer_name || booking.customer_email}</a>,{' '}
            <a href={`/admin/trips/${booking.trip_id}`}>{booking.trip_title}</a>, {day(booking.travel_date, 'D j M Y')}
            {booking.departure_time ? ` ${booking.departure_time}` : ''},{' '}
            {t('{0, plural, one {# traveler} other {# travelers}}', booking.travelers_count ?? 0)}
          </>
        }
      >
        <Menu
          label={t('More')}
          items={[
            edits && { label: t('Move or change the party'), run: () => setDialog('move') },
            edits && booking.status !== 'trash' && { label: t('Edit the contact'), run: () => setDialog('contact') },
            can('post', '/bookings/{id}/services') && { label: t('Add services'), run: () => setDialog('services') },
            can('put', '/bookings/{id}/travellers') && {
              label: t('Edit travelers'),
              run: () => setDialog('travelers'),
            },
            open &&
              can('post', '/bookings/{id}/charge') && {
                label: t('Charge a saved card'),
                run: () => setDialog('charge'),
              },
            open &&
              can('post', '/scheduled-payments/outstanding/{booking_id}/send-link') && {
                label: t('Send a link to pay'),
                run: () => setDialog('link'),
              },
            can('post', '/bookings/{id}/email') && { label: t('Send an e-mail again'), run: () => setDialog('email') },
            booking.status !== 'trash' &&
              !!booking.customer_email &&
              can('post', '/bookings/{id}/new-link') && {
                label: t('Send a new booking link'),
                run: () => setDialog('new-link'),
              },
            ...steps
              .filter((one) => one !== main && one !== 'cancelled')
              .map((one) => ({ label: verbs[one]!, run: () => setDialog(`status ${one}`) })),
            steps.includes('cancelled') && {
              label: t('Cancel the booking'),
              danger: true,
              run: () => setDialog('status cancelled'),
            },
            booking.status === 'trash' &&
              can('post', '/bookings/{id}/restore') && {
                label: t('Restore from the trash'),
                run: () =>
                  api
                    .post('/bookings/{id}/restore', { id: booking.id })
                    .then(() => (toast(t('Restored.')), refresh(booking.id)), failed),
              },
            can('delete', '/bookings/{id}') && {
              label: booking.status === 'trash' ? t('Delete for good') : t('Move to the trash'),
              danger: true,
              run: () => setDialog('delete'),
            },
          ]}
        />
        {open && can('post', '/bookings/{id}/payments') && (
          <Button kind={main ? 'plain' : 'primary'} onClick={() => setDialog('payment')}>
            {t('Record a payment')}
          </Button>
        )}
        {main && (
          <Button kind="primary" onClick={() => setDialog(`status ${main}`)}>
            {verbs[main]}
          </Button>
        )}
      </Head>
      {booking.needs_attention && (
        <Notice kind="warn">
          <p>{booking.attention_reason || t('This booking needs a decision.')}</p>
          {edits && (
            <Button
              onClick={() =>
                api
                  .put('/bookings/{id}', { id: booking.id }, { needs_attention: false })
                  .then(() => refresh(booking.id), failed)
              }
            >
              {t('It is dealt with')}
            </Button>
          )}
        </Notice>
      )}
      {booking.payments_unknown && (
        <Notice kind="warn">
          <p>
            {t(
              'This booking was migrated and its payments are not known. No money is asked for, and it does not expire.',
            )}
          </p>
          {edits && (
            <Button
              onClick={() =>
                api
                  .put('/bookings/{id}', { id: booking.id }, { payments_unknown: false })
                  .then(() => refresh(booking.id), failed)
              }
            >
              {t('Its payments are recorded')}
            </Button>
          )}
        </Notice>
      )}
      {booking.cancelled_at && (
        <Notice kind="info">
          {t('Cancelled')} <Ago at={booking.cancelled_at} />
          {booking.cancellation_reason ? `: ${booking.cancellation_reason}` : '.'}
        </Notice>
      )}
      {seesMoney && (
        <Figures
          rows={[
            { label: t('Total'), value: money(booking.total, booking.currency) },
            { label: t('Paid'), value: money(booking.amount_paid, booking.currency) },
            {
              label: booking.expires_at ? t('Due, or the seats are released') : t('Due'),
              value: money(booking.amount_due, booking.currency),
              tone: open ? 'warn' : '',
            },
            ...(open && booking.payment_terms?.due_by
              ? [{ label: t('Pay by'), value: moment(booking.payment_terms.due_by) }]
              : []),
          ]}
        />
      )}
      <div class="svc-two">
        <div>
          <History booking={booking} />
          <Note booking={booking} />
        </div>
        <div>
          {seesMoney && (
            <Section title={t('Money')}>
              <table class="svc-lines">
                <tbody>
                  {(booking.lines ?? []).map((line: any, index: number) => (
                    <tr key={index}>
                      <td>
                        {line.pricing_mode === 'per_group' &&
                          t('{0, plural, one {# traveler} other {# travelers}}', line.people ?? 0) + ': '}
                        {line.quantity > 1 ? `${line.quantity} × ` : ''}
                        {line.label}
                      </td>
                      <td class="svc-end">{money(line.amount, booking.currency)}</td>
                    </tr>
                  ))}
                  <tr>
                    <th scope="row">{t('Total')}</th>
                    <td class="svc-end">
                      <b>{money(booking.total, booking.currency)}</b>
                    </td>
                  </tr>
                </tbody>
              </table>
              {(booking.payments ?? []).length > 0 && (
                <ul class="svc-rows">
                  {(booking.payments as any[]).map((one) => (
                    <li key={one.id}>
                      <a href={`/admin/payments/${one.id}`}>
                        <b>{money(one.amount, one.currency)}</b>
                        <span>
                          {words(one.method_label || one.gateway)}, <span class="svc-day">{day(one.date)}</span>
                          {one.amount_refunded > 0 && t(', {0} refunded', money(one.amount_refunded, one.currency))}
                        </span>
                        <Status value={one.status} />
                      </a>
                      {one.status === 'completed' &&
                        one.amount > one.amount_refunded &&
                        can('post', '/payments/{id}/refunds') && (
                          <Button aria-label={t('Refund {0}', one.reference)} onClick={() => setRefunding(one)}>
                            {t('Refund')}
                          </Button>
                        )}
                    </li>
                  ))}
                </ul>
              )}
            </Section>
          )}
          {seesMoney && booking.cancellation && <BookingCancellation booking={booking} />}
          {seesMoney && booking.dynamic_pricing && <PriceReasons booking={booking} />}
          <LaterPayments booking={booking} />
          <Section
            title={t('Travelers')}
            action={
              can('put', '/bookings/{id}/travellers') ? (
                <Button kind="quiet" onClick={() => setDialog('travelers')}>
                  {t('Edit')}
                </Button>
              ) : undefined
            }
          >
            {travelers.length ? (
              <ol class="svc-plain-list">
                {travelers.map((one) => (
                  <li key={one.id}>
                    {[one.fields?.first_name, one.fields?.last_name].filter(Boolean).join(' ') || t('Not named yet')}{' '}
                    {one.is_lead && <small>{t('lead')}</small>}
                    {one.fields?.date_of_birth && <small> {day(one.fields.date_of_birth)}</small>}
                    {one.fields?.dietary_requirements && one.fields.dietary_requirements !== 'none' && (
                      <small> {words(String(one.fields.dietary_requirements))}</small>
                    )}
                    {Object.entries(one.fields ?? {})
                      .filter(([, answer]) => is_file(answer))
                      .map(([id, answer]) => (
                        <FileLink key={id} booking={booking.id} code={String(answer)}>
                          {words(id)}
                        </FileLink>
                      ))}
                  </li>
                ))}
              </ol>
            ) : (
              <Empty>{t('Nobody is named yet.')}</Empty>
            )}
          </Section>
          {can('get', '/bookings/{id}/consent-status') && <ConsentStatus booking={booking} />}
          <Section
            title={t('Contact')}
            action={
              edits && booking.status !== 'trash' ? (
                <Button kind="quiet" aria-label={t('Edit the contact')} onClick={() => setDialog('contact')}>
                  {t('Edit')}
                </Button>
              ) : undefined
            }
          >
            <Facts
              rows={[
                [t('Name'), booking.customer_name],
                [
                  t('E-mail'),
                  booking.customer_email && <a href={`mailto:${booking.customer_email}`}>{booking.customer_email}</a>,
                ],
                [
                  t('Phone'),
                  booking.customer_phone && <a href={`tel:${booking.customer_phone}`}>{booking.customer_phone}</a>,
                ],
                [t('Country'), booking.contact?.country],
                [t('Wishes'), booking.special_requests],
                [
                  t('In an emergency'),
                  [booking.emergency_contact?.name, booking.emergency_contact?.phone].filter(Boolean).join(', '),
                ],
                ...Object.entries(booking.contact_data ?? {}).map(
                  ([id, answer]) =>
                    [
                      words(id),
                      is_file(answer) ? <FileLink booking={booking.id} code={answer} /> : String(answer ?? ''),
                    ] as [string, any],
                ),
                [t('Booked'), <Ago at={booking.created_at} />],
                [t('Through'), words(booking.source ?? '')],
                [t('Discount'), booking.discount_code],
              ]}
            />
          </Section>
          {documents.length > 0 && (
            <Section title={t('Documents')}>
              <p class="svc-actions">
                {documents.map((one) => (
                  <Button key={one} onClick={() => print(one)}>
                    {words(one)}
                  </Button>
                ))}
              </p>
            </Section>
          )}
        </div>
      </div>
      {dialog === 'payment' && <PaymentDialog booking={booking} onClose={close} />}
      {refunding && (
        <RefundDialog
          booking={booking}
          payment={{ ...refunding, booking_id: booking.id }}
          onClose={() => setRefunding(null)}
        />
      )}
      {dialog === 'charge' && <ChargeDialog booking={booking} onClose={close} />}
      {dialog === 'link' && <LinkDialog booking={booking} onClose={close} />}
      {dialog.startsWith('status ') && <StatusDialog booking={booking} to={dialog.slice(7)} onClose={close} />}
      {dialog === 'move' && (
        <MoveBooking booking={booking} onClose={close} done={() => (refresh(booking.id), again())} />
      )}
      {dialog === 'services' && <LaterServices booking={booking} onClose={close} />}
      {dialog === 'contact' && <ContactDialog booking={booking} onClose={close} done={() => refresh(booking.id)} />}
      {dialog === 'travelers' && <TravelersDialog booking={booking} onClose={close} done={() => refresh(booking.id)} />}
      {dialog === 'email' && (
        <Dialog title={t('Send an e-mail again')} onClose={close}>
          <ul class="svc-rows">
            {mail_kinds.map(String).map((one) => (
              <li key={one}>
                <span>{mails[one] ?? words(one)}</span>
                <Button
                  onClick={() =>
                    api.post('/bookings/{id}/email', { id: booking.id }, { type: one }).then((answer) => {
                      toast(
                        answer.sent ? t('Queued for {0}.', answer.recipient) : (answer.reason ?? t('Not sent.')),
                        answer.sent ? 'good' : 'info',
                      );
                      refresh(booking.id);
                      close();
                    }, failed)
                  }
                >
                  {t('Send')}
                </Button>
              </li>
            ))}
          </ul>
        </Dialog>
      )}
      {dialog === 'new-link' && (
        <Confirm
          title={t('Send a new booking link?')}
          action={t('Send a new link')}
          onClose={close}
          run={async () => {
            const sent = await api.post('/bookings/{id}/new-link', { id: booking.id }, {});
            toast(t('Queued for {0}.', sent.email));
            refresh(booking.id);
          }}
        >
          <p>
            {t(
              'Every link to this booking that was mailed before ends, and so does every browser’s access to it. The new link goes to {0}.',
              booking.customer_email,
            )}
          </p>
        </Confirm>
      )}
      {dialog === 'delete' && (
        <Confirm
          title={booking.status === 'trash' ? t('Delete this booking for good?') : t('Move this booking to the trash?')}
          action={booking.status === 'trash' ? t('Delete for good') : t('Move to the trash')}
          danger
          onClose={close}
          run={async () => {
            await json('delete', '/bookings/{id}', { params: { id: booking.id } });
            forget(`/bookings/${booking.id}`);
            refresh(booking.id);
            route('/admin/bookings');
          }}
        >
          <p>{t('Its seats are free again.')}</p>
        </Confirm>
      )}
    </div>
  );
}

export default function BookingScreen({ id }: { id: number }) {
  const read = useRead(`/bookings/${id}`, () => api.get('/bookings/{id}', { id }));
  return (
    <Opened read={read} back={{ href: '/admin/bookings', label: t('Bookings') }} rows={10}>
      {(booking) => <Screen booking={booking as Booking} again={read.again} />}
    </Opened>
  );
}
