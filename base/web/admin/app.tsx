// The admin's entry: who is signed in, the frame around every screen, and which screen an address opens.
import { signal } from '@preact/signals';
import { LogOut, Menu as MenuIcon, Plus, Search, User } from 'lucide-preact';
import { type ComponentProps, type ComponentType, render } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { type Method, json, pending, sentence, settleSignIn, signInWanted } from '../kit/client';
import { display } from '../kit/format';
import {
  choose_language,
  chosen_language,
  language,
  languages,
  load_names,
  load_sentences,
  load_settings,
  t,
} from '../kit/i18n';
import { later } from '../kit/later';
import { follow_links, useLocation } from '../kit/location';
import { may_leave } from '../kit/use-form';
import { can, has_modules, load_interface, operation, operations } from '../kit/interface';
import { is_staff, load_me, may, me, renew_nonce_daily, sign_out } from '../kit/session';
import { Button, Dialog, Failure, Menu, Notice, Skeleton, Toasts, Unread } from '../kit/ui';
import { Boundary, Head } from '../kit/page';
import { counters, first_steps_wanted, watch_counters } from './counters';
import { EvaluationBanner, evaluation_end } from './evaluation';
import { areas, further, further_icon } from './navigation';
import { SignIn, SignInForm } from './sign-in';

const Palette = later(() => import('./palette'));
const shape = () => (
  <div class="svc-page">
    <Skeleton />
  </div>
);
type Load<P extends object> = () => Promise<{ default: ComponentType<P> }>;
const screen = <P extends object>(load: Load<P>) =>
  later<P>(() => Promise.all([load(), load_names(has_modules())]).then(([loaded]) => loaded), shape);
const described = <P extends object>(load: Load<P>) =>
  screen<P>(() => Promise.all([load(), load_sentences(has_modules())]).then(([loaded]) => loaded)); // for screens with the interface's descriptions
const screens = {
  today: screen(() => import('./screens/today')),
  booking: screen(() => import('./screens/booking')),
  new_booking: screen(() => import('./screens/new-booking')),
  waitlist: screen(() => import('./screens/waitlist')),
  departures: screen(() => import('./screens/departures')),
  departure: described(() => import('./screens/departure')),
  trip: described(() => import('./screens/trip')),
  seasons: described(() => import('./screens/seasons')),
  payment_plan: screen(() => import('./screens/payment-plan')),
  payment: screen(() => import('./screens/payment')),
  customer: described(() => import('./screens/customer')),
  enquiry: described(() => import('./screens/enquiry')),
  review: screen(() => import('./screens/review')),
  settings: screen(async () => {
    await load_settings();
    return import('./screens/settings');
  }),
  modules: described(() => import('./screens/modules')),
  gateways: screen(() => import('./screens/gateways')),
  emails: screen(() => import('./screens/emails')),
  booking_form: screen(() => import('./screens/booking-form')),
  pages: screen(() => import('./screens/pages')),
  templates: screen(() => import('./screens/templates')),
  duplicates: screen(() => import('./screens/duplicates')),
  media: screen(() => import('./screens/media')),
  due: screen(() => import('./screens/due')),
  webhooks: screen(() => import('./screens/webhooks')),
  mailchimp: screen(() => import('./screens/mailchimp')),
  dynamic_pricing: described(() => import('./screens/prices')),
  additional_services: described(() => import('./screens/services')),
  email_sequences: screen(() => import('./screens/email-sequences')),
  abandoned_bookings: screen(() => import('./screens/abandoned')),
  landing_pages: screen(() => import('./screens/landing-pages')),
  google_calendar: screen(() => import('./screens/google-calendar')),
  consent: screen(() => import('./screens/consent')),
  facebook_pixel: screen(() => import('./screens/facebook-pixel')),
  google_analytics: screen(() => import('./screens/google-analytics')),
  self: screen(() => import('./screens/self')),
  reports: screen(() => import('./screens/reports')),
  tools: screen(() => import('./screens/tools')),
  everything: described(() => import('./screens/everything')),
  first_steps: screen(() => import('./screens/first-steps')),
  records: described(() => import('./screens/records')),
  record: described(() => import('./screens/record')),
};

type Name = keyof typeof screens;
type Props<N extends Name> = ComponentProps<(typeof screens)[N]>;
type Given = {
  path?: string;
  id?: string | number | null;
  part?: string;
  item?: string;
  trip?: number;
  outstanding?: boolean;
};
interface Opened {
  name: Name;
  props: Given;
}
// A screen with what it is given.
const opens = <N extends Name>(name: N, props: Props<N> & Given): Opened => ({ name, props });

// "/admin/bookings/7" -> the screen and what it is given.
function screen_of(path: string): Opened {
  const parts = path
    .replace(/^\/admin\/?/, '')
    .split('/')
    .filter(Boolean)
    .map(decodeURIComponent);
  const [first = '', second, third] = parts;
  const is_id = /^\d+$/.test(second ?? '');
  if (!first) return opens('today', {});
  const alone: Name[] = [
    'settings',
    'modules',
    'gateways',
    'emails',
    'booking_form',
    'pages',
    'templates',
    'waitlist',
    'self',
    'everything',
    'reports',
    'tools',
    'webhooks',
    'mailchimp',
    'first_steps',
    'dynamic_pricing',
    'additional_services',
    'email_sequences',
    'abandoned_bookings',
    'landing_pages',
    'google_calendar',
    'consent',
    'facebook_pixel',
    'google_analytics',
  ];
  const name = alone.find((one) => one.replace('_', '-') === first);
  if (name) return opens(name, { part: second, item: third });
  if (first === 'departures')
    return third ? opens('departure', { trip: Number(second), id: Number(third) }) : opens('departures', {});
  if (first === 'customers' && second === 'duplicates') return opens('duplicates', {});
  if (first === 'media') return opens('media', { id: is_id ? Number(second) : null });
  if (first === 'scheduled-payments') return opens('due', { outstanding: second === 'outstanding' });
  if (first === 'bookings' && second === 'new') return opens('new_booking', {});
  if (first === 'trips' && is_id && third === 'seasons') return opens('seasons', { id: Number(second) });
  if (first === 'trips' && is_id && third === 'payment-plan') return opens('payment_plan', { id: Number(second) });
  // Of the records in the plural: /admin/enquiries/7.
  const record = (['booking', 'trip', 'payment', 'customer', 'enquiry', 'review'] as const).find(
    (one) => first === `${one.replace(/y$/, 'ie')}s`,
  );
  if (is_id && record) return opens(record, { id: Number(second), part: third });
  if (second === 'new') return opens('record', { path: `/${first}`, id: null });
  if (second && operations.value.some((one) => one.path === `/${first}/${second}` && one.method === 'get'))
    return opens('records', { path: `/${first}/${second}` });
  if (second) return opens('record', { path: `/${first}`, id: second });
  return opens('records', { path: `/${first}` });
}

function Rail({ open, close }: { open: boolean; close: () => void }) {
  const { path } = useLocation();
  const [folded, setFolded] = useState(localStorage.getItem('svc-rail') === 'folded');
  const more = further();
  const here = (href: string) => (href === '/admin' ? path === '/admin' : path === href || path.startsWith(`${href}/`));
  const Further = further_icon;
  return (
    <nav
      class={`svc-rail ${open ? 'svc-open' : ''} ${folded ? 'svc-folded' : ''}`}
      aria-label={t('Main')}
      onClick={(event) => (event.target as HTMLElement).closest('a') && close()}
    >
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
            <a
              href={shown[0]!.href}
              class="svc-area-head"
              aria-current={active && shown.length === 1 ? 'page' : undefined}
              title={area.label}
            >
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
          <a href={more[0]!.href} class="svc-area-head" title={t('More')}>
            <Further size={18} aria-hidden />
            <span>{t('More')}</span>
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
        {folded ? '»' : t('« Fold')}
        {folded && <span class="svc-hidden">{t('Unfold the menu')}</span>}
      </button>
    </nav>
  );
}

function Top({ openRail, openPalette }: { openRail: () => void; openPalette: () => void }) {
  const { route } = useLocation();
  return (
    <header class="svc-top">
      <Button
        kind="quiet"
        class="svc-burger"
        icon={<MenuIcon size={20} aria-hidden />}
        aria-label={t('Menu')}
        onClick={openRail}
      />
      <button type="button" class="svc-search" onClick={openPalette}>
        <Search size={16} aria-hidden />
        <span>{t('Search or go to')}</span>
        <kbd>Ctrl K</kbd>
      </button>
      <span class="svc-gap" />
      {can('post', '/bookings') && (
        <a class="svc-button svc-primary" href="/admin/bookings/new">
          <Plus size={16} aria-hidden />
          <span>{t('New booking')}</span>
        </a>
      )}
      <Menu
        label={t('Account of {0}', me.value?.user.display_name ?? '')}
        icon={<User size={18} aria-hidden />}
        items={[
          {
            label: me.value?.user.display_name || me.value?.user.login || t('Account'),
            run: () => route('/admin/self'),
          },
          { label: t('Keyboard shortcuts'), run: openPalette },
          { label: t('Interface documentation'), run: () => window.open('/docs', '_blank') },
          { label: t('Sign out'), run: sign_out },
        ]}
      />
    </header>
  );
}

function SignInOver() {
  if (!signInWanted.value.length) return null;
  return (
    <Dialog title={t('Sign in again')} onClose={() => settleSignIn(false)}>
      <p>{t('Your session has ended. What you typed is still here.')}</p>
      <SignInForm done={() => settleSignIn(true)} login={me.value?.user.login} />
    </Dialog>
  );
}

// What a screen reads first: without the right to it, a sentence stands instead.
const needed: Partial<Record<Name, [Method, string]>> = {
  booking: ['get', '/bookings/{id}'],
  new_booking: ['post', '/bookings'],
  waitlist: ['get', '/waitlist'],
  departures: ['get', '/departures'],
  departure: ['get', '/trips/{trip_id}/departures/{id}'],
  trip: ['get', '/trips/{id}'],
  seasons: ['get', '/trips/{id}'],
  payment_plan: ['get', '/trips/{id}/payment-plan'],
  payment: ['get', '/payments/{id}'],
  customer: ['get', '/customers/{id}'],
  duplicates: ['get', '/customers/duplicates'],
  enquiry: ['get', '/enquiries/{id}'],
  review: ['get', '/reviews/{id}'],
  media: ['get', '/media'],
  due: ['get', '/scheduled-payments'],
  settings: ['get', '/settings'],
  modules: ['get', '/modules'],
  gateways: ['get', '/payment/gateways/definitions'],
  booking_form: ['put', '/settings/booking-form'],
  pages: ['get', '/settings/pages'],
  templates: ['get', '/site/templates'],
  reports: ['get', '/reports'],
};
function Refused({ permission }: { permission: string }) {
  return (
    <div class="svc-page">
      <Head title={t('Not for this role')} />
      <Notice kind="warn">{t('Your role may not see this. Ask an administrator for {0}.', permission)}</Notice>
    </div>
  );
}

function Frame() {
  const location = useLocation();
  const [rail, setRail] = useState(false);
  const [palette, setPalette] = useState(false);
  const { name, props } = screen_of(location.path);
  const Screen = screens[name] as ComponentType<Given>; // opens() has compared what it is given
  const asked = needed[name] && operation(...needed[name]);
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      const typing = (event.target as HTMLElement).closest('input,textarea,select,[contenteditable]');
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') setPalette(true);
      else if (event.key === '/' && !typing) {
        const box = document.querySelector<HTMLInputElement>('input[data-search]');
        if (box) box.focus();
        else setPalette(true);
      } else if (
        event.key === 'n' &&
        !typing &&
        !event.ctrlKey &&
        !event.metaKey &&
        !event.altKey &&
        !document.querySelector('dialog[open]') &&
        can('post', '/bookings')
      )
        location.route('/admin/bookings/new');
      else return;
      event.preventDefault();
    };
    const leave = (event: MouseEvent) => {
      const link = (event.target as HTMLElement).closest?.('a[href]') as HTMLAnchorElement | null;
      if (
        link &&
        !link.hasAttribute('data-stay') &&
        !link.target &&
        !event.ctrlKey &&
        !event.metaKey &&
        link.origin === window.location.origin &&
        !link.getAttribute('href')!.startsWith('#') &&
        !may_leave()
      ) {
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
        {t('Skip to content')}
      </a>
      {pending.value > 0 && <div class="svc-progress" aria-hidden />}
      <Rail open={rail} close={() => setRail(false)} />
      {rail && <div class="svc-veil" onClick={() => setRail(false)} />}
      <div class="svc-column">
        <Top openRail={() => setRail(true)} openPalette={() => setPalette(true)} />
        <EvaluationBanner />
        <main id="svc-main" tabIndex={-1}>
          <Unread />
          {modules_failed.value && <Failure error={`${t('Modules')}: ${modules_failed.value}`} again={load_modules} />}
          <Boundary name={location.path}>
            {asked && !may(asked.permission) ? (
              <Refused permission={asked.permission} />
            ) : (
              <Screen
                key={JSON.stringify([
                  name,
                  props.path ?? '',
                  name === 'media' ? '' : (props.id ?? ''),
                  props.trip ?? '',
                  props.outstanding ?? '',
                ])}
                {...props}
              />
            )}
          </Boundary>
        </main>
      </div>
      {palette && <Palette close={() => setPalette(false)} />}
    </div>
  );
}

// What modules bring along: style sheets and scripts of this server, and whether the first steps are offered.
const modules_failed = signal('');
async function load_modules() {
  modules_failed.value = '';
  if (!can('get', '/admin/start')) return;
  const started = await json<{
    setup_wizard: boolean;
    data: Record<string, unknown> & { evaluation?: { ends_at: string } };
    module_assets: Record<string, string[]>;
  }>('get', '/admin/start', { quiet: true }).catch((error) => {
    modules_failed.value = sentence(error);
    return null;
  });
  if (!started) return;
  first_steps_wanted.value = started.data.setup_wizard;
  evaluation_end.value = started.data.data.evaluation?.ends_at ?? '';
  (window as any).svc_admin = Object.freeze(started.data.data); // what modules tell their scripts
  for (const path of Object.values(started.data.module_assets).flat())
    if (path.endsWith('.css')) {
      const sheet = document.createElement('link');
      sheet.rel = 'stylesheet';
      sheet.href = path;
      document.head.append(sheet);
    } else await import(path).catch((error) => console.warn(error));
}

// Whoever has chosen no language in this browser has that of the account, where the account has one.
async function follow_language() {
  if (chosen_language() || !can('get', '/customers/me')) return;
  const own = await json<{ id: number | null; preferred_language: string }>('get', '/customers/me', {
    quiet: true,
  }).catch(() => null);
  const code = own?.data.id ? own.data.preferred_language : '';
  if (code === 'en' || !(code in languages) || code === language) return; // en, which each record begins with, is no choice
  choose_language(code);
  location.reload();
}

function App() {
  const [state, setState] = useState<'loading' | 'ready' | string>('loading');
  const start = () => {
    setState('loading');
    Promise.all([load_me(), load_interface()]).then(
      () => setState('ready'),
      (error) => setState(error instanceof Error ? error.message : t('The server did not answer.')),
    );
  };
  useEffect(
    () =>
      me.subscribe(
        (now) =>
          now &&
          void load_interface().then(
            () => Promise.all([load_modules(), follow_language()]),
            () => undefined,
          ),
      ),
    [],
  ); // start() says what failed
  useEffect(() => {
    start();
    renew_nonce_daily();
    watch_counters();
  }, []);
  if (state === 'loading')
    return (
      <div class="svc-page">
        <Skeleton />
      </div>
    );
  if (state !== 'ready')
    return (
      <div class="svc-page">
        <Failure error={state} again={start} />
      </div>
    );
  if (!me.value) return <SignIn />;
  if (!is_staff.value)
    return (
      <main class="svc-alone">
        <h1>{t('This account is not one of the staff')}</h1>
        <p>{t("{0} is a customer's account. An administrator can give it a role.", me.value.user.email)}</p>
        <Button kind="primary" icon={<LogOut size={16} aria-hidden />} onClick={sign_out}>
          {t('Sign out')}
        </Button>
      </main>
    );
  return <Frame />;
}

follow_links();
render(
  <>
    <App />
    <SignInOver />
    <Toasts />
  </>,
  document.getElementById('app')!,
);
