// What a booking asks: which fields, in which order, required or not; otherwise for certain trips, and by other answers.
import { useState } from 'preact/hooks';

import { api, json } from '../../kit/client';
import { words } from '../../kit/format';
import { t } from '../../kit/i18n';
import { can } from '../../kit/interface';
import { type EditedColumn, EditorPage, ListEditor } from '../../kit/list-editor';
import { Opened, Section } from '../../kit/page';
import { changed, useRead } from '../../kit/query';
import { Button, Notice, toast } from '../../kit/ui';
import { useForm } from '../../kit/use-form';
import type { FormField } from '../asked';
import { type Condition, ConditionFields, Conditions } from '../form-conditions';
import { FieldDialog, rule_in_words, titles } from '../form-field';
import { Preview } from '../form-preview';

const types = [
  'text',
  'textarea',
  'email',
  'tel',
  'number',
  'date',
  'select',
  'radio',
  'checkbox',
  'checkboxes',
  'country',
  'text_block',
];

interface Given {
  saved_ids: Set<string>;
  fields: FormField[];
  contact: FormField[];
  active: boolean;
  fault: (id: string) => string[];
  open: (id: string) => void;
}
// A field that follows an answer says which; one that the server refused says why.
const columns_of = ({ fields, contact, active, fault, open }: Given): EditedColumn[] => [
  {
    label: t('Field'),
    cell: (one, change) => (
      <>
        <input
          aria-label={t('Label of {0}', one.id)}
          value={one.label}
          onInput={(event) => change({ label: event.currentTarget.value })}
        />
        {one.options && <small>{one.options.map((each: any) => each.label).join(', ')}</small>}
        {one.show_if && <small>{t('Only if {0}', rule_in_words(one as FormField, fields, contact))}</small>}
        {fault(one.id).length > 0 && <p class="svc-error">{fault(one.id).join(' ')}</p>}
      </>
    ),
  },
  {
    label: t('Kind'),
    cell: (one, change) => (
      <select
        aria-label={t('Kind of {0}', one.label)}
        disabled={one.locked}
        value={one.type}
        onChange={(event) => change({ type: event.currentTarget.value })}
      >
        {[...new Set([...types, ...(active ? ['file'] : []), one.type])].map((each) => (
          <option key={each} value={each}>
            {words(each)}
          </option>
        ))}
      </select>
    ),
  },
  {
    label: t('Asked'),
    cell: (one, change) => (
      <input
        type="checkbox"
        role="switch"
        aria-label={t('Ask {0}', one.label)}
        disabled={one.locked}
        checked={one.enabled}
        onChange={(event) => change({ enabled: event.currentTarget.checked })}
      />
    ),
  },
  {
    label: t('Required'),
    cell: (one, change) => (
      <input
        type="checkbox"
        role="switch"
        aria-label={t('{0} is required', one.label)}
        disabled={one.locked}
        checked={one.required}
        onChange={(event) => change({ required: event.currentTarget.checked })}
      />
    ),
  },
  {
    label: t('Width'),
    cell: (one, change) => (
      <select
        aria-label={t('Width of {0}', one.label)}
        value={one.width}
        onChange={(event) => change({ width: event.currentTarget.value })}
      >
        {[...new Set(['half', 'full', 'third', one.width])].map((each) => (
          <option key={each} value={each}>
            {words(each ?? '')}
          </option>
        ))}
      </select>
    ),
  },
  {
    label: t('Details'),
    cell: (one) => (
      <Button kind="quiet" aria-label={t('Details of {0}', one.label || one.id)} onClick={() => open(one.id)}>
        {t('Details')}
      </Button>
    ),
  },
];

const stored = async () => (await json<Record<string, any>>('get', '/settings/booking-form')).data;
const fresh_id = (prefix: string) => `${prefix}_${Date.now().toString(36)}`;

interface FieldsProps {
  section: string;
  fields: FormField[];
  put: (fields: FormField[]) => void;
  contact: FormField[];
  saved_ids: Set<string>;
  active: boolean;
  fault: (id: string, member?: string) => string[];
}
function Fields({ section, fields, put, contact, saved_ids, active, fault }: FieldsProps) {
  const [opened, setOpened] = useState('');
  const field = fields.find((one) => one.id === opened);
  return (
    <>
      <ListEditor
        name={titles[section]!}
        columns={columns_of({ saved_ids, fields, contact, active, fault, open: setOpened })}
        rows={fields}
        put={(next) => put(next.map((one, order) => ({ ...one, order: order + 1 })) as FormField[])}
        called={(one) => one.label}
        fresh={() => ({
          id: fresh_id('field'),
          type: 'text',
          label: t('New field'),
          placeholder: '',
          required: false,
          enabled: true,
          width: 'half',
          ...(section === 'traveler_form' && { applies_to: 'all' }),
        })}
        add={t('Add a field')}
        moves
        stays={(one) => one.locked}
      />
      {field && (
        <FieldDialog
          field={field}
          section={section}
          own={fields}
          contact={contact}
          active={active}
          fresh={!saved_ids.has(field.id)}
          errors={(member) => {
            const found = fault(field.id, member);
            return found.length ? found : undefined;
          }}
          put={(next) => put(fields.map((one) => (one.id === field.id ? next : one)))}
          onClose={() => setOpened('')}
        />
      )}
    </>
  );
}

const ids_of = (section: any): Set<string> =>
  new Set(
    [section?.fields ?? [], ...(section?.conditions ?? []).map((one: Condition) => one.fields)]
      .flat()
      .map((one: FormField) => one.id),
  );

function Editor({ saved, again }: { saved: Record<string, any>; again: () => void }) {
  const form = useForm(saved);
  const [edited, setEdited] = useState<{ section: string; at: number } | null>(null);
  const active = can('post', '/booking/session/form-files');
  const save = () =>
    form.submit(async (changes, now) => {
      await api.put('/settings/booking-form', null, { ...now, ...changes });
      changed('/settings/booking-form', '/booking');
      again();
      toast(t('The booking form is saved.'));
    }, stored);
  const contact: FormField[] = form.values.contact_form?.fields ?? [];
  const put = (name: string, some: object) => form.set(name, { ...form.values[name], ...some });
  // The server names a refused field by its section and short name.
  const faults = (prefix: string) => (id: string, member?: string) =>
    Object.entries(form.errors)
      .filter(([name]) => name.startsWith(`${prefix}.fields.${id}.${member ?? ''}`))
      .flatMap(([, said]) => said);
  const page = {
    title: t('Booking form'),
    sub: t('What a booking asks. Locked fields are needed by every booking.'),
    form,
    save,
    read: stored,
    again,
  };
  const condition: Condition | undefined = edited && form.values[edited.section]?.conditions?.[edited.at];
  if (edited && condition) {
    const { section, at } = edited;
    const change = (some: Partial<Condition>) =>
      put(section, {
        conditions: form.values[section].conditions.map((one: Condition, index: number) =>
          index === at ? { ...one, ...some } : one,
        ),
      });
    return (
      <EditorPage {...page}>
        <Section
          title={t('Condition {0} of {1}', at + 1, titles[section])}
          action={<Button onClick={() => setEdited(null)}>{t('Back to the form')}</Button>}
        >
          <ConditionFields condition={condition} change={change} />
          <Fields
            section={section}
            fields={condition.fields}
            put={(fields) => change({ fields })}
            contact={section === 'contact_form' ? condition.fields : contact}
            saved_ids={ids_of(saved[section])}
            active={active}
            fault={faults(`${section}.conditions.${at}`)}
          />
        </Section>
      </EditorPage>
    );
  }
  return (
    <EditorPage {...page}>
      {!active &&
        Object.keys(titles).some((name) => form.values[name]?.fields?.some((one: FormField) => one.show_if)) && (
          <Notice kind="warn">
            {t('Dynamic form fields is off: every field is asked, whatever the other answers are.')}
          </Notice>
        )}
      {Object.keys(titles)
        .filter((name) => form.values[name])
        .map((name) => {
          const part = form.values[name];
          const conditions: Condition[] = part.conditions ?? [];
          return (
            <Section key={name} title={titles[name]}>
              <Fields
                section={name}
                fields={part.fields ?? []}
                put={(fields) => put(name, { fields })}
                contact={contact}
                saved_ids={ids_of(saved[name])}
                active={active}
                fault={faults(name)}
              />
              <Conditions
                section={titles[name]!}
                conditions={conditions}
                active={active}
                put={(next) => put(name, { conditions: next })}
                edit={(at) => setEdited({ section: name, at })}
                add={() => {
                  put(name, {
                    conditions: [
                      ...conditions,
                      {
                        id: fresh_id('c'),
                        title: part.title ?? '',
                        description: part.description ?? '',
                        fields: part.fields ?? [],
                        targets: { trips: [], categories: [], trip_types: [] },
                      },
                    ],
                  });
                  setEdited({ section: name, at: conditions.length });
                }}
              />
            </Section>
          );
        })}
      <Preview dirty={form.dirty} />
    </EditorPage>
  );
}

export default function BookingForm() {
  const read = useRead('/settings/booking-form', stored);
  return <Opened read={read}>{(saved) => <Editor saved={saved} again={read.again} />}</Opened>;
}
