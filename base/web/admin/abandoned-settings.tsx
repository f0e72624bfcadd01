// The settings of abandoned bookings: when reminders go out, with which coupon, and which consent a country asks for.
import { useState } from 'preact/hooks';

import { json } from '../kit/client';
import { Field } from '../kit/field';
import { FormDialog } from '../kit/form-dialog';
import { language, t } from '../kit/i18n';
import { PlainInput } from '../kit/controls';
import { changed, useRead } from '../kit/query';
import { Button, Loaded, toast } from '../kit/ui';
import { type Form, type Values, useForm } from '../kit/use-form';

const settings_path = '/abandoned-bookings/settings';
const refresh = () => changed('/abandoned-bookings');

// Countries with a rule of their own, by their two letters.
function Countries({ form }: { form: Form }) {
  const rules: Record<string, string> = form.values.consent_by_country ?? {};
  const [country, setCountry] = useState('');
  const set = (next: Record<string, string>) => form.set('consent_by_country', next);
  const name_of = (code: string) => {
    try {
      return new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? code;
    } catch {
      return code;
    }
  };
  return (
    <fieldset>
      <legend>{t('Countries with another rule')}</legend>
      {Object.entries(form.errors)
        .filter(([field]) => field.startsWith('consent_by_country'))
        .map(([field, said]) => (
          <p key={field} class="svc-error">
            {field.split('.')[1]}: {said.join(' ')}
          </p>
        ))}
      <ul class="svc-rows">
        {Object.entries(rules).map(([code, rule]) => (
          <li key={code}>
            <div>
              <b>{name_of(code)}</b>
              <select
                aria-label={t('Rule in {0}', name_of(code))}
                value={rule}
                onChange={(event) => set({ ...rules, [code]: event.currentTarget.value })}
              >
                <Rules />
              </select>
            </div>
            <Button onClick={() => set(Object.fromEntries(Object.entries(rules).filter(([one]) => one !== code)))}>
              {t('Remove')}
            </Button>
          </li>
        ))}
      </ul>
      <p class="svc-actions">
        <input
          aria-label={t('Two letters of a country')}
          placeholder="US"
          maxLength={2}
          size={4}
          value={country}
          onInput={(event) => setCountry(event.currentTarget.value.toUpperCase())}
        />
        <Button
          disabled={country.length !== 2}
          onClick={() => {
            set({ ...rules, [country]: 'notice' });
            setCountry('');
          }}
        >
          {t('Add a country')}
        </Button>
      </p>
    </fieldset>
  );
}
const Rules = () => (
  <>
    <option value="opt_in">{t('A tick of the visitor')}</option>
    <option value="customers">{t('A tick, or an earlier booking')}</option>
    <option value="notice">{t('A notice suffices')}</option>
  </>
);

export default function SettingsDialog({ onClose }: { onClose: () => void }) {
  const read = useRead(settings_path, async () => (await json<Values>('get', '/abandoned-bookings/settings')).data);
  const form = useForm(read.data ?? undefined);
  const input = (name: string, label: string, kind: 'boolean' | 'integer' | 'number' | 'text') => (
    <PlainInput
      kind={kind}
      label={label}
      value={form.values[name]}
      set={(value) => form.set(name, value)}
      errors={form.errors[name]}
    />
  );
  return (
    <FormDialog
      title={t('Settings of abandoned bookings')}
      form={form}
      wide
      disabled={!read.data}
      onClose={onClose}
      run={async (changes) => {
        await json('put', '/abandoned-bookings/settings', { body: changes });
        await refresh();
        toast(t('The settings are saved.'));
      }}
    >
      <Loaded read={read} rows={8}>
        {() => (
          <>
            {input('tracking_enabled', t('Keep bookings that are not finished'), 'boolean')}
            {input('enabled', t('Send reminders by themselves'), 'boolean')}
            <Field
              label={t('What is needed before an address is kept')}
              help={t('In most of Europe a visitor must tick the box. Ask your lawyer before you choose less.')}
              errors={form.errors.consent}
            >
              {({ id }) => (
                <select
                  id={id}
                  value={form.values.consent}
                  onChange={(event) => form.set('consent', event.currentTarget.value)}
                >
                  <Rules />
                </select>
              )}
            </Field>
            <Countries form={form} />
            {input('first_email_delay_hours', t('First reminder after so many hours'), 'integer')}
            {input('first_discount_percent', t('Its coupon in percent, 0 for none'), 'number')}
            {input('second_email_delay_hours', t('Second reminder after so many hours'), 'integer')}
            {input('second_discount_percent', t('Coupon of the second reminder in percent'), 'number')}
            {input('final_email_delay_hours', t('Last reminder after so many hours'), 'integer')}
            {input('final_discount_percent', t('Coupon of the last reminder in percent'), 'number')}
            {input('coupon_days', t('Days for which such a coupon counts'), 'integer')}
            {input('discount_code', t('A code of yours that reminders name otherwise'), 'text')}
            {input('days_between', t('Days before the same person is reminded of another booking'), 'integer')}
          </>
        )}
      </Loaded>
    </FormDialog>
  );
}
