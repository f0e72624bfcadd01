// Forms made from a route's schema: a control for each field, the server's errors at theirs, nothing typed is lost.
import { Plus, Trash2 } from 'lucide-preact';
import type { ComponentType } from 'preact';
import { useId, useState } from 'preact/hooks';

import { choices_of, control_of, line_type, list_of } from './control';
import { Field } from './field';
import { display, instant_of, typed_moment, words } from './format';
import { t, translated } from './i18n';
import { later } from './later';
import { type Schema, fields, kind, nullable, resolved } from './interface';
import { Pick, PickMany, name_of } from './pickers';
import { MediaMany, MediaOne } from './media';
import { PlainInput } from './controls';
import { Button, Skeleton } from './ui';
import type { Errors, Form, Values } from './use-form';

const RichText = later(
  () => import('./rich-text'),
  () => <Skeleton rows={3} />,
);
const rich_says = {
  format: t('Format'),
  address: t('Address of the link'),
  tools: [t('Bold'), t('Italic'), t('Heading'), t('Paragraph'), t('List'), t('Numbered list'), t('Quote'), t('Link')],
};
interface RichProps {
  label: string;
  value: any;
  set: (html: string) => void;
  errors?: string[];
  help?: string;
  required?: boolean;
}
// A text that the server keeps as HTML.
export function Rich({ label, value, set, errors, help, required }: RichProps) {
  const id = useId();
  return (
    <div class={`svc-field ${errors?.length ? 'svc-invalid' : ''}`}>
      <span class="svc-label" id={id}>
        {label}
        {required && <abbr title={t('required')}>*</abbr>}
      </span>
      <RichText labelledby={id} value={value ?? ''} set={set} invalid={!!errors?.length} says={rich_says} />
      {help && <small>{help}</small>}
      {errors && errors.length > 0 && <p class="svc-error">{errors.join(' ')}</p>}
    </div>
  );
}

interface InputProps {
  name: string;
  label?: string;
  schema: Schema;
  value: any;
  set: (value: any) => void;
  errors: Errors;
  path?: string;
  required?: boolean;
  help?: boolean;
  list?: string; // of the record that has the field
  saved?: unknown; // the value that is stored
}

// The faults of a field, with those of what lies in it. People count the items of a list from 1.
function faults(errors: Errors, path: string, value: any): string[] {
  return Object.entries(errors)
    .filter(([name]) => name === path || name.startsWith(`${path}.`))
    .flatMap(([name, said]) =>
      name === path
        ? said
        : said.map(
            (one) => `${name.slice(path.length + 1).replace(/^\d+/, (n) => (value?.map ? `${+n + 1}` : n))}: ${one}`,
          ),
    );
}

const labels: Record<string, string> = {
  slug: t('Name in the address'),
  faqs: t('Questions and answers'),
  what_makes_special: t('What makes it special'),
  meta_title: t('Title for search engines'),
  meta_description: t('Description for search engines'),
  meta_keywords: t('Keywords'),
  trip_category: t('Categories'),
  activity_types: t('Activities'),
  sorting: t('Place in lists'),
};
export function label_of_field(name: string): string {
  return labels[name] ?? words(name.replace(/_ids?$/, '').replace(/^(is|has)_/, ''));
}
// "Title of the trip." beside the label Title tells nothing.
function repeats(description: string, name: string): boolean {
  return (
    description.length < 45 &&
    description.toLowerCase().includes(
      name
        .replace(/_ids?$/, '')
        .replace(/^(is|has)_/, '')
        .replace(/_/g, ' '),
    ) &&
    !/\d|;|:/.test(description)
  );
}

function text_value(value: any): string {
  return value === null || value === undefined ? '' : String(value);
}

export function Input({
  name,
  label,
  schema: given,
  value,
  set,
  errors,
  path = name,
  required,
  help = true,
  list: own,
  saved,
}: InputProps) {
  const schema = resolved(given);
  const type = kind(schema);
  const title = label ?? label_of_field(name);
  const says =
    help && schema.description && !repeats(schema.description, name) ? translated(schema.description) : undefined;
  const said = faults(errors, path, value);
  const common = { label: title, help: says, errors: said, required };
  const empty = nullable(given) ? null : undefined;
  const list = list_of(schema, own)!;

  switch (control_of(schema, own)) {
    case 'switch':
      return <PlainInput kind="boolean" {...common} value={value} set={set} />;
    case 'choice':
      return (
        <Field {...common}>
          {({ id, describedby, invalid }) => (
            <select
              id={id}
              aria-describedby={describedby}
              aria-invalid={invalid}
              value={text_value(value)}
              onChange={(event) => set(event.currentTarget.value || empty)}
            >
              {(!required || value === undefined) && <option value="">{required ? t('Choose') : t('None')}</option>}
              {choices_of(schema, saved).map((one) => (
                <option key={one} value={one}>
                  {words(one)}
                </option>
              ))}
            </select>
          )}
        </Field>
      );
    case 'picture':
      return (
        <Field {...common} group>
          {() => <MediaOne value={value} set={(id) => set(id ?? empty)} />}
        </Field>
      );
    case 'pictures':
      return (
        <Field {...common} group>
          {() => <MediaMany value={value ?? []} set={set} />}
        </Field>
      );
    case 'record':
      return (
        <Field {...common}>
          {({ id, describedby, invalid }) => (
            <Pick
              id={id}
              list={list}
              value={value}
              describedby={describedby}
              invalid={invalid}
              onPick={(choice) => set(choice?.id ?? empty)}
            />
          )}
        </Field>
      );
    case 'records': {
      const items: any[] = value ?? [];
      const known = Object.fromEntries(
        items.filter((one) => typeof one === 'object').map((one) => [one.id, name_of(one)]),
      );
      return (
        <Field {...common}>
          {({ id }) => (
            <PickMany
              id={id}
              list={list}
              value={items.map((one) => (typeof one === 'object' ? one.id : one))}
              labels={known}
              onPick={set}
            />
          )}
        </Field>
      );
    }
    case 'number':
      return (
        <PlainInput
          kind={type === 'integer' ? 'integer' : 'number'}
          {...common}
          value={value}
          set={set}
          empty={nullable(given) ? null : undefined}
        />
      );
    case 'rows':
      return <Rows {...{ name, title, schema, value, set, errors, path, says }} />;
    case 'items':
      return (
        <Field {...common} help={says ?? t('One a line.')}>
          {({ id, describedby, invalid }) => (
            <textarea
              id={id}
              rows={3}
              aria-describedby={describedby}
              aria-invalid={invalid}
              value={(value ?? []).join('\n')}
              onChange={(event) => {
                const lines = event.currentTarget.value
                  .split('\n')
                  .map((one) => one.trim())
                  .filter(Boolean);
                const item = kind(resolved(schema.items));
                set(
                  item === 'integer' || item === 'number'
                    ? lines.map((one) => (Number.isFinite(Number(one)) ? Number(one) : one))
                    : lines,
                );
              }}
            />
          )}
        </Field>
      );
    case 'group':
      return (
        <fieldset class="svc-group">
          <legend>{title}</legend>
          {Object.entries(schema.properties!).map(([inner, one]) => (
            <Input
              key={inner}
              name={inner}
              schema={one}
              path={`${path}.${inner}`}
              errors={errors}
              value={value?.[inner]}
              set={(next) => set({ ...value, [inner]: next })}
              required={schema.required?.includes(inner)}
            />
          ))}
        </fieldset>
      );
    case 'json':
      return <Json {...common} value={value} set={set} empty={empty} />;
    case 'html':
      return <Rich {...common} value={value} set={set} />;
    case 'lines':
      return (
        <Field {...common}>
          {({ id, describedby, invalid }) => (
            <textarea
              id={id}
              rows={(schema.maxLength ?? 0) > 2000 ? 6 : 3}
              aria-describedby={describedby}
              aria-invalid={invalid}
              value={text_value(value)}
              onInput={(event) => set(event.currentTarget.value || (empty ?? ''))}
            />
          )}
        </Field>
      );
    case 'line':
      return <Line schema={schema} common={common} value={value} set={set} empty={empty} />;
  }
}

interface LineProps {
  schema: Schema;
  common: { label: string; help?: string; errors?: string[]; required?: boolean };
  value: any;
  set: (value: any) => void;
  empty: null | undefined;
}
function Line({ schema, common, value, set, empty }: LineProps) {
  const type = line_type(schema, text_value(value));
  const is_moment = type === 'datetime-local';
  return (
    <Field
      {...common}
      help={is_moment ? [common.help, display.value.timezone].filter(Boolean).join(' · ') : common.help}
    >
      {({ id, describedby, invalid }) => (
        <input
          id={id}
          type={type}
          autocomplete={type === 'password' ? 'new-password' : 'off'}
          aria-describedby={describedby}
          aria-invalid={invalid}
          value={is_moment ? typed_moment(text_value(value)) : text_value(value)}
          onInput={(event) => {
            const text = event.currentTarget.value;
            if (is_moment && text) set(instant_of(text));
            else set(text === '' && (schema.format || empty === null) ? empty : text);
          }}
        />
      )}
    </Field>
  );
}

function Json({
  value,
  set,
  empty,
  ...common
}: {
  label: string;
  help?: string;
  errors?: string[];
  required?: boolean;
  value: any;
  set: (value: any) => void;
  empty: null | undefined;
}) {
  const [text, setText] = useState(value === undefined || value === null ? '' : JSON.stringify(value, null, 2));
  const [broken, setBroken] = useState('');
  return (
    <Field {...common} errors={[...(common.errors ?? []), ...(broken ? [broken] : [])]}>
      {({ id, describedby, invalid }) => (
        <textarea
          id={id}
          class="svc-code"
          rows={4}
          spellcheck={false}
          aria-describedby={describedby}
          aria-invalid={invalid}
          value={text}
          onInput={(event) => {
            const next = event.currentTarget.value;
            setText(next);
            try {
              set(next.trim() === '' ? empty : JSON.parse(next));
              setBroken('');
            } catch {
              setBroken(t('This is not valid JSON yet.'));
            }
          }}
        />
      )}
    </Field>
  );
}

interface RowsProps {
  name: string;
  title: string;
  schema: Schema;
  value: any;
  set: (value: any) => void;
  errors: Errors;
  path: string;
  says?: string;
}
function Rows({ title, schema, value, set, errors, path, says }: RowsProps) {
  const rows: Values[] = value ?? [];
  const inner = resolved(schema.items);
  return (
    <fieldset class="svc-group">
      <legend>{title}</legend>
      {says && <small>{says}</small>}
      {faults(errors, path, value).map((one) => (
        <p class="svc-error" key={one}>
          {one}
        </p>
      ))}
      {rows.map((row, index) => (
        <div class="svc-row" key={index}>
          {Object.entries(inner.properties ?? {})
            .filter(([name]) => name !== 'id' && name !== 'order')
            .map(([name, one]) => (
              <Input
                key={name}
                name={name}
                schema={one}
                path={`${path}[${index}].${name}`}
                errors={{}}
                help={false}
                value={row[name]}
                set={(next) => set(rows.map((each, at) => (at === index ? { ...each, [name]: next } : each)))}
                required={inner.required?.includes(name)}
              />
            ))}
          <Button
            kind="quiet"
            icon={<Trash2 size={16} aria-hidden />}
            aria-label={t('Remove row {0}', index + 1)}
            onClick={() => set(rows.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <Button icon={<Plus size={16} aria-hidden />} onClick={() => set([...rows, {}])}>
        {t('Add')}
      </Button>
    </fieldset>
  );
}

interface SchemaFormProps {
  schema: Schema;
  form: Form;
  only?: string[];
  without?: string[];
  labels?: Record<string, string>;
  list?: string; // of the record
  own?: Record<string, ComponentType<{ form: Form }>>; // with a control of their own
}
function Own({ of: Control, form }: { of: ComponentType<{ form: Form }>; form: Form }) {
  return <Control form={form} />;
}
// Required and short fields first come as the schema has them; `only` chooses and orders.
export function SchemaFields({ schema, form, only, without = [], labels = {}, list, own = {} }: SchemaFormProps) {
  const all = fields(schema);
  const needed = resolved(schema).required ?? [];
  const names =
    only ??
    Object.keys(all).filter(
      (name) =>
        !without.includes(name) && name !== 'row_version' && !all[name]!.readOnly && !resolved(all[name]).deprecated,
    );
  return (
    <>
      {names
        .filter((name) => all[name])
        .map((name) =>
          own[name] ? (
            <Own key={name} of={own[name]!} form={form} />
          ) : (
            <Input
              key={name}
              name={name}
              label={labels[name]}
              schema={all[name]!}
              value={form.values[name]}
              set={(value) => form.set(name, value)}
              errors={form.errors}
              required={needed.includes(name)}
              list={list}
              saved={form.before[name]}
            />
          ),
        )}
    </>
  );
}
