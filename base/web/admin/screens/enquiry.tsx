// One enquiry: what was asked, the answer, and a booking made of it.
import { useState } from 'preact/hooks';

import { api, json } from '../../kit/client';
import { Field } from '../../kit/field';
import { useLocation } from '../../kit/location';
import { Summary, useForm } from '../../kit/use-form';
import { day, words } from '../../kit/format';
import { t } from '../../kit/i18n';
import { can, operations, label_of, operation, resolved, fields } from '../../kit/interface';
import { may } from '../../kit/session';
import { changed, forget, useRead } from '../../kit/query';
import { Ago, Button, Confirm, Menu, Notice, Status, failed, toast } from '../../kit/ui';
import { Facts, Head, Opened, Section } from '../../kit/page';
import { ActionDialog } from '../action';
import { refresh_counters } from '../counters';

function Screen({ enquiry, again }: { enquiry: Record<string, any>; again: () => void }) {
  const { route } = useLocation();
  const [dialog, setDialog] = useState('');
  const form = useForm({ response: '' });
  const answers = can('post', '/enquiries/{id}/respond');
  const edits = can('put', '/enquiries/{id}');
  const statuses = (resolved(fields(operation('put', '/enquiries/{id}')?.body).status).enum ?? []).map(String);
  const settle = () => (changed('/enquiries'), again(), void refresh_counters());
  const mark = (status: string) =>
    api
      .put('/enquiries/{id}', { id: enquiry.id }, { status })
      .then(() => (toast(t('Marked as {0}.', words(status))), settle()), failed);
  const others = operations.value.filter(
    (one) =>
      one.path.startsWith('/enquiries/{id}/') &&
      one.path !== '/enquiries/{id}/respond' &&
      one.method !== 'get' &&
      may(one.permission),
  );
  const messages: any[] | undefined = enquiry.messages;
  const send = () =>
    form.submit(async () => {
      await api.post('/enquiries/{id}/respond', { id: enquiry.id }, { response: form.values.response });
      toast(t('The answer is on its way.'));
      settle();
      changed(`/enquiries/${enquiry.id}`);
    });
  return (
    <div class="svc-page">
      <Head
        title={enquiry.customer_name}
        back={{ href: '/admin/enquiries', label: t('Enquiries') }}
        status={<Status value={enquiry.status} />}
        sub={
          <>
            <a href={`mailto:${enquiry.customer_email}`}>{enquiry.customer_email}</a> {enquiry.phone} ·{' '}
            <Ago at={enquiry.created_at} />
          </>
        }
      >
        <Menu
          label={t('More')}
          items={[
            ...(edits
              ? ['closed', 'pending', 'spam']
                  .filter((one) => statuses.includes(one) && one !== enquiry.status)
                  .map((one) => ({ label: t('Mark as {0}', words(one)), danger: one === 'spam', run: () => mark(one) }))
              : []),
            ...others.map((one) => ({ label: label_of(one), run: () => setDialog(`${one.method} ${one.path}`) })),
            can('delete', '/enquiries/{id}') && {
              label: t('Move to the trash'),
              danger: true,
              run: () => setDialog('delete'),
            },
          ]}
        />
        {can('post', '/bookings') && (
          <a
            class="svc-button svc-plain"
            href={`/admin/bookings/new?${new URLSearchParams({ enquiry: String(enquiry.id), ...(enquiry.trip_id && { trip: String(enquiry.trip_id) }), ...(enquiry.travel_date && { date: enquiry.travel_date }) })}`}
          >
            {t('Book it')}
          </a>
        )}
      </Head>
      <div class="svc-two">
        <div>
          <Section title={enquiry.trip_title ? t('About {0}', enquiry.trip_title) : t('Question')}>
            <blockquote class="svc-pre svc-message">{enquiry.message}</blockquote>
            {(messages ?? []).slice(1).map((one, index) => (
              <blockquote key={index} class={`svc-pre svc-message ${one.direction === 'out' ? 'svc-reply' : ''}`}>
                {one.body}
                <footer>
                  {one.author_name} <Ago at={one.created_at} />
                </footer>
              </blockquote>
            ))}
            {!messages && enquiry.response_notes && (
              <blockquote class="svc-pre svc-message svc-reply">
                {enquiry.response_notes}
                <footer>
                  {t('Answered')} <Ago at={enquiry.responded_at} />
                </footer>
              </blockquote>
            )}
          </Section>
          {answers && (
            <Section title={t('Answer')}>
              <form
                onSubmit={(event) => {
                  event.preventDefault();
                  void send();
                }}
              >
                <Summary form={form} />
                <Field label={t('Your answer, sent by e-mail')} errors={form.errors.response} required>
                  {({ id, describedby, invalid }) => (
                    <textarea
                      id={id}
                      rows={8}
                      aria-describedby={describedby}
                      aria-invalid={invalid}
                      value={form.values.response}
                      onInput={(event) => form.set('response', event.currentTarget.value)}
                    />
                  )}
                </Field>
                <Button type="submit" kind="primary" busy={form.busy} disabled={!form.values.response}>
                  {t('Send the answer')}
                </Button>
              </form>
            </Section>
          )}
        </div>
        <Section title={t('What they want')}>
          <Facts
            rows={[
              [t('Trip'), enquiry.trip_id ? <a href={`/admin/trips/${enquiry.trip_id}`}>{enquiry.trip_title}</a> : ''],
              [t('Travels'), day(enquiry.travel_date)],
              [t('Travelers'), enquiry.travelers_count],
              [t('Phone'), enquiry.phone && <a href={`tel:${enquiry.phone}`}>{enquiry.phone}</a>],
              [t('Came through'), words(enquiry.source ?? '')],
            ]}
          />
          {enquiry.status === 'spam' && <Notice kind="warn">{t('This is marked as spam.')}</Notice>}
        </Section>
      </div>
      {dialog === 'delete' && (
        <Confirm
          title={t('Move this enquiry to the trash?')}
          action={t('Move to the trash')}
          danger
          onClose={() => setDialog('')}
          run={async () => {
            await json('delete', '/enquiries/{id}', { params: { id: enquiry.id } });
            forget(`/enquiries/${enquiry.id}`);
            changed('/enquiries');
            route('/admin/enquiries');
          }}
        />
      )}
      {dialog.includes(' ') && (
        <ActionDialog
          found={operation(dialog.split(' ')[0] as 'post', dialog.split(' ')[1]!)!}
          params={{ id: enquiry.id }}
          onClose={() => setDialog('')}
          done={settle}
        />
      )}
    </div>
  );
}

export default function EnquiryScreen({ id }: { id: number }) {
  const read = useRead(`/enquiries/${id}`, () => api.get('/enquiries/{id}', { id }));
  return (
    <Opened read={read} back={{ href: '/admin/enquiries', label: t('Enquiries') }}>
      {(enquiry) => <Screen enquiry={enquiry as Record<string, any>} again={read.again} />}
    </Opened>
  );
}
