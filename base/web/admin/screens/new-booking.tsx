// A booking by phone: who, which trip, when and how many; the price beside it all the time.
import { useEffect, useState } from 'preact/hooks';

import { api } from '../../kit/client';
import { Field } from '../../kit/field';
import { useLocation } from '../../kit/location';
import { Summary, useForm } from '../../kit/use-form';
import { money, words } from '../../kit/format';
import { t } from '../../kit/i18n';
import { NumberInput } from '../../kit/controls';
import { can } from '../../kit/interface';
import { Pick } from '../../kit/pickers';
import { changed, useRead } from '../../kit/query';
import { Button, Notice, toast } from '../../kit/ui';
import { Head, Section } from '../../kit/page';
import { ServiceCounts } from '../later-services';
import { type Choice, DatePicker, Party, QuoteBox, party_size, usePage, useQuote } from '../quote';

export default function NewBooking() {
  const { route, query } = useLocation();
  const [choice, setChoice] = useState<Choice>({
    trip_id: Number(query.trip) || null,
    travel_date: query.date ?? '',
    departure_time: query.time || null,
    travelers_count: 1,
    traveler_counts: {},
  });
  const form = useForm({
    customer_id: Number(query.customer) || null,
    first_name: '',
    last_name: '',
    email: '',
    phone: '',
    country: '',
    special_requests: '',
    internal_notes: '',
    status: 'pending',
    paid: '',
    how: 'cash',
    force: false,
  });
  const plain = usePage(choice.trip_id);
  const has_extras = !!plain.data?.additional_services?.length && !!choice.travel_date;
  const dated = usePage(has_extras ? choice.trip_id : null, choice.travel_date, choice.departure_time);
  const page = dated.data ? dated : plain;
  const quote = useQuote(choice);
  const { values } = form;
  const customer = useRead(values.customer_id ? `/customers/${values.customer_id}` : null, () =>
    api.get('/customers/{id}', { id: values.customer_id }),
  );
  const enquiry = useRead(
    Number(query.enquiry) && can('get', '/enquiries/{id}') ? `/enquiries/${query.enquiry}` : null,
    () => api.get('/enquiries/{id}', { id: Number(query.enquiry) }),
  );
  useEffect(() => {
    if (!enquiry.data || values.email) return;
    const [first = '', ...rest] = enquiry.data.customer_name.split(' ');
    form.set('first_name', first);
    form.set('last_name', rest.join(' '));
    form.set('email', enquiry.data.customer_email);
    form.set('phone', enquiry.data.phone ?? '');
  }, [enquiry.data]);
  const dirty = () => form.set('touched', true);
  const set = (part: Partial<Choice>) => {
    setChoice((before) => ({ ...before, ...part }));
    dirty();
  };
  // One adult is what most calls begin with.
  useEffect(() => {
    const first = page.data?.pricing_type === 'traveler_based' ? page.data.price_types?.[0]?.category_id : null;
    setChoice((before) =>
      first && !Object.keys(before.traveler_counts).length
        ? { ...before, traveler_counts: { [first]: 1 } }
        : !first && page.data
          ? { ...before, traveler_counts: {} }
          : before,
    );
  }, [page.data]);
  const ways = quote.quote?.payment_methods ?? page.data?.payment_methods ?? [];
  const services = (page.data?.additional_services ?? []) as Record<string, any>[];
  const save = (event: Event) => {
    event.preventDefault();
    void form.submit(async () => {
      const counts = Object.fromEntries(Object.entries(choice.traveler_counts).filter(([, many]) => many > 0));
      const body: Record<string, unknown> = {
        trip_id: choice.trip_id,
        travel_date: choice.travel_date,
        ...(choice.departure_time && { departure_time: choice.departure_time }),
        ...(Object.keys(counts).length ? { traveler_counts: counts } : { travelers_count: choice.travelers_count }),
        ...(choice.payment_method && { payment_method: choice.payment_method }),
        ...(choice.coupon_code && { coupon_code: choice.coupon_code }),
        ...(choice.selected_services && { selected_services: choice.selected_services }),
        status: values.status,
        special_requests: values.special_requests,
        internal_notes: values.internal_notes,
        ...(enquiry.data && { enquiry_id: enquiry.data.id }),
        ...(values.force && { force: true }),
        ...(values.paid && { amount_paid: values.paid, payment_gateway: values.how }),
      };
      if (values.customer_id) body.customer_id = values.customer_id;
      else
        Object.assign(body, {
          contact_first_name: values.first_name,
          contact_last_name: values.last_name,
          contact_email: values.email,
          contact_phone: values.phone || null,
          contact_country: values.country || null,
        });
      const made = await api.post('/bookings', null, body);
      changed('/bookings', '/customers', '/departures', '/payments', '/enquiries');
      toast(t('{0} is booked.', made.reference));
      setTimeout(() => route(`/admin/bookings/${made.id}`), 0);
    });
  };
  const text = (
    name: string,
    label: string,
    type = 'text',
    errors = form.errors[`contact_${name}`],
    required = false,
  ) => (
    <Field label={label} errors={errors} required={required}>
      {({ id, describedby, invalid }) => (
        <input
          id={id}
          type={type}
          autocomplete="off"
          aria-describedby={describedby}
          aria-invalid={invalid}
          value={values[name]}
          onInput={(event) => form.set(name, event.currentTarget.value)}
        />
      )}
    </Field>
  );
  return (
    <form class="svc-page" onSubmit={save}>
      <Head title={t('New booking')} back={{ href: '/admin/bookings', label: t('Bookings') }} />
      <Summary
        form={form}
        known={[
          'trip_id',
          'travel_date',
          'departure_time',
          'travelers_count',
          'traveler_counts',
          'customer_id',
          'contact_first_name',
          'contact_last_name',
          'contact_email',
          'contact_phone',
          'coupon_code',
          'amount_paid',
          'special_requests',
          'internal_notes',
        ]}
      />
      <div class="svc-two svc-desk">
        <div>
          <Section title={t('Who')}>
            {can('get', '/customers') && (
              <Field
                label={t('Customer')}
                help={t('Known customers by name, e-mail or phone. Leave empty for a new one.')}
                errors={form.errors.customer_id}
              >
                {({ id, describedby }) => (
                  <Pick
                    id={id}
                    list="/customers"
                    value={values.customer_id}
                    describedby={describedby}
                    onPick={(choice_) => form.set('customer_id', choice_?.id ?? null)}
                  />
                )}
              </Field>
            )}
            {values.customer_id ? (
              customer.data && (
                <p>
                  {customer.data.email} {customer.data.phone} ·{' '}
                  {t('{0, plural, one {# booking} other {# bookings}}', customer.data.total_bookings ?? 0)}
                  {customer.data.status === 'blocked' && <Notice kind="warn">{t('This customer is blocked.')}</Notice>}
                </p>
              )
            ) : (
              <div class="svc-fields">
                {text('first_name', t('First name'), 'text', form.errors.contact_first_name, true)}
                {text('last_name', t('Last name'), 'text', form.errors.contact_last_name)}
                {text('email', t('E-mail'), 'email', form.errors.contact_email, true)}
                {text('phone', t('Phone'), 'tel')}
                {text('country', t('Country'))}
              </div>
            )}
          </Section>
          <Section title={t('What')}>
            <Field label={t('Trip')} errors={form.errors.trip_id} required>
              {({ id, describedby, invalid }) => (
                <Pick
                  id={id}
                  list="/trips"
                  value={choice.trip_id}
                  describedby={describedby}
                  invalid={invalid}
                  onPick={(picked) =>
                    set({
                      trip_id: picked?.id ?? null,
                      travel_date: '',
                      departure_time: null,
                      traveler_counts: {},
                      selected_services: {},
                    })
                  }
                />
              )}
            </Field>
            {choice.trip_id && (
              <>
                <DatePicker choice={choice} set={set} errors={form.errors} />
                <Party choice={choice} set={set} errors={form.errors} page={page.data} />
                {page.error && (
                  <Notice kind="info">
                    {t('{0} Staff can book it all the same; the price is worked out when it is saved.', page.error)}
                  </Notice>
                )}
                {services.length > 0 && (
                  <Field label={t('Extras')} group>
                    {() => (
                      <div class="svc-fields">
                        <ServiceCounts
                          services={services}
                          chosen={choice.selected_services ?? {}}
                          set={(selected_services) => set({ selected_services })}
                          currency={page.data?.currency}
                          errors={form.errors}
                        />
                      </div>
                    )}
                  </Field>
                )}
                <Field label={t('Discount code')} errors={form.errors.coupon_code}>
                  {({ id }) => (
                    <input
                      id={id}
                      value={choice.coupon_code ?? ''}
                      onInput={(event) => set({ coupon_code: event.currentTarget.value })}
                    />
                  )}
                </Field>
              </>
            )}
          </Section>
          <Section title={t('Wishes and notes')}>
            <Field label={t("The customer's wishes")} errors={form.errors.special_requests}>
              {({ id }) => (
                <textarea
                  id={id}
                  rows={2}
                  value={values.special_requests}
                  onInput={(event) => form.set('special_requests', event.currentTarget.value)}
                />
              )}
            </Field>
            <Field label={t('Note for colleagues')} errors={form.errors.internal_notes}>
              {({ id }) => (
                <textarea
                  id={id}
                  rows={2}
                  value={values.internal_notes}
                  onInput={(event) => form.set('internal_notes', event.currentTarget.value)}
                />
              )}
            </Field>
          </Section>
        </div>
        <div class="svc-sticky">
          <Section title={t('Price')}>
            <QuoteBox state={quote} currency={page.data?.currency} />
            {ways.length > 1 && (
              <Field label={t('Pays')} errors={form.errors.payment_method}>
                {({ id }) => (
                  <select
                    id={id}
                    value={choice.payment_method ?? quote.quote?.payment_method}
                    onChange={(event) => set({ payment_method: event.currentTarget.value })}
                  >
                    {ways.map((one) => (
                      <option key={one.id} value={one.id}>
                        {t('{0}: {1} now', one.label, money(one.amount, page.data?.currency))}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
            )}
            <Field
              label={t('Paid already')}
              help={t('A deposit by phone or at the desk: it is recorded as a payment.')}
              errors={form.errors.amount_paid}
            >
              {({ id, describedby }) => (
                <NumberInput
                  id={id}
                  aria-describedby={describedby}
                  placeholder="0"
                  value={values.paid}
                  set={(value) => form.set('paid', value ?? '')}
                />
              )}
            </Field>
            {values.paid && (
              <Field label={t('How')}>
                {({ id }) => (
                  <select id={id} value={values.how} onChange={(event) => form.set('how', event.currentTarget.value)}>
                    {['cash', 'bank_transfer', 'card', 'other'].map((one) => (
                      <option key={one} value={one}>
                        {words(one)}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
            )}
            <Field label={t('Status')} help={t('Pending sends the customer a mail with a link to pay.')}>
              {({ id, describedby }) => (
                <select
                  id={id}
                  aria-describedby={describedby}
                  value={values.status}
                  onChange={(event) => form.set('status', event.currentTarget.value)}
                >
                  <option value="pending">{t('Pending')}</option>
                  <option value="confirmed">{t('Confirmed')}</option>
                  <option value="on-hold">{t('On hold')}</option>
                </select>
              )}
            </Field>
            {form.message && (
              <Field label={t('Book although seats are missing')} inline>
                {({ id }) => (
                  <input
                    id={id}
                    type="checkbox"
                    role="switch"
                    checked={values.force}
                    onChange={(event) => form.set('force', event.currentTarget.checked)}
                  />
                )}
              </Field>
            )}
            <Button
              type="submit"
              kind="primary"
              busy={form.busy}
              disabled={!choice.trip_id || !choice.travel_date || party_size(choice) < 1}
            >
              {t('Book')}
            </Button>
          </Section>
        </div>
      </div>
    </form>
  );
}
