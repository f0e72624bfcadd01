// Why a booking's prices are others than without dynamic pricing: each rule with its change, and the limit that cut it.
import { money } from '../kit/format';
import { t } from '../kit/i18n';
import { Section } from '../kit/page';
import type { Booking } from './booking-dialogs';

type Reason = {
  category_id: number;
  label?: string;
  before: number;
  price: number;
  rules?: { rule_id: number; name?: string; adjustment: number }[];
  capped?: string | null;
};

const limits: Record<string, string> = {
  maximum_markup: t('Cut at the largest markup'),
  maximum_discount: t('Cut at the largest discount'),
};

// "+12.00" and "−12.00"
const signed = (amount: number, currency: string) =>
  amount < 0 ? `−${money(-amount, currency)}` : `+${money(amount, currency)}`;

export default function PriceReasons({ booking }: { booking: Booking }) {
  const { currency } = booking;
  const prices = (booking.dynamic_pricing?.prices ?? []) as Reason[];
  if (!prices.length) return null;
  return (
    <Section title={t('Why this price')}>
      {prices.map((one) => (
        <table class="svc-lines" key={one.category_id}>
          <tbody>
            <tr>
              <td>{one.label ? t('{0}, before the rules', one.label) : t('Before the rules')}</td>
              <td class="svc-end">{money(one.before, currency)}</td>
            </tr>
            {(one.rules ?? []).map((rule) => (
              <tr key={rule.rule_id}>
                <td>{rule.name}</td>
                <td class="svc-end">{signed(rule.adjustment, currency)}</td>
              </tr>
            ))}
            {one.capped && (
              <tr>
                <td colSpan={2}>
                  <small>{limits[one.capped] ?? one.capped}</small>
                </td>
              </tr>
            )}
            <tr>
              <th scope="row">{t('Price of one')}</th>
              <td class="svc-end">
                <b>{money(one.price, currency)}</b>
              </td>
            </tr>
          </tbody>
        </table>
      ))}
    </Section>
  );
}
