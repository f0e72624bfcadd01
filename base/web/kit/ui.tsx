// The parts that every screen is made of: buttons, dialogs, notes, states.
import { signal } from '@preact/signals';
import { AlertTriangle, CheckCircle2, ChevronDown, CircleAlert, Info, RefreshCw, X } from 'lucide-preact';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

import { ago, moment, words } from './format';
import { sentence } from './client';
import { unread, useShown } from './query';
import { t } from './i18n';

// Runs one thing at a time; `busy` while it takes.
export function useBusy() {
  const [busy, setBusy] = useState(false);
  const runs = useRef(false); // known before the next rendering: a double click comes sooner
  const run = (what: () => unknown) => {
    if (runs.current) return;
    const done = what();
    if (!(done instanceof Promise)) return;
    runs.current = true;
    setBusy(true);
    const end = () => {
      runs.current = false;
      setBusy(false);
    };
    done.then(end, (error) => (end(), failed(error)));
  };
  return { busy, run };
}

interface ButtonProps extends Omit<JSX.IntrinsicElements['button'], 'icon' | 'onClick'> {
  kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  icon?: ComponentChildren;
  busy?: boolean;
  onClick?: (event: JSX.TargetedMouseEvent<HTMLButtonElement>) => unknown; // a promise: the button is busy until it is kept
}
// A busy button keeps the focus, and is not pressed again.
export function Button({ kind = 'plain', icon, busy: given, children, class: more, onClick, ...rest }: ButtonProps) {
  const { busy: own, run } = useBusy();
  const busy = given || own;
  return (
    <button
      type="button"
      class={`svc-button svc-${kind} ${more ?? ''}`}
      aria-busy={busy}
      aria-disabled={busy || undefined}
      {...rest}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else if (onClick) run(() => onClick(event));
      }}
    >
      {icon}
      {children && <span>{children}</span>}
    </button>
  );
}

export function Link({ href, children, class: more, ...rest }: JSX.IntrinsicElements['a']) {
  return (
    <a href={href} class={more} {...rest}>
      {children}
    </a>
  );
}

// A modal dialog of the browser's own: focus stays in it, Escape closes it.
interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  footer?: ComponentChildren;
  wide?: boolean;
  sheet?: boolean; // at the side, for looking at a row
}
export function Dialog({ title, onClose, children, footer, wide, sheet }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [since] = useState(() => performance.now());
  useEffect(() => {
    const dialog = ref.current!;
    const before = document.activeElement as HTMLElement | null;
    if (!dialog.open) dialog.showModal();
    return () => {
      dialog.close();
      before?.focus?.();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      class={`svc-dialog ${wide ? 'svc-wide' : ''} ${sheet ? 'svc-sheet' : ''}`}
      aria-labelledby={id}
      onCancel={(event) => {
        if (event.target !== ref.current) return;
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === ref.current) onClose();
      }}
    >
      <div class="svc-dialog-inner">
        <header>
          <h2 id={id}>{title}</h2>
          <Button kind="quiet" icon={<X size={18} aria-hidden />} aria-label={t('Close')} onClick={onClose} />
        </header>
        <div class="svc-dialog-body">
          <Unread since={since} />
          {children}
        </div>
        {footer && <footer>{footer}</footer>}
      </div>
    </dialog>
  );
}

// A switch that stores at once what it is set to.
export function Switch({
  checked,
  set,
  ...rest
}: {
  checked: boolean;
  set: (on: boolean) => Promise<unknown>;
  id?: string;
  'aria-label'?: string;
  'aria-describedby'?: string;
}) {
  const { busy, run } = useBusy();
  const [to, setTo] = useState(checked);
  return (
    <input
      {...rest}
      type="checkbox"
      role="switch"
      checked={busy ? to : checked}
      aria-busy={busy}
      onClick={(event) => busy && event.preventDefault()}
      onChange={(event) => {
        const on = event.currentTarget.checked;
        setTo(on);
        run(() => set(on));
      }}
    />
  );
}

interface ConfirmProps {
  title: string;
  children?: ComponentChildren;
  action: string;
  danger?: boolean;
  onClose: () => void;
  run: () => Promise<unknown>;
}
// Asks before something that cannot be taken back, says what failed, and stays open then.
export function Confirm({ title, children, action, danger, onClose, run }: ConfirmProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const go = async () => {
    setBusy(true);
    setError('');
    try {
      await run();
      onClose();
    } catch (failure) {
      setError(sentence(failure));
    }
    setBusy(false);
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Back')}</Button>
          <Button kind={danger ? 'danger' : 'primary'} busy={busy} onClick={go}>
            {action}
          </Button>
        </>
      }
    >
      {children}
      {error && <Notice kind="bad">{error}</Notice>}
    </Dialog>
  );
}

const icons = { good: CheckCircle2, bad: CircleAlert, warn: AlertTriangle, info: Info };
export function Notice({ kind = 'info', children }: { kind?: keyof typeof icons; children: ComponentChildren }) {
  const Icon = icons[kind];
  return (
    <div class={`svc-notice svc-${kind}`} role={kind === 'bad' ? 'alert' : undefined}>
      <Icon size={18} aria-hidden />
      <div>{children}</div>
    </div>
  );
}

interface Toast {
  id: number;
  kind: 'good' | 'bad' | 'info';
  text: string;
}
const toasts = signal<Toast[]>([]);
let next_toast = 1;
export function toast(text: string, kind: Toast['kind'] = 'good') {
  const one = { id: next_toast++, kind, text };
  toasts.value = [...toasts.value, one].slice(-4);
  setTimeout(() => (toasts.value = toasts.value.filter((each) => each !== one)), kind === 'bad' ? 9000 : 4500);
}
export function failed(error: unknown) {
  toast(sentence(error), 'bad');
}
export function Toasts() {
  return (
    <div class="svc-toasts" role="status" aria-live="polite">
      {toasts.value.map((one) => {
        const Icon = icons[one.kind];
        return (
          <div class={`svc-toast svc-${one.kind}`} key={one.id}>
            <Icon size={18} aria-hidden />
            <span>{one.text}</span>
            <Button
              kind="quiet"
              icon={<X size={16} aria-hidden />}
              aria-label={t('Dismiss')}
              onClick={() => (toasts.value = toasts.value.filter((each) => each !== one))}
            />
          </div>
        );
      })}
    </div>
  );
}

const colours: Record<string, string> = {
  good: 'confirmed completed paid publish active open available upcoming responded approved succeeded yes sent matched enabled pass ok migrated',
  warn: 'pending pending_verification partial on-hold on_hold processing limited review waitlist scheduled new draft paused read queued running warning staged',
  info: 'info',
  bad: 'cancelled failed blocked suspended spam overdue refund_due rejected sold_out unavailable expired fail error',
};
export function tone(status: string): string {
  for (const [name, all] of Object.entries(colours)) if (all.split(' ').includes(status)) return name;
  return 'calm';
}
const said: Record<string, string> = { publish: t('Published'), 'on-hold': t('On hold'), trash: t('In the trash') };
// `say`: else the status's own word.
export function Status({ value, say }: { value: string | null | undefined; say?: string }) {
  if (!value) return null;
  return (
    <span class={`svc-status svc-${tone(value)}`}>
      <i aria-hidden />
      {say ?? said[value] ?? words(value)}
    </span>
  );
}

export function Ago({ at }: { at: string | null | undefined }) {
  if (!at) return null;
  return (
    <time dateTime={at} title={moment(at)}>
      {ago(at)}
    </time>
  );
}

// Booked of capacity, by length and in words.
export function Load({ booked, capacity }: { booked: number; capacity: number }) {
  const share = capacity > 0 ? Math.min(100, Math.round((booked / capacity) * 100)) : booked ? 100 : 0;
  return (
    <span class="svc-load">
      <meter
        min={0}
        max={100}
        value={share}
        class={share >= 100 ? 'svc-full' : share >= 80 ? 'svc-nearly' : ''}
        aria-hidden
      />
      <span>{t('{0} of {1}', booked, capacity)}</span>
    </span>
  );
}

export function Empty({ children, action }: { children: ComponentChildren; action?: ComponentChildren }) {
  return (
    <div class="svc-empty">
      <p>{children}</p>
      {action}
    </div>
  );
}

// What failed to be read and is said nowhere else on the screen; of what was begun since then.
export function Unread({ since = 0 }: { since?: number }) {
  return (
    <>
      {unread(since).map((one, at) => (
        <Failure key={at} error={one.state.value.error!} again={one.again} marks={false} />
      ))}
    </>
  );
}

// `marks` false: it is not the place of that read.
export function Failure({ error, again, marks = true }: { error: string; again?: () => unknown; marks?: boolean }) {
  useShown(marks ? again : undefined);
  return (
    <div class="svc-failure" role="alert">
      <CircleAlert size={20} aria-hidden />
      <p>{error}</p>
      {again && (
        <Button icon={<RefreshCw size={16} aria-hidden />} onClick={() => again()}>
          {t('Try again')}
        </Button>
      )}
    </div>
  );
}

export function Skeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div class="svc-skeleton" role="progressbar" aria-busy="true" aria-label={t('Loading')}>
      {Array.from({ length: rows }, (_, index) => (
        <i key={index} style={{ inlineSize: `${92 - ((index * 17) % 40)}%` }} />
      ))}
    </div>
  );
}

// What a screen shows of something read: its shape while it comes, what failed, or itself.
export function Loaded<T>({
  read,
  children,
  rows,
}: {
  read: { data?: T; error?: string; again: () => unknown };
  children: (data: T) => ComponentChildren;
  rows?: number;
}) {
  if (read.data !== undefined)
    return (
      <>
        {read.error && <Failure error={read.error} again={read.again} />}
        {children(read.data)}
      </>
    );
  if (read.error) return <Failure error={read.error} again={read.again} />;
  return <Skeleton rows={rows} />;
}

export interface MenuItem {
  label: string;
  danger?: boolean;
  run: () => unknown; // a promise: the menu's button is busy until it is kept
}
// A list of further actions, opened by its button; the browser closes it.
export function Menu({
  label,
  items,
  icon,
}: {
  label: string;
  items: (MenuItem | false | null | undefined)[];
  icon?: ComponentChildren;
}) {
  const id = useId().replace(/:/g, '');
  const ref = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { busy, run } = useBusy();
  const shown = items.filter(Boolean) as MenuItem[];
  if (!shown.length) return null;
  const place = () => {
    const menu = ref.current;
    if (!menu || !button.current) return; // told of its closing after it is gone
    const at = button.current.getBoundingClientRect();
    menu.style.top = `${Math.min(at.bottom + 4, innerHeight - menu.offsetHeight - 8)}px`;
    menu.style.left = `${Math.max(8, Math.min(at.right - menu.offsetWidth, innerWidth - menu.offsetWidth - 8))}px`;
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class="svc-button svc-plain"
        popovertarget={id}
        aria-haspopup="menu"
        aria-busy={busy}
      >
        {icon ?? <span>{label}</span>}
        {icon ? <span class="svc-hidden">{label}</span> : <ChevronDown size={16} aria-hidden />}
      </button>
      <div
        id={id}
        ref={ref}
        popover="auto"
        role="menu"
        class="svc-menu"
        onToggle={(event) => {
          place();
          if ((event as unknown as ToggleEvent).newState === 'open')
            ref.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
        }}
        onKeyDown={(event) => {
          const all = [...ref.current!.querySelectorAll<HTMLElement>('[role=menuitem]')];
          const at = all.indexOf(document.activeElement as HTMLElement);
          if (event.key === 'ArrowDown') all[(at + 1) % all.length]?.focus();
          else if (event.key === 'ArrowUp') all[(at - 1 + all.length) % all.length]?.focus();
          else return;
          event.preventDefault();
        }}
      >
        {shown.map((item) => (
          <button
            key={item.label}
            type="button"
            role="menuitem"
            class={item.danger ? 'svc-bad' : ''}
            onClick={() => {
              ref.current!.hidePopover();
              run(item.run);
            }}
          >
            {item.label}
          </button>
        ))}
      </div>
    </>
  );
}
