// What a booking's customer agreed to about cancelling, with the days and amounts of the booking.
import { day, money } from '../kit/format';
import { t } from '../kit/i18n';
import { Section } from '../kit/page';

interface Fee {
  until: string | null;
  fee: number;
}

export default function BookingCancellation({ booking }: { booking: Record<string, any> }) {
  const { fees, policy, fee_now, returned_now, as_of } = booking.cancellation as Record<string, any>;
  const amount = (value: number) => money(value, booking.currency);
  return (
    <Section title={t('Cancellation terms agreed to')}>
      {fees.length > 0 && (
        <ul class="svc-rows">
          {(fees as Fee[]).map((one) => (
            <li key={one.until ?? ''}>
              <div>
                {one.until
                  ? t('until {0}', day(one.until, 'D j M Y'))
                  : fees.length > 1
                    ? t('after that')
                    : t('at any time')}
              </div>
              <b>{one.fee > 0 ? amount(one.fee) : t('free')}</b>
            </li>
          ))}
        </ul>
      )}
      {policy && <p class="svc-pre">{policy}</p>}
      {fee_now !== null && (
        <p>
          {booking.cancelled_at
            ? t(
                'On {0} cancelling cost {1} of {2}; {3} is paid beyond it.',
                day(as_of, 'D j M Y'),
                amount(fee_now),
                amount(booking.total),
                amount(returned_now),
              )
            : t(
                'Today cancelling costs {0} of {1}; {2} is paid beyond it.',
                amount(fee_now),
                amount(booking.total),
                amount(returned_now),
              )}
        </p>
      )}
    </Section>
  );
}
