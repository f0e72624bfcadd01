// Who travels: the fields of the booking form, one traveler after another.
import { useMemo } from 'preact/hooks';

import { api } from '../kit/client';
import { Field } from '../kit/field';
import { FormDialog } from '../kit/form-dialog';
import { type Values, useForm } from '../kit/use-form';
import { words } from '../kit/format';
import { t } from '../kit/i18n';
import { useRead } from '../kit/query';
import { Loaded, toast } from '../kit/ui';

interface FormField {
  id: string;
  type: string;
  label: string;
  enabled: boolean;
  required: boolean;
  options?: { value: string; label: string }[];
}

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
        travelers: all.map(({ category_id, ...fields }) => ({ ...fields, ...(category_id && { category_id }) })),
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
          const asked = (((found as any).traveler_form?.fields ?? []) as FormField[]).filter((one) => one.enabled);
          return all.map((traveler, at) => (
            <fieldset class="svc-group" key={at}>
              <legend>{at === 0 ? t('Lead traveler') : t('Traveler {0}', at + 1)}</legend>
              <div class="svc-fields">
                {asked.map((one) => {
                  const set = (value: string) =>
                    form.set(
                      'travelers',
                      all.map((each, index) => (index === at ? { ...each, [one.id]: value } : each)),
                    );
                  const errors = Object.entries(form.errors).find(([name]) =>
                    new RegExp(`\\b${at}\\]?\\.(fields\\.)?${one.id}$`).test(name),
                  )?.[1];
                  return (
                    <Field key={one.id} label={one.label} required={one.required} errors={errors}>
                      {({ id, describedby, invalid }) =>
                        one.options ? (
                          <select
                            id={id}
                            aria-describedby={describedby}
                            aria-invalid={invalid}
                            value={traveler[one.id] ?? ''}
                            onChange={(event) => set(event.currentTarget.value)}
                          >
                            <option value="" />
                            {one.options.map((option) => (
                              <option key={option.value} value={option.value}>
                                {words(option.label)}
                              </option>
                            ))}
                          </select>
                        ) : (
                          <input
                            id={id}
                            type={one.type === 'date' ? 'date' : 'text'}
                            aria-describedby={describedby}
                            aria-invalid={invalid}
                            value={traveler[one.id] ?? ''}
                            onInput={(event) => set(event.currentTarget.value)}
                          />
                        )
                      }
                    </Field>
                  );
                })}
              </div>
            </fieldset>
          ));
        }}
      </Loaded>
    </FormDialog>
  );
}
