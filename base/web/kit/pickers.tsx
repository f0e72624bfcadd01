// Choosing records by their names: a search box with suggestions, by the ARIA combobox pattern.
import { X } from 'lucide-preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

import { json, sentence } from './client';
import { t } from './i18n';
import { can } from './interface';
import { useRead } from './query';

export interface Choice {
  id: number;
  label: string;
  note?: string;
}

// What a record is called wherever it is chosen or linked.
export function name_of(row: Record<string, any>): string {
  const found =
    row.title ??
    row.name ??
    row.label ??
    row.customer_name ??
    row.reference ??
    row.original_name ??
    row.code ??
    row.slug ??
    row.email ??
    row.login ??
    (row.trip?.title && row.start_date ? `${row.trip.title}, ${row.start_date}` : undefined);
  return String(found || (row.id !== undefined ? `#${row.id}` : ''));
}

function note_of(row: Record<string, any>): string {
  return [
    row.email ?? row.customer_email,
    row.reference && row.customer_name ? row.reference : '',
    row.phone,
    row.country,
  ]
    .filter(Boolean)
    .join(' · ');
}

async function found_in(list: string, search: string): Promise<Choice[]> {
  const rows = await json<Record<string, any>[]>('get', list, { params: { search, per_page: 12 } });
  return rows.data.map((row) => ({ id: row.id, label: name_of(row), note: note_of(row) }));
}

interface PickProps {
  list: string;
  value: number | null | undefined;
  onPick: (choice: Choice | null) => void;
  id?: string;
  label?: string; // shown for `value` until it is read
  invalid?: boolean;
  describedby?: string;
  exclude?: number[];
  placeholder?: string;
  keep?: boolean; // false: the box empties after each choice
}
export function Pick({
  list,
  value,
  onPick,
  id,
  label,
  invalid,
  describedby,
  exclude = [],
  placeholder = t('Type to search'),
  keep = true,
}: PickProps) {
  const [text, setText] = useState<string | null>(null); // null: what is chosen is shown
  const [choices, setChoices] = useState<Choice[]>([]);
  const [at, setAt] = useState(-1);
  const [open, setOpen] = useState(false);
  const [refused, setRefused] = useState('');
  const listbox = useId();
  const turn = useRef(0);
  const chosen = useRead(value && !label && can('get', `${list}/{id}`) ? `${list}/${value}/name` : null, async () =>
    name_of((await json('get', `${list}/{id}`, { params: { id: value } })).data),
  );
  useEffect(() => {
    if (!open) return;
    const mine = ++turn.current;
    const timer = setTimeout(
      () =>
        void found_in(list, text ?? '').then(
          (all) =>
            mine === turn.current &&
            (setChoices(all.filter((one) => !exclude.includes(one.id))), setAt(-1), setRefused('')),
          (error) => mine === turn.current && (setChoices([]), setRefused(sentence(error))),
        ),
      text ? 180 : 0,
    );
    return () => clearTimeout(timer);
  }, [text, open, list]);
  const choose = (choice: Choice | null) => {
    onPick(choice);
    setText(keep ? null : '');
    setOpen(false);
  };
  return (
    <div
      class="svc-pick"
      onFocusOut={(event) =>
        !event.currentTarget.contains(event.relatedTarget as Node) && (setOpen(false), setText(keep ? null : ''))
      }
    >
      <input
        id={id}
        type="text"
        role="combobox"
        autocomplete="off"
        aria-expanded={open}
        aria-controls={listbox}
        aria-autocomplete="list"
        aria-activedescendant={open && at >= 0 ? `${listbox}-${at}` : undefined}
        aria-invalid={invalid}
        aria-describedby={describedby}
        placeholder={placeholder}
        value={text ?? label ?? chosen.data ?? (value ? `#${value}` : '')}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setOpen(true);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            setOpen(true);
            setAt((at + (event.key === 'ArrowDown' ? 1 : -1) + choices.length + 1) % Math.max(1, choices.length));
          } else if (event.key === 'Enter' && open && choices[at]) choose(choices[at]!);
          else if (event.key === 'Escape' && open) setOpen(false);
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      {keep && value ? (
        <button type="button" class="svc-clear" aria-label={t('Clear')} onClick={() => choose(null)}>
          <X size={16} aria-hidden />
        </button>
      ) : null}
      <ul role="listbox" id={listbox} hidden={!open} aria-label={t('Suggestions')}>
        {choices.map((choice, index) => (
          <li
            key={choice.id}
            id={`${listbox}-${index}`}
            role="option"
            aria-selected={index === at}
            onMouseDown={(event) => {
              event.preventDefault();
              choose(choice);
            }}
          >
            <b>{choice.label}</b>
            {choice.note && <small>{choice.note}</small>}
          </li>
        ))}
        {!choices.length && (
          <li role="option" aria-selected={false} aria-disabled="true">
            <small>{refused || t('Nothing found')}</small>
          </li>
        )}
      </ul>
    </div>
  );
}

// Several records; each chosen one is a chip that can be taken away.
export function PickMany({
  list,
  value,
  onPick,
  id,
  labels = {},
}: {
  list: string;
  value: number[];
  onPick: (ids: number[]) => void;
  id?: string;
  labels?: Record<number, string>;
}) {
  const [known, setKnown] = useState<Record<number, string>>(labels);
  const missing = value.filter((one) => !known[one]);
  const names = useRead(missing.length ? `${list}/names/${missing.join(',')}` : null, async () => {
    const pairs = await Promise.all(
      missing.slice(0, 40).map(async (one) => {
        // One that was deleted meanwhile is shown by its number.
        const row = await json('get', `${list}/{id}`, { params: { id: one } }).catch((error) =>
          error.status === 404 ? null : Promise.reject(error),
        );
        return [one, row ? name_of(row.data) : `#${one}`] as const;
      }),
    );
    return Object.fromEntries(pairs) as Record<number, string>;
  });
  return (
    <div class="svc-many">
      {value.map((one) => (
        <span class="svc-chip" key={one}>
          {known[one] ?? names.data?.[one] ?? `#${one}`}
          <button
            type="button"
            aria-label={t('Remove {0}', known[one] ?? names.data?.[one] ?? one)}
            onClick={() => onPick(value.filter((each) => each !== one))}
          >
            <X size={14} aria-hidden />
          </button>
        </span>
      ))}
      <Pick
        id={id}
        list={list}
        value={null}
        keep={false}
        exclude={value}
        onPick={(choice) => {
          if (!choice) return;
          setKnown({ ...known, [choice.id]: choice.label });
          onPick([...value, choice.id]);
        }}
      />
    </div>
  );
}
