// One trip in parts: each section with a mark where something is missing for selling, one save bar for all.
import { useState } from 'preact/hooks';

import { api, json } from '../../kit/client';
import { Conflict } from '../../kit/conflict';
import { Field } from '../../kit/field';
import { Amount, NumberInput } from '../../kit/controls';
import { Input, SchemaFields } from '../../kit/form';
import { later } from '../../kit/later';
import { useLocation } from '../../kit/location';
import { SaveBar, Summary, type Form, useForm, versioned } from '../../kit/use-form';
import { money } from '../../kit/format';
import { t } from '../../kit/i18n';
import { type Schema, can, fields, operation } from '../../kit/interface';
import { Pick } from '../../kit/pickers';
import { changed, forget, useRead } from '../../kit/query';
import { Ago, Button, Confirm, Empty, Loaded, Menu, Status, failed, toast } from '../../kit/ui';
import { Head, Opened, Section } from '../../kit/page';
import { Faqs } from '../faqs';
import { Gallery } from '../gallery';
import { Itinerary } from '../itinerary';
import { Rules } from '../rules';
import { TripDates } from '../trip-dates';

const CancellationTerms = later(() => import('../cancellation-terms'));

interface Part {
  id: string;
  label: string;
  fields: string[];
  missing?: (trip: Record<string, any>) => string | false;
}
const parts: Part[] = [
  {
    id: 'texts',
    label: t('Texts'),
    fields: [
      'title',
      'slug',
      'summary',
      'description',
      'trip_details',
      'what_makes_special',
      'trip_story',
      'highlights',
      'faqs',
    ],
    missing: (trip) => !trip.summary && t('a summary'),
  },
  {
    id: 'facts',
    label: t('Facts'),
    fields: [
      'trip_type',
      'duration',
      'duration_nights',
      'duration_hours',
      'min_travelers',
      'max_travelers',
      'age_min',
      'age_max',
      'difficulty_level',
      'starting_location',
      'ending_location',
      'destinations',
      'activity_types',
      'trip_category',
      'is_featured',
      'featured_priority',
      'meal_plan',
      'accommodation_type',
      'accommodation_details',
      'transportation_included',
      'transportation_details',
      'pickup_location',
      'dropoff_location',
      'physical_requirements',
      'visa_requirements',
      'vaccination_requirements',
      'best_season',
      'peak_season',
      'off_season',
      'seasonal_availability',
      'landmarks',
      'starting_latitude',
      'starting_longitude',
      'ending_latitude',
      'ending_longitude',
    ],
    missing: (trip) => !trip.duration && !trip.duration_hours && t('a duration'),
  },
  {
    id: 'pictures',
    label: t('Pictures'),
    fields: ['featured_image', 'video_url', 'virtual_tour_url'],
    missing: (trip) => !trip.featured_image && t('a picture'),
  },
  {
    id: 'prices',
    label: t('Prices'),
    fields: [
      'pricing_type',
      'regular_price',
      'discounted_price',
      'sale_price',
      'deposit_percentage',
      'deposit_amount',
      'allow_free',
      'payment_terms',
      'cancellation_terms',
      'cancellation_policy',
    ],
    missing: (trip) =>
      !(
        trip.regular_price > 0 ||
        (trip.price_types ?? []).some((one: any) => one.regular_price > 0) ||
        trip.allow_free
      ) && t('a price'),
  },
  { id: 'itinerary', label: t('Itinerary'), fields: [] },
  { id: 'included', label: t('Included'), fields: ['included_items', 'excluded_items'] },
  {
    id: 'dates',
    label: t('Dates'),
    fields: [
      'available_from',
      'available_to',
      'booking_window_days',
      'booking_deadline_hours',
      'departure_time',
      'has_default_time_slots',
      'default_time_slots',
      'waitlist_enabled',
      'waitlist_capacity',
      'seasonal_auto_enable',
      'seasonal_enable_date',
      'seasonal_disable_date',
    ],
  },
  { id: 'files', label: t('Files'), fields: ['downloadable_items'] },
  { id: 'attributes', label: t('Attributes'), fields: [] },
  { id: 'search', label: t('Search engines'), fields: ['meta_title', 'meta_description', 'meta_keywords'] },
  {
    id: 'publishing',
    label: t('Publishing'),
    fields: [
      'scheduled_publish_at',
      'scheduled_unpublish_at',
      'frontend_tabs',
      'testimonial_review_ids',
      'custom_fields',
    ],
  },
];

function Prices({ form, currency }: { form: Form; currency: string }) {
  const rows: Record<string, any>[] = form.values.price_types ?? [];
  const based = form.values.pricing_type === 'traveler_based';
  const set = (next: Record<string, any>[]) => form.set('price_types', next);
  return (
    <>
      <Field label={t('Price')} group>
        {() => (
          <div class="svc-switch" role="group" aria-label={t('Price')}>
            <Button aria-pressed={!based} onClick={() => form.set('pricing_type', 'regular')}>
              {t('One price')}
            </Button>
            <Button aria-pressed={based} onClick={() => form.set('pricing_type', 'traveler_based')}>
              {t('By traveler category')}
            </Button>
          </div>
        )}
      </Field>
      {!based ? (
        <div class="svc-fields">
          <Amount form={form} name="regular_price" label={t('Price')} currency={currency} />
          <Amount form={form} name="sale_price" label={t('Reduced price')} currency={currency} />
        </div>
      ) : (
        <div class="svc-scroll" tabIndex={0} role="region" aria-label={t('Prices by category')}>
          <table class="svc-table svc-edit">
            <thead>
              <tr>
                <th>{t('Category')}</th>
                <th class="svc-end">{t('Price')}</th>
                <th class="svc-end">{t('Reduced')}</th>
                <th class="svc-end">{t('At least')}</th>
                <th class="svc-end">{t('At most')}</th>
                <th />
              </tr>
            </thead>
            <tbody>
              {rows.map((row, at) => {
                const cell = (name: string, label: string) => (
                  <td class="svc-end">
                    <NumberInput
                      aria-label={t('{0} of {1}', label, row.category_label ?? t('this category'))}
                      value={row[name]}
                      set={(value) => set(rows.map((one, index) => (index === at ? { ...one, [name]: value } : one)))}
                    />
                  </td>
                );
                return (
                  <tr key={at}>
                    <td>
                      <Pick
                        list="/traveler-categories"
                        value={row.category_id}
                        label={row.category_label}
                        onPick={(choice) =>
                          set(
                            rows.map((one, index) =>
                              index === at ? { ...one, category_id: choice?.id, category_label: choice?.label } : one,
                            ),
                          )
                        }
                      />
                    </td>
                    {cell('regular_price', t('Price'))}
                    {cell('sale_price', t('Reduced price'))}
                    {cell('min_quantity', t('At least'))}
                    {cell('max_quantity', t('At most'))}
                    <td>
                      <Button kind="quiet" onClick={() => set(rows.filter((_, index) => index !== at))}>
                        {t('Remove')}
                      </Button>
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
          <Button onClick={() => set([...rows, { regular_price: null }])}>{t('Add a category')}</Button>
          {Object.entries(form.errors)
            .filter(([name]) => name.startsWith('price_types'))
            .map(([name, said]) => (
              <p class="svc-error" key={name}>
                {said.join(' ')}
              </p>
            ))}
        </div>
      )}
    </>
  );
}

function Attributes({ id }: { id: number }) {
  const load = async () => (await json<any[]>('get', '/trips/{id}/attributes', { params: { id } })).data;
  const held = (rows: any[]) => Object.fromEntries(rows.map((one) => [String(one.attribute_id ?? one.id), one.value]));
  const read = useRead(`/trips/${id}/attributes`, load);
  const all = useRead(
    '/attributes/all',
    async () => (await json<any[]>('get', '/attributes', { params: { per_page: 100 } })).data,
  );
  const form = useForm(held(read.data ?? []));
  const save = () =>
    form.submit(
      async (changes) => {
        await api.post('/trips/{id}/attributes', { id }, { attributes: changes });
        read.again();
        changed(`/trips/${id}`);
        toast(t('Saved.'));
      },
      async () => held(await load()),
    );
  const schema = (one: any): Schema => {
    const options = (one.options ?? []).map((each: any) => each.value ?? each);
    if (one.type === 'boolean' || one.field_type === 'boolean' || one.type === 'checkbox') return { type: 'boolean' };
    if (/multi/.test(one.type ?? one.field_type ?? '')) return { type: 'array', items: { type: 'string' } };
    if (options.length) return { type: 'string', enum: options };
    return {
      type: /number|integer/.test(one.type ?? one.field_type ?? '') ? 'number' : 'string',
      format: /date$/.test(one.type ?? '') ? 'date' : undefined,
    };
  };
  return (
    <Loaded read={all}>
      {(list) =>
        list.length ? (
          <>
            <Summary form={form} />
            <div class="svc-fields">
              {list.map((one) => (
                <Input
                  key={one.id}
                  name={String(one.id)}
                  label={one.name ?? one.label}
                  schema={schema(one)}
                  value={form.values[String(one.id)]}
                  set={(value) => form.set(String(one.id), value ?? '')}
                  errors={form.errors}
                />
              ))}
            </div>
            {form.dirty && (
              <Button kind="primary" busy={form.busy} onClick={() => save()}>
                {t('Save the attributes')}
              </Button>
            )}
            {form.conflict && (
              <Conflict
                form={form}
                name={(key) => list.find((one) => String(one.id) === key)?.name ?? key}
                read={async () => held(await load())}
                keep={() => void save()}
                take={() => (form.reset(), read.again())}
              />
            )}
          </>
        ) : (
          <Empty action={<a href="/admin/attributes/new">{t('Define one')}</a>}>
            {t('No attributes are defined.')}
          </Empty>
        )
      }
    </Loaded>
  );
}

function Revisions({ trip, again }: { trip: Record<string, any>; again: () => void }) {
  const [asking, setAsking] = useState<any>(null);
  const read = useRead(
    can('get', '/trips/{id}/revisions') ? `/trips/${trip.id}/revisions` : null,
    async () => (await json<any[]>('get', '/trips/{id}/revisions', { params: { id: trip.id, per_page: 20 } })).data,
  );
  if (!read.data?.length) return null;
  return (
    <Section title={t('Earlier versions')}>
      <ul class="svc-rows">
        {read.data.map((one) => (
          <li key={one.id}>
            <div>
              <b>{t('Version {0}', one.version)}</b>
              <small>
                <Ago at={one.created_at} /> {one.created_by_name ?? one.author_name ?? ''}
              </small>
            </div>
            {can('put', '/trips/{id}/revisions/{revision_id}') && (
              <Button onClick={() => setAsking(one)}>{t('Restore')}</Button>
            )}
          </li>
        ))}
      </ul>
      {asking && (
        <Confirm
          title={t('Restore version {0}?', asking.version)}
          action={t('Restore')}
          onClose={() => setAsking(null)}
          run={async () => {
            await api.put('/trips/{id}/revisions/{revision_id}', { id: trip.id, revision_id: asking.id } as never);
            changed('/trips');
            again();
            toast(t('Restored.'));
          }}
        >
          <p>{t('The texts, prices and pictures of then replace those of now. Status and dates stay.')}</p>
        </Confirm>
      )}
    </Section>
  );
}

function Screen({ trip, again, part = 'texts' }: { trip: Record<string, any>; again: () => void; part?: string }) {
  const { route } = useLocation();
  const [dialog, setDialog] = useState('');
  const form = useForm(trip);
  const write = can('put', '/trips/{id}') ? operation('put', '/trips/{id}') : undefined;
  const known = Object.keys(fields(write?.body));
  const here = parts.find((one) => one.id === part) ?? parts[0]!;
  const gaps = parts.filter((one) => one.missing?.(form.values));
  const now = async () => (await json('get', '/trips/{id}', { params: { id: trip.id } })).data;
  const save = (extra: Record<string, unknown> = {}) =>
    form.submit(async (changes) => {
      const body: Record<string, any> = { ...changes, row_version: trip.row_version, ...extra };
      if (body.featured_image && typeof body.featured_image === 'object') body.featured_image = body.featured_image.id;
      if (body.price_types)
        body.price_types = body.price_types.map(
          ({
            category_id,
            regular_price,
            discounted_price,
            sale_price,
            is_default,
            min_quantity,
            max_quantity,
            valid_from,
            valid_to,
          }: any) => ({
            category_id,
            regular_price,
            discounted_price,
            sale_price,
            is_default,
            min_quantity,
            max_quantity,
            valid_from,
            valid_to,
          }),
        );
      const written = await versioned(() => api.put('/trips/{id}', { id: trip.id }, body), body.row_version, now);
      changed('/trips', '/booking/trip');
      again();
      const warnings = (written.warnings ?? []).map((one: any) => one.message);
      toast(warnings.length ? t('Saved. {0}', warnings.join(' ')) : t('Saved.'), warnings.length ? 'info' : 'good');
    });
  const publish = can('put', '/trips/{id}') && trip.status !== 'publish' && trip.status !== 'trash';
  const own_fields = here.fields.filter(
    (one) =>
      known.includes(one) &&
      !(here.id === 'prices' && ['pricing_type', 'regular_price', 'sale_price', 'discounted_price'].includes(one)),
  );
  const page = trip.url ?? trip.permalink;
  // What is not published is shown on this server, where the browser is signed in, to staff alone and with its status on top.
  const url = page && trip.status !== 'publish' ? `${new URL(page, location.href).pathname}?preview=1` : page;
  return (
    <>
      <form
        class="svc-page"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Head
          title={trip.title}
          back={{ href: '/admin/trips', label: t('Trips') }}
          status={<Status value={trip.status} />}
          sub={
            <>
              {t(
                '{0} {1} · changed',
                trip.price_prefix ?? '',
                money(trip.display_price ?? trip.regular_price, trip.currency),
              )}{' '}
              <Ago at={trip.updated_at} />
              {trip.updated_by_name ? ` ${t('by {0}', trip.updated_by_name)}` : ''}
            </>
          }
        >
          {url && (
            <a class="svc-button svc-plain" href={url} target="_blank" rel="noopener">
              {t('As a visitor')}
            </a>
          )}
          <Menu
            label={t('More')}
            items={[
              can('post', '/trips/{id}/duplicate') && {
                label: t('Duplicate'),
                run: () =>
                  api
                    .post('/trips/{id}/duplicate', { id: trip.id })
                    .then(
                      (made) => (
                        changed('/trips'),
                        toast(t('A draft copy is made.')),
                        route(`/admin/trips/${made.id}`)
                      ),
                      failed,
                    ),
              },
              can('put', '/trips/{id}/services') && {
                label: t('Additional services'),
                run: () => route(`/admin/additional-services/trip/${trip.id}`),
              },
              write &&
                trip.status === 'publish' && { label: t('Take off the site'), run: () => save({ status: 'draft' }) },
              write &&
                trip.status !== 'archived' &&
                trip.status !== 'trash' && { label: t('Archive'), run: () => save({ status: 'archived' }) },
              trip.status === 'trash' &&
                can('post', '/trips/{id}/restore') && {
                  label: t('Restore'),
                  run: () =>
                    api.post('/trips/{id}/restore', { id: trip.id }).then(() => (changed('/trips'), again()), failed),
                },
              can('delete', '/trips/{id}') && {
                label: trip.status === 'trash' ? t('Delete for good') : t('Move to the trash'),
                danger: true,
                run: () => setDialog('delete'),
              },
            ]}
          />
          {publish && (
            <Button
              kind={form.dirty ? 'plain' : 'primary'}
              busy={form.busy}
              onClick={() => save({ status: 'publish' })}
            >
              {t('Publish')}
            </Button>
          )}
          {write && (
            <Button
              type="submit"
              kind={publish && !form.dirty ? 'plain' : 'primary'}
              busy={form.busy}
              disabled={!form.dirty}
            >
              {t('Save')}
            </Button>
          )}
        </Head>
        <Summary form={form} known={known} />
        <div class="svc-parts">
          <nav aria-label={t('Parts of the trip')}>
            {parts.map((one) => {
              const gap = one.missing?.(form.values);
              const touched = one.fields.some((name) => name in form.changes);
              const wrong = Object.keys(form.errors).some((name) => one.fields.includes(name.split('.')[0]!));
              return (
                <a
                  key={one.id}
                  href={`/admin/trips/${trip.id}/${one.id}`}
                  aria-current={one === here ? 'page' : undefined}
                  onClick={(event) => {
                    event.preventDefault();
                    event.stopPropagation();
                    route(`/admin/trips/${trip.id}/${one.id}`, true);
                  }}
                  data-stay
                >
                  {one.label}
                  {wrong ? (
                    <small class="svc-bad">{t('check')}</small>
                  ) : gap ? (
                    <small class="svc-warn">{t('needs {0}', gap)}</small>
                  ) : touched ? (
                    <small>{t('changed')}</small>
                  ) : null}
                </a>
              );
            })}
          </nav>
          <div>
            <Section title={here.label}>
              {here.id === 'prices' && write && <Prices form={form} currency={trip.currency} />}
              {here.id === 'pictures' && write && (
                <Gallery value={form.values.gallery_images ?? []} set={(value) => form.set('gallery_images', value)} />
              )}
              {write && own_fields.length > 0 && (
                <div class={here.id === 'texts' ? 'svc-fields svc-wide-fields' : 'svc-fields'}>
                  {own_fields.map((name) =>
                    name === 'faqs' ? (
                      <Faqs key={name} form={form} />
                    ) : name === 'cancellation_terms' ? (
                      <CancellationTerms
                        key={name}
                        rows={form.values[name]}
                        set={(rows) => form.set(name, rows)}
                        errors={form.errors}
                        currency={trip.currency}
                        is_of_trip
                      />
                    ) : name === 'featured_image' ? (
                      <SchemaFields
                        key={name}
                        schema={write.body!}
                        form={{
                          ...form,
                          values: {
                            ...form.values,
                            featured_image: form.values.featured_image?.id ?? form.values.featured_image,
                          },
                        }}
                        only={[name]}
                        labels={{ featured_image: t('Main picture') }}
                      />
                    ) : (
                      <SchemaFields key={name} schema={write.body!} form={form} only={[name]} />
                    ),
                  )}
                </div>
              )}
              {here.id === 'prices' && (
                <p class="svc-actions">
                  <a class="svc-button" href={`/admin/trips/${trip.id}/seasons`}>
                    {t('Seasons and prices')}
                  </a>
                  {can('get', '/trips/{id}/payment-plan') && (
                    <a class="svc-button" href={`/admin/trips/${trip.id}/payment-plan`}>
                      {t('Payment plan')}
                    </a>
                  )}
                </p>
              )}
              {here.id === 'itinerary' && <Itinerary trip_id={trip.id} />}
              {here.id === 'dates' && (
                <>
                  <TripDates trip={trip} />
                  <Rules trip={trip} />
                </>
              )}
              {here.id === 'attributes' && <Attributes id={trip.id} />}
              {here.id === 'publishing' && (
                <>
                  {gaps.length > 0 && (
                    <p>{t('Before selling it needs {0}.', gaps.map((one) => one.missing!(form.values)).join(', '))}</p>
                  )}
                  <Revisions trip={trip} again={again} />
                </>
              )}
            </Section>
          </div>
        </div>
        <SaveBar form={form} />
      </form>
      {form.conflict && (
        <Conflict
          form={form}
          read={now}
          keep={(theirs) => void save({ row_version: theirs.row_version })}
          take={() => (form.reset(), again())}
        />
      )}
      {dialog === 'delete' && (
        <Confirm
          title={trip.status === 'trash' ? t('Delete this trip for good?') : t('Move this trip to the trash?')}
          action={trip.status === 'trash' ? t('Delete for good') : t('Move to the trash')}
          danger
          onClose={() => setDialog('')}
          run={async () => {
            form.reset();
            await json('delete', '/trips/{id}', { params: { id: trip.id } });
            forget(`/trips/${trip.id}`);
            changed('/trips');
            route('/admin/trips');
          }}
        >
          <p>{t('Visitors no longer see it. Its bookings stay.')}</p>
        </Confirm>
      )}
    </>
  );
}

export default function TripScreen({ id, part }: { id: number; part?: string }) {
  const read = useRead(`/trips/${id}`, () => api.get('/trips/{id}', { id }));
  return (
    <Opened read={read} back={{ href: '/admin/trips', label: t('Trips') }} rows={10}>
      {(trip) => <Screen trip={trip as Record<string, any>} again={read.again} part={part} />}
    </Opened>
  );
}
