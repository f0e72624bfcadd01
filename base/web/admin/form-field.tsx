// One field of the booking form in detail: its words, what an answer must be, and the answer that it follows.
import { useState } from 'preact/hooks';

import { Field } from '../kit/field';
import { words } from '../kit/format';
import { t } from '../kit/i18n';
import { Button, Dialog, Notice } from '../kit/ui';
import type { FormField } from './asked';

export const titles: Record<string, string> = {
  contact_form: t('Contact'),
  emergency_contact_form: t('Emergency contact'),
  traveler_form: t('Each traveler'),
};
const operators: Record<string, string> = {
  is: t('is'),
  is_not: t('is not'),
  is_one_of: t('is one of'),
  is_filled: t('is answered'),
  is_checked: t('is ticked'),
};
// Of the kind of answer that is followed.
const operators_of = (named?: FormField): string[] =>
  named?.type === 'checkbox'
    ? ['is_checked']
    : named?.type === 'file'
      ? ['is_filled']
      : ['is', 'is_not', 'is_one_of', 'is_filled'];

const label_of = (field: FormField, value: string) => field.options?.find((one) => one.value === value)?.label ?? value;

// "Dives is Yes"; nothing for a field that is always asked.
export function rule_in_words(field: FormField, own: FormField[], contact: FormField[]): string {
  const rule = field.show_if;
  if (!rule) return '';
  const named = (rule.section === 'contact_form' ? contact : own).find((one) => one.id === rule.field);
  const values = (rule.values ?? []).map((value) => (named ? words(label_of(named, value)) : value)).join(', ');
  return `${named?.label || rule.field} ${operators[rule.operator] ?? rule.operator} ${values}`.trim();
}

const option_lines = (field: FormField) => (field.options ?? []).map((one) => one.label).join('\n');
// Options keep their values where their words stay or take their place in the list.
function options_of(lines: string, before: FormField['options'] = []): { value: string; label: string }[] {
  const labels = lines.split('\n').filter((line) => line.trim());
  return labels.map((label, at) => {
    const same = before.find((one) => one.label === label);
    const here = labels.length === before.length ? before[at] : undefined;
    return { value: (same ?? here)?.value ?? label.trim(), label };
  });
}

interface Part {
  field: FormField;
  change: (some: Partial<FormField>) => void;
  errors: (member: string) => string[] | undefined;
}

function Bound({ field, change, errors, name, label }: Part & { name: 'min' | 'max'; label: string }) {
  const value = field[name] === undefined || field[name] === null ? '' : String(field[name]);
  if (field.type === 'number')
    return (
      <Field label={label} errors={errors(name)}>
        {({ id, describedby, invalid }) => (
          <input
            id={id}
            inputMode="decimal"
            aria-describedby={describedby}
            aria-invalid={invalid}
            value={value}
            onInput={(event) => change({ [name]: event.currentTarget.value })}
          />
        )}
      </Field>
    );
  const kind = value === '' || value === 'today' || value === 'travel_date' ? value : 'day';
  return (
    <Field label={label} errors={errors(name)}>
      {({ id, describedby, invalid }) => (
        <>
          <select
            id={id}
            aria-describedby={describedby}
            aria-invalid={invalid}
            value={kind}
            onChange={(event) => {
              const chosen = event.currentTarget.value;
              change({ [name]: chosen === 'day' ? new Date().toISOString().slice(0, 10) : chosen });
            }}
          >
            <option value="">{t('Any day')}</option>
            <option value="today">{t('Today')}</option>
            <option value="travel_date">{t('The day of travel')}</option>
            <option value="day">{t('A certain day')}</option>
          </select>
          {kind === 'day' && (
            <input
              type="date"
              aria-label={label}
              value={value}
              onInput={(event) => change({ [name]: event.currentTarget.value })}
            />
          )}
        </>
      )}
    </Field>
  );
}

function Follows({
  field,
  change,
  errors,
  own,
  contact,
  section,
  active,
}: Part & { own: FormField[]; contact: FormField[]; section: string; active: boolean }) {
  const rule = field.show_if ?? null;
  const list = rule?.section === 'contact_form' && section !== 'contact_form' ? contact : own;
  const named = list.find((one) => one.id === rule?.field);
  const set = (some: Partial<NonNullable<FormField['show_if']>>) =>
    change({ show_if: { field: '', operator: 'is', values: [], ...rule, ...some } });
  const choices = (fields: FormField[], prefix: string) =>
    fields
      .filter((one) => one.id !== field.id && one.type !== 'text_block' && one.enabled)
      .map((one) => (
        <option key={prefix + one.id} value={prefix + one.id}>
          {one.label || one.id}
        </option>
      ));
  const pick = (chosen: string) => {
    if (!chosen) return change({ show_if: null });
    const elsewhere = chosen.startsWith('contact_form.');
    const id = chosen.slice(chosen.indexOf('.') + 1);
    const of = (elsewhere ? contact : own).find((one) => one.id === id);
    set({ field: id, section: elsewhere ? 'contact_form' : '', operator: operators_of(of)[0]!, values: [] });
  };
  const values = rule?.values ?? [];
  const compares = rule && ['is', 'is_not', 'is_one_of'].includes(rule.operator);
  return (
    <fieldset class="svc-group">
      <legend>{t('When it is asked')}</legend>
      {!active && (
        <Notice>{t('Kept, and not applied while Dynamic form fields is off: the field is always asked.')}</Notice>
      )}
      <div class="svc-fields">
        <Field label={t('Only if the answer to')} errors={errors('show_if')}>
          {({ id, describedby, invalid }) => (
            <select
              id={id}
              aria-describedby={describedby}
              aria-invalid={invalid}
              disabled={!active}
              value={rule ? `${list === contact && list !== own ? 'contact_form' : 'own'}.${rule.field}` : ''}
              onChange={(event) => pick(event.currentTarget.value)}
            >
              <option value="">{t('No question: it is always asked')}</option>
              <optgroup label={titles[section]}>{choices(own, 'own.')}</optgroup>
              {section !== 'contact_form' && (
                <optgroup label={titles.contact_form}>{choices(contact, 'contact_form.')}</optgroup>
              )}
            </select>
          )}
        </Field>
        {rule && (
          <Field label={t('Comparison')}>
            {({ id }) => (
              <select
                id={id}
                disabled={!active}
                value={rule.operator}
                onChange={(event) => set({ operator: event.currentTarget.value })}
              >
                {operators_of(named).map((one) => (
                  <option key={one} value={one}>
                    {operators[one]}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        {compares && named?.options && rule.operator !== 'is_one_of' && (
          <Field label={t('Answer')}>
            {({ id }) => (
              <select
                id={id}
                disabled={!active}
                value={values[0] ?? ''}
                onChange={(event) => set({ values: [event.currentTarget.value].filter(Boolean) })}
              >
                <option value="" />
                {named.options!.map((one) => (
                  <option key={one.value} value={one.value}>
                    {words(one.label)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        {compares && named?.options && rule.operator === 'is_one_of' && (
          <Field label={t('Answers')} group>
            {() => (
              <>
                {named.options!.map((one) => (
                  <label key={one.value} class="svc-check">
                    <input
                      type="checkbox"
                      disabled={!active}
                      checked={values.includes(one.value)}
                      onChange={(event) =>
                        set({
                          values: event.currentTarget.checked
                            ? [...values, one.value]
                            : values.filter((each) => each !== one.value),
                        })
                      }
                    />
                    {words(one.label)}
                  </label>
                ))}
              </>
            )}
          </Field>
        )}
        {compares && named && !named.options && (
          <Field
            label={rule.operator === 'is_one_of' ? t('Answers') : t('Answer')}
            help={
              named.type === 'country'
                ? t('Codes of two letters, such as DE.')
                : rule.operator === 'is_one_of'
                  ? t('Divided by commas.')
                  : undefined
            }
          >
            {({ id, describedby }) => (
              <input
                id={id}
                aria-describedby={describedby}
                disabled={!active}
                value={values.join(', ')}
                onInput={(event) =>
                  set({
                    values:
                      rule.operator === 'is_one_of'
                        ? event.currentTarget.value.split(',').map((one) => one.trim())
                        : [event.currentTarget.value],
                  })
                }
              />
            )}
          </Field>
        )}
      </div>
    </fieldset>
  );
}

interface DialogProps {
  field: FormField;
  section: string;
  own: FormField[]; // the fields of the same list
  contact: FormField[];
  active: boolean; // the module is on
  fresh: boolean; // it was not saved yet: its short name can be chosen
  errors: (member: string) => string[] | undefined;
  put: (field: FormField) => void;
  onClose: () => void;
}
export function FieldDialog({ field, section, own, contact, active, fresh, errors, put, onClose }: DialogProps) {
  const [now, setNow] = useState(field);
  const change = (some: Partial<FormField>) => setNow((one) => ({ ...one, ...some }));
  const part = { field: now, change, errors };
  const text = (name: 'label' | 'help' | 'pattern' | 'id', label: string, help?: string) => (
    <Field
      label={label}
      help={help}
      errors={name === 'id' && taken ? [t('Another field has this name.')] : errors(name)}
    >
      {({ id, describedby, invalid }) => (
        <input
          id={id}
          aria-describedby={describedby}
          aria-invalid={invalid}
          value={now[name] ?? ''}
          onInput={(event) =>
            change({
              [name]:
                name === 'id'
                  ? event.currentTarget.value.toLowerCase().replace(/[^a-z0-9_]/g, '_')
                  : event.currentTarget.value,
            })
          }
        />
      )}
    </Field>
  );
  const taken = own.some((one) => one !== field && one.id === now.id);
  const accepts = now.accepts ?? ['pdf', 'picture'];
  return (
    <Dialog
      title={t('Field: {0}', field.label || field.id)}
      onClose={onClose}
      wide
      footer={
        <>
          <Button onClick={onClose}>{t('Back')}</Button>
          <Button
            kind="primary"
            disabled={taken || !now.id}
            onClick={() => {
              put(now);
              onClose();
            }}
          >
            {t('Take over')}
          </Button>
        </>
      }
    >
      <div class="svc-fields">
        {text('label', now.type === 'text_block' ? t('Heading') : t('Question'))}
        {now.type !== 'text_block' && text('help', t('Help below it'))}
        {fresh &&
          text(
            'id',
            t('Short name'),
            t('For files and mails. Answers with words such as passport, visa, medical or allergy in it are sealed.'),
          )}
        {section === 'traveler_form' && !now.locked && (
          <Field label={t('Asked of')}>
            {({ id }) => (
              <select
                id={id}
                value={now.applies_to ?? 'all'}
                onChange={(event) => change({ applies_to: event.currentTarget.value })}
              >
                <option value="all">{t('each traveler')}</option>
                <option value="lead">{t('the lead traveler alone')}</option>
              </select>
            )}
          </Field>
        )}
        {(now.type === 'number' || now.type === 'date') && (
          <>
            <Bound {...part} name="min" label={now.type === 'number' ? t('Smallest answer') : t('First day')} />
            <Bound {...part} name="max" label={now.type === 'number' ? t('Largest answer') : t('Last day')} />
          </>
        )}
        {['text', 'textarea', 'tel'].includes(now.type) &&
          text(
            'pattern',
            t('Pattern'),
            t('A regular expression that the whole answer fits, such as [A-Z]{2}[0-9]{6}.'),
          )}
        {now.type === 'file' && (
          <Field
            label={t('Files')}
            group
            help={t('Sealed: seen by who booked, and by staff who may read sealed answers.')}
          >
            {() => (
              <>
                {(['pdf', 'picture'] as const).map((kind) => (
                  <label key={kind} class="svc-check">
                    <input
                      type="checkbox"
                      checked={accepts.includes(kind)}
                      disabled={accepts.length === 1 && accepts[0] === kind}
                      onChange={(event) =>
                        change({
                          accepts: event.currentTarget.checked
                            ? [...accepts, kind]
                            : accepts.filter((each) => each !== kind),
                        })
                      }
                    />
                    {kind === 'pdf' ? t('PDF') : t('Pictures')}
                  </label>
                ))}
              </>
            )}
          </Field>
        )}
      </div>
      {['select', 'radio', 'checkboxes'].includes(now.type) && (
        <Field label={t('Options')} help={t('One a line.')}>
          {({ id, describedby }) => (
            <textarea
              id={id}
              rows={6}
              aria-describedby={describedby}
              value={option_lines(now)}
              onInput={(event) => change({ options: options_of(event.currentTarget.value, now.options) })}
            />
          )}
        </Field>
      )}
      {now.type === 'text_block' && (
        <Field label={t('Text')} help={t('HTML is allowed.')}>
          {({ id, describedby }) => (
            <textarea
              id={id}
              rows={5}
              aria-describedby={describedby}
              value={now.content ?? ''}
              onInput={(event) => change({ content: event.currentTarget.value })}
            />
          )}
        </Field>
      )}
      {!now.locked && now.type !== 'text_block' && (
        <label class="svc-check">
          <input
            type="checkbox"
            checked={now.after_booking ?? now.type === 'file'}
            onChange={(event) => change({ after_booking: event.currentTarget.checked })}
          />
          {t('Customers may answer it, or change the answer, after booking')}
        </label>
      )}
      {!now.locked && <Follows {...part} own={own} contact={contact} section={section} active={active} />}
    </Dialog>
  );
}
