// Services that staff add to a booking: what it would cost, then the booking with its new total.
import { api } from '../kit/client';
import { FormDialog } from '../kit/form-dialog';
import { Field } from '../kit/field';
import { money } from '../kit/format';
import { t } from '../kit/i18n';
import { useRead, useShown } from '../kit/query';
import { Empty, Loaded, Notice, toast } from '../kit/ui';
import { useForm } from '../kit/use-form';
import { type Booking, refresh } from './booking-dialogs';

type Counts = Record<string, number>;

// One line for each service that can be chosen, with how many; `most` of it where it has a limit.
export function ServiceCounts({
  services,
  chosen,
  set,
  currency,
  errors = {},
}: {
  services: Record<string, any>[];
  chosen: Counts;
  set: (counts: Counts) => void;
  currency?: string;
  errors?: Record<string, string[]>;
}) {
  return (
    <>
      {services
        .filter((one) => !one.is_required && !one.is_included)
        .map((one) => {
          const notes = [
            one.price_type === 'percentage' ? `${one.price} %` : money(one.price, currency),
            one.is_closed && t('after its deadline'),
            typeof one.stock_left === 'number' && t('{0} left', one.stock_left),
          ].filter(Boolean);
          return (
            <Field
              key={one.id}
              label={one.name}
              help={notes.join(' · ')}
              errors={errors[`selected_services.${one.id}`]}
            >
              {({ id, describedby, invalid }) => (
                <input
                  id={id}
                  type="number"
                  min={0}
                  max={one.max_quantity ?? undefined}
                  inputMode="numeric"
                  aria-describedby={describedby}
                  aria-invalid={invalid}
                  value={chosen[one.id] ?? 0}
                  onInput={(event) => {
                    const count = Math.max(0, Number.parseInt(event.currentTarget.value, 10) || 0);
                    const next = { ...chosen };
                    if (count) next[one.id] = count;
                    else delete next[one.id];
                    set(next);
                  }}
                />
              )}
            </Field>
          );
        })}
    </>
  );
}

export default function LaterServices({ booking, onClose }: { booking: Booking; onClose: () => void }) {
  const id = booking.id!;
  const read = useRead(`/bookings/${id}/services`, () => api.get('/bookings/{id}/services', { id }));
  const form = useForm({ services: {} as Counts });
  const chosen: Counts = form.values.services;
  const asked = JSON.stringify(chosen);
  const cost = useRead(asked === '{}' ? null : `/bookings/${id}/services ${asked}`, () =>
    api.post('/bookings/{id}/services', { id }, { selected_services: chosen, preview: true }),
  );
  useShown(cost.error ? cost.again : undefined);
  const run = async () => {
    const added = await api.post(
      '/bookings/{id}/services',
      { id },
      { selected_services: chosen, row_version: cost.data!.row_version, expected_amount: cost.data!.amount },
    );
    toast(t('{0} is added to the booking.', money(added.amount, added.currency)));
  };
  return (
    <FormDialog
      title={t('Add services')}
      form={form}
      run={run}
      done={() => refresh(id)}
      onClose={onClose}
      action={cost.data ? t('Add for {0}', money(cost.data.amount, cost.data.currency)) : t('Add')}
      disabled={asked === '{}' || !cost.data || !!cost.error}
    >
      <Loaded read={read} rows={3}>
        {(offered) =>
          !offered.can_add ? (
            <Notice kind="info">{offered.reason}</Notice>
          ) : offered.services.length ? (
            <>
              <ServiceCounts
                services={offered.services as Record<string, any>[]}
                chosen={chosen}
                set={(services) => form.set('services', services)}
                currency={offered.currency}
                errors={form.errors}
              />
              {cost.error && <Notice kind="warn">{cost.error}</Notice>}
              {cost.data && !cost.error && asked !== '{}' && (
                <p aria-live="polite">
                  {t(
                    'Total {0}, of it {1} paid; {2} is due then.',
                    money(cost.data.total, cost.data.currency),
                    money(cost.data.amount_paid, cost.data.currency),
                    money(cost.data.amount_due, cost.data.currency),
                  )}
                </p>
              )}
            </>
          ) : (
            <Empty>{t('No service is offered on this trip.')}</Empty>
          )
        }
      </Loaded>
    </FormDialog>
  );
}
