// What the interface's documentation can do with scripts: search, copying examples, trying a route as who is signed in.
const root = document.documentElement.dataset.root ?? '/svc/v1';
const articles = [...document.querySelectorAll<HTMLElement>('article[data-path]')];

function button(label: string, run: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = label;
  made.addEventListener('click', run);
  return made;
}

// Search over methods, paths, sentences and fields.
const find = document.querySelector<HTMLInputElement>('#find')!;
const found = document.querySelector<HTMLElement>('#found')!;
find.hidden = false;
function filter() {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const article of articles) {
    const text = (article.textContent ?? '').toLowerCase();
    const hit = words.every((word) => text.includes(word));
    article.hidden = !hit;
    if (hit) count += 1;
  }
  for (const section of document.querySelectorAll<HTMLElement>('main section'))
    section.hidden = section.matches('.intro') ? words.length > 0 : !section.querySelector('article:not([hidden])');
  for (const link of document.querySelectorAll<HTMLAnchorElement>('nav a'))
    link.hidden = document.getElementById(decodeURIComponent(link.hash.slice(1)))?.closest('section')?.hidden ?? false;
  found.textContent = words.length ? `${count} of ${articles.length} routes` : '';
}
find.addEventListener('input', filter);
addEventListener('keydown', (event) => {
  if (event.key === '/' && !(event.target as HTMLElement).closest('input,textarea')) {
    event.preventDefault();
    find.focus();
  }
});

function trial(article: HTMLElement): HTMLElement {
  const method = article.dataset.method!;
  const box = document.createElement('form');
  box.className = 'try';
  const line = document.createElement('input');
  line.value = article.dataset.path!;
  line.setAttribute('aria-label', 'Path with parameters');
  box.append(line);
  const body = document.createElement('textarea');
  if (article.dataset.body) {
    body.value = JSON.stringify(JSON.parse(article.dataset.body), null, 2);
    body.rows = Math.min(14, body.value.split('\n').length + 1);
    body.setAttribute('aria-label', 'Body');
    box.append(body);
  }
  const send = document.createElement('button');
  send.textContent = `Send ${method}`;
  const out = document.createElement('pre');
  out.setAttribute('aria-live', 'polite');
  out.tabIndex = 0;
  out.hidden = true;
  box.append(send, out);
  box.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (method !== 'GET' && !confirm(`This changes what is stored on this server. Send ${method} ${line.value}?`))
      return;
    const headers: Record<string, string> = { Accept: 'application/json' };
    const nonce = localStorage.getItem('svc-nonce');
    if (nonce) headers['X-Host-Nonce'] = nonce;
    if (article.dataset.body) headers['Content-Type'] = 'application/json';
    out.hidden = false;
    out.textContent = '…';
    try {
      const response = await fetch(root + line.value, {
        method,
        headers,
        body: article.dataset.body ? body.value : undefined,
      });
      const text = await response.text();
      let shown = text;
      try {
        shown = JSON.stringify(JSON.parse(text), null, 2);
      } catch {
        shown = text.slice(0, 2000);
      }
      out.textContent = `${response.status} ${response.statusText}\n${shown.slice(0, 20000)}`;
    } catch (error) {
      out.textContent = String(error);
    }
  });
  return box;
}

for (const article of articles) {
  const example = article.querySelector(':scope > pre')!;
  const actions = document.createElement('p');
  actions.className = 'actions';
  const copy = button('Copy', () => {
    void navigator.clipboard.writeText(example.textContent ?? '').then(() => {
      copy.textContent = 'Copied';
      setTimeout(() => (copy.textContent = 'Copy'), 1500);
    });
  });
  const attempt = button('Try it', () => {
    const open = article.querySelector('.try');
    if (open) open.remove();
    else actions.after(trial(article));
  });
  actions.append(copy, attempt);
  example.after(actions);
}

// Who tries is whoever signed in to the admin in this browser.
const who = document.querySelector('#who');
const nonce = localStorage.getItem('svc-nonce');
if (who && nonce)
  void fetch(`${root}/auth/me`, { headers: { 'X-Host-Nonce': nonce } })
    .then((response) => (response.ok ? response.json() : null))
    .then((answer) => {
      if (answer) who.textContent = `Routes are tried as ${answer.data.user.login}, ${answer.data.user.role}.`;
    });
