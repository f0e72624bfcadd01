// Ctrl K: go anywhere, find any record, start anything.
import { useEffect, useId, useRef, useState } from 'preact/hooks';

import { json } from '../kit/client';
import { t } from '../kit/i18n';
import { can } from '../kit/interface';
import { useLocation } from '../kit/location';
import { name_of } from '../kit/pickers';
import { areas, further } from './navigation';
import { search_words } from './search-words';

interface Hit {
  label: string;
  note: string;
  href: string;
}

const searched = [
  { path: '/bookings', note: t('Booking'), label: (row: any) => `${row.reference} ${row.customer_name}` },
  { path: '/customers', note: t('Customer'), label: (row: any) => `${row.name} ${row.email}` },
  { path: '/trips', note: t('Trip'), label: (row: any) => row.title },
  { path: '/enquiries', note: t('Enquiry'), label: (row: any) => row.customer_name },
];

function places(): Hit[] {
  const all = [
    ...areas.flatMap((area) =>
      area.entries
        .filter((entry) => entry.shown())
        .map((entry) => ({
          label: entry.label,
          note: area.label,
          href: entry.href,
          words: search_words[entry.href] ?? '',
        })),
    ),
    ...further().map((entry) => ({ label: entry.label, note: t('More'), href: entry.href, words: '' })),
  ];
  if (can('post', '/bookings'))
    all.unshift({
      label: t('New booking'),
      note: t('Key n'),
      href: '/admin/bookings/new',
      words: 'create reservation',
    });
  if (can('post', '/trips'))
    all.push({ label: t('New trip'), note: t('Catalogue'), href: '/admin/trips/new', words: 'create' });
  all.push({ label: t('My account'), note: t('Password, sessions'), href: '/admin/self', words: 'profile' });
  all.push({
    label: t('First steps'),
    note: t('What is missing before selling'),
    href: '/admin/first-steps',
    words: 'setup wizard',
  });
  return all;
}

export default function Palette({ close }: { close: () => void }) {
  const { route } = useLocation();
  const [text, setText] = useState('');
  const [found, setFound] = useState<Hit[]>([]);
  const [at, setAt] = useState(0);
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    ref.current!.showModal();
    return () => ref.current?.close();
  }, []);
  useEffect(() => {
    let here = true; // an answer to what was typed before is no answer
    if (text.trim().length < 2) {
      setFound([]);
      return;
    }
    const timer = setTimeout(async () => {
      const all = await Promise.all(
        searched
          .filter((one) => can('get', one.path))
          .map((one) =>
            json<any[]>('get', one.path, { params: { search: text, per_page: 4 } }).then(
              (rows) =>
                rows.data.map((row) => ({
                  label: one.label(row) || name_of(row),
                  note: one.note,
                  href: `/admin${one.path}/${row.id}`,
                })),
              () => [],
            ),
          ),
      );
      if (here) setFound(all.flat());
    }, 180);
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [text]);
  const asked = text.trim().toLowerCase();
  const hits = [
    ...places().filter(
      (one) => !asked || `${one.label} ${(one as any).words} ${one.note}`.toLowerCase().includes(asked),
    ),
    ...found,
  ].slice(0, 14);
  const go = (hit: Hit | undefined) => {
    if (!hit) return;
    close();
    route(hit.href);
  };
  return (
    <dialog
      ref={ref}
      class="svc-palette"
      aria-label={t('Search or go to')}
      onCancel={close}
      onMouseDown={(event) => event.target === ref.current && close()}
    >
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={hits[at] ? `${id}-${at}` : undefined}
        aria-label={t('Search or go to')}
        placeholder={t('A booking, a customer, a trip, a screen')}
        autofocus
        value={text}
        onInput={(event) => (setText(event.currentTarget.value), setAt(0))}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') setAt((at + 1) % Math.max(1, hits.length));
          else if (event.key === 'ArrowUp') setAt((at - 1 + hits.length) % Math.max(1, hits.length));
          else if (event.key === 'Enter') go(hits[at]);
          else return;
          event.preventDefault();
        }}
      />
      <ul role="listbox" id={id} aria-label={t('Results')}>
        {hits.map((hit, index) => (
          <li
            key={hit.href + hit.label}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            onMouseEnter={() => setAt(index)}
            onClick={() => go(hit)}
          >
            <span>{hit.label}</span>
            <small>{hit.note}</small>
          </li>
        ))}
        {!hits.length && (
          <li role="option" aria-selected={false} aria-disabled="true">
            {t('Nothing found')}
          </li>
        )}
      </ul>
      <p class="svc-keys">
        <kbd>/</kbd> {t('search the list')} <kbd>n</kbd> {t('new booking')} <kbd>j</kbd> <kbd>k</kbd>{' '}
        {t('move in a list')} <kbd>x</kbd> {t('choose')} <kbd>Esc</kbd> {t('close')}
      </p>
    </dialog>
  );
}
