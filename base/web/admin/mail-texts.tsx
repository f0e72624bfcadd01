// A template of e-mails: its text with tags and a preview, whom it is for, and a test of it.
import { useEffect, useRef, useState } from 'preact/hooks';

import { api, json, sentence } from '../kit/client';
import { Field } from '../kit/field';
import { FormDialog } from '../kit/form-dialog';
import { words } from '../kit/format';
import { t } from '../kit/i18n';
import { can } from '../kit/interface';
import { Pick, PickMany } from '../kit/pickers';
import { changed, useRead } from '../kit/query';
import { me } from '../kit/session';
import { Button, Failure, Notice, failed, toast } from '../kit/ui';
import { type Form, type Values, useForm } from '../kit/use-form';

export const templates_path = '/email-templates';

export const trip_types: Record<string, string> = {
  single_day: t('Trips of one day'),
  multi_day: t('Trips of several days'),
};

// As it would be sent: the draft if one is given, for a booking or with sample data.
function Preview({ id, subject, body }: { id: number; subject: string; body: string }) {
  const [booking, setBooking] = useState<number | null>(null);
  const [turn, setTurn] = useState(0);
  const [shown, setShown] = useState<{ subject: string; url: string; error?: string }>({ subject: '', url: '' });
  useEffect(() => {
    let here = true;
    const timer = setTimeout(async () => {
      try {
        const found = await api.post(
          '/email-templates/{id}/preview',
          { id },
          { ...(subject && { subject }), ...(body && { body }), booking_id: booking },
        );
        if (here)
          setShown({
            subject: String(found.subject),
            url: URL.createObjectURL(new Blob([String(found.body)], { type: 'text/html' })),
          });
      } catch (error) {
        if (here) setShown((before) => ({ ...before, error: sentence(error) }));
      }
    }, 400);
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [id, subject, body, booking, turn]);
  useEffect(() => () => URL.revokeObjectURL(shown.url), [shown.url]);
  return (
    <>
      {can('get', '/bookings') && (
        <Field label={t('Shown for')} help={t('A booking; sample data without one.')}>
          {({ id: box, describedby }) => (
            <Pick
              id={box}
              list="/bookings"
              value={booking}
              describedby={describedby}
              placeholder={t('Sample data')}
              onPick={(choice) => setBooking(choice?.id ?? null)}
            />
          )}
        </Field>
      )}
      {shown.error && <Failure error={shown.error} again={() => setTurn(turn + 1)} />}
      {shown.url && (
        <>
          <p>
            <b>{shown.subject}</b>
          </p>
          <iframe class="svc-preview" sandbox="" title={t('Preview of the e-mail')} src={shown.url} />
        </>
      )}
    </>
  );
}

function SendTest({ id }: { id: number }) {
  const [to, setTo] = useState(me.value?.user.email ?? '');
  const send = () =>
    api.post('/email-templates/{id}/test', { id }, { email: to }).then((done) => {
      toast(done.sent ? t('Sent to {0}. Look into the mailbox.', to) : done.message, done.sent ? 'good' : 'bad');
    }, failed);
  return (
    <div class="svc-bar">
      <input
        type="email"
        aria-label={t('Send a test to')}
        value={to}
        onInput={(event) => setTo(event.currentTarget.value)}
      />
      <Button disabled={!to} onClick={send}>
        {t('Send a test')}
      </Button>
    </div>
  );
}

function Tags({ event, insert }: { event: string; insert: (tag: string) => void }) {
  const read = useRead(`${templates_path}/variables/${event}`, async () =>
    Object.entries(
      (
        await json<Record<string, Values[]>>('get', '/email-templates/variables', {
          params: event ? { event_key: event } : {},
        })
      ).data,
    ),
  );
  if (read.error) return <Failure error={read.error} again={read.again} />;
  return (
    <details>
      <summary class="svc-button svc-plain">{t('Tags')}</summary>
      {(read.data ?? []).map(([category, all]) => (
        <div key={category} class="svc-chips" role="group" aria-label={words(category)}>
          <small>{words(category)}</small>
          {all.map((one) => (
            <button
              type="button"
              class="svc-chip"
              key={one.key}
              title={[one.description, one.sample && t('such as {0}', String(one.sample).slice(0, 60))]
                .filter(Boolean)
                .join(', ')}
              onClick={() => insert(one.key)}
            >
              {one.label || one.key}
            </button>
          ))}
        </div>
      ))}
    </details>
  );
}

export function TextField({
  form,
  name,
  label,
  help,
  type = 'text',
}: {
  form: Form;
  name: string;
  label: string;
  help?: string;
  type?: string;
}) {
  return (
    <Field label={label} help={help} errors={form.errors[name]}>
      {({ id, describedby }) => (
        <input
          id={id}
          type={type}
          aria-describedby={describedby}
          value={form.values[name] ?? ''}
          onInput={(event) => form.set(name, event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export function Body({ form, name, event }: { form: Form; name: string; event: string }) {
  const box = useRef<HTMLTextAreaElement>(null);
  const insert = (tag: string) => {
    const typed = String(form.values[name] ?? '');
    const at = box.current?.selectionStart ?? typed.length;
    form.set(name, `${typed.slice(0, at)}{{ ${tag} }}${typed.slice(box.current?.selectionEnd ?? at)}`);
    requestAnimationFrame(() => box.current?.focus());
  };
  return (
    <>
      <Field label={t('Text')} help={t('HTML with tags such as {0}.', '{{ trip_name }}')} errors={form.errors[name]}>
        {({ id, describedby }) => (
          <textarea
            ref={box}
            id={id}
            class="svc-code"
            rows={12}
            aria-describedby={describedby}
            value={form.values[name] ?? ''}
            onInput={(change) => form.set(name, change.currentTarget.value)}
          />
        )}
      </Field>
      <Tags event={event} insert={insert} />
    </>
  );
}

function Targets({ form }: { form: Form }) {
  const settings: Values = form.values.settings ?? {};
  const targets: Values = settings.targets ?? {};
  const put = (name: string, value: unknown) =>
    form.set('settings', { ...settings, targets: { ...targets, [name]: value } });
  const faults = Object.keys(form.errors)
    .filter((one) => one.startsWith('settings'))
    .flatMap((one) => form.errors[one] ?? []);
  return (
    <fieldset class="svc-group">
      <legend>{t('For these trips')}</legend>
      {faults.map((one) => (
        <p class="svc-error" key={one}>
          {one}
        </p>
      ))}
      <Field label={t('Trips')}>
        {({ id }) => <PickMany id={id} list="/trips" value={targets.trips ?? []} onPick={(ids) => put('trips', ids)} />}
      </Field>
      <Field label={t('Categories')} help={t('With those below them.')}>
        {({ id }) => (
          <PickMany
            id={id}
            list="/trip-categories"
            value={targets.categories ?? []}
            onPick={(ids) => put('categories', ids)}
          />
        )}
      </Field>
      {Object.entries(trip_types).map(([value, label]) => (
        <label key={value}>
          <input
            type="checkbox"
            checked={(targets.trip_types ?? []).includes(value)}
            onChange={(event) =>
              put(
                'trip_types',
                event.currentTarget.checked
                  ? [...(targets.trip_types ?? []), value]
                  : (targets.trip_types ?? []).filter((one: string) => one !== value),
              )
            }
          />{' '}
          {label}
        </label>
      ))}
      <p>
        <small>{t('A trip is stronger than a category, and a category stronger than a kind of trip.')}</small>
      </p>
    </fieldset>
  );
}

// `of`: an override of that template is made. Without both a new template is.
export function TemplateDialog({ template, of, onClose }: { template?: Values; of?: Values; onClose: () => void }) {
  const begun: Values = of
    ? { name: of.name, subject: of.subject, body: of.body, settings: { targets: {}, priority: 10 } }
    : { category: 'booking', subject: '', body: '' };
  const form = useForm(template, template ? {} : begun);
  const shown = template ?? of;
  const is_override = !!of || !!template?.settings?.overrides;
  const event = template?.event_key || of?.event_key || '';
  const read = async () => (await json<Values>('get', `${templates_path}/{id}`, { params: { id: template!.id } })).data;
  const run = async (changes: Values, row_version = template?.row_version) => {
    if (template) await api.put('/email-templates/{id}', { id: template.id }, { ...changes, row_version });
    else if (of) {
      const { settings, ...texts } = form.values;
      await api.post('/email-templates/{id}/override', { id: of.id }, { ...texts, targets: settings.targets });
    } else await api.post('/email-templates', null, form.values);
    toast(t('The template is saved.'));
    await changed(templates_path);
  };
  return (
    <FormDialog
      title={template?.name ?? (of ? t('Another text for some trips') : t('New template'))}
      form={form}
      wide
      run={run}
      onClose={onClose}
      compare={template ? { saved: template, read } : undefined}
      disabled={!form.values.name || !form.values.subject || !form.values.body}
    >
      <div class={shown ? 'svc-two' : ''}>
        <div>
          <TextField form={form} name="name" label={t('Name')} />
          {!shown && (
            <Field
              label={t('Kind')}
              help={t('Marketing goes only to those who agreed, with a link to unsubscribe.')}
              errors={form.errors.category}
            >
              {({ id, describedby }) => (
                <select
                  id={id}
                  aria-describedby={describedby}
                  value={form.values.category}
                  onChange={(change) => form.set('category', change.currentTarget.value)}
                >
                  <option value="booking">{t('About a booking')}</option>
                  <option value="marketing">{t('Marketing')}</option>
                </select>
              )}
            </Field>
          )}
          {template?.category === 'marketing' && (
            <Notice kind="info">{t('Marketing goes only to those who agreed, with a link to unsubscribe.')}</Notice>
          )}
          {template?.is_system && !template.is_customized && (
            <Notice kind="info">
              {t(
                'This is the text that comes with this release, in the language of the recipient. What you write replaces it in all languages.',
              )}
            </Notice>
          )}
          {is_override && <Targets form={form} />}
          <TextField form={form} name="subject" label={t('Subject')} />
          <Body form={form} name="body" event={event} />
          {template && (
            <details>
              <summary class="svc-button svc-plain">{t('Sender and copies')}</summary>
              <div class="svc-fields">
                <TextField form={form} name="from_name" label={t('Name of the sender')} />
                <TextField form={form} name="from_email" label={t('Address of the sender')} />
                <TextField form={form} name="reply_to" label={t('Answers go to')} />
                {template.recipient_type === 'admin' && (
                  <TextField form={form} name="to_email" label={t('Recipients')} />
                )}
                <TextField form={form} name="cc" label={t('Copy to')} />
                <TextField form={form} name="bcc" label={t('Blind copy to')} />
              </div>
            </details>
          )}
        </div>
        {shown && (
          <div>
            <Preview id={shown.id} subject={form.values.subject} body={form.values.body} />
            {template && <SendTest id={template.id} />}
          </div>
        )}
      </div>
    </FormDialog>
  );
}
