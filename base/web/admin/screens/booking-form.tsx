// What a booking asks: which fields, in which order, required or not.
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-preact';

import { api, json } from '../../kit/client';
import { Field, Summary, useForm } from '../../kit/form';
import { words } from '../../kit/format';
import { changed, useRead } from '../../kit/query';
import { Button, Head, Loaded, Section, toast } from '../../kit/ui';
import { moved } from '../gallery';

const types = ['text', 'textarea', 'email', 'tel', 'number', 'date', 'select', 'radio', 'checkbox', 'country'];
const titles: Record<string, string> = { contact_form: 'Contact', emergency_contact_form: 'Emergency contact', traveler_form: 'Each traveler' };

function Editor({ saved, again }: { saved: Record<string, any>; again: () => void }) {
  const form = useForm(saved);
  const save = () =>
    form.submit(async () => {
      await api.put('/settings/booking-form', null, form.values);
      changed('/settings/booking-form', '/booking');
      again();
      toast('The booking form is saved.');
    });
  return (
    <form
      class="svc-page"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Head title="Booking form" sub="What a booking asks. Locked fields are needed by every booking.">
        <Button type="submit" kind="primary" busy={form.busy} disabled={!form.dirty}>Save</Button>
      </Head>
      <Summary form={form} />
      {Object.keys(titles).filter((name) => form.values[name]).map((name) => {
        const part = form.values[name];
        const fields: Record<string, any>[] = part.fields ?? [];
        const put = (next: Record<string, any>[]) => form.set(name, { ...part, fields: next.map((one, order) => ({ ...one, order: order + 1 })) });
        const change = (at: number, some: Record<string, any>) => put(fields.map((one, index) => (index === at ? { ...one, ...some } : one)));
        return (
          <Section key={name} title={titles[name]}>
            <div class="svc-scroll" tabIndex={0} role="region" aria-label={titles[name]}>
              <table class="svc-table svc-edit">
                <thead>
                  <tr>
                    <th>Field</th>
                    <th>Kind</th>
                    <th>Asked</th>
                    <th>Required</th>
                    <th>Width</th>
                    <th><span class="svc-hidden">Order</span></th>
                  </tr>
                </thead>
                <tbody>
                  {fields.map((one, at) => (
                    <tr key={one.id}>
                      <td>
                        <input aria-label={`Label of ${one.id}`} value={one.label} onInput={(event) => change(at, { label: event.currentTarget.value })} />
                        {one.options && <small>{one.options.map((each: any) => each.label).join(', ')}</small>}
                      </td>
                      <td>
                        <select aria-label={`Kind of ${one.label}`} disabled={one.locked} value={one.type} onChange={(event) => change(at, { type: event.currentTarget.value })}>
                          {[...new Set([...types, one.type])].map((each) => <option key={each} value={each}>{words(each)}</option>)}
                        </select>
                      </td>
                      <td><input type="checkbox" role="switch" aria-label={`Ask ${one.label}`} disabled={one.locked} checked={one.enabled} onChange={(event) => change(at, { enabled: event.currentTarget.checked })} /></td>
                      <td><input type="checkbox" role="switch" aria-label={`${one.label} is required`} disabled={one.locked} checked={one.required} onChange={(event) => change(at, { required: event.currentTarget.checked })} /></td>
                      <td>
                        <select aria-label={`Width of ${one.label}`} value={one.width} onChange={(event) => change(at, { width: event.currentTarget.value })}>
                          {[...new Set(['half', 'full', one.width])].map((each) => <option key={each} value={each}>{words(each ?? '')}</option>)}
                        </select>
                      </td>
                      <td class="svc-end">
                        <Button kind="quiet" icon={<ArrowUp size={16} aria-hidden />} aria-label={`${one.label} earlier`} disabled={at === 0} onClick={() => put(moved(fields, at, at - 1))} />
                        <Button kind="quiet" icon={<ArrowDown size={16} aria-hidden />} aria-label={`${one.label} later`} disabled={at === fields.length - 1} onClick={() => put(moved(fields, at, at + 1))} />
                        {!one.locked && <Button kind="quiet" icon={<Trash2 size={16} aria-hidden />} aria-label={`Remove ${one.label}`} onClick={() => put(fields.filter((_, index) => index !== at))} />}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            <Field label="" group>
              {() => <Button icon={<Plus size={16} aria-hidden />} onClick={() => put([...fields, { id: `field_${Date.now().toString(36)}`, type: 'text', label: 'New field', placeholder: '', required: false, enabled: true, width: 'half', ...(name === 'traveler_form' && { applies_to: 'all' }) }])}>Add a field</Button>}
            </Field>
          </Section>
        );
      })}
    </form>
  );
}

export default function BookingForm() {
  const read = useRead('/settings/booking-form', async () => (await json<Record<string, any>>('get', '/settings/booking-form')).data);
  return <Loaded read={read}>{(saved) => <Editor saved={saved} again={read.again} />}</Loaded>;
}
