// The e-mails the site sends: on or off, subject and text with their tags, and a test of the mail server.
import { useEffect, useRef, useState } from 'preact/hooks';

import { type RowOf, api, json, sentence } from '../../kit/client';
import { Field } from '../../kit/field';
import { FormDialog } from '../../kit/form-dialog';
import { Summary, type Values, useForm } from '../../kit/use-form';
import { words } from '../../kit/format';
import { t } from '../../kit/i18n';
import { can } from '../../kit/interface';
import { Pick } from '../../kit/pickers';
import { changed, useRead } from '../../kit/query';
import { me } from '../../kit/session';
import { Button, Empty, Failure, Loaded, Notice, Switch, failed, toast } from '../../kit/ui';
import { Head, Section } from '../../kit/page';

// An e-mail as the server declares it: its own name, and the settings that switch it and replace its text.
type Declared = RowOf<'/email-template-catalog'>;
interface Template extends Declared {
  label: string;
  enabled: boolean;
  subject: string;
  body: string;
}

function templates_of(all: Declared[], values: Record<string, any>): Template[] {
  const own = (key: string | null | undefined) => (key && values[key]) || '';
  return all
    .map((one) => ({
      ...one,
      label: one.name ?? words(one.key),
      enabled: values[one.switch_setting] !== false,
      subject: own(one.subject_setting),
      body: own(one.body_setting),
    }))
    .sort((a, b) => a.label.localeCompare(b.label));
}

interface Tag {
  key?: string;
  name?: string;
  label?: string;
  description?: string;
  sample?: string;
}

// The e-mail as it would be sent, and the same sent to whoever writes it.
function Preview({ template, subject, body }: { template: string; subject: string; body: string }) {
  const [booking, setBooking] = useState<number | null>(null);
  const [turn, setTurn] = useState(0);
  const [shown, setShown] = useState<{ subject: string; url: string; error?: string }>({ subject: '', url: '' });
  const draft = { template_key: template, subject: subject || null, body: body || null, booking_id: booking };
  useEffect(() => {
    let here = true;
    const timer = setTimeout(async () => {
      try {
        const found = await json<{ subject: string; body: string }>('post', '/email-template-preview', { body: draft });
        if (here)
          setShown({
            subject: found.data.subject,
            url: URL.createObjectURL(new Blob([found.data.body], { type: 'text/html' })),
          });
      } catch (error) {
        if (here) setShown((before) => ({ ...before, error: sentence(error) }));
      }
    }, 400);
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [template, subject, body, booking, turn]);
  useEffect(() => () => URL.revokeObjectURL(shown.url), [shown.url]);
  const send = () =>
    api
      .post('/email-template-test', null, draft)
      .then(
        (done) =>
          toast(
            done.sent ? t('Sent to {0}. Look into the mailbox.', done.to) : done.message,
            done.sent ? 'good' : 'bad',
          ),
        failed,
      );
  return (
    <>
      {can('get', '/bookings') && (
        <Field label={t('Shown for')} help={t('A booking; sample data without one.')}>
          {({ id, describedby }) => (
            <Pick
              id={id}
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
      {can('post', '/email-template-test') && me.value?.user.email && (
        <Button onClick={send}>{t('Send it to {0}', me.value.user.email)}</Button>
      )}
    </>
  );
}

function Editor({
  template,
  values,
  onClose,
  done,
}: {
  template: Template;
  values: Record<string, any>;
  onClose: () => void;
  done: () => void;
}) {
  const { subject_setting: subject, body_setting: text, cc_setting: cc, bcc_setting: bcc } = template;
  const copies = (
    [
      [cc, t('Copy to')],
      [bcc, t('Blind copy to')],
    ] as [string | null, string][]
  ).filter(([key]) => key);
  const keys = [subject, text, cc, bcc].filter((one): one is string => !!one);
  const form = useForm(Object.fromEntries(keys.map((one) => [one, values[one] ?? ''])));
  const body = useRef<HTMLTextAreaElement>(null);
  const tags = useRead(
    can('get', '/email-template-variables') ? `/email-template-variables/${template.key}` : null,
    async () =>
      Object.entries(
        (
          await json<Record<string, Tag[]>>('get', '/email-template-variables', {
            params: { template_key: template.key },
          })
        ).data,
      ),
  );
  const previews = can('post', '/email-template-preview');
  const insert = (tag: string) => {
    const box = body.current!;
    const typed = form.values[text!] as string;
    const at = box.selectionStart ?? typed.length;
    form.set(text!, `${typed.slice(0, at)}{{ ${tag} }}${typed.slice(box.selectionEnd ?? at)}`);
    requestAnimationFrame(() => box.focus());
  };
  const run = async (changes: Values) => {
    await api.put('/settings', null, changes);
    toast(t('The template is saved.'));
  };
  const stored = async () => {
    const now = (await json<Record<string, any>>('get', '/settings')).data;
    return Object.fromEntries(keys.map((one) => [one, now[one] ?? '']));
  };
  return (
    <FormDialog
      title={template.label}
      form={form}
      run={run}
      compare={{ saved: {}, read: stored }}
      done={done}
      onClose={onClose}
      disabled={!form.dirty}
      wide
    >
      <div class={previews ? 'svc-two' : ''}>
        <div>
          {subject && (
            <Field
              label={t('Subject')}
              help={t('Empty: the text that comes with this release.')}
              errors={form.errors[subject]}
            >
              {({ id, describedby }) => (
                <input
                  id={id}
                  aria-describedby={describedby}
                  value={form.values[subject]}
                  onInput={(event) => form.set(subject, event.currentTarget.value)}
                />
              )}
            </Field>
          )}
          {text && (
            <Field
              label={t('Text')}
              help={t('HTML. Empty: the text that comes with this release.')}
              errors={form.errors[text]}
            >
              {({ id, describedby }) => (
                <textarea
                  ref={body}
                  id={id}
                  class="svc-code"
                  rows={12}
                  aria-describedby={describedby}
                  value={form.values[text]}
                  onInput={(event) => form.set(text, event.currentTarget.value)}
                />
              )}
            </Field>
          )}
          {(tags.data ?? []).map(([category, all]) => (
            <div key={category} class="svc-chips" role="group" aria-label={words(category)}>
              <small>{words(category)}</small>
              {all.map((one) => {
                const name = one.key ?? one.name ?? '';
                return (
                  <button
                    type="button"
                    class="svc-chip"
                    key={name}
                    title={[one.description, one.sample && t('such as {0}', one.sample.slice(0, 60))]
                      .filter(Boolean)
                      .join(', ')}
                    onClick={() => insert(name.replace(/[{}\s]/g, ''))}
                  >
                    {one.label || name}
                  </button>
                );
              })}
            </div>
          ))}
          {copies.length > 0 && (
            <div class="svc-fields">
              {copies.map(([key, label]) => (
                <Field key={key} label={label} errors={form.errors[key!]}>
                  {({ id }) => (
                    <input
                      id={id}
                      value={form.values[key!]}
                      onInput={(event) => form.set(key!, event.currentTarget.value)}
                    />
                  )}
                </Field>
              ))}
            </div>
          )}
        </div>
        {previews && (
          <div>
            <Preview
              template={template.key}
              subject={subject ? form.values[subject] : ''}
              body={text ? form.values[text] : ''}
            />
          </div>
        )}
      </div>
    </FormDialog>
  );
}

function TestMail() {
  const form = useForm({ to: me.value?.user.email ?? '' });
  const [said, setSaid] = useState<{ good: boolean; text: string } | null>(null);
  const send = () =>
    form.submit(async () => {
      const done = (await json<any>('post', '/settings/test-email', { body: { to: form.values.to } })).data;
      const good = done?.sent !== false && done?.ok !== false;
      setSaid({
        good,
        text: done?.message ?? (good ? t('Sent. Look into the mailbox.') : t('The mail server refused it.')),
      });
    });
  return (
    <Section title={t('Test the mail server')}>
      <Summary form={form} />
      {said && <Notice kind={said.good ? 'good' : 'bad'}>{said.text}</Notice>}
      <form
        class="svc-bar"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <input
          type="email"
          aria-label={t('Send a test to')}
          value={form.values.to}
          onInput={(event) => form.set('to', event.currentTarget.value)}
        />
        <Button type="submit" busy={form.busy}>
          {t('Send a test')}
        </Button>
      </form>
    </Section>
  );
}

export default function Emails() {
  const declared = useRead('/email-template-catalog', () => api.get('/email-template-catalog', {}));
  const values = useRead('/settings', async () => (await json<Record<string, any>>('get', '/settings')).data);
  const [open, setOpen] = useState<Template | null>(null);
  const [text, setText] = useState('');
  const again = () => (changed('/settings'), values.again());
  return (
    <div class="svc-page">
      <Head title={t('E-mail templates')} sub={t('What customers and the office are told, and when.')} />
      {can('post', '/settings/test-email') && <TestMail />}
      <div class="svc-bar">
        <input
          type="search"
          data-search
          aria-label={t('Search templates')}
          placeholder={t('Search templates')}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      <Loaded read={declared} rows={10}>
        {(all) => (
          <Loaded read={values} rows={10}>
            {(stored) => {
              const list = templates_of(all, stored).filter((one) =>
                one.label.toLowerCase().includes(text.toLowerCase()),
              );
              const groups: [string, Template[]][] = [
                [t('To customers'), list.filter((one) => !one.is_for_staff && !one.event_key.startsWith('account.'))],
                [t('To the office'), list.filter((one) => one.is_for_staff)],
                [t('About accounts'), list.filter((one) => !one.is_for_staff && one.event_key.startsWith('account.'))],
              ];
              if (!list.length) return <Empty>{t('No template matches.')}</Empty>;
              return groups
                .filter(([, some]) => some.length)
                .map(([title, some]) => (
                  <Section key={title} title={title}>
                    <ul class="svc-rows">
                      {some.map((one) => (
                        <li key={one.key}>
                          <div>
                            <b>{one.label}</b>
                            <small>
                              {one.subject || (one.body ? t('Own text') : t('As it comes with this release'))}
                            </small>
                          </div>
                          <Button onClick={() => setOpen(one)} aria-label={t('Edit {0}', one.label)}>
                            {t('Edit')}
                          </Button>
                          <Switch
                            aria-label={t('Send {0}', one.label)}
                            checked={one.enabled}
                            set={(on) => api.put('/settings', null, { [one.switch_setting]: on }).then(again, failed)}
                          />
                        </li>
                      ))}
                    </ul>
                  </Section>
                ));
            }}
          </Loaded>
        )}
      </Loaded>
      {open && <Editor template={open} values={values.data ?? {}} onClose={() => setOpen(null)} done={again} />}
    </div>
  );
}
