// What screens read is kept by key and shown at once the next time, while it is read anew.
import { type Signal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

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
const shown = signal<ReadonlyMap<() => unknown, number>>(new Map());
function note(entry: Entry) {
  const fails = entry.users > 0 && entry.state.value.error !== undefined;
  if (failing.value.has(entry) === fails) return;
  const next = new Set(failing.value);
  if (fails) next.add(entry);
  else next.delete(entry);
  failing.value = next;
}
export const unread = (since: number) =>
  [...failing.value].filter((one) => one.since >= since && !shown.value.has(one.again)).map((one) => ({ error: one.state.value.error!, again: one.again }));
// While the caller is on the screen, it says itself that this read failed.
export function useShown(again: (() => unknown) | undefined) {
  useEffect(() => {
    if (!again) return;
    const count = (change: number) => {
      const next = new Map(shown.value);
      const now = (next.get(again) ?? 0) + change;
      if (now > 0) next.set(again, now);
      else next.delete(again);
      shown.value = next;
    };
    count(1);
    return () => count(-1);
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
      const fresh: Entry = { state: signal<Read<T>>({ loading: true }), read, again: () => refresh(fresh), users: 0, since: 0, turn: 0 };
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
