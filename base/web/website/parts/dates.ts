// The dates of a trip as a month of cells with price and seats (APG grid pattern), in place of the list or the select
// that the page has, which stays the form's field and can be asked for. Its words are the page's.

interface Offer {
  value: string; // of the form's field: a day, or a day and a time
  day: string; // in words
  text: string; // price and seats in words
  price: string; // its figures, as the site writes them
  few: boolean;
  waits: boolean;
  open: boolean;
  time: string;
}

const day_long = 86_400_000;
const of_iso = (date: string) => Date.parse(`${date}T00:00:00Z`);
const iso = (at: number) => new Date(at).toISOString().slice(0, 10);

function element<K extends keyof HTMLElementTagNameMap>(tag: K, look = '', text = ''): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (look) made.className = look;
  if (text) made.textContent = text;
  return made;
}

// A cell holds about six figures; longer prices are smaller and take two lines. No price is rounded: people compare days
// by it.
function figures(price: string): HTMLElement {
  const small = element('small', price.length > 6 ? 'svc-long' : '');
  price.split(/(?<=\D)(?=\d{3}(?!\d))/).forEach((group, at) => small.append(...(at ? [element('wbr')] : []), group));
  return small;
}

function first_weekday(language: string): number {
  if (language === 'en') return 1; // of no country: as ISO 8601 has it
  const locale = new Intl.Locale(language) as Intl.Locale & {
    getWeekInfo?(): { firstDay: number };
    weekInfo?: { firstDay: number };
  };
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1;
}

export function show_months(root: HTMLElement, changed: () => void): void {
  const native = root.querySelector<HTMLElement>('[data-native]');
  const words = root.dataset;
  if (!native) return;
  const select = native.querySelector('select');
  const language = document.documentElement.lang || 'en';
  const offers = new Map<string, Offer[]>();
  for (const row of native.querySelectorAll<HTMLElement>('[data-day]')) {
    const value = row.dataset.value ?? '';
    const date = value.slice(0, 10);
    const clock = row.dataset.clock ?? '';
    const offer = {
      value,
      day: row.dataset.day ?? date,
      text: row.dataset.says ?? '',
      price: row.dataset.number ?? '',
      few: 'isFew' in row.dataset,
      waits: 'isWaiting' in row.dataset,
      open: 'open' in row.dataset,
      time: clock,
    };
    offers.set(date, [...(offers.get(date) ?? []), offer]);
  }
  const days = [...offers.keys()].sort();
  const first = days[0];
  const last = days.at(-1);
  if (!first || !last) return;

  const chosen = () => (select ? select.value : native.querySelector<HTMLInputElement>('input:checked')?.value) ?? '';
  const open_on = (date: string) => (offers.get(date) ?? []).filter((one) => one.open);
  let focused = chosen().slice(0, 10) || days.find((day) => open_on(day).length > 0) || first;
  let month = focused.slice(0, 7);

  const grid = element('div', 'svc-grid');
  const head = element('div', 'svc-grid-head');
  const title = element('h2');
  title.id = 'svc-month';
  title.setAttribute('aria-live', 'polite');
  const earlier = element('button', 'svc-quiet', '‹');
  const later = element('button', 'svc-quiet', '›');
  earlier.type = later.type = 'button';
  earlier.setAttribute('aria-label', words.earlier ?? '');
  later.setAttribute('aria-label', words.later ?? '');
  head.append(earlier, title, later);
  const table = element('table');
  table.setAttribute('role', 'grid');
  table.setAttribute('aria-labelledby', title.id);
  const weekdays = table.createTHead().insertRow();
  const begins = first_weekday(language);
  for (let i = 0; i < 7; ++i) {
    const at = of_iso('2024-01-01') + ((begins - 1 + i) % 7) * day_long; // a Monday
    const name = (weekday: 'short' | 'narrow') =>
      new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' }).format(at);
    const cell = element('th', '', name('short').length > 4 ? name('narrow') : name('short')); // Arabic's short ones are whole
    cell.scope = 'col';
    cell.abbr = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(at);
    weekdays.append(cell);
  }
  const body = table.createTBody();
  const times = element('div', 'svc-times');
  times.setAttribute('role', 'group');
  times.setAttribute('aria-label', words.time ?? '');
  const said = element('p', 'svc-chosen', words.none);
  said.setAttribute('aria-live', 'polite');
  const note = element('p', 'svc-small svc-muted svc-signs');
  grid.append(head, table, note, times, said);

  const cell_of = (date: string) => body.querySelector<HTMLElement>(`[data-date="${date}"]`);

  function mark(): void {
    const now = chosen();
    for (const cell of body.querySelectorAll<HTMLElement>('[data-date]')) {
      const date = cell.dataset.date ?? '';
      cell.tabIndex = date === focused ? 0 : -1;
      if (open_on(date).length) cell.setAttribute('aria-selected', String(now.startsWith(date)));
    }
    const date = now.slice(0, 10);
    const same_day = open_on(date);
    const offer = same_day.find((one) => one.value === now);
    times.replaceChildren(
      ...(same_day.length > 1
        ? same_day.map((one) => {
            const button = element('button', 'svc-quiet', one.time);
            button.type = 'button';
            button.setAttribute('aria-pressed', String(one === offer));
            button.setAttribute('aria-label', `${one.time}, ${one.text}`);
            button.addEventListener('click', () => {
              choose(one);
              [...times.children]
                .find((each): each is HTMLElement => each instanceof HTMLElement && each.textContent === one.time)
                ?.focus();
            });
            return button;
          })
        : []),
    );
    said.classList.remove('svc-error');
    if (offer)
      said.replaceChildren(
        offer.day,
        element('br'),
        element('span', '', [offer.time, offer.text].filter(Boolean).join(' · ')),
      );
    else said.textContent = words.none ?? '';
    said.classList.toggle('svc-muted', !offer);
  }

  function draw(): void {
    const from = of_iso(`${month}-01`);
    title.textContent = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
      from,
    );
    earlier.disabled = month <= first!.slice(0, 7);
    later.disabled = month >= last!.slice(0, 7);
    if (focused.slice(0, 7) !== month)
      focused = days.find((day) => day.startsWith(month) && open_on(day).length > 0) ?? `${month}-01`;
    const before = (new Date(from).getUTCDay() - (begins % 7) + 7) % 7;
    body.replaceChildren();
    let row = body.insertRow();
    for (let i = 0; i < before; ++i) row.insertCell();
    for (let at = from; iso(at).startsWith(month); at += day_long) {
      if (row.cells.length === 7) row = body.insertRow();
      const date = iso(at);
      const cell = row.insertCell();
      const of_day = offers.get(date) ?? [];
      const best = open_on(date)[0];
      cell.setAttribute('role', 'gridcell');
      cell.dataset.date = date;
      cell.append(element('b', '', String(new Date(at).getUTCDate())));
      if (best) {
        cell.append(figures(best.price));
        if (best.few || best.waits) cell.classList.add(best.waits ? 'svc-waits' : 'svc-few');
        cell.setAttribute('aria-label', [best.day, best.text].join(', '));
      } else {
        cell.setAttribute('aria-disabled', 'true');
        if (of_day.length) cell.classList.add('svc-full-day');
        const name = new Intl.DateTimeFormat(language, {
          weekday: 'long',
          day: 'numeric',
          month: 'long',
          timeZone: 'UTC',
        }).format(at);
        cell.setAttribute('aria-label', `${name}, ${of_day[0]?.text || words.nothing}`);
      }
    }
    // What the signs in this month mean, in words.
    const signs = (
      [
        ['svc-few', words.few],
        ['svc-waits', words.waits],
      ] as const
    ).filter(([look]) => body.querySelector(`.${look}`));
    note.replaceChildren(words.note ?? '', ...signs.map(([look, text]) => element('span', `svc-sign ${look}`, text)));
    mark();
  }

  function choose(offer: Offer): void {
    if (select) select.value = offer.value;
    else {
      const radio = [...native!.querySelectorAll<HTMLInputElement>('input[type=radio]')].find(
        (one) => one.value === offer.value,
      );
      if (radio) radio.checked = true;
    }
    focused = offer.value.slice(0, 10);
    mark();
    changed();
  }

  function pick(date: string): void {
    focused = date;
    const offer = open_on(date)[0];
    if (offer && !chosen().startsWith(date)) choose(offer);
    else mark();
    cell_of(date)?.focus();
  }

  function move(to: string): void {
    const clamped =
      to < `${first!.slice(0, 7)}-01` ? `${first!.slice(0, 7)}-01` : to.slice(0, 7) > last!.slice(0, 7) ? last! : to;
    focused = clamped;
    if (clamped.slice(0, 7) === month) mark();
    else {
      month = clamped.slice(0, 7);
      draw();
    }
    cell_of(clamped)?.focus();
  }

  function months_on(by: number): string {
    const at = new Date(of_iso(`${focused.slice(0, 7)}-01`));
    at.setUTCMonth(at.getUTCMonth() + by);
    const length = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
    return `${iso(at.getTime()).slice(0, 7)}-${String(Math.min(Number(focused.slice(8)), length)).padStart(2, '0')}`;
  }

  body.addEventListener('click', (event) => {
    const cell = (event.target as Element).closest<HTMLElement>('[data-date]');
    if (cell?.dataset.date) pick(cell.dataset.date);
  });
  body.addEventListener('keydown', (event) => {
    const at = of_iso(focused);
    const ahead = getComputedStyle(table).direction === 'rtl' ? -1 : 1;
    const weekday = (new Date(at).getUTCDay() - (begins % 7) + 7) % 7;
    const steps: Record<string, () => string> = {
      ArrowRight: () => iso(at + ahead * day_long),
      ArrowLeft: () => iso(at - ahead * day_long),
      ArrowDown: () => iso(at + 7 * day_long),
      ArrowUp: () => iso(at - 7 * day_long),
      Home: () => iso(at - weekday * day_long),
      End: () => iso(at + (6 - weekday) * day_long),
      PageUp: () => months_on(event.shiftKey ? -12 : -1),
      PageDown: () => months_on(event.shiftKey ? 12 : 1),
    };
    const step = steps[event.key];
    if (step) move(step());
    else if (event.key === 'Enter' || event.key === ' ') pick(focused);
    else return;
    event.preventDefault();
  });
  const turn = (by: number) => {
    month = months_on(by).slice(0, 7);
    focused = `${month}-01`;
    draw();
  };
  earlier.addEventListener('click', () => turn(-1));
  later.addEventListener('click', () => turn(1));

  const swap = element('button', 'svc-link svc-small');
  swap.type = 'button';
  let as_grid = matchMedia('(min-width: 22.5rem)').matches;
  const needed = [...native.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[required]')];
  const arrange = () => {
    native.hidden = as_grid;
    grid.hidden = !as_grid;
    for (const field of needed) field.required = !as_grid; // what is hidden cannot be asked for by the browser
    swap.textContent = (as_grid ? words.list : words.months) ?? '';
    if (as_grid) {
      if (chosen()) month = chosen().slice(0, 7);
      draw();
    }
  };
  swap.addEventListener('click', () => {
    as_grid = !as_grid;
    arrange();
  });
  native.before(grid);
  native.after(swap);
  native.addEventListener('change', changed);
  arrange();

  native.closest('form')?.addEventListener('submit', (event) => {
    if (!as_grid || chosen()) return;
    event.preventDefault();
    said.textContent = words.choose ?? '';
    said.classList.remove('svc-muted');
    said.classList.add('svc-error');
    cell_of(focused)?.focus();
  });
}
