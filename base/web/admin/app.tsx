// The admin's entry: who is signed in, the frame around every screen, and which screen an address opens.
import { LogOut, Menu as MenuIcon, Plus, Search, User } from 'lucide-preact';
import { type ComponentType, render } from 'preact';
import { LocationProvider, lazy, useLocation } from 'preact-iso';
import { Suspense } from 'preact/compat';
import { useEffect, useState } from 'preact/hooks';

import { json, pending, settleSignIn, signInWanted } from '../kit/client';
import { display } from '../kit/format';
import { may_leave } from '../kit/form';
import { can, load_interface, operations } from '../kit/interface';
import { is_staff, load_me, me, renew_nonce_daily, sign_out } from '../kit/session';
import { Boundary, Button, Dialog, Failure, Menu, Skeleton, Toasts } from '../kit/ui';
import { counters, first_steps_wanted, watch_counters } from './counters';
import { areas, further, further_icon } from './navigation';
import { Palette } from './palette';
import { SignIn, SignInForm } from './sign-in';

const screens: Record<string, ComponentType<any>> = {
  today: lazy(() => import('./screens/today')),
  booking: lazy(() => import('./screens/booking')),
  new_booking: lazy(() => import('./screens/new-booking')),
  departures: lazy(() => import('./screens/departures')),
  departure: lazy(() => import('./screens/departure')),
  trip: lazy(() => import('./screens/trip')),
  payment: lazy(() => import('./screens/payment')),
  customer: lazy(() => import('./screens/customer')),
  enquiry: lazy(() => import('./screens/enquiry')),
  review: lazy(() => import('./screens/review')),
  settings: lazy(() => import('./screens/settings')),
  modules: lazy(() => import('./screens/modules')),
  gateways: lazy(() => import('./screens/gateways')),
  emails: lazy(() => import('./screens/emails')),
  booking_form: lazy(() => import('./screens/booking-form')),
  pages: lazy(() => import('./screens/pages')),
  self: lazy(() => import('./screens/self')),
  everything: lazy(() => import('./screens/everything')),
  first_steps: lazy(() => import('./screens/first-steps')),
  records: lazy(() => import('./screens/records')),
  record: lazy(() => import('./screens/record')),
};

// "/admin/bookings/7" -> the screen and what it is given.
function screen_of(path: string): [string, Record<string, unknown>] {
  const parts = path.replace(/^\/admin\/?/, '').split('/').filter(Boolean).map(decodeURIComponent);
  const [first = '', second, third] = parts;
  const is_id = /^\d+$/.test(second ?? '');
  if (!first) return ['today', {}];
  const alone: Record<string, string> = {
    settings: 'settings', modules: 'modules', gateways: 'gateways', emails: 'emails', 'booking-form': 'booking_form',
    pages: 'pages', self: 'self', everything: 'everything', 'first-steps': 'first_steps',
  };
  if (alone[first]) return [alone[first], { part: second, item: third }];
  if (first === 'departures') return third ? ['departure', { trip: Number(second), id: Number(third) }] : ['departures', {}];
  if (first === 'bookings' && second === 'new') return ['new_booking', {}];
  const own: Record<string, string> = { bookings: 'booking', trips: 'trip', payments: 'payment', customers: 'customer', enquiries: 'enquiry', reviews: 'review' };
  if (is_id && own[first]) return [own[first], { id: Number(second), part: third }];
  if (second === 'new') return ['record', { path: `/${first}`, id: null }];
  if (second && operations.value.some((one) => one.path === `/${first}/${second}` && one.method === 'get')) return ['records', { path: `/${first}/${second}` }];
  if (second) return ['record', { path: `/${first}`, id: second }];
  return ['records', { path: `/${first}` }];
}

function Rail({ open, close }: { open: boolean; close: () => void }) {
  const { path } = useLocation();
  const [folded, setFolded] = useState(localStorage.getItem('svc-rail') === 'folded');
  const more = further();
  const here = (href: string) => (href === '/admin' ? path === '/admin' : path === href || path.startsWith(`${href}/`));
  const Further = further_icon;
  return (
    <nav class={`svc-rail ${open ? 'svc-open' : ''} ${folded ? 'svc-folded' : ''}`} aria-label="Main" onClick={(event) => (event.target as HTMLElement).closest('a') && close()}>
      <a class="svc-brand" href="/admin">
        {display.value.site_name || 'svc'}
      </a>
      {areas.map((area) => {
        const shown = area.entries.filter((entry) => entry.shown());
        if (!shown.length) return null;
        const Icon = area.icon;
        const active = shown.filter((entry) => here(entry.href)).sort((a, b) => b.href.length - a.href.length)[0];
        const total = shown.reduce((sum, entry) => sum + (counters.value[entry.count ?? ''] ?? 0), 0);
        return (
          <div key={area.label} class={`svc-area ${active ? 'svc-here' : ''}`}>
            <a href={shown[0]!.href} class="svc-area-head" aria-current={active && shown.length === 1 ? 'page' : undefined} title={area.label}>
              <Icon size={18} aria-hidden />
              <span>{area.label}</span>
              {total > 0 && !active && <small>{total}</small>}
            </a>
            {active && shown.length > 1 && !folded && (
              <ul>
                {shown.map((entry) => (
                  <li key={entry.href}>
                    <a href={entry.href} aria-current={entry === active ? 'page' : undefined}>
                      {entry.label}
                      {(counters.value[entry.count ?? ''] ?? 0) > 0 && <small>{counters.value[entry.count!]}</small>}
                    </a>
                  </li>
                ))}
              </ul>
            )}
          </div>
        );
      })}
      {more.length > 0 && (
        <div class={`svc-area svc-more ${more.some((one) => here(one.href)) ? 'svc-here' : ''}`}>
          <a href={more[0]!.href} class="svc-area-head" title="More">
            <Further size={18} aria-hidden />
            <span>More</span>
          </a>
          {more.some((one) => here(one.href)) && !folded && (
            <ul>
              {more.map((entry) => (
                <li key={entry.href}>
                  <a href={entry.href} aria-current={here(entry.href) ? 'page' : undefined}>
                    {entry.label}
                  </a>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
      <button
        type="button"
        class="svc-fold"
        onClick={() => {
          setFolded(!folded);
          localStorage.setItem('svc-rail', folded ? '' : 'folded');
        }}
      >
        {folded ? '»' : '« Fold'}
        {folded && <span class="svc-hidden">Unfold the menu</span>}
      </button>
    </nav>
  );
}

function Top({ openRail, openPalette }: { openRail: () => void; openPalette: () => void }) {
  const { route } = useLocation();
  return (
    <header class="svc-top">
      <Button kind="quiet" class="svc-burger" icon={<MenuIcon size={20} aria-hidden />} aria-label="Menu" onClick={openRail} />
      <button type="button" class="svc-search" onClick={openPalette}>
        <Search size={16} aria-hidden />
        <span>Search or go to</span>
        <kbd>Ctrl K</kbd>
      </button>
      <span class="svc-gap" />
      {can('post', '/bookings') && (
        <a class="svc-button svc-primary" href="/admin/bookings/new">
          <Plus size={16} aria-hidden />
          <span>New booking</span>
        </a>
      )}
      <Menu
        label={`Account of ${me.value?.user.display_name ?? ''}`}
        icon={<User size={18} aria-hidden />}
        items={[
          { label: me.value?.user.display_name || me.value?.user.login || 'Account', run: () => route('/admin/self') },
          { label: 'Keyboard shortcuts', run: openPalette },
          { label: 'Interface documentation', run: () => window.open('/docs', '_blank') },
          { label: 'Sign out', run: () => void sign_out() },
        ]}
      />
    </header>
  );
}

function SignInOver() {
  if (!signInWanted.value.length) return null;
  return (
    <Dialog title="Sign in again" onClose={() => settleSignIn(false)}>
      <p>Your session has ended. What you typed is still here.</p>
      <SignInForm done={() => settleSignIn(true)} login={me.value?.user.login} />
    </Dialog>
  );
}

function Frame() {
  const location = useLocation();
  const [rail, setRail] = useState(false);
  const [palette, setPalette] = useState(false);
  const [name, props] = screen_of(location.path);
  const Screen = screens[name]!;
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      const typing = (event.target as HTMLElement).closest('input,textarea,select,[contenteditable]');
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') setPalette(true);
      else if (event.key === '/' && !typing) {
        const box = document.querySelector<HTMLInputElement>('input[data-search]');
        if (box) box.focus();
        else setPalette(true);
      } else if (event.key === 'n' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey && !document.querySelector('dialog[open]') && can('post', '/bookings')) location.route('/admin/bookings/new');
      else return;
      event.preventDefault();
    };
    const leave = (event: MouseEvent) => {
      const link = (event.target as HTMLElement).closest?.('a[href]') as HTMLAnchorElement | null;
      if (link && !link.hasAttribute('data-stay') && !link.target && !event.ctrlKey && !event.metaKey && link.origin === window.location.origin && !link.getAttribute('href')!.startsWith('#') && !may_leave()) {
        event.preventDefault();
        event.stopPropagation();
      }
    };
    addEventListener('keydown', keys);
    addEventListener('click', leave, true);
    return () => {
      removeEventListener('keydown', keys);
      removeEventListener('click', leave, true);
    };
  }, [location]);
  useEffect(() => {
    window.scrollTo(0, 0);
    document.getElementById('svc-main')?.focus({ preventScroll: true });
  }, [location.path]);
  return (
    <div class="svc-frame">
      <a class="svc-skip" href="#svc-main">
        Skip to content
      </a>
      {pending.value > 0 && <div class="svc-progress" aria-hidden />}
      <Rail open={rail} close={() => setRail(false)} />
      {rail && <div class="svc-veil" onClick={() => setRail(false)} />}
      <div class="svc-column">
        <Top openRail={() => setRail(true)} openPalette={() => setPalette(true)} />
        <main id="svc-main" tabIndex={-1}>
          <Boundary name={location.path}>
            <Suspense fallback={<div class="svc-page"><Skeleton /></div>}>
              <Screen key={JSON.stringify([name, props.path ?? '', props.id ?? '', props.trip ?? ''])} {...props} />
            </Suspense>
          </Boundary>
        </main>
      </div>
      {palette && <Palette close={() => setPalette(false)} />}
    </div>
  );
}

// What modules bring along: style sheets and scripts of this server, and whether the first steps are offered.
async function load_modules() {
  if (!can('get', '/admin/start')) return;
  const started = await json<{ setup_wizard: boolean; module_assets: Record<string, string[]> }>('get', '/admin/start', { quiet: true }).catch(() => null);
  if (!started) return;
  first_steps_wanted.value = started.data.setup_wizard;
  for (const path of Object.values(started.data.module_assets).flat())
    if (path.endsWith('.css')) {
      const sheet = document.createElement('link');
      sheet.rel = 'stylesheet';
      sheet.href = path;
      document.head.append(sheet);
    } else await import(path).catch((error) => console.warn(error));
}

function App() {
  const [state, setState] = useState<'loading' | 'ready' | string>('loading');
  const start = () => {
    setState('loading');
    Promise.all([load_me(), load_interface()]).then(
      () => setState('ready'),
      (error) => setState(error instanceof Error ? error.message : 'The server did not answer.'),
    );
  };
  useEffect(() => me.subscribe((now) => now && void load_interface().then(load_modules)), []);
  useEffect(() => {
    start();
    renew_nonce_daily();
    watch_counters();
  }, []);
  if (state === 'loading') return <div class="svc-page"><Skeleton /></div>;
  if (state !== 'ready') return <div class="svc-page"><Failure error={state} again={start} /></div>;
  if (!me.value) return <SignIn />;
  if (!is_staff.value)
    return (
      <main class="svc-alone">
        <h1>This account is not one of the staff</h1>
        <p>{me.value.user.email} is a customer's account. An administrator can give it a role.</p>
        <Button kind="primary" icon={<LogOut size={16} aria-hidden />} onClick={() => void sign_out()}>
          Sign out
        </Button>
      </main>
    );
  return <Frame />;
}

render(
  <LocationProvider scope="/admin">
    <App />
    <SignInOver />
    <Toasts />
  </LocationProvider>,
  document.getElementById('app')!,
);
