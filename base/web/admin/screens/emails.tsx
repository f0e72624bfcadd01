// The e-mails the site sends: on or off, subject and text with their tags, and a test of the mail server.
import { useRef, useState } from 'preact/hooks';

import { api, json } from '../../kit/client';
import { Field, Summary, useForm } from '../../kit/form';
import { words } from '../../kit/format';
import { can, operation } from '../../kit/interface';
import { changed, useRead } from '../../kit/query';
import { me } from '../../kit/session';
import { Button, Dialog, Empty, Head, Loaded, Notice, Section, failed, toast } from '../../kit/ui';

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

// Tags named in the setting's own sentence: "{{ customer_name }}".
function tags_of(described: any[], key: string): string[] {
  const says = described.filter((one) => one.key.startsWith(`email_tpl_${key}_`)).map((one) => one.description).join(' ');
  return [...new Set([...says.matchAll(/\{\{\s*([a-z_]+)\s*\}\}|`([a-z_]+)`/g)].map((one) => one[1] ?? one[2]!))];
}

const common = ['customer_name', 'booking_reference', 'trip_title', 'travel_date', 'total', 'amount_due', 'company_name'];

function Editor({ template, described, values, onClose, done }: { template: Template; described: any[]; values: Record<string, any>; onClose: () => void; done: () => void }) {
  const prefix = `email_tpl_${template.key}`;
  const keys = ['subject', 'body', 'cc', 'bcc'].map((one) => `${prefix}_${one}`).filter((one) => described.some((each) => each.key === one));
  const form = useForm(Object.fromEntries(keys.map((one) => [one, values[one] ?? ''])));
  const body = useRef<HTMLTextAreaElement>(null);
  const tags = tags_of(described, template.key);
  const preview_route = operation('post', '/settings/email-preview') ?? operation('post', '/email-templates/preview');
  const insert = (tag: string) => {
    const box = body.current!;
    const text = form.values[`${prefix}_body`] as string;
    const at = box.selectionStart ?? text.length;
    form.set(`${prefix}_body`, `${text.slice(0, at)}{{ ${tag} }}${text.slice(box.selectionEnd ?? at)}`);
    requestAnimationFrame(() => box.focus());
  };
  const save = () =>
    form
      .submit(async (changes) => {
        await api.put('/settings', null, changes);
        toast('The template is saved.');
      })
      .then((good) => good && (done(), onClose()));
  return (
    <Dialog title={template.label} wide onClose={onClose} footer={<><Button onClick={onClose}>Back</Button><Button kind="primary" busy={form.busy} disabled={!form.dirty} onClick={() => void save()}>Save</Button></>}>
      <Summary form={form} />
      <Field label="Subject" help="Empty: the text that comes with this release." errors={form.errors[`${prefix}_subject`]}>
        {({ id, describedby }) => <input id={id} aria-describedby={describedby} value={form.values[`${prefix}_subject`]} onInput={(event) => form.set(`${prefix}_subject`, event.currentTarget.value)} />}
      </Field>
      <Field label="Text" help="HTML. Empty: the text that comes with this release." errors={form.errors[`${prefix}_body`]}>
        {({ id, describedby }) => <textarea ref={body} id={id} class="svc-code" rows={12} aria-describedby={describedby} value={form.values[`${prefix}_body`]} onInput={(event) => form.set(`${prefix}_body`, event.currentTarget.value)} />}
      </Field>
      <div class="svc-chips" role="group" aria-label="Tags">
        {(tags.length ? tags : common).map((tag) => (
          <button type="button" class="svc-chip" key={tag} onClick={() => insert(tag)}>
            {tag}
          </button>
        ))}
      </div>
      {keys.includes(`${prefix}_bcc`) && (
        <div class="svc-fields">
          {['cc', 'bcc'].map((one) => (
            <Field key={one} label={one === 'cc' ? 'Copy to' : 'Blind copy to'} errors={form.errors[`${prefix}_${one}`]}>
              {({ id }) => <input id={id} value={form.values[`${prefix}_${one}`]} onInput={(event) => form.set(`${prefix}_${one}`, event.currentTarget.value)} />}
            </Field>
          ))}
        </div>
      )}
      {form.values[`${prefix}_body`] && !preview_route && (
        <Field label="Preview, tags as they stand" group>
          {() => <iframe class="svc-preview" sandbox="" title="Preview" src={URL.createObjectURL(new Blob([form.values[`${prefix}_body`]], { type: 'text/html' }))} />}
        </Field>
      )}
    </Dialog>
  );
}

function TestMail() {
  const form = useForm({ to: me.value?.user.email ?? '' });
  const [said, setSaid] = useState<{ good: boolean; text: string } | null>(null);
  const field = Object.keys((operation('post', '/settings/test-email')?.body as any)?.properties ?? {})[0] ?? 'to';
  const send = () =>
    form.submit(async () => {
      const done = (await json<any>('post', '/settings/test-email', { body: { [field]: form.values.to, to: form.values.to } })).data;
      const good = done?.sent !== false && done?.ok !== false;
      setSaid({ good, text: done?.message ?? (good ? 'Sent. Look into the mailbox.' : 'The mail server refused it.') });
    });
  return (
    <Section title="Test the mail server">
      <Summary form={form} />
      {said && <Notice kind={said.good ? 'good' : 'bad'}>{said.text}</Notice>}
      <form
        class="svc-bar"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <input type="email" aria-label="Send a test to" value={form.values.to} onInput={(event) => form.set('to', event.currentTarget.value)} />
        <Button type="submit" busy={form.busy}>Send a test</Button>
      </form>
    </Section>
  );
}

export default function Emails() {
  const described = useRead('/settings/schema', () => api.get('/settings/schema', {}));
  const values = useRead('/settings', async () => (await json<Record<string, any>>('get', '/settings')).data);
  const [open, setOpen] = useState<Template | null>(null);
  const [text, setText] = useState('');
  const again = () => {
    values.again();
    changed('/settings');
  };
  return (
    <div class="svc-page">
      <Head title="E-mail templates" sub="What customers and the office are told, and when." />
      {can('post', '/settings/test-email') && <TestMail />}
      <div class="svc-bar">
        <input type="search" data-search aria-label="Search templates" placeholder="Search templates" value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </div>
      <Loaded read={described} rows={10}>
        {(all) => {
          const list = templates_of(all, values.data ?? {}).filter((one) => one.label.toLowerCase().includes(text.toLowerCase()));
          const groups: [string, Template[]][] = [
            ['To customers', list.filter((one) => !one.key.startsWith('admin_') && !one.key.startsWith('account_') && one.key !== 'enquiry_admin')],
            ['To the office', list.filter((one) => one.key.startsWith('admin_') || one.key === 'enquiry_admin')],
            ['About accounts', list.filter((one) => one.key.startsWith('account_'))],
          ];
          if (!list.length) return <Empty>No template matches.</Empty>;
          return groups.filter(([, some]) => some.length).map(([title, some]) => (
            <Section key={title} title={title}>
              <ul class="svc-rows">
                {some.map((one) => (
                  <li key={one.key}>
                    <div>
                      <b>{one.label}</b>
                      <small>{one.subject || (one.body ? 'Own text' : 'As it comes with this release')}</small>
                    </div>
                    <Button onClick={() => setOpen(one)} aria-label={`Edit ${one.label}`}>Edit</Button>
                    <input type="checkbox" role="switch" aria-label={`Send ${one.label}`} checked={one.enabled} onChange={(event) => void api.put('/settings', null, { [one.toggle]: event.currentTarget.checked }).then(again, failed)} />
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
