// Seasons of a trip: dates with their own prices and seats. Each is saved as soon as its dialog is.
import { Plus, Trash2 } from 'lucide-preact';
import { useState } from 'preact/hooks';

import { ApiError, api } from '../../kit/client';
import { Amount, NumberInput } from '../../kit/controls';
import { Field } from '../../kit/field';
import { SchemaFields } from '../../kit/form';
import { FormDialog } from '../../kit/form-dialog';
import { day, money } from '../../kit/format';
import { t } from '../../kit/i18n';
import { can, fields, operation, resolved } from '../../kit/interface';
import { Head, Opened, Section } from '../../kit/page';
import { changed, useRead } from '../../kit/query';
import { Button, Confirm, Empty, Status, toast } from '../../kit/ui';
import { type Form, type Values, useForm } from '../../kit/use-form';

interface SeasonsProps {
  trip: Values;
  again: () => void;
}

const period = (season: Values) => t('{0} to {1}', day(season.from), day(season.to));

async function write({ trip, again }: SeasonsProps, seasons: Values[]) {
  try {
    await api.put('/trips/{id}', { id: trip.id }, { seasons, row_version: trip.row_version } as never);
  } catch (error) {
    // Somebody else saved the trip: the next try is for what is stored now.
    if (error instanceof ApiError && error.status === 409 && !Object.keys(error.fields).length) again();
    throw error;
  }
  changed('/trips', '/booking/trip');
  again();
}

const is_empty = (value: unknown) => value === null || value === undefined || value === '';

// The prices of each category that the trip is sold to; those that are empty are the trip's.
function CategoryPrices({ form, trip }: { form: Form; trip: Values }) {
  const prices: Record<string, Values> = form.values.prices;
  return (
    <Field label={t('Prices by category in {0}', trip.currency)} help={t('Empty: as without the season.')} group>
      {() => (
        <table class="svc-table svc-edit">
          <thead>
            <tr>
              <th scope="col">{t('Category')}</th>
              <th scope="col" class="svc-end">
                {t('Price')}
              </th>
              <th scope="col" class="svc-end">
                {t('Reduced')}
              </th>
            </tr>
          </thead>
          <tbody>
            {(trip.price_types as Values[]).map((type) => {
              const id = String(type.category_id);
              const said = ['regular_price', 'sale_price', 'category_id'].flatMap(
                (name) => form.errors[`prices.${id}.${name}`] ?? [],
              );
              const cell = (name: string, label: string) => (
                <td class="svc-end">
                  <NumberInput
                    aria-label={t('{0} of {1}', label, type.category_label)}
                    aria-invalid={!!form.errors[`prices.${id}.${name}`]}
                    aria-describedby={said.length ? `season-error-${id}` : undefined}
                    placeholder={name === 'regular_price' ? String(type.regular_price) : undefined}
                    value={prices[id]?.[name]}
                    set={(value) => form.set('prices', { ...prices, [id]: { ...prices[id], [name]: value } })}
                  />
                </td>
              );
              return (
                <tr key={id}>
                  <td>
                    {type.category_label}
                    {said.length > 0 && (
                      <p class="svc-error" id={`season-error-${id}`}>
                        {said.join(' ')}
                      </p>
                    )}
                  </td>
                  {cell('regular_price', t('Price'))}
                  {cell('sale_price', t('Reduced price'))}
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </Field>
  );
}

function SeasonDialog({ trip, again, season, onClose }: SeasonsProps & { season?: Values; onClose: () => void }) {
  const form = useForm({
    ...(season ?? { from: null, to: null, regular_price: null, sale_price: null, seats: null, note: '' }),
    prices: Object.fromEntries(((season?.price_types ?? []) as Values[]).map((one) => [one.category_id, one])),
  });
  const all = resolved(fields(operation('put', '/trips/{id}')?.body).seasons);
  const run = async () => {
    const { from, to, regular_price, sale_price, seats, note, prices } = form.values;
    const categories = (trip.price_types as Values[])
      .map((type): Values => ({ ...prices[type.category_id], category_id: type.category_id }))
      .filter((one) => !is_empty(one.regular_price) || !is_empty(one.sale_price));
    const price_types = categories.map(({ category_id, regular_price, sale_price }) => ({
      category_id,
      ...(is_empty(regular_price) ? {} : { regular_price }),
      ...(is_empty(sale_price) ? {} : { sale_price }),
    }));
    const others = (trip.seasons as Values[]).filter((one) => one.from !== season?.from);
    try {
      // The last one is told that it overlaps another.
      await write({ trip, again }, [...others, { from, to, regular_price, sale_price, seats, note, price_types }]);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const here = `seasons.${others.length}.`;
      const at_fields = Object.entries(error.fields).map(([name, said]) => {
        const own = name.startsWith(here) ? name.slice(here.length) : name;
        const category = /^price_types\.(\d+)\.(.*)$/.exec(own);
        const field = category ? `prices.${categories[Number(category[1])]?.category_id}.${category[2]}` : own;
        return [field, said];
      });
      throw new ApiError(error.status, error.code, error.message, Object.fromEntries(at_fields), error.data);
    }
    toast(t('The season is saved.'));
  };
  return (
    <FormDialog
      title={season ? t('Change the season') : t('New season')}
      form={form}
      run={run}
      onClose={onClose}
      known={['from', 'to', 'regular_price', 'sale_price', 'prices', 'seats', 'note']}
    >
      <div class="svc-fields">
        <SchemaFields
          schema={all.items!}
          form={form}
          only={['from', 'to']}
          labels={{ from: t('First day'), to: t('Last day') }}
        />
        {trip.pricing_type !== 'traveler_based' && (
          <>
            <Amount form={form} name="regular_price" label={t('Price')} currency={trip.currency} />
            <Amount form={form} name="sale_price" label={t('Reduced price')} currency={trip.currency} />
          </>
        )}
      </div>
      {trip.pricing_type === 'traveler_based' && <CategoryPrices form={form} trip={trip} />}
      <SchemaFields
        schema={all.items!}
        form={form}
        only={['seats', 'note']}
        labels={{ seats: t('Seats of each date'), note: t('Note for staff') }}
      />
    </FormDialog>
  );
}

// What a date of the season costs, by category where the trip is sold so.
function Costs({ trip, season }: { trip: Values; season: Values }) {
  const said: string[] =
    trip.pricing_type === 'traveler_based'
      ? (trip.price_types as Values[]).flatMap((type) => {
          const own = (season.price_types as Values[]).find((one) => one.category_id === type.category_id);
          return own ? [`${type.category_label} ${money(own.effective_price, trip.currency)}`] : [];
        })
      : is_empty(season.effective_price)
        ? []
        : [money(season.effective_price, trip.currency)];
  return <>{said.length ? said.map((one) => <div key={one}>{one}</div>) : t('as without the season')}</>;
}

function Seasons({ trip, again }: SeasonsProps) {
  const [editing, setEditing] = useState<{ season?: Values } | null>(null);
  const [removing, setRemoving] = useState<Values | null>(null);
  const write_allowed = can('put', '/trips/{id}');
  const seasons: Values[] = trip.seasons ?? [];
  return (
    <div class="svc-page">
      <Head
        title={t('Seasons and prices')}
        back={{ href: `/admin/trips/${trip.id}/prices`, label: trip.title }}
        status={<Status value={trip.status} />}
      >
        {write_allowed && (
          <Button kind="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setEditing({})}>
            {t('New season')}
          </Button>
        )}
      </Head>
      <Section>
        {seasons.length ? (
          <div class="svc-scroll" tabIndex={0} role="region" aria-label={t('Seasons and prices')}>
            <table class="svc-table">
              <thead>
                <tr>
                  <th scope="col">{t('Travel dates')}</th>
                  <th scope="col" class="svc-end">
                    {t('Price')}
                  </th>
                  <th scope="col" class="svc-end">
                    {t('Seats')}
                  </th>
                  <th />
                </tr>
              </thead>
              <tbody>
                {seasons.map((one) => (
                  <tr key={one.from}>
                    <td>
                      {write_allowed ? (
                        <button type="button" class="svc-first" onClick={() => setEditing({ season: one })}>
                          {period(one)}
                        </button>
                      ) : (
                        <b>{period(one)}</b>
                      )}
                      {one.note && <small>{one.note}</small>}
                    </td>
                    <td class="svc-end">
                      <Costs trip={trip} season={one} />
                    </td>
                    <td class="svc-end">{one.seats}</td>
                    <td class="svc-end">
                      {write_allowed && (
                        <Button
                          kind="quiet"
                          icon={<Trash2 size={16} aria-hidden />}
                          aria-label={t('Remove the season {0}', period(one))}
                          onClick={() => setRemoving(one)}
                        />
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        ) : (
          <Empty>{t('No seasons. On all dates the trip’s own prices count.')}</Empty>
        )}
        <p>
          <small>{t('A date or a rule with a price or seats of its own keeps them in every season.')}</small>
        </p>
      </Section>
      {editing && <SeasonDialog trip={trip} again={again} season={editing.season} onClose={() => setEditing(null)} />}
      {removing && (
        <Confirm
          title={t('Remove the season {0}?', period(removing))}
          action={t('Remove')}
          danger
          onClose={() => setRemoving(null)}
          run={async () => {
            await write(
              { trip, again },
              seasons.filter((one) => one.from !== removing.from),
            );
            toast(t('The season is removed.'));
          }}
        >
          <p>{t('Its dates cost what the trip costs. Bookings keep their price.')}</p>
        </Confirm>
      )}
    </div>
  );
}

export default function SeasonsScreen({ id }: { id: number }) {
  const read = useRead(`/trips/${id}`, () => api.get('/trips/{id}', { id }));
  return (
    <Opened read={read} back={{ href: '/admin/trips', label: t('Trips') }} rows={4}>
      {(trip) => <Seasons trip={trip as Values} again={read.again} />}
    </Opened>
  );
}
