// What a booking asks: which fields, in which order, required or not.
import { api, json } from '../../kit/client';
import { words } from '../../kit/format';
import { t } from '../../kit/i18n';
import { type EditedColumn, EditorPage, ListEditor } from '../../kit/list-editor';
import { Opened, Section } from '../../kit/page';
import { changed, useRead } from '../../kit/query';
import { toast } from '../../kit/ui';
import { useForm } from '../../kit/use-form';

const types = ['text', 'textarea', 'email', 'tel', 'number', 'date', 'select', 'radio', 'checkbox', 'country'];
const titles: Record<string, string> = {
  contact_form: t('Contact'),
  emergency_contact_form: t('Emergency contact'),
  traveler_form: t('Each traveler'),
};

const columns: EditedColumn[] = [
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
        {[...new Set([...types, one.type])].map((each) => (
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
        {[...new Set(['half', 'full', one.width])].map((each) => (
          <option key={each} value={each}>
            {words(each ?? '')}
          </option>
        ))}
      </select>
    ),
  },
];

const stored = async () => (await json<Record<string, any>>('get', '/settings/booking-form')).data;

function Editor({ saved, again }: { saved: Record<string, any>; again: () => void }) {
  const form = useForm(saved);
  const save = () =>
    form.submit(async (changes, now) => {
      await api.put('/settings/booking-form', null, { ...now, ...changes });
      changed('/settings/booking-form', '/booking');
      again();
      toast(t('The booking form is saved.'));
    }, stored);
  return (
    <EditorPage
      title={t('Booking form')}
      sub={t('What a booking asks. Locked fields are needed by every booking.')}
      form={form}
      save={save}
      read={stored}
      again={again}
    >
      {Object.keys(titles)
        .filter((name) => form.values[name])
        .map((name) => {
          const part = form.values[name];
          return (
            <Section key={name} title={titles[name]}>
              <ListEditor
                name={titles[name]!}
                columns={columns}
                rows={part.fields ?? []}
                put={(next) =>
                  form.set(name, { ...part, fields: next.map((one, order) => ({ ...one, order: order + 1 })) })
                }
                called={(one) => one.label}
                fresh={() => ({
                  id: `field_${Date.now().toString(36)}`,
                  type: 'text',
                  label: t('New field'),
                  placeholder: '',
                  required: false,
                  enabled: true,
                  width: 'half',
                  ...(name === 'traveler_form' && { applies_to: 'all' }),
                })}
                add={t('Add a field')}
                moves
                stays={(one) => one.locked}
              />
            </Section>
          );
        })}
    </EditorPage>
  );
}

export default function BookingForm() {
  const read = useRead('/settings/booking-form', stored);
  return <Opened read={read}>{(saved) => <Editor saved={saved} again={read.again} />}</Opened>;
}
