// What a screen is laid out of: its head, sections, facts and figures, and the boundary that holds its faults.
import { Component, type ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

import { t } from './i18n';
import { useShown } from './query';
import { Button, Failure, Notice, Skeleton } from './ui';

// One screen's fault stays that screen's; a part of another release is fetched once more by reloading the page.
export class Boundary extends Component<{ name: string; children: ComponentChildren }, { error?: Error }> {
  state: { error?: Error } = {};
  componentDidCatch(error: Error) {
    const is_chunk = /dynamically imported module|Importing a module script/.test(error.message);
    if (is_chunk && sessionStorage.getItem('svc-reloaded') !== location.pathname) {
      sessionStorage.setItem('svc-reloaded', location.pathname);
      location.reload();
    }
    console.warn(error);
    this.setState({ error });
  }
  componentDidUpdate(before: { name: string }) {
    if (before.name !== this.props.name && this.state.error) this.setState({ error: undefined });
  }
  render() {
    if (!this.state.error) return this.props.children;
    return (
      <div class="svc-page">
        <Failure
          error={t('This screen broke: {0}', this.state.error.message)}
          again={() => this.setState({ error: undefined })}
        />
      </div>
    );
  }
}

interface HeadProps {
  title: ComponentChildren;
  back?: { href: string; label: string };
  status?: ComponentChildren;
  sub?: ComponentChildren;
  children?: ComponentChildren;
}
export function Head({ title, back, status, sub, children }: HeadProps) {
  useEffect(() => {
    if (typeof title === 'string') document.title = t('{0} · svc', title);
  }, [title]);
  return (
    <header class="svc-head">
      <div>
        {back && (
          <a class="svc-back" href={back.href}>
            {back.label}
          </a>
        )}
        <div class="svc-title">
          <h1>{title}</h1>
          {status}
        </div>
        {sub && <p class="svc-sub">{sub}</p>}
      </div>
      {children && <div class="svc-actions">{children}</div>}
    </header>
  );
}

// Why something could not be opened, by the answer's status: a heading, and what may be done.
function refusal(status: number | undefined): [string, string] {
  if (status === 404 || status === 410)
    return [t('Not found'), t('It was deleted meanwhile, or the address is wrong.')];
  if (status === 403) return [t('Not for this role'), t('Ask an administrator for the right to see it.')];
  if (status === 0) return [t('No connection'), t('Nothing is lost. It opens as soon as the server can be reached.')];
  return [
    t('It could not be opened'),
    t('Try again in a moment. If it stays so, tell an administrator what stands here.'),
  ];
}

interface OpenedProps<T> {
  read: { data?: T; error?: string; status?: number; again: () => unknown };
  children: (data: T) => ComponentChildren;
  back?: { href: string; label: string }; // the list it belongs to
  rows?: number;
}
// A whole screen that shows one thing read: its shape while it comes, itself, or why it cannot be opened and the ways on.
export function Opened<T>({ read, children, back, rows }: OpenedProps<T>) {
  if (read.data !== undefined)
    return (
      <>
        {read.error && <Failure error={read.error} again={read.again} />}
        {children(read.data)}
      </>
    );
  if (read.error === undefined)
    return (
      <div class="svc-page">
        <Skeleton rows={rows ?? 6} />
      </div>
    );
  return <Refusal {...{ read, back }} />;
}
function Refusal({ read, back }: Pick<OpenedProps<unknown>, 'read' | 'back'>) {
  const [title, help] = refusal(read.status);
  useShown(read.again);
  return (
    <div class="svc-page">
      <Head title={title} back={back} />
      <Notice kind="bad">
        <p>{read.error}</p>
        <p>{help}</p>
        <p class="svc-actions">
          <Button kind="primary" onClick={() => read.again()}>
            {t('Try again')}
          </Button>
          <a class="svc-button svc-plain" href={back?.href ?? '/admin'}>
            {back ? t('Back to the list') : t('Back to today')}
          </a>
        </p>
      </Notice>
    </div>
  );
}

// Shown for an unknown address or a disabled module.
export function Nowhere({ children, back }: { children: ComponentChildren; back?: { href: string; label: string } }) {
  return (
    <div class="svc-page">
      <Head title={t('Not found')} back={back} />
      <Notice kind="warn">
        <p>{children}</p>
        <p class="svc-actions">
          <a class="svc-button svc-primary" href="/admin">
            {t('Back to today')}
          </a>
          <a class="svc-button svc-plain" href="/admin/everything">
            {t('All functions')}
          </a>
        </p>
      </Notice>
    </div>
  );
}

export function Section({
  title,
  children,
  action,
  id,
}: {
  title?: string;
  children: ComponentChildren;
  action?: ComponentChildren;
  id?: string;
}) {
  return (
    <section class="svc-section" id={id}>
      {title && (
        <header>
          <h2>{title}</h2>
          {action}
        </header>
      )}
      {children}
    </section>
  );
}

// A section that is folded away unless it is `open`, which counts when it is first shown and when it changes.
export function Fold({ title, children, open }: { title: string; children: ComponentChildren; open: boolean }) {
  return (
    <details class="svc-section" open={open}>
      <summary>
        <h2>{title}</h2>
      </summary>
      {children}
    </details>
  );
}

export function Facts({ rows }: { rows: [string, ComponentChildren][] }) {
  return (
    <dl class="svc-facts">
      {rows
        .filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

export function Figures({
  rows,
}: {
  rows: { label: string; value: ComponentChildren; href?: string; tone?: string }[];
}) {
  return (
    <div class="svc-figures">
      {rows.map((row) => {
        const body = (
          <>
            <span>{row.label}</span>
            <strong class={row.tone ? `svc-${row.tone}` : ''}>{row.value}</strong>
          </>
        );
        return row.href ? (
          <a key={row.label} href={row.href}>
            {body}
          </a>
        ) : (
          <div key={row.label}>{body}</div>
        );
      })}
    </div>
  );
}
