// Hearts on cards and on a trip's page. Before a sign-in the browser remembers the trips; after it the account does, and
// those of the browser move there. The page of saved trips is the server's: it takes changes as a form, and its element
// with data-saved names what the account has.
interface Kept {
  ids: number[];
  of: 'browser' | 'account';
  at?: number; // when the account was asked, in milliseconds
}
const name = 'svc_saved_trips';
const most = 100; // as the server keeps
const fresh = 5 * 60 * 1000; // milliseconds for which what the account has is not asked again

const template = document.querySelector<HTMLTemplateElement>('template[data-save]');
const page = template?.dataset.save ?? '';
const is_signed_in = () => /(?:^|; )(?:__Host-)?svc_in=1(?:;|$)/.test(document.cookie);

function read(): Kept {
  try {
    const { ids, of, at } = JSON.parse(localStorage.getItem(name) ?? '{}') as Partial<Kept>;
    if (Array.isArray(ids))
      return {
        ids: ids.filter((id) => Number.isSafeInteger(id)).slice(0, most),
        of: of === 'account' ? of : 'browser',
        at,
      };
  } catch {
    // Storage is closed, or holds something else.
  }
  return { ids: [], of: 'browser' };
}
let kept = read();
function keep(next: Kept) {
  kept = next;
  try {
    localStorage.setItem(name, JSON.stringify(kept));
  } catch {
    // Then for this page alone.
  }
  show();
}

// Sends changes, returns what the account has; undefined: nobody is signed in, or the server did not answer.
async function account(changes?: Record<string, string>): Promise<number[] | undefined> {
  const ask = async (init?: RequestInit) => {
    const answer = await fetch(`${page}?svc_fragment=page-content`, init).catch(() => undefined);
    return answer?.ok ? named_in(new DOMParser().parseFromString(await answer.text(), 'text/html')) : undefined;
  };
  // Pages that all visitors share have no nonce: the page of saved trips gives it.
  if (changes && !nonce && !(await ask())) return undefined;
  return ask(changes && { method: 'POST', body: new URLSearchParams({ ...changes, _nonce: nonce }) });
}

let nonce = ''; // by which the server knows that a form is this visitor's
function named_in(shown: Document): number[] | undefined {
  const list = shown.querySelector<HTMLElement>('[data-saved]');
  nonce = list?.dataset.nonce ?? nonce;
  return list?.dataset.saved?.split(',').filter(Boolean).map(Number);
}

function show() {
  for (const button of document.querySelectorAll<HTMLButtonElement>('.svc-heart')) {
    const is_saved = kept.ids.includes(Number(button.dataset.id));
    button.setAttribute('aria-pressed', String(is_saved));
    // The name stays, the state changes: readers announce "Save this trip, pressed".
    button.title = is_saved ? (template?.dataset.putAway ?? '') : (button.getAttribute('aria-label') ?? '');
  }
  const link = document.querySelector<HTMLAnchorElement>('[data-saved-link]');
  if (!link) return;
  link.href = kept.of === 'browser' && kept.ids.length > 0 ? `${page}?trips=${kept.ids.join(',')}` : page;
  link.toggleAttribute('data-some', kept.ids.length > 0);
}

async function toggle(id: number) {
  const is_saved = kept.ids.includes(id);
  const before = kept;
  keep({ of: kept.of, ids: is_saved ? kept.ids.filter((each) => each !== id) : [id, ...kept.ids].slice(0, most) });
  if (!is_signed_in()) return;
  const ids = await account({ [is_saved ? 'remove' : 'add']: String(id) });
  keep(ids ? { of: 'account', ids, at: Date.now() } : before);
}

function add_hearts() {
  const button = template?.content.querySelector('button');
  if (!button) return;
  for (const trip of document.querySelectorAll<HTMLElement>('[data-trip]:not([data-heart])')) {
    trip.dataset.heart = '';
    const heart = button.cloneNode(true) as HTMLButtonElement;
    heart.dataset.id = trip.dataset.trip;
    const card = trip.closest('.svc-card');
    const title = card ? card.querySelector('h3') : document.querySelector('h1');
    if (title?.textContent)
      heart.setAttribute('aria-label', `${heart.getAttribute('aria-label') ?? ''}: ${title.textContent}`);
    heart.addEventListener('click', () => void toggle(Number(trip.dataset.trip)));
    if (card) card.append(heart);
    else trip.before(heart);
  }
  show();
}

async function start() {
  if (!is_signed_in() && kept.of === 'account') keep({ of: 'browser', ids: [] }); // the next person at this computer
  add_hearts();
  // Filters and pages change lists in place.
  new MutationObserver(add_hearts).observe(document.querySelector('main') ?? document.body, {
    childList: true,
    subtree: true,
  });
  if (!is_signed_in()) {
    // The server does not know what the browser remembers.
    const shown = document.querySelector<HTMLElement>('[data-saved-of-browser]');
    if (shown && !location.search.includes('trips=') && kept.ids.length > 0)
      location.replace(`${page}?trips=${kept.ids.join(',')}`);
    return;
  }
  const moves = kept.of === 'browser' && kept.ids.length > 0;
  const here = moves ? undefined : named_in(document);
  if (!moves && !here && kept.of === 'account' && Date.now() - (kept.at ?? 0) < fresh) return;
  const ids = here ?? (await account(moves ? { add: kept.ids.join(',') } : {}));
  if (ids) keep({ of: 'account', ids, at: Date.now() });
  if (moves && ids && named_in(document)) location.reload(); // the page does not show what has just moved
}

if (template) void start();

export {};
