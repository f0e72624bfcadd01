// Starts an export: records of the chosen kinds in one file.
import { api } from '../../kit/client';
import { words } from '../../kit/format';
import { t } from '../../kit/i18n';
import { Section } from '../../kit/page';
import { changed } from '../../kit/query';
import { Button, toast } from '../../kit/ui';
import { Summary, useForm } from '../../kit/use-form';
import { Jobs } from './jobs';

// The kinds of the base; those that modules add come with "all".
const kinds_of_base = [
  'settings',
  'classifications',
  'trips',
  'trip_content',
  'availability_rules',
  'availability',
  'departures',
  'discounts',
  'customers',
  'bookings',
  'travelers',
  'payments',
  'reviews',
  'enquiries',
];
export const kinds_of_records = (): string[] => kinds_of_base;

export function KindChoice({
  kinds,
  chosen,
  set,
  name,
}: {
  kinds: string[];
  chosen: string[];
  set: (all: string[]) => void;
  name: string;
}) {
  return (
    <fieldset class="svc-kinds">
      <legend>{name}</legend>
      <label class="svc-check">
        <input
          type="checkbox"
          checked={chosen.length === kinds.length}
          onChange={(event) => set(event.currentTarget.checked ? kinds : [])}
        />
        {t('All')}
      </label>
      {kinds.map((one) => (
        <label key={one} class="svc-check">
          <input
            type="checkbox"
            checked={chosen.includes(one)}
            onChange={() => set(chosen.includes(one) ? chosen.filter((each) => each !== one) : [...chosen, one])}
          />
          {words(one)}
        </label>
      ))}
    </fieldset>
  );
}

export function Export() {
  const kinds = kinds_of_records();
  const form = useForm({ data_types: kinds });
  const chosen: string[] = form.values.data_types;
  const start = () =>
    form.submit(async () => {
      await api.post('/tools/export', null, { data_types: chosen.length === kinds.length ? ['all'] : chosen });
      changed('/tools/jobs');
      toast(t('The export has started.'));
    });
  return (
    <>
      <Section title={t('Export')}>
        <p>
          {t(
            'One zip archive with a file for each kind. Users, files, passwords and other secrets stay behind; the command line moves everything.',
          )}
        </p>
        <Summary form={form} />
        <KindChoice
          name={t('What to export')}
          kinds={kinds}
          chosen={chosen}
          set={(all) => form.set('data_types', all)}
        />
        <p class="svc-actions">
          <Button kind="primary" busy={form.busy} disabled={!chosen.length} onClick={start}>
            {t('Export')}
          </Button>
        </p>
      </Section>
      <Jobs type="export" />
    </>
  );
}
