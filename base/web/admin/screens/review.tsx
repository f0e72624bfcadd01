// One review: what was written, and approving, rejecting, answering or featuring it.
import { Star } from 'lucide-preact';
import { useState } from 'preact/hooks';

import { json } from '../../kit/client';
import { Conflict } from '../../kit/conflict';
import { Field } from '../../kit/field';
import { useLocation } from '../../kit/location';
import { Summary, useForm } from '../../kit/use-form';
import { day } from '../../kit/format';
import { t } from '../../kit/i18n';
import { can } from '../../kit/interface';
import { changed, forget, useRead } from '../../kit/query';
import { Ago, Button, Confirm, Menu, Status, failed, toast } from '../../kit/ui';
import { Facts, Head, Opened, Section } from '../../kit/page';
import { refresh_counters } from '../counters';

type Review = Record<string, any>;

export function Stars({ rating }: { rating: number }) {
  return (
    <span class="svc-stars" role="img" aria-label={t('{0} of 5 stars', rating)}>
      {[1, 2, 3, 4, 5].map((one) => (
        <Star key={one} size={16} aria-hidden fill={one <= rating ? 'currentColor' : 'none'} />
      ))}
    </span>
  );
}

function Screen({ review, again }: { review: Review; again: () => void }) {
  const { route } = useLocation();
  const [removing, setRemoving] = useState(false);
  const form = useForm({ reply: review.reply });
  const edits = can('put', '/reviews/{id}');
  const moderates = can('put', '/reviews/{id}/status');
  const settle = () => {
    changed('/reviews');
    again();
    void refresh_counters();
  };
  const now = async () => (await json<Review>('get', '/reviews/{id}', { params: { id: review.id } })).data;
  const answer = () =>
    form.submit(async (changes, stored) => {
      await json('put', '/reviews/{id}', {
        params: { id: review.id },
        body: { reply: changes.reply || null, row_version: stored?.row_version },
      });
      toast(t('The answer is saved.'));
      settle();
    }, now);
  const moderate = (status: string, said: string) =>
    json('put', '/reviews/{id}/status', { params: { id: review.id }, body: { status } }).then(
      () => (toast(said), settle()),
      failed,
    );
  const steps: [string, string, string][] = [
    ['approved', t('Approve'), t('It is shown on the site.')],
    ['rejected', t('Reject'), t('It is not shown.')],
    ['spam', t('Mark as spam'), t('It is not shown.')],
    ['pending', t('Put back'), t('It waits again.')],
  ];
  const open = steps.filter(
    ([status]) => status !== review.status && (status !== 'pending' || review.status !== 'trash'),
  );
  const main = moderates && review.status === 'pending';
  return (
    <div class="svc-page">
      <Head
        title={review.title || t('Review by {0}', review.author_name)}
        back={{ href: '/admin/reviews', label: t('Reviews') }}
        status={<Status value={review.status} />}
        sub={
          <>
            {review.author_name}
            {review.author_location ? `, ${review.author_location}` : ''} ·{' '}
            <a href={`/admin/trips/${review.trip_id}`}>{review.trip_title ?? t('the trip')}</a> ·{' '}
            <Ago at={review.created_at} />
          </>
        }
      >
        <Menu
          label={t('More')}
          items={[
            ...(moderates
              ? open
                  .filter(([status]) => !main || (status !== 'approved' && status !== 'rejected'))
                  .map(([status, label, said]) => ({
                    label,
                    danger: status === 'spam',
                    run: () => moderate(status, said),
                  }))
              : []),
            edits && {
              label: review.is_featured ? t('Feature no longer') : t('Feature it'),
              run: () =>
                json('put', '/reviews/{id}', {
                  params: { id: review.id },
                  body: { is_featured: !review.is_featured },
                }).then(settle, failed),
            },
            can('delete', '/reviews/{id}') && {
              label: review.status === 'trash' ? t('Delete for good') : t('Move to the trash'),
              danger: true,
              run: () => setRemoving(true),
            },
          ]}
        />
        {main && <Button onClick={() => moderate('rejected', t('It is not shown.'))}>{t('Reject')}</Button>}
        {main && (
          <Button kind="primary" onClick={() => moderate('approved', t('It is shown on the site.'))}>
            {t('Approve')}
          </Button>
        )}
      </Head>
      <div class="svc-two">
        <div>
          <Section>
            <Stars rating={review.rating} />
            <blockquote class="svc-pre">{review.content}</blockquote>
          </Section>
          {edits && (
            <Section title={t('Answer on the site')}>
              <form
                onSubmit={(event) => {
                  event.preventDefault();
                  void answer();
                }}
              >
                <Summary form={form} />
                <Field label={t('Your answer')} errors={form.errors.reply}>
                  {({ id, describedby, invalid }) => (
                    <textarea
                      id={id}
                      rows={5}
                      aria-describedby={describedby}
                      aria-invalid={invalid}
                      value={form.values.reply ?? ''}
                      onInput={(event) => form.set('reply', event.currentTarget.value)}
                    />
                  )}
                </Field>
                <Button type="submit" kind="primary" busy={form.busy} disabled={!form.dirty}>
                  {t('Save the answer')}
                </Button>
              </form>
            </Section>
          )}
        </div>
        <Section title={t('Who wrote it')}>
          <Facts
            rows={[
              [t('Name'), review.author_name],
              [t('E-mail'), review.author_email && <a href={`mailto:${review.author_email}`}>{review.author_email}</a>],
              [
                t('Booking'),
                review.booking_id ? (
                  <a href={`/admin/bookings/${review.booking_id}`}>
                    {review.booking_reference ?? `#${review.booking_id}`}
                  </a>
                ) : (
                  ''
                ),
              ],
              [t('Traveled'), day(review.travel_date)],
              [t('Verified'), review.is_verified ? t('By a booking') : ''],
              [t('Featured'), review.is_featured ? t('Yes') : ''],
              [t('Found helpful'), review.helpful_count || ''],
              [t('Moderated'), review.moderated_at ? <Ago at={review.moderated_at} /> : ''],
            ]}
          />
        </Section>
      </div>
      {form.conflict && (
        <Conflict
          form={form}
          read={async () => ({ reply: (await now()).reply })}
          keep={() => void answer()}
          take={() => (form.reset(), again())}
        />
      )}
      {removing && (
        <Confirm
          title={review.status === 'trash' ? t('Delete this review for good?') : t('Move this review to the trash?')}
          action={review.status === 'trash' ? t('Delete for good') : t('Move to the trash')}
          danger
          onClose={() => setRemoving(false)}
          run={async () => {
            await json('delete', '/reviews/{id}', { params: { id: review.id } });
            forget(`/reviews/${review.id}`);
            changed('/reviews');
            route('/admin/reviews');
          }}
        >
          <p>{t("The trip's rating follows at once.")}</p>
        </Confirm>
      )}
    </div>
  );
}

export default function ReviewScreen({ id }: { id: number }) {
  const read = useRead(
    `/reviews/${id}`,
    async () => (await json<Review>('get', '/reviews/{id}', { params: { id } })).data,
  );
  return (
    <Opened read={read} back={{ href: '/admin/reviews', label: t('Reviews') }}>
      {(review) => <Screen review={review} again={read.again} />}
    </Opened>
  );
}
