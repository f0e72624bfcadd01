// Who travels: the fields of the booking form, one traveler after another.
import { useMemo } from 'preact/hooks';

import { api } from '../kit/client';
import { FormDialog } from '../kit/form-dialog';
import { type Values, useForm } from '../kit/use-form';
import { t } from '../kit/i18n';
import { useRead } from '../kit/query';
import { Loaded, toast } from '../kit/ui';
import { AnswerInput } from './answer-input';
import { type FormField, asks } from './asked';

// A place for each who was booked, named or not.
function listed(booking: Values): Values {
  const named: Values[] = booking.travelers ?? [];
  return {
    travelers: Array.from({ length: Math.max(named.length, booking.travelers_count) }, (_, at) => ({
      category_id: named[at]?.category_id,
      ...(named[at]?.fields ?? {}),
    })),
  };
}

export function TravelersDialog({
  booking,
  onClose,
  done,
}: {
  booking: Record<string, any>;
  onClose: () => void;
  done: () => void;
}) {
  const config = useRead(`/settings/booking-form?trip=${booking.trip_id}`, () =>
    api.get('/settings/booking-form', { trip_id: booking.trip_id }),
  );
  const form = useForm(useMemo(() => listed(booking), []));
  const all: Values[] = form.values.travelers;
  const read = async () => {
    const now = await api.get('/bookings/{id}', { id: booking.id });
    return { ...listed(now), row_version: now.row_version };
  };
  const run = async (_: Values, row_version?: number) => {
    await api.put(
      '/bookings/{id}/travellers',
      { id: booking.id },
      {
        row_version,
        // As `fields`: answers that the form does not ask now (a module is off) stay.
        travelers: all.map(({ category_id, ...fields }) => ({ fields, ...(category_id && { category_id }) })),
      },
    );
    toast(t('The travelers are saved.'));
  };
  return (
    <FormDialog
      title={t('Travelers')}
      form={form}
      run={run}
      done={done}
      onClose={onClose}
      wide
      compare={{ saved: {}, read }}
    >
      <Loaded read={config}>
        {(found) => {
          const asked = (((found as any).traveler_form?.fields ?? []) as FormField[]).filter(
            (one) => one.enabled && one.type !== 'text_block',
          );
          const contact = {
            fields: ((found as any).contact_form?.fields ?? []) as FormField[],
            answers: { ...booking.contact_data, ...booking.contact },
          };
          return all.map((traveler, at) => (
            <fieldset class="svc-group" key={at}>
              <legend>{at === 0 ? t('Lead traveler') : t('Traveler {0}', at + 1)}</legend>
              <div class="svc-fields">
                {asked
                  .filter((one) => asks(one, asked, traveler, contact) && (at === 0 || one.applies_to !== 'lead'))
                  .map((one) => (
                    <AnswerInput
                      key={one.id}
                      field={one}
                      section="traveler_form"
                      booking={booking.id}
                      value={String(traveler[one.id] ?? '')}
                      required={one.required}
                      errors={
                        Object.entries(form.errors).find(([name]) =>
                          new RegExp(`\\b${at}\\]?\\.(fields\\.)?${one.id}$`).test(name),
                        )?.[1]
                      }
                      set={(value) =>
                        form.set(
                          'travelers',
                          all.map((each, index) => (index === at ? { ...each, [one.id]: value } : each)),
                        )
                      }
                    />
                  ))}
              </div>
            </fieldset>
          ));
        }}
      </Loaded>
    </FormDialog>
  );
}
