// One payment with its refunds.
import { useState } from 'preact/hooks';

import { api, file, json } from '../../kit/client';
import { day, money, words } from '../../kit/format';
import { t } from '../../kit/i18n';
import { can } from '../../kit/interface';
import { useLocation } from '../../kit/location';
import { changed, forget, useRead } from '../../kit/query';
import { Ago, Button, Confirm, Empty, Loaded, Menu, Status, failed, toast } from '../../kit/ui';
import { Facts, Figures, Head, Opened, Section } from '../../kit/page';
import { RefundDialog } from '../booking-dialogs';

export default function PaymentScreen({ id }: { id: number }) {
  const { route } = useLocation();
  const [dialog, setDialog] = useState('');
  const read = useRead(`/payments/${id}`, () => api.get('/payments/{id}', { id }));
  const refunds = useRead(`/payments/${id}/refunds`, () => api.get('/payments/{id}/refunds', { id }));
  return (
    <Opened read={read} back={{ href: '/admin/payments', label: t('Payments') }}>
      {(payment) => {
        const left = (payment.amount ?? 0) - (payment.amount_refunded ?? 0);
        const may_refund = payment.status === 'completed' && left > 0 && can('post', '/payments/{id}/refunds');
        return (
          <div class="svc-page">
            <Head
              title={payment.reference!}
              back={{ href: '/admin/payments', label: t('Payments') }}
              status={<Status value={payment.status} />}
              sub={
                <>
                  {t('{0} for', payment.customer_name)}{' '}
                  <a href={`/admin/bookings/${payment.booking_id}`}>{payment.booking_reference}</a>,{' '}
                  {payment.trip_title}
                </>
              }
            >
              <Menu
                label={t('More')}
                items={[
                  {
                    label: t('Invoice'),
                    run: () => file('/payment/{payment_id}/invoice', { payment_id: id }).catch(failed),
                  },
                  (payment.amount_refunded ?? 0) > 0 && {
                    label: t('Credit note'),
                    run: () => file('/payment/{payment_id}/credit-note', { payment_id: id }).catch(failed),
                  },
                  can('put', '/payments/{id}') &&
                    payment.status === 'pending' && { label: t('Mark as completed'), run: () => setDialog('complete') },
                  can('delete', '/payments/{id}') &&
                    payment.source === 'manual' && { label: t('Delete'), danger: true, run: () => setDialog('delete') },
                ]}
              />
              {may_refund && (
                <Button kind="primary" onClick={() => setDialog('refund')}>
                  {t('Refund')}
                </Button>
              )}
            </Head>
            <Figures
              rows={[
                { label: t('Amount'), value: money(payment.amount, payment.currency) },
                { label: t('Refunded'), value: money(payment.amount_refunded, payment.currency) },
                ...(payment.fee ? [{ label: t('Fee'), value: money(payment.fee, payment.currency) }] : []),
              ]}
            />
            <div class="svc-two">
              <Section title={t('Details')}>
                <Facts
                  rows={[
                    [t('Date'), day(payment.date)],
                    [t('Method'), payment.method_label || words(payment.gateway ?? '')],
                    [t('Transaction'), payment.transaction_id && <code>{payment.transaction_id}</code>],
                    [t('Kind'), words(payment.type ?? '')],
                    [t('From'), words(payment.source ?? '')],
                    [t('Matched'), payment.reconciliation && <Status value={payment.reconciliation} />],
                    [t('E-mail'), payment.customer_email],
                    [t('Note'), payment.notes],
                    [t('Stored'), <Ago at={payment.created_at} />],
                  ]}
                />
              </Section>
              <Section title={t('Refunds')}>
                <Loaded read={refunds}>
                  {(all) =>
                    all.length ? (
                      <ul class="svc-rows">
                        {all.map((one) => (
                          <li key={one.id}>
                            <div>
                              <b>{money(one.amount, one.currency)}</b>
                              <small>
                                {one.reason} {one.by_hand ? t('By hand.') : ''}
                                {one.last_error} <Ago at={one.created_at} />
                              </small>
                            </div>
                            <Status value={one.status} />
                          </li>
                        ))}
                      </ul>
                    ) : (
                      <Empty>{t('Nothing was refunded.')}</Empty>
                    )
                  }
                </Loaded>
              </Section>
            </div>
            {dialog === 'refund' && (
              <RefundDialog
                payment={payment as Record<string, any>}
                onClose={() => (setDialog(''), changed(`/payments/${id}`))}
              />
            )}
            {dialog === 'complete' && (
              <Confirm
                title={t('Mark this payment as completed?')}
                action={t('Mark as completed')}
                onClose={() => setDialog('')}
                run={async () => {
                  await api.put('/payments/{id}', { id }, { status: 'completed' });
                  changed('/payments', '/bookings');
                  toast(t('The payment is applied to its booking.'));
                }}
              >
                <p>
                  {t(
                    '{0} count as paid on {1}, and the customer gets a receipt.',
                    money(payment.amount, payment.currency),
                    payment.booking_reference,
                  )}
                </p>
              </Confirm>
            )}
            {dialog === 'delete' && (
              <Confirm
                title={t('Delete this payment?')}
                action={t('Delete')}
                danger
                onClose={() => setDialog('')}
                run={async () => {
                  await json('delete', '/payments/{id}', { params: { id } });
                  forget(`/payments/${id}`);
                  changed('/payments', '/bookings');
                  route('/admin/payments');
                }}
              >
                <p>{t('Its amount is due again.')}</p>
              </Confirm>
            )}
          </div>
        );
      }}
    </Opened>
  );
}
