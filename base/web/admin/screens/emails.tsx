// The e-mails the site sends: on or off, subject and text with their tags, and a test of the mail server.
import { useEffect, useRef, useState } from 'preact/hooks';

import { api, json, sentence } from '../../kit/client';
import { Field } from '../../kit/field';
import { FormDialog } from '../../kit/form-dialog';
import { Summary, type Values, useForm } from '../../kit/use-form';
import { words } from '../../kit/format';
import { t } from '../../kit/i18n';
import { can } from '../../kit/interface';
import { Pick } from '../../kit/pickers';
import { changed, useRead } from '../../kit/query';
import { me } from '../../kit/session';
import { Button, Empty, Loaded, Notice, Switch, failed, toast } from '../../kit/ui';
import { Head, Section } from '../../kit/page';

interface Template {
  key: string;
  label: string;
  enabled: boolean;
  toggle: string;
  subject: string;
  body: string;
}

function templates_of(all: any[], values: Record<string, any>): Template[] {
  const older = new Set(all.flatMap((one) => one.also as string[]));
  return all
    .map((one) => /^email_tpl_(.+)_subject$/.exec(one.key)?.[1])
    .filter((key): key is string => !!key && !older.has(`email_tpl_${key}_subject`))
    .map((key) => ({ key, label: words(key), toggle: `email_template_${key}`, enabled: values[`email_template_${key}`] !== false, subject: values[`email_tpl_${key}_subject`] ?? '', body: values[`email_tpl_${key}_body`] ?? '' }))
    .sort((a, b) => a.label.localeCompare(b.label));
}

interface Tag {
  key?: string;
  name?: string;
  label?: string;
  description?: string;
  sample?: string;
}

function Preview({ template, subject, body }: { template: string; subject: string; body: string }) {
  const [booking, setBooking] = useState<number | null>(null);
  const [shown, setShown] = useState<{ subject: string; url: string; error?: string }>({ subject: '', url: '' });
  useEffect(() => {
    let here = true;
    const timer = setTimeout(async () => {
      try {
        const found = await json<{ subject: string; body: string }>('post', '/email-template-preview', { body: { template_key: template, subject: subject || null, body: body || null, booking_id: booking } });
        if (here) setShown({ subject: found.data.subject, url: URL.createObjectURL(new Blob([found.data.body], { type: 'text/html' })) });
      } catch (error) {
        if (here) setShown((before) => ({ ...before, error: sentence(error) }));
      }
    }, 400);
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [template, subject, body, booking]);
  useEffect(() => () => URL.revokeObjectURL(shown.url), [shown.url]);
  return (
    <>
      {can('get', '/bookings') && (
        <Field label={t('Shown for')} help={t('A booking; sample data without one.')}>
          {({ id, describedby }) => <Pick id={id} list="/bookings" value={booking} describedby={describedby} placeholder={t('Sample data')} onPick={(choice) => setBooking(choice?.id ?? null)} />}
        </Field>
      )}
      {shown.error && <Notice kind="bad">{shown.error}</Notice>}
      {shown.url && (
        <>
          <p><b>{shown.subject}</b></p>
          <iframe class="svc-preview" sandbox="" title={t('Preview of the e-mail')} src={shown.url} />
        </>
      )}
    </>
  );
}

function Editor({ template, described, values, onClose, done }: { template: Template; described: any[]; values: Record<string, any>; onClose: () => void; done: () => void }) {
  const prefix = `email_tpl_${template.key}`;
  const keys = ['subject', 'body', 'cc', 'bcc'].map((one) => `${prefix}_${one}`).filter((one) => described.some((each) => each.key === one));
  const form = useForm(Object.fromEntries(keys.map((one) => [one, values[one] ?? ''])));
  const body = useRef<HTMLTextAreaElement>(null);
  const tags = useRead(can('get', '/email-template-variables') ? `/email-template-variables/${template.key}` : null, async () =>
    Object.entries((await json<Record<string, Tag[]>>('get', '/email-template-variables', { params: { template_key: template.key } })).data),
  );
  const previews = can('post', '/email-template-preview');
  const insert = (tag: string) => {
    const box = body.current!;
    const text = form.values[`${prefix}_body`] as string;
    const at = box.selectionStart ?? text.length;
    form.set(`${prefix}_body`, `${text.slice(0, at)}{{ ${tag} }}${text.slice(box.selectionEnd ?? at)}`);
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
    <FormDialog title={template.label} form={form} run={run} compare={{ saved: {}, read: stored }} done={done} onClose={onClose} disabled={!form.dirty} wide>
      <div class={previews ? 'svc-two' : ''}>
        <div>
          <Field label={t('Subject')} help={t('Empty: the text that comes with this release.')} errors={form.errors[`${prefix}_subject`]}>
            {({ id, describedby }) => <input id={id} aria-describedby={describedby} value={form.values[`${prefix}_subject`]} onInput={(event) => form.set(`${prefix}_subject`, event.currentTarget.value)} />}
          </Field>
          <Field label={t('Text')} help={t('HTML. Empty: the text that comes with this release.')} errors={form.errors[`${prefix}_body`]}>
            {({ id, describedby }) => <textarea ref={body} id={id} class="svc-code" rows={12} aria-describedby={describedby} value={form.values[`${prefix}_body`]} onInput={(event) => form.set(`${prefix}_body`, event.currentTarget.value)} />}
          </Field>
          {(tags.data ?? []).map(([category, all]) => (
            <div key={category} class="svc-chips" role="group" aria-label={words(category)}>
              <small>{words(category)}</small>
              {all.map((one) => {
                const name = one.key ?? one.name ?? '';
                return (
                  <button type="button" class="svc-chip" key={name} title={[one.description, one.sample && t('such as {0}', one.sample.slice(0, 60))].filter(Boolean).join(', ')} onClick={() => insert(name.replace(/[{}\s]/g, ''))}>
                    {one.label || name}
                  </button>
                );
              })}
            </div>
          ))}
          {keys.includes(`${prefix}_bcc`) && (
            <div class="svc-fields">
              {['cc', 'bcc'].map((one) => (
                <Field key={one} label={one === 'cc' ? t('Copy to') : t('Blind copy to')} errors={form.errors[`${prefix}_${one}`]}>
                  {({ id }) => <input id={id} value={form.values[`${prefix}_${one}`]} onInput={(event) => form.set(`${prefix}_${one}`, event.currentTarget.value)} />}
                </Field>
              ))}
            </div>
          )}
        </div>
        {previews && (
          <div>
            <Preview template={template.key} subject={form.values[`${prefix}_subject`]} body={form.values[`${prefix}_body`]} />
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
      setSaid({ good, text: done?.message ?? (good ? t('Sent. Look into the mailbox.') : t('The mail server refused it.')) });
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
        <input type="email" aria-label={t('Send a test to')} value={form.values.to} onInput={(event) => form.set('to', event.currentTarget.value)} />
        <Button type="submit" busy={form.busy}>{t('Send a test')}</Button>
      </form>
    </Section>
  );
}

export default function Emails() {
  const described = useRead('/settings/schema', () => api.get('/settings/schema', {}));
  const values = useRead('/settings', async () => (await json<Record<string, any>>('get', '/settings')).data);
  const [open, setOpen] = useState<Template | null>(null);
  const [text, setText] = useState('');
  const again = () => (changed('/settings'), values.again());
  return (
    <div class="svc-page">
      <Head title={t('E-mail templates')} sub={t('What customers and the office are told, and when.')} />
      {can('post', '/settings/test-email') && <TestMail />}
      <div class="svc-bar">
        <input type="search" data-search aria-label={t('Search templates')} placeholder={t('Search templates')} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </div>
      <Loaded read={described} rows={10}>
        {(all) => {
          const list = templates_of(all, values.data ?? {}).filter((one) => one.label.toLowerCase().includes(text.toLowerCase()));
          const groups: [string, Template[]][] = [
            [t('To customers'), list.filter((one) => !one.key.startsWith('admin_') && !one.key.startsWith('account_') && one.key !== 'enquiry_admin')],
            [t('To the office'), list.filter((one) => one.key.startsWith('admin_') || one.key === 'enquiry_admin')],
            [t('About accounts'), list.filter((one) => one.key.startsWith('account_'))],
          ];
          if (!list.length) return <Empty>{t('No template matches.')}</Empty>;
          return groups.filter(([, some]) => some.length).map(([title, some]) => (
            <Section key={title} title={title}>
              <ul class="svc-rows">
                {some.map((one) => (
                  <li key={one.key}>
                    <div>
                      <b>{one.label}</b>
                      <small>{one.subject || (one.body ? t('Own text') : t('As it comes with this release'))}</small>
                    </div>
                    <Button onClick={() => setOpen(one)} aria-label={t('Edit {0}', one.label)}>{t('Edit')}</Button>
                    <Switch aria-label={t('Send {0}', one.label)} checked={one.enabled} set={(on) => api.put('/settings', null, { [one.toggle]: on }).then(again, failed)} />
                  </li>
                ))}
              </ul>
            </Section>
          ));
        }}
      </Loaded>
      {open && <Editor template={open} described={described.data ?? []} values={values.data ?? {}} onClose={() => setOpen(null)} done={again} />}
    </div>
  );
}
