// One booking: what it is, what is due, what happened, and what can be done next.
import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';

import { type DataOf, api, file, json } from '../../kit/client';
import { Field, Summary, useForm } from '../../kit/form';
import { count, day, money, today, words } from '../../kit/format';
import { can, operation, resolved } from '../../kit/interface';
import { changed, forget, useRead } from '../../kit/query';
import { Ago, Button, Confirm, Dialog, Empty, Facts, Figures, Head, Loaded, Menu, Notice, Section, Skeleton, Status, failed, toast } from '../../kit/ui';
import { MoveBooking } from '../move-booking';
import { TravelersDialog } from '../travelers-dialog';

type Booking = DataOf<'/bookings/{id}', 'get'> & Record<string, any>;

const mails: Record<string, string> = {
  confirmation: 'Confirmation',
  payment_confirmation: 'Receipt of payment',
  reminder: 'Reminder before the trip',
  cancellation: 'Cancellation',
  completed: 'Thanks after the trip',
  admin_new_booking: 'New booking, to the office',
  admin_payment_received: 'Payment received, to the office',
};
const next_statuses: Record<string, string[]> = {
  pending: ['confirmed', 'processing', 'on-hold', 'cancelled'],
  pending_verification: ['confirmed', 'cancelled'],
  processing: ['confirmed', 'on-hold', 'completed', 'cancelled'],
  'on-hold': ['confirmed', 'processing', 'cancelled'],
  confirmed: ['completed', 'on-hold', 'cancelled'],
  waitlist: ['pending', 'confirmed', 'cancelled'],
  completed: ['confirmed'],
  cancelled: ['pending', 'confirmed'],
  failed: ['pending', 'cancelled'],
};
const verbs: Record<string, string> = { confirmed: 'Confirm', completed: 'Mark as completed', 'on-hold': 'Put on hold', processing: 'Mark as processing', pending: 'Reopen', cancelled: 'Cancel the booking' };

function refresh(id: number) {
  changed('/bookings', '/payments', '/departures', `/history/${id}`);
}

function PaymentDialog({ booking, onClose }: { booking: Booking; onClose: () => void }) {
  const form = useForm({ amount: booking.amount_due, date: today(), gateway: 'bank_transfer', method_label: '', transaction_id: '', notes: '' });
  const save = () =>
    form
      .submit(async () => {
        const { amount, date, gateway, method_label, transaction_id, notes } = form.values;
        await api.post('/bookings/{id}/payments', { id: booking.id }, { amount, currency: booking.currency, date, gateway, method: gateway, ...(method_label && { method_label }), ...(transaction_id && { transaction_id }), notes, status: 'completed' });
        toast('The payment is recorded.');
      })
      .then((done) => done && (refresh(booking.id), onClose()));
  return (
    <Dialog
      title="Record a payment"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Back</Button>
          <Button kind="primary" busy={form.busy} onClick={() => void save()}>
            Record {money(form.values.amount, booking.currency)}
          </Button>
        </>
      }
    >
      <Summary form={form} />
      <p>Due: {money(booking.amount_due, booking.currency)} of {money(booking.total, booking.currency)}.</p>
      <Field label={`Amount in ${booking.currency}`} errors={form.errors.amount}>
        {({ id }) => <input id={id} inputMode="decimal" class="svc-number" value={form.values.amount} onInput={(event) => form.set('amount', Number(event.currentTarget.value) || event.currentTarget.value)} />}
      </Field>
      <Field label="Received on" errors={form.errors.date}>
        {({ id }) => <input id={id} type="date" value={form.values.date} onInput={(event) => form.set('date', event.currentTarget.value)} />}
      </Field>
      <Field label="How" errors={form.errors.gateway ?? form.errors.method}>
        {({ id }) => (
          <select id={id} value={form.values.gateway} onChange={(event) => form.set('gateway', event.currentTarget.value)}>
            {['bank_transfer', 'cash', 'card', 'check', 'other'].map((one) => (
              <option key={one} value={one}>{words(one)}</option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Transaction or receipt number" errors={form.errors.transaction_id}>
        {({ id }) => <input id={id} value={form.values.transaction_id} onInput={(event) => form.set('transaction_id', event.currentTarget.value)} />}
      </Field>
      <Field label="Note" errors={form.errors.notes}>
        {({ id }) => <textarea id={id} rows={2} value={form.values.notes} onInput={(event) => form.set('notes', event.currentTarget.value)} />}
      </Field>
    </Dialog>
  );
}

export function RefundDialog({ payment, onClose }: { payment: Record<string, any>; onClose: () => void }) {
  const left = Math.round((payment.amount - payment.amount_refunded) * 10_000) / 10_000;
  const form = useForm({ amount: left, reason: '', by_hand: false, reduces_total: false });
  const save = () =>
    form
      .submit(async () => {
        const { amount, reason, by_hand, reduces_total } = form.values;
        const made = await api.post('/payments/{id}/refunds', { id: payment.id }, { amount, reason, by_hand, reduces_total });
        toast((made as any).status === 'failed' ? `The refund failed: ${(made as any).last_error}` : 'The refund is on its way.', (made as any).status === 'failed' ? 'bad' : 'good');
      })
      .then((done) => done && (refresh(payment.booking_id), onClose()));
  return (
    <Dialog
      title={`Refund ${payment.reference}`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Back</Button>
          <Button kind="danger" busy={form.busy} onClick={() => void save()}>
            Refund {money(form.values.amount, payment.currency)}
          </Button>
        </>
      }
    >
      <Summary form={form} />
      <p>
        {money(payment.amount, payment.currency)} were paid by {payment.method_label || payment.gateway}; {money(left, payment.currency)} can be refunded.
      </p>
      <Field label={`Amount in ${payment.currency}`} errors={form.errors.amount}>
        {({ id }) => <input id={id} inputMode="decimal" class="svc-number" value={form.values.amount} onInput={(event) => form.set('amount', Number(event.currentTarget.value) || event.currentTarget.value)} />}
      </Field>
      <Field label="Reason" errors={form.errors.reason}>
        {({ id }) => <input id={id} value={form.values.reason} onInput={(event) => form.set('reason', event.currentTarget.value)} />}
      </Field>
      <Field label="The money is returned by hand" help="Off: the gateway is asked to return it." inline errors={form.errors.by_hand}>
        {({ id, describedby }) => <input id={id} type="checkbox" role="switch" aria-describedby={describedby} checked={form.values.by_hand} onChange={(event) => form.set('by_hand', event.currentTarget.checked)} />}
      </Field>
      <Field label="The booking's total falls by it" help="Off: the amount becomes due again." inline errors={form.errors.reduces_total}>
        {({ id, describedby }) => <input id={id} type="checkbox" role="switch" aria-describedby={describedby} checked={form.values.reduces_total} onChange={(event) => form.set('reduces_total', event.currentTarget.checked)} />}
      </Field>
    </Dialog>
  );
}

function StatusDialog({ booking, to, onClose }: { booking: Booking; to: string; onClose: () => void }) {
  const form = useForm({ reason: '', force: false });
  const cancels = to === 'cancelled';
  const save = () =>
    form
      .submit(async () => {
        await api.put('/bookings/{id}/status', { id: booking.id }, { status: to, ...(cancels && { cancellation_reason: form.values.reason }), ...(form.values.force && { force: true }) });
        toast(`${booking.reference}: ${words(to)}.`);
      })
      .then((done) => done && (refresh(booking.id), onClose()));
  return (
    <Dialog
      title={`${verbs[to] ?? words(to)}?`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Back</Button>
          <Button kind={cancels ? 'danger' : 'primary'} busy={form.busy} onClick={() => void save()}>
            {verbs[to] ?? words(to)}
          </Button>
        </>
      }
    >
      <Summary form={form} />
      {cancels ? (
        <>
          <p>
            The seats are free again and {booking.customer_name || booking.customer_email} gets an e-mail. Nothing is refunded by itself: {money(booking.amount_paid, booking.currency)} were paid.
          </p>
          <Field label="Reason, told to the customer" errors={form.errors.cancellation_reason}>
            {({ id }) => <textarea id={id} rows={3} value={form.values.reason} onInput={(event) => form.set('reason', event.currentTarget.value)} />}
          </Field>
        </>
      ) : (
        <p>The customer gets the e-mail that belongs to this status, where there is one.</p>
      )}
      {form.message && (
        <Field label="Do it although seats are missing" inline>
          {({ id }) => <input id={id} type="checkbox" role="switch" checked={form.values.force} onChange={(event) => form.set('force', event.currentTarget.checked)} />}
        </Field>
      )}
    </Dialog>
  );
}

function History({ booking }: { booking: Booking }) {
  const [kind, setKind] = useState('');
  const read = useRead(can('get', '/bookings/{id}/history') ? `/history/${booking.id}/${booking.row_version}` : null, () => api.get('/bookings/{id}/history', { id: booking.id }));
  const kinds = [...new Set((read.data ?? []).map((one) => one.kind))];
  return (
    <Section
      title="What happened"
      action={
        kinds.length > 1 ? (
          <select aria-label="Show" value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
            <option value="">Everything</option>
            {kinds.map((one) => (
              <option key={one} value={one}>{{ status: 'Status', payment: 'Payments', email: 'E-mails' }[one] ?? one}</option>
            ))}
          </select>
        ) : undefined
      }
    >
      <Loaded read={read} rows={5}>
        {(all) => (
          <ol class="svc-timeline">
            {all
              .filter((one) => !kind || one.kind === kind)
              .map((one, index) => (
                <li key={index} class={`svc-of-${one.kind}`}>
                  <div>
                    <b>{one.kind === 'status' ? one.title.split(' to ').map((part) => words(part)).join(' → ') : one.kind === 'payment' ? `Payment ${money(one.amount as number, one.currency)}` : one.title}</b>
                    {one.kind !== 'status' && <Status value={one.status} />}
                  </div>
                  <small>
                    <Ago at={one.at} /> {one.kind === 'payment' ? one.title : ''} {one.actor && one.kind !== 'email' ? `by ${one.actor}` : ''} {one.detail}
                  </small>
                </li>
              ))}
          </ol>
        )}
      </Loaded>
    </Section>
  );
}

function Note({ booking }: { booking: Booking }) {
  const form = useForm({ internal_notes: booking.internal_notes ?? '' });
  if (!can('put', '/bookings/{id}')) return booking.internal_notes ? <Section title="Note"><p class="svc-pre">{booking.internal_notes}</p></Section> : null;
  return (
    <Section title="Note">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void form.submit(() => api.put('/bookings/{id}', { id: booking.id }, { internal_notes: form.values.internal_notes })).then((done) => done && (toast('The note is saved.'), refresh(booking.id)));
        }}
      >
        <Summary form={form} />
        <textarea aria-label="Note for colleagues" rows={3} placeholder="Only colleagues see this." value={form.values.internal_notes} onInput={(event) => form.set('internal_notes', event.currentTarget.value)} />
        {form.dirty && <Button type="submit" busy={form.busy}>Save the note</Button>}
      </form>
    </Section>
  );
}

function Screen({ booking, again }: { booking: Booking; again: () => void }) {
  const { route } = useLocation();
  const [dialog, setDialog] = useState<string>('');
  const [refunding, setRefunding] = useState<Record<string, any> | null>(null);
  const changes = can('put', '/bookings/{id}/status');
  const edits = can('put', '/bookings/{id}');
  const steps = changes && booking.status !== 'trash' ? (next_statuses[booking.status] ?? []) : [];
  const open = booking.amount_due > 0 && !['cancelled', 'refunded', 'failed', 'trash'].includes(booking.status);
  const main = booking.status === 'pending' && steps.includes('confirmed') ? 'confirmed' : '';
  const close = () => setDialog('');
  const documents = (['invoice', 'voucher', 'itinerary'] as const).filter((one) => operation('get', `/bookings/{id}/${one}`));
  const print = (what: string) => void file(`/bookings/{id}/${what}`, { id: booking.id }).catch(failed);
  const mail_kinds = resolved(resolved(operation('post', '/bookings/{id}/email')?.body ?? {}).properties?.type).enum ?? [];
  const travelers: Record<string, any>[] = booking.travelers ?? [];
  return (
    <div class="svc-page">
      <Head
        title={booking.reference}
        back={{ href: '/admin/bookings', label: 'Bookings' }}
        status={<><Status value={booking.status} /><Status value={booking.payment_status} /></>}
        sub={
          <>
            <a href={`/admin/customers/${booking.customer_id}`}>{booking.customer_name || booking.customer_email}</a>, <a href={`/admin/trips/${booking.trip_id}`}>{booking.trip_title}</a>, {day(booking.travel_date, 'D j M Y')}
            {booking.departure_time ? ` ${booking.departure_time}` : ''}, {count(booking.travelers_count ?? 0, 'traveler')}
          </>
        }
      >
        <Menu
          label="More"
          items={[
            edits && { label: 'Move or change the party', run: () => setDialog('move') },
            can('put', '/bookings/{id}/travellers') && { label: 'Edit travelers', run: () => setDialog('travelers') },
            can('post', '/bookings/{id}/email') && { label: 'Send an e-mail again', run: () => setDialog('email') },
            ...steps.filter((one) => one !== main && one !== 'cancelled').map((one) => ({ label: verbs[one] ?? words(one), run: () => setDialog(`status ${one}`) })),
            steps.includes('cancelled') && { label: 'Cancel the booking', danger: true, run: () => setDialog('status cancelled') },
            booking.status === 'trash' && can('post', '/bookings/{id}/restore') && { label: 'Restore from the trash', run: () => void api.post('/bookings/{id}/restore', { id: booking.id }).then(() => (toast('Restored.'), refresh(booking.id)), failed) },
            can('delete', '/bookings/{id}') && { label: booking.status === 'trash' ? 'Delete for good' : 'Move to the trash', danger: true, run: () => setDialog('delete') },
          ]}
        />
        {open && can('post', '/bookings/{id}/payments') && (
          <Button kind={main ? 'plain' : 'primary'} onClick={() => setDialog('payment')}>
            Record a payment
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
          <p>{booking.attention_reason || 'This booking needs a decision.'}</p>
          {edits && <Button onClick={() => void api.put('/bookings/{id}', { id: booking.id }, { needs_attention: false }).then(() => refresh(booking.id), failed)}>It is dealt with</Button>}
        </Notice>
      )}
      {booking.cancelled_at && (
        <Notice kind="info">
          Cancelled <Ago at={booking.cancelled_at} />{booking.cancellation_reason ? `: ${booking.cancellation_reason}` : '.'}
        </Notice>
      )}
      <Figures
        rows={[
          { label: 'Total', value: money(booking.total, booking.currency) },
          { label: 'Paid', value: money(booking.amount_paid, booking.currency) },
          { label: booking.expires_at ? 'Due, or the seats are released' : 'Due', value: money(booking.amount_due, booking.currency), tone: open ? 'warn' : '' },
        ]}
      />
      <div class="svc-two">
        <div>
          <History booking={booking} />
          <Note booking={booking} />
        </div>
        <div>
          <Section title="Money">
            <table class="svc-lines">
              <tbody>
                {(booking.lines ?? []).map((line: any, index: number) => (
                  <tr key={index}>
                    <td>
                      {line.quantity > 1 ? `${line.quantity} × ` : ''}
                      {line.label}
                    </td>
                    <td class="svc-end">{money(line.amount, booking.currency)}</td>
                  </tr>
                ))}
                <tr>
                  <th scope="row">Total</th>
                  <td class="svc-end"><b>{money(booking.total, booking.currency)}</b></td>
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
                        {one.method_label || one.gateway}, {day(one.date)}
                        {one.amount_refunded > 0 && `, ${money(one.amount_refunded, one.currency)} refunded`}
                      </span>
                      <Status value={one.status} />
                    </a>
                    {one.status === 'completed' && one.amount > one.amount_refunded && can('post', '/payments/{id}/refunds') && (
                      <Button aria-label={`Refund ${one.reference}`} onClick={() => setRefunding(one)}>Refund</Button>
                    )}
                  </li>
                ))}
              </ul>
            )}
          </Section>
          <Section title="Travelers" action={can('put', '/bookings/{id}/travellers') ? <Button kind="quiet" onClick={() => setDialog('travelers')}>Edit</Button> : undefined}>
            {travelers.length ? (
              <ol class="svc-plain-list">
                {travelers.map((one) => (
                  <li key={one.id}>
                    {[one.fields?.first_name, one.fields?.last_name].filter(Boolean).join(' ') || 'Not named yet'} {one.is_lead && <small>lead</small>}
                    {one.fields?.date_of_birth && <small> {day(one.fields.date_of_birth)}</small>}
                    {one.fields?.dietary_requirements && one.fields.dietary_requirements !== 'none' && <small> {words(String(one.fields.dietary_requirements))}</small>}
                  </li>
                ))}
              </ol>
            ) : (
              <Empty>Nobody is named yet.</Empty>
            )}
          </Section>
          <Section title="Contact">
            <Facts
              rows={[
                ['Name', booking.customer_name],
                ['E-mail', booking.customer_email && <a href={`mailto:${booking.customer_email}`}>{booking.customer_email}</a>],
                ['Phone', booking.customer_phone && <a href={`tel:${booking.customer_phone}`}>{booking.customer_phone}</a>],
                ['Country', booking.contact?.country],
                ['Wishes', booking.special_requests],
                ['In an emergency', [booking.emergency_contact?.name, booking.emergency_contact?.phone].filter(Boolean).join(', ')],
                ['Booked', <Ago at={booking.created_at} />],
                ['Through', words(booking.source ?? '')],
                ['Discount', booking.discount_code],
              ]}
            />
          </Section>
          {documents.length > 0 && (
            <Section title="Documents">
              <p class="svc-actions">
                {documents.map((one) => (
                  <Button key={one} onClick={() => print(one)}>{words(one)}</Button>
                ))}
              </p>
            </Section>
          )}
        </div>
      </div>
      {dialog === 'payment' && <PaymentDialog booking={booking} onClose={close} />}
      {refunding && <RefundDialog payment={{ ...refunding, booking_id: booking.id }} onClose={() => setRefunding(null)} />}
      {dialog.startsWith('status ') && <StatusDialog booking={booking} to={dialog.slice(7)} onClose={close} />}
      {dialog === 'move' && <MoveBooking booking={booking} onClose={close} done={() => (refresh(booking.id), again())} />}
      {dialog === 'travelers' && <TravelersDialog booking={booking} onClose={close} done={() => refresh(booking.id)} />}
      {dialog === 'email' && (
        <Dialog title="Send an e-mail again" onClose={close}>
          <ul class="svc-rows">
            {mail_kinds.map(String).map((one) => (
              <li key={one}>
                <span>{mails[one] ?? words(one)}</span>
                <Button
                  onClick={() =>
                    void api.post('/bookings/{id}/email', { id: booking.id }, { type: one }).then((answer) => {
                      toast(answer.sent ? `Queued for ${answer.recipient}.` : (answer.reason ?? 'Not sent.'), answer.sent ? 'good' : 'info');
                      refresh(booking.id);
                      close();
                    }, failed)
                  }
                >
                  Send
                </Button>
              </li>
            ))}
          </ul>
        </Dialog>
      )}
      {dialog === 'delete' && (
        <Confirm
          title={booking.status === 'trash' ? 'Delete this booking for good?' : 'Move this booking to the trash?'}
          action={booking.status === 'trash' ? 'Delete for good' : 'Move to the trash'}
          danger
          onClose={close}
          run={async () => {
            await json('delete', '/bookings/{id}', { params: { id: booking.id } });
            forget(`/bookings/${booking.id}`);
            refresh(booking.id);
            route('/admin/bookings');
          }}
        >
          <p>Its seats are free again.</p>
        </Confirm>
      )}
    </div>
  );
}

export default function BookingScreen({ id }: { id: number }) {
  const read = useRead(`/bookings/${id}`, () => api.get('/bookings/{id}', { id }));
  if (!read.data && !read.error) return <div class="svc-page"><Skeleton rows={10} /></div>;
  return (
    <Loaded read={read}>{(booking) => <Screen booking={booking as Booking} again={read.again} />}</Loaded>
  );
}
