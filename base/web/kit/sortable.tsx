// Rows in an order of their own, moved by dragging, by buttons, or by Alt and an arrow key.
import { ArrowDown, ArrowUp, GripVertical } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { t } from './i18n';
import { moved } from './moved';
import { Button } from './ui';

interface SortableProps<T> {
  rows: T[];
  put: (rows: T[]) => void;
  key_of: (row: T, at: number) => string | number;
  called: (row: T, at: number) => string; // a row, for its buttons and what is read out
  children: (row: T, at: number) => ComponentChildren;
}
export function Sortable<T>({ rows, put, key_of, called, children }: SortableProps<T>) {
  const [dragged, setDragged] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const follow = useRef<{ at: number; control: number } | null>(null); // where the focus goes once the rows are moved
  const controls = (at: number) => [
    ...(list.current?.children[at]?.querySelectorAll<HTMLElement>('input, select, button') ?? []),
  ];
  useLayoutEffect(() => {
    if (!follow.current) return;
    const { at, control } = follow.current;
    follow.current = null;
    const all = controls(at);
    const wanted = all[control] as HTMLButtonElement | undefined;
    (wanted?.disabled ? all.find((one) => !(one as HTMLButtonElement).disabled) : wanted)?.focus();
  }, [rows]);
  const move = (from: number, to: number) => {
    if (to < 0 || to >= rows.length || to === from) return;
    const control = controls(from).indexOf(document.activeElement as HTMLElement);
    follow.current = control >= 0 ? { at: to, control } : null;
    setSaid(t('{0} is number {1} of {2} now.', called(rows[from]!, from), to + 1, rows.length));
    put(moved(rows, from, to));
  };
  return (
    <>
      <ol class="svc-order" ref={list}>
        {rows.map((row, at) => (
          <li
            key={key_of(row, at)}
            class={dragged === at ? 'svc-dragged' : ''}
            onDragOver={(event) => dragged !== null && event.preventDefault()}
            onDrop={(event) => {
              if (dragged === null) return;
              event.preventDefault();
              move(dragged, at);
            }}
            onKeyDown={(event) => {
              if (!event.altKey || !['ArrowUp', 'ArrowDown'].includes(event.key)) return;
              event.preventDefault();
              move(at, at + (event.key === 'ArrowUp' ? -1 : 1));
            }}
          >
            <span
              class="svc-grip"
              draggable
              title={t('Drag to move')}
              onDragStart={() => setDragged(at)}
              onDragEnd={() => setDragged(null)}
            >
              <GripVertical size={16} aria-hidden />
            </span>
            {children(row, at)}
            <Button
              kind="quiet"
              icon={<ArrowUp size={16} aria-hidden />}
              aria-label={t('{0} earlier', called(row, at))}
              disabled={at === 0}
              onClick={() => move(at, at - 1)}
            />
            <Button
              kind="quiet"
              icon={<ArrowDown size={16} aria-hidden />}
              aria-label={t('{0} later', called(row, at))}
              disabled={at === rows.length - 1}
              onClick={() => move(at, at + 1)}
            />
          </li>
        ))}
      </ol>
      <p class="svc-hidden" aria-live="polite">
        {said}
      </p>
    </>
  );
}
