// The stored booking form as the visitors of one trip are asked: who is asked what, and when.
import { useState } from 'preact/hooks';

import { json } from '../kit/client';
import { Field } from '../kit/field';
import { words } from '../kit/format';
import { t } from '../kit/i18n';
import { Section } from '../kit/page';
import { Pick } from '../kit/pickers';
import { useRead } from '../kit/query';
import { Empty, Loaded, Notice } from '../kit/ui';
import type { FormField, FormSection } from './asked';
import { rule_in_words, titles } from './form-field';

const order = ['contact_form', 'traveler_form', 'emergency_contact_form'];

function asked_of(section: string, field: FormField): string {
  if (section === 'contact_form') return t('once, of who books');
  if (section === 'emergency_contact_form') return t('once a booking');
  return field.applies_to === 'lead' ? t('the lead traveler alone') : t('each traveler');
}

function Asked({ form }: { form: Record<string, FormSection> }) {
  const contact = form.contact_form?.fields ?? [];
  const shown = order.filter((name) => form[name]?.enabled !== false && form[name]?.fields?.some((one) => one.enabled));
  if (!shown.length) return <Empty>{t('Nothing is asked.')}</Empty>;
  return (
    <>
      {shown.map((name) => {
        const { title, description, fields = [] } = form[name]!;
        return (
          <div key={name}>
            <h3>{title || titles[name]}</h3>
            {description && <p>{description}</p>}
            <div class="svc-scroll" tabIndex={0} role="region" aria-label={title || titles[name]}>
              <table class="svc-table">
                <thead>
                  <tr>
                    <th>{t('Question')}</th>
                    <th>{t('Asked of')}</th>
                    <th>{t('Kind')}</th>
                    <th>{t('Required')}</th>
                    <th>{t('When')}</th>
                  </tr>
                </thead>
                <tbody>
                  {fields
                    .filter((one) => one.enabled)
                    .map((one) => (
                      <tr key={one.id}>
                        <td>
                          {one.label || words(one.id)}
                          {one.options && <small>{one.options.map((each) => words(each.label)).join(', ')}</small>}
                        </td>
                        <td>{asked_of(name, one)}</td>
                        <td>{words(one.type)}</td>
                        <td>{one.type === 'text_block' ? '' : one.required ? t('Yes') : t('No')}</td>
                        <td>{one.show_if ? t('if {0}', rule_in_words(one, fields, contact)) : t('always')}</td>
                      </tr>
                    ))}
                </tbody>
              </table>
            </div>
          </div>
        );
      })}
    </>
  );
}

export function Preview({ dirty }: { dirty: boolean }) {
  const [trip, setTrip] = useState<number | null>(null);
  const read = useRead(trip ? `/settings/booking-form?preview=${trip}` : null, async () => {
    return (await json<Record<string, FormSection>>('get', '/settings/booking-form', { params: { trip_id: trip } }))
      .data;
  });
  return (
    <Section title={t('What a trip asks')} id="preview">
      <Field label={t('Trip')}>
        {({ id }) => <Pick list="/trips" id={id} value={trip} onPick={(choice) => setTrip(choice?.id ?? null)} />}
      </Field>
      {trip && dirty && <Notice>{t('The form as it is saved. Changes above are not in it yet.')}</Notice>}
      {trip && <Loaded read={read}>{(form) => <Asked form={form as Record<string, FormSection>} />}</Loaded>}
    </Section>
  );
}
