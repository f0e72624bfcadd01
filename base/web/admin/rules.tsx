// Rules that make a trip's dates by themselves; their dates are shown while the rule is written.
import { Plus } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';

import { type DataOf, api, json, sentence } from '../kit/client';
import { Field } from '../kit/field';
import { SchemaFields } from '../kit/form';
import { FormDialog } from '../kit/form-dialog';
import { type Values, useForm } from '../kit/use-form';
import { day, today, short_weekdays, weekdays } from '../kit/format';
import { t } from '../kit/i18n';
import { can, fields, operation } from '../kit/interface';
import { changed, useRead } from '../kit/query';
import { Button, Confirm, Empty, Loaded, Notice, Status, failed, toast } from '../kit/ui';
import { Section } from '../kit/page';
import { GuideField } from './guide';

type Preview = DataOf<'/recurring-availability/preview', 'post'>;

function said(rule: Record<string, any>): string {
  const days = (rule.days_of_week ?? []).map((one: number) => short_weekdays[one % 7]).join(', ');
  const when =
    rule.rule_type === 'weekly'
      ? t('every {0}', days || t('week'))
      : rule.rule_type === 'interval'
        ? t('every {0} days', rule.interval_days)
        : rule.day_of_month
          ? t('on day {0} of the month', rule.day_of_month)
          : t('on the {0} {1} of the month', rule.week_of_month, weekdays[(rule.day_of_week ?? 0) % 7]);
  return t(
    '{0}, from {1}{2}{3}',
    when,
    day(rule.start_date),
    rule.end_date ? ` ${t('until {0}', day(rule.end_date))}` : '',
    rule.departure_time ? ` ${t('at {0}', rule.departure_time)}` : '',
  );
}

function RuleDialog({
  trip,
  rule,
  onClose,
  done,
}: {
  trip: Record<string, any>;
  rule: Record<string, any> | null;
  onClose: () => void;
  done: () => void;
}) {
  const form = useForm(rule ?? undefined);
  const start = {
    trip_id: trip.id,
    rule_type: 'weekly',
    days_of_week: [6],
    start_date: today(),
    seats_total: trip.max_travelers ?? null,
    status: 'active',
  };
  const values: Record<string, any> = { ...(rule ?? start), ...form.changes };
  const write = operation(rule ? 'put' : 'post', rule ? '/recurring-availability/{id}' : '/recurring-availability')!;
  const known = fields(write.body);
  const [preview, setPreview] = useState<{ found?: Preview; error?: string }>({});
  const asked = JSON.stringify(values);
  useEffect(() => {
    let here = true;
    const timer = setTimeout(() => {
      const body = Object.fromEntries(
        Object.entries(values).filter(
          ([name]) => name in fields(operation('post', '/recurring-availability/preview')?.body),
        ),
      );
      void api.post('/recurring-availability/preview', null, { ...body, trip_id: trip.id, preview_limit: 40 }).then(
        (found) => here && setPreview({ found }),
        (error) => here && setPreview({ error: sentence(error) }),
      );
    }, 300);
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [asked]);
  const run = async (changes: Values, row_version = rule?.row_version) => {
    if (rule) await api.put('/recurring-availability/{id}', { id: rule.id }, { ...changes, row_version });
    else await api.post('/recurring-availability', null, values);
    toast(t('The rule is saved.'));
  };
  const shape = { ...form, values };
  const by_type: Record<string, string[]> = {
    weekly: [],
    monthly: ['day_of_month', 'week_of_month', 'day_of_week'],
    interval: ['interval_days', 'interval_start_date'],
  };
  const only = [
    'name',
    'rule_type',
    ...(by_type[values.rule_type] ?? []),
    'start_date',
    'end_date',
    'departure_time',
    'seats_total',
    'original_price',
    'sale_price',
    'cutoff_hours',
    'guide_user_id',
    'excluded_dates',
    'status',
  ].filter((one) => one in known);
  return (
    <FormDialog
      title={rule ? t('Change the rule') : t('New rule')}
      form={form}
      run={run}
      done={done}
      onClose={onClose}
      wide
      compare={rule ? { saved: rule, read: () => api.get('/recurring-availability/{id}', { id: rule.id }) } : undefined}
    >
      <div class="svc-two">
        <div>
          <SchemaFields schema={write.body!} form={shape} only={only.slice(0, 2)} />
          {values.rule_type === 'weekly' && (
            <Field label={t('Days of the week')} group errors={form.errors.days_of_week}>
              {() => (
                <div class="svc-switch svc-wrap">
                  {[1, 2, 3, 4, 5, 6, 0].map((one) => {
                    const all: number[] = values.days_of_week ?? [];
                    return (
                      <Button
                        key={one}
                        aria-label={weekdays[one]}
                        aria-pressed={all.includes(one)}
                        onClick={() =>
                          form.set(
                            'days_of_week',
                            all.includes(one) ? all.filter((each) => each !== one) : [...all, one].sort(),
                          )
                        }
                      >
                        {weekdays[one]!.slice(0, 2)}
                      </Button>
                    );
                  })}
                </div>
              )}
            </Field>
          )}
          <SchemaFields schema={write.body!} form={shape} only={only.slice(2)} own={{ guide_user_id: GuideField }} />
        </div>
        <div>
          <h3>{t('Its dates')}</h3>
          {preview.error && <Notice kind="warn">{preview.error}</Notice>}
          {preview.found && (
            <>
              <p>
                {t('{0, plural, one {# date} other {# dates}}', preview.found.total ?? 0)}
                {preview.found.until ? ` ${t('until {0}', day(preview.found.until))}` : ''}
                {preview.found.excluded_count ? t(', {0} left out', preview.found.excluded_count) : ''}
              </p>
              <ol class="svc-plain-list svc-columns">
                {(preview.found.dates ?? []).map((one) => (
                  <li key={one.id}>
                    {day(one.departure_date, 'D j M Y')} {one.departure_time ?? ''}
                  </li>
                ))}
              </ol>
              {preview.found.truncated && <p>{t('And so on.')}</p>}
            </>
          )}
        </div>
      </div>
    </FormDialog>
  );
}

export function Rules({ trip }: { trip: Record<string, any> }) {
  const [editing, setEditing] = useState<Record<string, any> | 'new' | null>(null);
  const [removing, setRemoving] = useState<Record<string, any> | null>(null);
  const read = useRead(
    `/recurring-availability/${trip.id}`,
    async () =>
      (await json<any[]>('get', '/recurring-availability', { params: { trip_id: trip.id, per_page: 100 } })).data,
  );
  const edits = can('post', '/recurring-availability');
  const done = () => {
    read.again();
    changed('/departures', '/availability', '/trips');
  };
  return (
    <Section
      title={t('Rules')}
      action={
        edits ? (
          <Button icon={<Plus size={16} aria-hidden />} onClick={() => setEditing('new')}>
            {t('New rule')}
          </Button>
        ) : undefined
      }
    >
      <Loaded read={read} rows={3}>
        {(all) =>
          all.length ? (
            <ul class="svc-rows">
              {all.map((one) => (
                <li key={one.id}>
                  <div>
                    <b>{one.name || t('Rule')}</b>
                    <small>{said(one)}</small>
                  </div>
                  <Status value={one.status} />
                  {edits && <Button onClick={() => setEditing(one)}>{t('Change')}</Button>}
                  {can('post', '/recurring-availability/{id}/duplicate') && (
                    <Button
                      kind="quiet"
                      onClick={() =>
                        api
                          .post('/recurring-availability/{id}/duplicate', { id: one.id })
                          .then(() => (toast(t('Duplicated; the copy is inactive.')), done()), failed)
                      }
                    >
                      {t('Duplicate')}
                    </Button>
                  )}
                  {edits && (
                    <Button kind="quiet" onClick={() => setRemoving(one)}>
                      {t('Delete')}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          ) : (
            <Empty>{t('No rules. A rule such as “every Saturday” makes dates by itself.')}</Empty>
          )
        }
      </Loaded>
      {editing && (
        <RuleDialog
          trip={trip}
          rule={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
          done={done}
        />
      )}
      {removing && (
        <Confirm
          title={t('Delete this rule?')}
          action={t('Delete')}
          danger
          onClose={() => setRemoving(null)}
          run={async () => {
            await json('delete', '/recurring-availability/{id}', { params: { id: removing.id } });
            done();
          }}
        >
          <p>{t('Its dates are no longer sold; departures with bookings stay.')}</p>
        </Confirm>
      )}
    </Section>
  );
}
