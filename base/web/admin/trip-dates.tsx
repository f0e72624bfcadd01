// Single dates of a trip.
import { Plus } from 'lucide-preact';
import { useState } from 'preact/hooks';

import { api, json } from '../kit/client';
import { SchemaFields } from '../kit/form';
import { useForm } from '../kit/use-form';
import { day, money, today } from '../kit/format';
import { FormDialog } from '../kit/form-dialog';
import { t } from '../kit/i18n';
import { can, fields, operation } from '../kit/interface';
import { changed, useRead } from '../kit/query';
import { Button, Empty, Load, Loaded, Status, toast } from '../kit/ui';
import { Section } from '../kit/page';
import { GuideField } from './guide';

function DateDialog({ trip, onClose, done }: { trip: Record<string, any>; onClose: () => void; done: () => void }) {
  const write = operation('post', '/availability')!;
  const form = useForm({ trip_id: trip.id, departure_date: '', seats_total: trip.max_travelers ?? 10 });
  const only = [
    'departure_date',
    'departure_time',
    'arrival_date',
    'seats_total',
    'original_price',
    'discounted_price',
    'cutoff_hours',
    'guide_user_id',
    'notes',
  ].filter((one) => one in fields(write.body));
  const run = async () => {
    await api.post('/availability', null, form.values);
    toast(t('The date is on sale.'));
  };
  return (
    <FormDialog title={t('New date')} form={form} run={run} done={done} onClose={onClose} known={only}>
      <SchemaFields
        schema={write.body!}
        form={form}
        only={only}
        own={{ guide_user_id: GuideField }}
        labels={{ original_price: t('Price of this date'), discounted_price: t('Reduced price of this date') }}
      />
    </FormDialog>
  );
}

export function TripDates({ trip }: { trip: Record<string, any> }) {
  const [open, setOpen] = useState(false);
  const read = useRead(can('get', '/availability') ? `/availability/${trip.id}` : null, () =>
    json<any[]>('get', '/availability', { params: { trip_id: trip.id, from: today(), per_page: 50, order: 'asc' } }),
  );
  return (
    <Section
      title={t('Single dates')}
      action={
        can('post', '/availability') ? (
          <Button icon={<Plus size={16} aria-hidden />} onClick={() => setOpen(true)}>
            {t('New date')}
          </Button>
        ) : undefined
      }
    >
      <Loaded read={read} rows={3}>
        {(found) =>
          found.data.length ? (
            <ul class="svc-rows">
              {found.data.map((one) => (
                <li key={one.id}>
                  <a href={`/admin/departures/${trip.id}/${one.id}`}>
                    <b>
                      {day(one.departure_date, 'D j M Y')} {one.departure_time ?? ''}
                    </b>
                    <Load booked={one.booked_seats} capacity={one.seats_total} />
                    {one.original_price !== null && (
                      <span>{money(one.discounted_price ?? one.original_price, one.currency)}</span>
                    )}
                    <Status value={one.status} />
                  </a>
                </li>
              ))}
            </ul>
          ) : (
            <Empty>{t('No single dates from today on.')}</Empty>
          )
        }
      </Loaded>
      {(read.data?.meta.total ?? 0) > 50 && (
        <a href={`/admin/departures?trip=${trip.id}`}>{t('All in the calendar')}</a>
      )}
      {open && (
        <DateDialog
          trip={trip}
          onClose={() => setOpen(false)}
          done={() => (read.again(), changed('/departures', '/trips'))}
        />
      )}
    </Section>
  );
}
