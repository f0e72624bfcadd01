// What screens read is kept by key and shown at once the next time, while it is read anew.
import { type Signal, signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks';

import { sentence } from './client';

export interface Read<T> {
  data?: T;
  error?: string;
  status?: number;
  loading: boolean;
}
interface Entry {
  state: Signal<Read<any>>;
  read: () => Promise<unknown>;
  again: () => Promise<void>;
  users: number;
  since: number; // when it was last begun to be used
  turn: number;
}
const entries = new Map<string, Entry>();
const most = 200;

// Reads in use that failed, and those of them whose place on the screen says so: the others are said by <Unread>, so that
// no screen hides a failure.
const failing = signal<ReadonlySet<Entry>>(new Set());
const shown = signal<ReadonlySet<unknown>>(new Set());
function mark<T>(set: Signal<ReadonlySet<T>>, one: T, on: boolean) {
  if (set.value.has(one) === on) return;
  const next = new Set(set.value);
  if (on) next.add(one);
  else next.delete(one);
  set.value = next;
}
const note = (entry: Entry) => mark(failing, entry, entry.users > 0 && entry.state.value.error !== undefined);
export const unread = (since: number) =>
  [...failing.value].filter((one) => one.since >= since && !shown.value.has(one.again));
// While the caller is on the screen, it says itself that this read failed.
export function useShown(again: (() => unknown) | undefined) {
  // Before the screen is drawn, so that the message never flashes at both places.
  useLayoutEffect(() => {
    if (!again) return;
    mark(shown, again, true);
    return () => mark(shown, again, false);
  }, [again]);
}

async function refresh(entry: Entry) {
  const turn = ++entry.turn;
  entry.state.value = { ...entry.state.value, loading: true };
  try {
    const data = await entry.read();
    if (turn === entry.turn) entry.state.value = { data, loading: false };
  } catch (error) {
    if (turn === entry.turn)
      entry.state.value = {
        data: entry.state.value.data,
        error: sentence(error),
        status: (error as { status?: number }).status,
        loading: false,
      };
  }
  note(entry);
}

function drop_unused() {
  for (const [key, entry] of entries) {
    if (entries.size <= most) return;
    if (!entry.users) entries.delete(key);
  }
}

const idle = async () => undefined;
// `key` null: nothing is read yet.
export function useRead<T>(key: string | null, read: () => Promise<T>): Read<T> & { again: () => Promise<void> } {
  const entry = useMemo(() => {
    if (key === null) return null;
    let found = entries.get(key);
    if (!found) {
      const fresh: Entry = {
        state: signal<Read<T>>({ loading: true }),
        read,
        again: () => refresh(fresh),
        users: 0,
        since: 0,
        turn: 0,
      };
      found = fresh;
      entries.set(key, found);
      drop_unused();
    }
    found.read = read;
    return found;
  }, [key]);
  useEffect(() => {
    if (!entry) return;
    entry.users += 1;
    entry.since = performance.now();
    void refresh(entry);
    return () => {
      entry.users -= 1;
      note(entry);
    };
  }, [entry]);
  return { ...(entry ? (entry.state.value as Read<T>) : { loading: false }), again: entry?.again ?? idle };
}

// After a write: what begins with one of the prefixes is read anew where it is shown, and forgotten elsewhere. Kept once
// that is read.
export function changed(...prefixes: string[]): Promise<unknown> {
  const reads: Promise<void>[] = [];
  for (const [key, entry] of entries)
    if (prefixes.some((prefix) => key.startsWith(prefix))) {
      if (entry.users) reads.push(refresh(entry));
      else entries.delete(key);
    }
  return Promise.all(reads);
}

// What was deleted is not read again where it is still shown.
export function forget(key: string) {
  for (const each of entries.keys()) if (each === key || each.startsWith(`${key}/`)) entries.delete(each);
}

export function forget_all() {
  entries.clear();
}
