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
  users: number;
  turn: number;
}
const entries = new Map<string, Entry>();
const most = 200;

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
}

function drop_unused() {
  for (const [key, entry] of entries) {
    if (entries.size <= most) return;
    if (!entry.users) entries.delete(key);
  }
}

// `key` null: nothing is read yet.
export function useRead<T>(key: string | null, read: () => Promise<T>): Read<T> & { again: () => Promise<void> } {
  const entry = useMemo(() => {
    if (key === null) return null;
    let found = entries.get(key);
    if (!found) {
      found = { state: signal<Read<T>>({ loading: true }), read, users: 0, turn: 0 };
      entries.set(key, found);
      drop_unused();
    }
    found.read = read;
    return found;
  }, [key]);
  useEffect(() => {
    if (!entry) return;
    entry.users += 1;
    void refresh(entry);
    return () => {
      entry.users -= 1;
    };
  }, [entry]);
  const idle: Read<T> = { loading: key !== null };
  return { ...(entry ? (entry.state.value as Read<T>) : idle), again: async () => entry ? refresh(entry) : undefined };
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
