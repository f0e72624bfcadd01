// Other versions of a section of the booking form: for which trips they count, in words, the first that matches first.
import { ArrowDown, ArrowUp, Pencil, Plus, Trash2 } from 'lucide-preact';

import { json } from '../kit/client';
import { Field } from '../kit/field';
import { t } from '../kit/i18n';
import { name_of, PickMany } from '../kit/pickers';
import { useRead } from '../kit/query';
import { Button, Notice } from '../kit/ui';
import type { FormField } from './asked';

export interface Condition {
  id: string;
  title?: string;
  description?: string;
  fields: FormField[];
  targets: { trips: number[]; categories: number[]; trip_types: string[] };
}
const types: Record<string, string> = { single_day: t('day trips'), multi_day: t('multi-day trips') };

function useNames(list: '/trips' | '/trip-categories', ids: number[]): string {
  const read = useRead(ids.length ? `${list}/titles/${ids.join(',')}` : null, () =>
    Promise.all(
      ids.slice(0, 8).map(async (id) => {
        const row = await json('get', `${list}/{id}`, { params: { id } }).catch(() => null);
        return row ? name_of(row.data) : `#${id}`;
      }),
    ),
  );
  const more = ids.length > 8 ? ` ${t('and {0} more', ids.length - 8)}` : '';
  return (read.data ?? ids.map((id) => `#${id}`)).join(', ') + more;
}

// "For trips Nile cruise; categories Diving; multi-day trips".
export function Targets({ condition }: { condition: Condition }) {
  const { trips, categories, trip_types } = condition.targets;
  const of_trips = useNames('/trips', trips);
  const of_categories = useNames('/trip-categories', categories);
  const parts = [
    trips.length && t('trips {0}', of_trips),
    categories.length && t('categories {0}', of_categories),
    ...trip_types.map((one) => types[one] ?? one),
  ].filter(Boolean);
  return <>{parts.length ? t('For {0}', parts.join('; ')) : t('For no trip yet')}</>;
}

interface ListProps {
  section: string; // its name
  conditions: Condition[];
  active: boolean;
  put: (conditions: Condition[]) => void;
  edit: (at: number) => void;
  add: () => void;
}
export function Conditions({ section, conditions, active, put, edit, add }: ListProps) {
  const move = (from: number, to: number) => {
    const next = [...conditions];
    next.splice(to, 0, ...next.splice(from, 1));
    put(next);
  };
  if (!active && !conditions.length) return null;
  const named = (at: number) => t('Condition {0} of {1}', at + 1, section);
  return (
    <div>
      <h3>{t('For certain trips')}</h3>
      {!active && (
        <Notice kind="warn">
          {t(
            'Dynamic form fields is off: these conditions are kept, and not applied. Every trip asks the fields above.',
          )}
        </Notice>
      )}
      {conditions.length > 0 && (
        <ol class="svc-rows">
          {conditions.map((one, at) => (
            <li key={one.id}>
              <span>
                <b>
                  <Targets condition={one} />
                </b>{' '}
                <small>
                  {t(
                    '“{0}”, {1, plural, one {# field} other {# fields}}',
                    one.title || section,
                    one.fields.filter((each) => each.enabled).length,
                  )}
                </small>
              </span>
              <span class="svc-end">
                <Button
                  kind="quiet"
                  icon={<ArrowUp size={16} aria-hidden />}
                  aria-label={t('{0} earlier', named(at))}
                  disabled={!active || at === 0}
                  onClick={() => move(at, at - 1)}
                />
                <Button
                  kind="quiet"
                  icon={<ArrowDown size={16} aria-hidden />}
                  aria-label={t('{0} later', named(at))}
                  disabled={!active || at === conditions.length - 1}
                  onClick={() => move(at, at + 1)}
                />
                <Button
                  kind="quiet"
                  icon={<Pencil size={16} aria-hidden />}
                  aria-label={t('Edit {0}', named(at))}
                  disabled={!active}
                  onClick={() => edit(at)}
                />
                <Button
                  kind="quiet"
                  icon={<Trash2 size={16} aria-hidden />}
                  aria-label={t('Remove {0}', named(at))}
                  onClick={() => put(conditions.filter((_, index) => index !== at))}
                />
              </span>
            </li>
          ))}
        </ol>
      )}
      {conditions.length > 1 && <p>{t('The first that matches a trip counts.')}</p>}
      {active && (
        <p class="svc-actions">
          <Button icon={<Plus size={16} aria-hidden />} onClick={add}>
            {t('Ask otherwise for certain trips')}
          </Button>
        </p>
      )}
    </div>
  );
}

interface EditProps {
  condition: Condition;
  change: (some: Partial<Condition>) => void;
}
export function ConditionFields({ condition, change }: EditProps) {
  const { targets } = condition;
  const set = (some: Partial<Condition['targets']>) => change({ targets: { ...targets, ...some } });
  return (
    <>
      <div class="svc-fields">
        <Field label={t('Trips')}>
          {({ id }) => <PickMany list="/trips" id={id} value={targets.trips} onPick={(trips) => set({ trips })} />}
        </Field>
        <Field label={t('Categories')} help={t('With all below them.')}>
          {({ id }) => (
            <PickMany
              list="/trip-categories"
              id={id}
              value={targets.categories}
              onPick={(categories) => set({ categories })}
            />
          )}
        </Field>
        <Field label={t('Length')} group>
          {() => (
            <>
              {Object.entries(types).map(([type, label]) => (
                <label key={type} class="svc-check">
                  <input
                    type="checkbox"
                    checked={targets.trip_types.includes(type)}
                    onChange={(event) =>
                      set({
                        trip_types: event.currentTarget.checked
                          ? [...targets.trip_types, type]
                          : targets.trip_types.filter((each) => each !== type),
                      })
                    }
                  />
                  {label}
                </label>
              ))}
            </>
          )}
        </Field>
      </div>
      <div class="svc-fields">
        <Field label={t('Title')}>
          {({ id }) => (
            <input
              id={id}
              value={condition.title ?? ''}
              onInput={(event) => change({ title: event.currentTarget.value })}
            />
          )}
        </Field>
        <Field label={t('Introduction')}>
          {({ id }) => (
            <input
              id={id}
              value={condition.description ?? ''}
              onInput={(event) => change({ description: event.currentTarget.value })}
            />
          )}
        </Field>
      </div>
    </>
  );
}
