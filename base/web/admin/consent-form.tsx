// One consent form: its words and fields, who signs it and when, with a preview and a test e-mail.
import { Trash2 } from 'lucide-preact';
import { useState } from 'preact/hooks';

import { json } from '../kit/client';
import { Conflict } from '../kit/conflict';
import { PlainInput } from '../kit/controls';
import { Field } from '../kit/field';
import { FormDialog } from '../kit/form-dialog';
import { t } from '../kit/i18n';
import { can } from '../kit/interface';
import type { Row } from '../kit/list';
import { useLocation } from '../kit/location';
import { Head, Opened, Section } from '../kit/page';
import { PickMany } from '../kit/pickers';
import { changed, forget, useRead } from '../kit/query';
import { me } from '../kit/session';
import { Sortable } from '../kit/sortable';
import { Button, Confirm, Dialog, Menu, Notice, Status, failed, toast } from '../kit/ui';
import { type Errors, type Form, SaveBar, Summary, type Values, useForm, versioned } from '../kit/use-form';

const path = '/consent/forms';
const back = { href: '/admin/consent/forms', label: t('Consent forms') };
const refresh = () => changed('/consent', '/bookings');

const block_types: [string, string][] = [
  ['heading', t('Heading')],
  ['paragraph', t('Text')],
  ['terms', t('Terms, in a frame')],
];
const field_types: [string, string][] = [
  ['text', t('One line')],
  ['textarea', t('Several lines')],
  ['checkbox', t('A box to tick')],
  ['select', t('A choice')],
  ['date', t('A day')],
  ['email', t('E-mail address')],
  ['phone', t('Telephone')],
  ['number', t('A number')],
];
const fresh_form = {
  name: '',
  description: '',
  status: 'draft',
  require_signature: true,
  require_initials: false,
  applicable_to: 'all',
  trip_ids: [],
  send_to: 'all_travelers',
  content_blocks: [],
  fields: [],
};
// An id that stays while its row is moved and renamed.
const fresh_id = (kind: string) => `${kind}_${Date.now().toString(36)}`;
const ordered = (rows: Row[]) => rows.map((one, order) => ({ ...one, order: order + 1 }));

// The server counts rows from 1: "fields.2.label".
const fault = (errors: Errors, list: string, at: number, member: string) => errors[`${list}.${at + 1}.${member}`];
function Faults({ errors, list, at, members }: { errors: Errors; list: string; at: number; members: string[] }) {
  const all = members.flatMap((member) => fault(errors, list, at, member) ?? []);
  return all.length ? <p class="svc-error">{all.join(' ')}</p> : null;
}

function Choice({
  label,
  value,
  options,
  set,
  named,
}: {
  label: string;
  value: string;
  options: [string, string][];
  set: (value: string) => void;
  named?: boolean; // false: the label is read out alone
}) {
  const select = (id?: string) => (
    <select
      id={id}
      aria-label={id ? undefined : label}
      value={value}
      onChange={(event) => set(event.currentTarget.value)}
    >
      {options.map(([one, said]) => (
        <option key={one} value={one}>
          {said}
        </option>
      ))}
    </select>
  );
  return named ? <Field label={label}>{({ id }) => select(id)}</Field> : select();
}

function Remove({ what, run }: { what: string; run: () => void }) {
  return (
    <Button kind="quiet" icon={<Trash2 size={16} aria-hidden />} aria-label={t('Remove {0}', what)} onClick={run} />
  );
}

function Blocks({ form }: { form: Form }) {
  const rows: Row[] = form.values.content_blocks ?? [];
  const put = (next: Row[]) => form.set('content_blocks', ordered(next));
  const called = (one: Row, at: number) => one.title || t('Part {0}', at + 1);
  return (
    <Section title={t('What is read')}>
      {form.errors.content_blocks && <p class="svc-error">{form.errors.content_blocks.join(' ')}</p>}
      <Sortable rows={rows} put={put} key_of={(one, at) => one.id ?? at} called={called}>
        {(one, at) => {
          const change = (some: Row) => put(rows.map((each, index) => (index === at ? { ...each, ...some } : each)));
          return (
            <>
              <Choice
                label={t('Kind of {0}', called(one, at))}
                value={one.type}
                options={block_types}
                set={(type) => change({ type })}
              />
              <input
                aria-label={t('Title of part {0}', at + 1)}
                placeholder={t('Title')}
                value={one.title ?? ''}
                onInput={(event) => change({ title: event.currentTarget.value })}
              />
              <Remove what={called(one, at)} run={() => put(rows.filter((_, index) => index !== at))} />
              {one.type !== 'heading' && (
                <textarea
                  class="svc-row-text"
                  rows={one.type === 'terms' ? 8 : 4}
                  aria-label={t('Text of part {0}', at + 1)}
                  value={one.content ?? ''}
                  onInput={(event) => change({ content: event.currentTarget.value })}
                />
              )}
              <Faults errors={form.errors} list="content_blocks" at={at} members={['type', 'title', 'content']} />
            </>
          );
        }}
      </Sortable>
      <p class="svc-actions">
        {block_types.map(([type, label]) => (
          <Button key={type} onClick={() => put([...rows, { id: fresh_id('part'), type, title: '', content: '' }])}>
            {t('Add: {0}', label)}
          </Button>
        ))}
      </p>
    </Section>
  );
}

function Asked({ form }: { form: Form }) {
  const rows: Row[] = form.values.fields ?? [];
  const put = (next: Row[]) => form.set('fields', ordered(next));
  const called = (one: Row, at: number) => one.label || t('Field {0}', at + 1);
  return (
    <Section title={t('What is asked')}>
      {form.errors.fields && <p class="svc-error">{form.errors.fields.join(' ')}</p>}
      <Sortable rows={rows} put={put} key_of={(one, at) => one.id ?? at} called={called}>
        {(one, at) => {
          const change = (some: Row) => put(rows.map((each, index) => (index === at ? { ...each, ...some } : each)));
          const tick = (name: string, label: string) => (
            <label>
              <input
                type="checkbox"
                checked={!!one[name]}
                onChange={(event) => change({ [name]: event.currentTarget.checked })}
              />{' '}
              {label}
            </label>
          );
          return (
            <>
              <input
                class="svc-row-first"
                aria-label={t('Question {0}', at + 1)}
                placeholder={t('Question')}
                value={one.label ?? ''}
                onInput={(event) => change({ label: event.currentTarget.value })}
              />
              <Choice
                label={t('Kind of {0}', called(one, at))}
                value={one.type}
                options={field_types}
                set={(type) => change({ type })}
              />
              <Choice
                label={t('Width of {0}', called(one, at))}
                value={one.width ?? 'full'}
                options={[
                  ['full', t('Whole line')],
                  ['half', t('Half a line')],
                ]}
                set={(width) => change({ width })}
              />
              {tick('required', t('Required'))}
              {tick('health', t('Health: stored sealed'))}
              {tick('enabled', t('Asked'))}
              <Remove what={called(one, at)} run={() => put(rows.filter((_, index) => index !== at))} />
              {one.type === 'select' ? (
                <textarea
                  class="svc-row-text"
                  rows={3}
                  aria-label={t('Options of {0}, one a line', called(one, at))}
                  placeholder={t('Options, one a line')}
                  value={(one.options ?? []).join('\n')}
                  onInput={(event) => change({ options: event.currentTarget.value.split('\n') })}
                />
              ) : (
                <input
                  class="svc-row-text"
                  aria-label={t('Hint for {0}', called(one, at))}
                  placeholder={t('Hint')}
                  value={one.placeholder ?? ''}
                  onInput={(event) => change({ placeholder: event.currentTarget.value })}
                />
              )}
              <Faults
                errors={form.errors}
                list="fields"
                at={at}
                members={['id', 'label', 'type', 'options', 'placeholder', 'width']}
              />
            </>
          );
        }}
      </Sortable>
      <p class="svc-actions">
        <Button
          onClick={() =>
            put([
              ...rows,
              { id: fresh_id('field'), type: 'text', label: '', width: 'full', required: false, enabled: true },
            ])
          }
        >
          {t('Add a question')}
        </Button>
      </p>
    </Section>
  );
}

function Rules({ form }: { form: Form }) {
  const input = (name: string, label: string, kind: 'boolean' | 'integer' | 'text', help?: string, empty?: null) => (
    <PlainInput
      kind={kind}
      label={label}
      help={help}
      empty={empty}
      value={form.values[name]}
      set={(value) => form.set(name, value)}
      errors={form.errors[name]}
    />
  );
  return (
    <Section title={t('Who signs, and when')}>
      <div class="svc-fields">
        <Choice
          named
          label={t('For')}
          value={form.values.applicable_to}
          options={[
            ['all', t('All trips')],
            ['specific_trips', t('Some trips')],
          ]}
          set={(value) => form.set('applicable_to', value)}
        />
        {form.values.applicable_to === 'specific_trips' && (
          <Field label={t('Trips')} errors={form.errors.trip_ids}>
            {({ id }) => (
              <PickMany
                id={id}
                list="/trips"
                value={form.values.trip_ids ?? []}
                onPick={(ids) => form.set('trip_ids', ids)}
              />
            )}
          </Field>
        )}
        <Choice
          named
          label={t('Who signs')}
          value={form.values.send_to}
          options={[
            ['all_travelers', t('Each traveler; a guardian for minors')],
            ['lead_traveler', t('The lead traveler')],
            ['primary_contact', t('The contact of the booking')],
          ]}
          set={(value) => form.set('send_to', value)}
        />
        {input('send_before_days', t('Sent so many days before the trip'), 'integer')}
        {input('reminder_days', t('Reminders, days before the trip'), 'text', t('Such as 3,1. Empty: none.'))}
        {input(
          'expiry_hours',
          t('The link is valid for so many hours'),
          'integer',
          t('Empty: until the trip ends.'),
          null,
        )}
        {input('require_signature', t('A signature is required'), 'boolean')}
        {input('require_initials', t('Initials are required too'), 'boolean')}
      </div>
    </Section>
  );
}

// The form as its page shows it, without its frame.
function Preview({ values, onClose }: { values: Values; onClose: () => void }) {
  const print = () =>
    json<Row>('post', '/consent/signed/preview', { body: sent(values) }).then(({ data }) => {
      const bytes = Uint8Array.from(atob(data.pdf_data), (one) => one.charCodeAt(0));
      const url = URL.createObjectURL(new Blob([bytes], { type: 'application/pdf' }));
      const link = document.createElement('a');
      link.href = url;
      link.download = data.filename;
      link.click();
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    }, failed);
  return (
    <Dialog
      title={t('Preview')}
      wide
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Back')}</Button>
          {can('post', '/consent/signed/preview') && <Button onClick={print}>{t('The signed copy as PDF')}</Button>}
        </>
      }
    >
      <h2>{values.name}</h2>
      {values.description && <p class="svc-pre">{values.description}</p>}
      {(values.content_blocks ?? []).map((one: Row, at: number) => (
        <section key={one.id ?? at} class={one.type === 'terms' ? 'svc-note' : undefined}>
          {one.title && <h3>{one.title}</h3>}
          {one.content && <p class="svc-pre">{one.content}</p>}
        </section>
      ))}
      <div class="svc-fields">
        {(values.fields ?? [])
          .filter((one: Row) => one.enabled)
          .map((one: Row, at: number) => (
            <Field key={one.id ?? at} label={one.label} required={one.required} help={one.placeholder || undefined}>
              {({ id, describedby }) =>
                one.type === 'textarea' ? (
                  <textarea id={id} aria-describedby={describedby} rows={3} readOnly />
                ) : one.type === 'select' ? (
                  <select id={id} aria-describedby={describedby}>
                    {(one.options ?? []).map((option: string) => (
                      <option key={option}>{option}</option>
                    ))}
                  </select>
                ) : (
                  <input
                    id={id}
                    aria-describedby={describedby}
                    type={one.type === 'checkbox' ? 'checkbox' : 'text'}
                    readOnly
                  />
                )
              }
            </Field>
          ))}
      </div>
      <p>
        {values.require_signature
          ? t('Then the name, the signature and the agreement.')
          : t('Then the name and the agreement.')}
      </p>
    </Dialog>
  );
}

// Options are typed one a line: empty lines and blanks around are none of them.
function sent(values: Values): Values {
  const of = (rows: Row[] | undefined) =>
    rows?.map((one) => ({
      ...one,
      options: one.type === 'select' ? (one.options ?? []).map((each: string) => each.trim()).filter(Boolean) : [],
    }));
  return 'fields' in values ? { ...values, fields: of(values.fields) } : values;
}

function TestDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const form = useForm(undefined, { email: me.value?.user.email ?? '' });
  return (
    <FormDialog
      title={t('Send a test e-mail')}
      action={t('Send')}
      form={form}
      disabled={!form.values.email}
      onClose={onClose}
      run={async () => {
        await json('post', `${path}/send-test-email`, { body: { form_id: id, email: form.values.email } });
        toast(t('The test e-mail is on its way. Its link shows the form, and stores nothing.'));
      }}
    >
      <PlainInput
        kind="text"
        label={t('E-mail address')}
        required
        value={form.values.email}
        set={(value) => form.set('email', value)}
        errors={form.errors.email}
      />
    </FormDialog>
  );
}

function Editor({ saved, again }: { saved?: Row; again: () => void }) {
  const { route } = useLocation();
  const form = useForm(saved, saved ? {} : fresh_form);
  const [step, setStep] = useState<'preview' | 'test' | 'trash' | null>(null);
  const read = async () => (await json<Row>('get', `${path}/{id}`, { params: { id: saved!.id } })).data;
  const write = (body: Values, row_version: number) =>
    versioned(
      () => json('put', `${path}/{id}`, { params: { id: saved!.id }, body: { ...sent(body), row_version } }),
      row_version,
      read,
    );
  const save = (row_version = saved?.row_version) =>
    form
      .submit(async (changes) => {
        if (saved) await write(changes, row_version);
        else {
          const made = await json<Row>('post', path, { body: sent({ ...fresh_form, ...changes }) });
          route(`/admin/consent/forms/${made.data.id}`, true);
        }
      })
      .then(async (good) => {
        if (!good) return;
        await refresh();
        again();
        toast(t('The form is saved.'));
      });
  const set_status = (status: string, done: string) =>
    write({ status }, saved!.row_version).then(async () => {
      await refresh();
      again();
      toast(done);
    }, failed);
  const status = saved?.status;
  const begins_version =
    saved &&
    ['name', 'description', 'content_blocks', 'fields', 'require_signature', 'require_initials'].some(
      (one) => one in form.changes,
    );
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
          title={saved ? saved.name : t('New consent form')}
          back={back}
          status={saved && <Status value={status} />}
          sub={
            saved &&
            t('Version {0}. Open requests: {1}. Signed: {2}.', saved.version, saved.pending_count, saved.signed_count)
          }
        >
          {saved && (
            <Menu
              label={t('More')}
              items={[
                { label: t('Send a test e-mail'), run: () => setStep('test') },
                status === 'publish' && {
                  label: t('Make a draft'),
                  run: () => set_status('draft', t('It is a draft: nobody is asked any more.')),
                },
                (status === 'publish' || status === 'draft') && {
                  label: t('Archive'),
                  run: () => set_status('archived', t('It is archived. Signed copies stay.')),
                },
                status !== 'trash' && { label: t('Move to trash'), danger: true, run: () => setStep('trash') },
              ]}
            />
          )}
          <Button onClick={() => setStep('preview')}>{t('Preview')}</Button>
          {saved && status !== 'publish' && !form.dirty && (
            <Button onClick={() => set_status('publish', t('It is published, and sent from now on.'))}>
              {t('Publish')}
            </Button>
          )}
          <Button type="submit" kind="primary" busy={form.busy} disabled={!form.dirty}>
            {t('Save')}
          </Button>
        </Head>
        <Summary form={form} />
        {begins_version && (
          <Notice kind="info">
            {t('A new version begins when you save. Open requests keep the words that were sent to them.')}
          </Notice>
        )}
        <Section title={t('Name')}>
          <PlainInput
            kind="text"
            label={t('Title, as travelers read it')}
            required
            value={form.values.name}
            set={(value) => form.set('name', value)}
            errors={form.errors.name}
          />
          <Field label={t('Introduction')} errors={form.errors.description}>
            {({ id, describedby, invalid }) => (
              <textarea
                id={id}
                aria-describedby={describedby}
                aria-invalid={invalid}
                rows={3}
                value={form.values.description ?? ''}
                onInput={(event) => form.set('description', event.currentTarget.value)}
              />
            )}
          </Field>
        </Section>
        <Blocks form={form} />
        <Asked form={form} />
        <Rules form={form} />
        <SaveBar form={form} />
      </form>
      {form.conflict && (
        <Conflict
          form={form}
          read={read}
          keep={(now) => void save(now.row_version)}
          take={() => (form.reset(), again())}
        />
      )}
      {step === 'preview' && <Preview values={form.values} onClose={() => setStep(null)} />}
      {step === 'test' && <TestDialog id={saved!.id} onClose={() => setStep(null)} />}
      {step === 'trash' && (
        <Confirm
          title={t('Move this form to the trash?')}
          action={t('Move to trash')}
          danger
          onClose={() => setStep(null)}
          run={async () => {
            await json('delete', `${path}/{id}`, { params: { id: saved!.id } });
            forget(`${path}/${saved!.id}`);
            await refresh();
            route(back.href);
          }}
        >
          <p>{t('Nobody is asked by it any more. What was signed stays.')}</p>
        </Confirm>
      )}
    </>
  );
}

export default function ConsentForm({ id }: { id: number | null }) {
  const read = useRead(
    id ? `${path}/${id}` : null,
    async () => (await json<Row>('get', `${path}/{id}`, { params: { id } })).data,
  );
  if (!id) return <Editor again={() => undefined} />;
  return (
    <Opened read={read} back={back} rows={8}>
      {(saved) => <Editor saved={saved} again={() => void read.again()} />}
    </Opened>
  );
}
