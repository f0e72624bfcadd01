// Trips whose words fit what is typed (APG combobox with a list). Enter without a choice searches as before.
interface Found {
  title: string;
  permalink: string;
  duration_label?: string;
}

export function suggest(field: HTMLInputElement): void {
  const address = field.dataset.suggest;
  if (!address) return;
  const list = document.createElement('ul');
  list.className = 'svc-suggest';
  list.id = `${field.id}-list`;
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', field.labels?.[0]?.textContent ?? '');
  list.hidden = true;
  field.after(list);
  field.autocomplete = 'off';
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-controls': list.id,
    'aria-expanded': 'false',
  }))
    field.setAttribute(name, value);

  let found: Found[] = [];
  let active = -1;
  let timer = 0;
  let asking: AbortController | undefined;
  const go = (one: Found) => location.assign(new URL(one.permalink, location.href).pathname);
  const mark = (to: number) => {
    active = to;
    [...list.children].forEach((each, index) => each.setAttribute('aria-selected', String(index === to)));
    if (to < 0) field.removeAttribute('aria-activedescendant');
    else field.setAttribute('aria-activedescendant', `${list.id}-${to}`);
  };
  const close = () => {
    list.hidden = true;
    field.setAttribute('aria-expanded', 'false');
    mark(-1);
  };
  const ask = async () => {
    const text = field.value.trim();
    asking?.abort();
    if (text.length < 2) return close();
    asking = new AbortController();
    try {
      const answer = await fetch(`${address}?per_page=6&search=${encodeURIComponent(text)}`, { signal: asking.signal });
      if (!answer.ok) return close();
      found = ((await answer.json()) as { data: Found[] }).data;
    } catch {
      return;
    }
    list.replaceChildren(
      ...found.map((one, index) => {
        const row = document.createElement('li');
        row.id = `${list.id}-${index}`;
        row.setAttribute('role', 'option');
        row.setAttribute('aria-selected', 'false');
        row.textContent = one.title;
        if (one.duration_label) {
          const more = document.createElement('small');
          more.textContent = one.duration_label;
          row.append(' ', more);
        }
        row.addEventListener('pointerdown', (event) => {
          event.preventDefault();
          go(one);
        });
        return row;
      }),
    );
    active = -1;
    list.hidden = !found.length;
    field.setAttribute('aria-expanded', String(found.length > 0));
  };
  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => void ask(), 200);
  });
  field.addEventListener('keydown', (event) => {
    if (list.hidden) return;
    const chosen = found[active];
    if (event.key === 'ArrowDown') mark((active + 1) % found.length);
    else if (event.key === 'ArrowUp') mark(active <= 0 ? found.length - 1 : active - 1);
    else if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && chosen) go(chosen);
    else return;
    event.preventDefault();
  });
  field.addEventListener('blur', close);
}
