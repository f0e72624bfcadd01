// Who guides a departure, or those that a rule makes.
import { Field } from '../kit/field';
import { api } from '../kit/client';
import { t } from '../kit/i18n';
import { can } from '../kit/interface';
import { useRead } from '../kit/query';
import type { Form } from '../kit/use-form';

const useGuides = () =>
  useRead(can('get', '/departures/guides') ? '/departures/guides' : null, () => api.get('/departures/guides', {}));

export function GuideName({ id }: { id: number }) {
  const name = useGuides().data?.find((one) => one.id === id)?.name;
  return <>{name ?? `#${id}`}</>;
}

export function GuideField({ form }: { form: Form }) {
  const read = useGuides();
  const chosen: number | null = form.values.guide_user_id ?? null;
  const all = read.data ?? [];
  return (
    <Field
      label={t('Guide')}
      help={read.data && !all.length ? t('No user has the role of a guide yet.') : undefined}
      errors={form.errors.guide_user_id}
    >
      {({ id, describedby, invalid }) => (
        <select
          id={id}
          aria-describedby={describedby}
          aria-invalid={invalid}
          value={chosen ?? ''}
          onChange={(event) =>
            form.set('guide_user_id', event.currentTarget.value ? Number(event.currentTarget.value) : null)
          }
        >
          <option value="">{t('Nobody yet')}</option>
          {chosen !== null && !all.some((one) => one.id === chosen) && <option value={chosen}>{`#${chosen}`}</option>}
          {all.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
