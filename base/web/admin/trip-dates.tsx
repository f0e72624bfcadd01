// Single dates of a trip.
import { Plus } from 'lucide-preact';
import { useState } from 'preact/hooks';

import { api, json } from '../kit/client';
import { SchemaFields, Summary, useForm } from '../kit/form';
import { day, money, today } from '../kit/format';
import { can, fields, operation } from '../kit/interface';
import { changed, useRead } from '../kit/query';
import { Button, Dialog, Empty, Load, Loaded, Section, Status, toast } from '../kit/ui';

function DateDialog({ trip, onClose, done }: { trip: Record<string, any>; onClose: () => void; done: () => void }) {
  const write = operation('post', '/availability')!;
  const form = useForm({ trip_id: trip.id, departure_date: '', seats_total: trip.max_travelers ?? 10 });
  const only = ['departure_date', 'departure_time', 'arrival_date', 'seats_total', 'original_price', 'discounted_price', 'cutoff_hours', 'notes'].filter((one) => one in fields(write.body));
  const save = () =>
    form
      .submit(async () => {
        await api.post('/availability', null, form.values);
        toast('The date is on sale.');
      })
      .then((good) => good && (done(), onClose()));
  return (
    <Dialog title="New date" onClose={onClose} footer={<><Button onClick={onClose}>Back</Button><Button kind="primary" busy={form.busy} onClick={() => void save()}>Save</Button></>}>
      <Summary form={form} known={only} />
      <SchemaFields schema={write.body!} form={form} only={only} labels={{ original_price: 'Price of this date', discounted_price: 'Reduced price of this date' }} />
    </Dialog>
  );
}

export function TripDates({ trip }: { trip: Record<string, any> }) {
  const [open, setOpen] = useState(false);
  const read = useRead(can('get', '/availability') ? `/availability/${trip.id}` : null, () => json<any[]>('get', '/availability', { params: { trip_id: trip.id, from: today(), per_page: 50, order: 'asc' } }));
  return (
    <Section title="Single dates" action={can('post', '/availability') ? <Button icon={<Plus size={16} aria-hidden />} onClick={() => setOpen(true)}>New date</Button> : undefined}>
      <Loaded read={read} rows={3}>
        {(found) =>
          found.data.length ? (
            <ul class="svc-rows">
              {found.data.map((one) => (
                <li key={one.id}>
                  <a href={`/admin/departures/${trip.id}/${one.id}`}>
                    <b>{day(one.departure_date, 'D j M Y')} {one.departure_time ?? ''}</b>
                    <Load booked={one.booked_seats} capacity={one.seats_total} />
                    {one.original_price !== null && <span>{money(one.discounted_price ?? one.original_price, one.currency)}</span>}
                    <Status value={one.status} />
                  </a>
                </li>
              ))}
            </ul>
          ) : (
            <Empty>No single dates from today on.</Empty>
          )
        }
      </Loaded>
      {(read.data?.meta.total ?? 0) > 50 && <a href={`/admin/departures?trip=${trip.id}`}>All in the calendar</a>}
      {open && <DateDialog trip={trip} onClose={() => setOpen(false)} done={() => (read.again(), changed('/departures', '/trips'))} />}
    </Section>
  );
}
