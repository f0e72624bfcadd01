// One customer: who it is, what was booked, and merging two records of one person.
import { useState } from 'preact/hooks';

import { api, json } from '../../kit/client';
import { Conflict } from '../../kit/conflict';
import { Field } from '../../kit/field';
import { Input, SchemaFields } from '../../kit/form';
import { useLocation } from '../../kit/location';
import { type Form, SaveBar, Summary, useForm } from '../../kit/use-form';
import { day, money, words } from '../../kit/format';
import { t } from '../../kit/i18n';
import { can, fields, operation } from '../../kit/interface';
import { Pick } from '../../kit/pickers';
import { changed, forget, useRead } from '../../kit/query';
import { Ago, Button, Confirm, Dialog, Empty, Loaded, Menu, Notice, Status, toast } from '../../kit/ui';
import { Facts, Figures, Head, Opened, Section } from '../../kit/page';

export function Merge({
  customer,
  into = null,
  onClose,
}: {
  customer: Record<string, any>;
  into?: number | null;
  onClose: () => void;
}) {
  const { route } = useLocation();
  const [target, setTarget] = useState<number | null>(into);
  const form = useForm({});
  const [confirmed, setConfirmed] = useState(false);
  const preview = useRead(target ? `/merge/${customer.id}/${target}` : null, () =>
    api.get('/customers/merge', { source_id: customer.id, target_id: target! } as never),
  );
  const run = () =>
    form
      .submit(async () => {
        const shown = preview.data?.shown_to_account;
        await api.post('/customers/merge', null, {
          source_id: customer.id,
          target_id: target,
          ...(shown && confirmed && { confirm_account: shown.account }),
        });
        toast(t('The records are one now.'));
      })
      .then((good) => {
        if (!good) return;
        forget(`/customers/${customer.id}`);
        changed('/customers', '/bookings', '/enquiries');
        onClose();
        route(`/admin/customers/${target}`);
      });
  return (
    <Dialog
      title={t('Merge {0} into another customer', customer.name)}
      wide
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Back')}</Button>
          <Button
            kind="danger"
            busy={form.busy}
            disabled={!preview.data || (!!preview.data.shown_to_account && !confirmed)}
            onClick={run}
          >
            {t('Merge')}
          </Button>
        </>
      }
    >
      <Summary form={form} />
      <Field label={t('Into')} help={t('The other record stays; this one is gone.')}>
        {({ id, describedby }) => (
          <Pick
            id={id}
            list="/customers"
            value={target}
            describedby={describedby}
            exclude={[customer.id]}
            onPick={(choice) => (setTarget(choice?.id ?? null), setConfirmed(false))}
          />
        )}
      </Field>
      {target && (
        <Loaded read={preview}>
          {(found) => (
            <>
              <p>
                {t(
                  'Moves {0}.',
                  Object.entries(found.moved ?? {})
                    .map(([name, many]) => `${many} ${words(name).toLowerCase()}`)
                    .join(', '),
                )}
              </p>
              {found.shown_to_account && (
                <Notice kind="warn">
                  <p>
                    {t(
                      'Only one of the two has an account. The account of {0} will see the data of {1} and {2, plural, =0 {no booking} one {# booking} other {# bookings}} of that address, and can cancel them.',
                      found.shown_to_account.account,
                      found.shown_to_account.other,
                      found.shown_to_account.bookings,
                    )}
                  </p>
                  <Field
                    label={t(
                      'I have made sure that {0} and {1} are one person',
                      found.shown_to_account.account,
                      found.shown_to_account.other,
                    )}
                    errors={form.errors.confirm_account}
                  >
                    {({ id }) => (
                      <input
                        id={id}
                        type="checkbox"
                        role="switch"
                        checked={confirmed}
                        onChange={(event) => setConfirmed(event.currentTarget.checked)}
                      />
                    )}
                  </Field>
                </Notice>
              )}
              <Facts
                rows={(['name', 'email', 'phone', 'country', 'city', 'address'] as const).map((name) => [
                  words(name),
                  String((found.result as any)?.[name] ?? ''),
                ])}
              />
            </>
          )}
        </Loaded>
      )}
    </Dialog>
  );
}

// The fields that the setting customer_fields declares, as the form's schema cannot know them.
const schemas: Record<string, any> = {
  textarea: { type: 'string', maxLength: 2000 },
  date: { type: 'string', format: 'date' },
  email: { type: 'string', format: 'email' },
  checkbox: { type: 'boolean' },
};
function Further({ asked, form }: { asked: any[]; form: Form }) {
  const given = form.values.fields ?? {};
  return (
    <Section title={t('Further fields')}>
      <div class="svc-fields">
        {asked.map((one) => (
          <Input
            key={one.id}
            name={one.id}
            label={one.label}
            path={`fields.${one.id}`}
            schema={one.options.length ? { enum: one.options } : (schemas[one.type] ?? { type: 'string' })}
            value={one.type === 'checkbox' ? given[one.id] === 'true' : given[one.id]}
            set={(value) => form.set('fields', { ...given, [one.id]: value === undefined ? '' : String(value) })}
            errors={form.errors}
          />
        ))}
      </div>
    </Section>
  );
}

function Screen({ customer, again }: { customer: Record<string, any>; again: () => void }) {
  const { route } = useLocation();
  const [dialog, setDialog] = useState('');
  const form = useForm(customer);
  const write = can('put', '/customers/{id}') ? operation('put', '/customers/{id}') : undefined;
  const main = [
    'first_name',
    'last_name',
    'name',
    'email',
    'phone',
    'secondary_phone',
    'country',
    'city',
    'state',
    'address',
    'postal_code',
    'date_of_birth',
    'nationality',
    'preferred_language',
  ].filter((one) => one in fields(write?.body));
  const aside = ['status', 'tags', 'notes'].filter((one) => one in fields(write?.body));
  const rest = Object.keys(fields(write?.body)).filter(
    (one) => !main.includes(one) && !aside.includes(one) && !['row_version', 'fields'].includes(one),
  );
  const save = (version = customer.row_version) =>
    form.submit(async (changes) => {
      await api.put('/customers/{id}', { id: customer.id }, { ...changes, row_version: version });
      changed('/customers');
      again();
      toast(t('Saved.'));
    });
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
          title={customer.name || customer.email}
          back={{ href: '/admin/customers', label: t('Customers') }}
          status={<Status value={customer.status} />}
          sub={
            <>
              {customer.email} {customer.phone}{' '}
              {customer.former_emails?.length ? t('Also {0}', customer.former_emails.join(', ')) : ''}
            </>
          }
        >
          <Menu
            label={t('More')}
            items={[
              can('post', '/customers/merge') && { label: t('Merge into another'), run: () => setDialog('merge') },
              can('delete', '/customers/{id}') && { label: t('Delete'), danger: true, run: () => setDialog('delete') },
            ]}
          />
          {can('post', '/bookings') && (
            <a class="svc-button svc-plain" href={`/admin/bookings/new?customer=${customer.id}`}>
              {t('New booking')}
            </a>
          )}
          {write && (
            <Button type="submit" kind="primary" busy={form.busy} disabled={!form.dirty}>
              {t('Save')}
            </Button>
          )}
        </Head>
        {customer.erased_at && (
          <Notice kind="warn">
            {t('The personal data of this customer was erased')} <Ago at={customer.erased_at} />.
          </Notice>
        )}
        <Summary form={form} />
        <Figures
          rows={[
            { label: t('Bookings'), value: customer.total_bookings },
            { label: t('Spent'), value: money(customer.total_spent) },
            { label: t('Last trip'), value: customer.last_travel_date ? day(customer.last_travel_date) : '–' },
          ]}
        />
        <div class="svc-two">
          <div>
            <Section title={t('Bookings')}>
              {(customer.recent_bookings ?? []).length ? (
                <ul class="svc-rows">
                  {customer.recent_bookings.map((row: any) => (
                    <li key={row.id}>
                      <a href={`/admin/bookings/${row.id}`}>
                        <b class="svc-mono">{row.reference}</b>
                        <span>
                          {row.trip_title}, <span class="svc-day">{day(row.travel_date)}</span>
                        </span>
                        <Status value={row.status} />
                        <span class="svc-end">{money(row.total, row.currency)}</span>
                      </a>
                    </li>
                  ))}
                </ul>
              ) : (
                <Empty>{t('No bookings yet.')}</Empty>
              )}
              {customer.total_bookings > (customer.recent_bookings ?? []).length && (
                <a href={`/admin/bookings?customer_id=${customer.id}`}>{t('All {0}', customer.total_bookings)}</a>
              )}
            </Section>
            <Section title={t('Person')}>
              {write ? (
                <div class="svc-fields">
                  <SchemaFields schema={write.body!} form={form} only={main} />
                </div>
              ) : (
                <Facts
                  rows={[
                    [t('E-mail'), customer.email],
                    [t('Phone'), customer.phone],
                    [t('Country'), customer.country],
                    [t('City'), customer.city],
                    [t('Address'), customer.address],
                  ]}
                />
              )}
            </Section>
            {write && customer.asked_fields?.length > 0 && <Further asked={customer.asked_fields} form={form} />}
            {write && rest.length > 0 && (
              <details class="svc-section">
                <summary>{t('Health, consent and more')}</summary>
                <div class="svc-fields">
                  <SchemaFields schema={write.body!} form={form} only={rest} />
                </div>
              </details>
            )}
          </div>
          {aside.length > 0 && (
            <Section title={t('Notes')}>
              <div class="svc-fields">
                <SchemaFields schema={write!.body!} form={form} only={aside} />
              </div>
            </Section>
          )}
        </div>
        <SaveBar form={form} />
      </form>
      {form.conflict && (
        <Conflict
          form={form}
          read={async () => (await json('get', '/customers/{id}', { params: { id: customer.id } })).data}
          keep={(now) => void save(now.row_version)}
          take={() => (form.reset(), again())}
        />
      )}
      {dialog === 'merge' && <Merge customer={customer} onClose={() => setDialog('')} />}
      {dialog === 'delete' && (
        <Confirm
          title={t('Delete {0}?', customer.name)}
          action={t('Delete')}
          danger
          onClose={() => setDialog('')}
          run={async () => {
            await json('delete', '/customers/{id}', { params: { id: customer.id } });
            forget(`/customers/${customer.id}`);
            changed('/customers');
            route('/admin/customers');
          }}
        >
          <p>{t('The record moves to the trash; its bookings stay.')}</p>
        </Confirm>
      )}
    </>
  );
}

export default function CustomerScreen({ id }: { id: number }) {
  const read = useRead(`/customers/${id}`, () => api.get('/customers/{id}', { id }));
  return (
    <Opened read={read} back={{ href: '/admin/customers', label: t('Customers') }}>
      {(customer) => <Screen customer={customer as Record<string, any>} again={read.again} />}
    </Opened>
  );
}
