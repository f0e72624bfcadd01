// What a form holds, what of it changed, and what the server said to it.
import { useEffect, useRef, useState } from 'preact/hooks';

import { ApiError, sentence } from './client';
import { words } from './format';
import { t } from './i18n';
import { Button, Notice } from './ui';

export type Values = Record<string, any>;
export type Errors = Record<string, string[]>;

const equal = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

// What a form holds and what of it changed. `saved` new values from the server replace those that nobody changed; `begun`
// is what a new record has before anybody types.
export function useForm(saved: Values | undefined, begun: Values = {}) {
  const [changes, setChanges] = useState<Values>(begun);
  const [errors, setErrors] = useState<Errors>({});
  const [message, setMessage] = useState('');
  const [busy, setBusy] = useState(false);
  const writes = useRef(false); // known before the next rendering: a second Enter comes sooner
  const [conflict, setConflict] = useState<ApiError | null>(null);
  const before = useRef<Values>({}); // of what is changed: what was saved when that began
  const dirty = Object.keys(changes).some((one) => changes[one] !== begun[one]);
  const summary = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!dirty) return;
    unsaved.add(changes);
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => {
      unsaved.delete(changes);
      removeEventListener('beforeunload', warn);
    };
  }, [dirty, changes]);
  return {
    values: { ...saved, ...changes } as Values,
    changes,
    dirty,
    errors,
    message,
    busy,
    conflict,
    summary,
    set: (name: string, value: any) => {
      const back = !!saved && equal(saved[name], value);
      if (back) delete before.current[name];
      else if (!(name in before.current)) before.current[name] = saved?.[name];
      setChanges((all) => {
        const next = { ...all, [name]: value };
        if (back) delete next[name];
        return next;
      });
      setErrors((all) => {
        const next = { ...all };
        for (const path of Object.keys(next)) if (path === name || path.startsWith(`${name}.`)) delete next[path];
        return next;
      });
    },
    before: { ...saved, ...before.current } as Values,
    // Both versions were seen.
    compared: () => {
      before.current = {};
    },
    reset: () => {
      before.current = {};
      setChanges(begun);
      setErrors({});
      setMessage('');
      setConflict(null);
    },
    clear_conflict: () => setConflict(null),
    // Runs a write, unless one runs; true when it went through. Its refusal is shown on top and at the fields. `read`:
    // what is stored now, read first where the server compares no versions, or versions of more than the form holds.
    submit: async (
      write: (changes: Values, now?: Values) => Promise<unknown>,
      read?: () => Promise<Values>,
    ): Promise<boolean> => {
      if (writes.current) return false;
      writes.current = true;
      setBusy(true);
      setErrors({});
      setMessage('');
      setConflict(null);
      try {
        const now = read ? await read() : undefined;
        // A record may also have been read anew under what was typed.
        const newest = now ?? (saved?.row_version === undefined ? undefined : saved);
        if (
          newest &&
          Object.keys(changes).some((name) => name in before.current && !equal(newest[name], before.current[name]))
        )
          throw new ApiError(
            409,
            'svc_conflict',
            t('Somebody else saved this meanwhile'),
            {},
            { row_version: newest.row_version ?? 0 },
          );
        await write(changes, now);
        before.current = {};
        setChanges(begun);
        setConflict(null);
        return true;
      } catch (error) {
        if (error instanceof ApiError) {
          setErrors(error.fields);
          if (error.status === 409 && error.data.row_version !== undefined) setConflict(error);
          else setMessage(error.message);
        } else setMessage(sentence(error));
        requestAnimationFrame(() => summary.current?.focus());
        return false;
      } finally {
        writes.current = false;
        setBusy(false);
      }
    },
  };
}
export type Form = ReturnType<typeof useForm>;

// A write of a version that was read. Not each refusal of a lost update tells which version is stored now: then it is read,
// so that both are shown.
export function versioned<T>(write: () => Promise<T>, row_version: number, read: () => Promise<Values>): Promise<T> {
  return write().catch(async (error) => {
    if (!(error instanceof ApiError) || error.status !== 409 || error.data.row_version !== undefined) throw error;
    const now = await read().catch(() => null);
    if (!now || now.row_version === row_version) throw error;
    throw new ApiError(error.status, error.code, error.message, error.fields, {
      ...error.data,
      row_version: now.row_version,
    });
  });
}

// Forms with changes that are not saved; leaving asks first.
const unsaved = new Set<Values>();
export function may_leave(): boolean {
  if (!unsaved.size) return true;
  const leave = confirm(t('There are changes that are not saved. Leave without saving them?'));
  if (leave) unsaved.clear();
  return leave;
}

export function Summary({ form, known }: { form: Form; known?: string[] }) {
  if (!form.message) return null;
  const names = Object.keys(form.errors);
  const elsewhere = names.filter((name) => known && !known.includes(name.split('.')[0]!));
  return (
    <div ref={form.summary} tabIndex={-1}>
      <Notice kind="bad">
        <p>{form.message}</p>
        {(elsewhere.length > 0 || names.length > 1) && (
          <ul>
            {(elsewhere.length ? elsewhere : names).map((name) => (
              <li key={name}>
                {words(name)}: {form.errors[name]!.join(' ')}
              </li>
            ))}
          </ul>
        )}
      </Notice>
    </div>
  );
}

// What is changed and not saved yet; within the form, whose submit it is.
export function SaveBar({ form }: { form: Form }) {
  if (!form.dirty) return null;
  return (
    <div class="svc-savebar" role="region" aria-label={t('Unsaved changes')}>
      <span>{t('Changed: {0}', Object.keys(form.changes).map(words).join(', '))}</span>
      <Button onClick={form.reset}>{t('Discard')}</Button>
      <Button type="submit" kind="primary" busy={form.busy}>
        {t('Save')}
      </Button>
    </div>
  );
}
