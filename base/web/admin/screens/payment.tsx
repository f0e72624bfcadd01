// One payment with its refunds.
import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';

import { api, file, json } from '../../kit/client';
import { day, money, words } from '../../kit/format';
import { can } from '../../kit/interface';
import { changed, forget, useRead } from '../../kit/query';
import { Ago, Button, Confirm, Empty, Facts, Figures, Head, Loaded, Menu, Section, Skeleton, Status, failed, toast } from '../../kit/ui';
import { RefundDialog } from './booking';

export default function PaymentScreen({ id }: { id: number }) {
  const { route } = useLocation();
  const [dialog, setDialog] = useState('');
  const read = useRead(`/payments/${id}`, () => api.get('/payments/{id}', { id }));
  const refunds = useRead(`/payments/${id}/refunds`, () => api.get('/payments/{id}/refunds', { id }));
  if (!read.data && !read.error) return <div class="svc-page"><Skeleton /></div>;
  return (
    <Loaded read={read}>
      {(payment) => {
        const left = (payment.amount ?? 0) - (payment.amount_refunded ?? 0);
        const may_refund = payment.status === 'completed' && left > 0 && can('post', '/payments/{id}/refunds');
        return (
          <div class="svc-page">
            <Head
              title={payment.reference!}
              back={{ href: '/admin/payments', label: 'Payments' }}
              status={<Status value={payment.status} />}
              sub={<>{payment.customer_name} for <a href={`/admin/bookings/${payment.booking_id}`}>{payment.booking_reference}</a>, {payment.trip_title}</>}
            >
              <Menu
                label="More"
                items={[
                  { label: 'Invoice', run: () => void file('/payment/{payment_id}/invoice', { payment_id: id }).catch(failed) },
                  (payment.amount_refunded ?? 0) > 0 && { label: 'Credit note', run: () => void file('/payment/{payment_id}/credit-note', { payment_id: id }).catch(failed) },
                  can('put', '/payments/{id}') && payment.status === 'pending' && { label: 'Mark as completed', run: () => setDialog('complete') },
                  can('delete', '/payments/{id}') && payment.source === 'manual' && { label: 'Delete', danger: true, run: () => setDialog('delete') },
                ]}
              />
              {may_refund && <Button kind="primary" onClick={() => setDialog('refund')}>Refund</Button>}
            </Head>
            <Figures
              rows={[
                { label: 'Amount', value: money(payment.amount, payment.currency) },
                { label: 'Refunded', value: money(payment.amount_refunded, payment.currency) },
                ...(payment.fee ? [{ label: 'Fee', value: money(payment.fee, payment.currency) }] : []),
              ]}
            />
            <div class="svc-two">
              <Section title="Details">
                <Facts
                  rows={[
                    ['Date', day(payment.date)],
                    ['Method', payment.method_label || words(payment.gateway ?? '')],
                    ['Transaction', payment.transaction_id && <code>{payment.transaction_id}</code>],
                    ['Kind', words(payment.type ?? '')],
                    ['From', words(payment.source ?? '')],
                    ['Matched', payment.reconciliation && <Status value={payment.reconciliation} />],
                    ['E-mail', payment.customer_email],
                    ['Note', payment.notes],
                    ['Stored', <Ago at={payment.created_at} />],
                  ]}
                />
              </Section>
              <Section title="Refunds">
                <Loaded read={refunds}>
                  {(all) =>
                    all.length ? (
                      <ul class="svc-rows">
                        {all.map((one) => (
                          <li key={one.id}>
                            <div>
                              <b>{money(one.amount, one.currency)}</b>
                              <small>
                                {one.reason} {one.by_hand ? 'By hand. ' : ''}
                                {one.last_error} <Ago at={one.created_at} />
                              </small>
                            </div>
                            <Status value={one.status} />
                          </li>
                        ))}
                      </ul>
                    ) : (
                      <Empty>Nothing was refunded.</Empty>
                    )
                  }
                </Loaded>
              </Section>
            </div>
            {dialog === 'refund' && <RefundDialog payment={payment as Record<string, any>} onClose={() => (setDialog(''), changed(`/payments/${id}`))} />}
            {dialog === 'complete' && (
              <Confirm title="Mark this payment as completed?" action="Mark as completed" onClose={() => setDialog('')} run={async () => {
                await api.put('/payments/{id}', { id }, { status: 'completed' });
                changed('/payments', '/bookings');
                toast('The payment is applied to its booking.');
              }}>
                <p>{money(payment.amount, payment.currency)} count as paid on {payment.booking_reference}, and the customer gets a receipt.</p>
              </Confirm>
            )}
            {dialog === 'delete' && (
              <Confirm title="Delete this payment?" action="Delete" danger onClose={() => setDialog('')} run={async () => {
                await json('delete', '/payments/{id}', { params: { id } });
                forget(`/payments/${id}`);
                changed('/payments', '/bookings');
                route('/admin/payments');
              }}>
                <p>Its amount is due again.</p>
              </Confirm>
            )}
          </div>
        );
      }}
    </Loaded>
  );
}
