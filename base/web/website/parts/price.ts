// Keeps the lines of the summary with what is chosen. The server writes them; only that part of the page is replaced,
// so that focus stays where it is.
export function keep_price(form: HTMLFormElement): () => void {
  const shown = document.querySelector<HTMLElement>('[data-price-url]');
  const address = shown?.dataset.priceUrl;
  if (!shown || !address) return () => undefined;
  let timer = 0;
  let asking: AbortController | undefined;
  let last = '';
  // A date that is sold out leads to its waitlist, and the button says so.
  const name_button = () => {
    const button = form.querySelector<HTMLButtonElement>('button[type=submit]');
    if (!button) return;
    button.dataset.usual ??= button.textContent ?? '';
    button.textContent = shown.querySelector<HTMLElement>('[data-joins]')?.dataset.joins ?? button.dataset.usual;
  };
  const ask = async () => {
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(form))
      if (typeof value === 'string' && name !== '_key') body.append(name, value);
    if (body.toString() === last) return;
    last = body.toString();
    asking?.abort();
    asking = new AbortController();
    shown.setAttribute('aria-busy', 'true');
    try {
      const answer = await fetch(address, { method: 'POST', body, signal: asking.signal });
      if (!answer.ok) throw new Error(String(answer.status));
      shown.innerHTML = await answer.text();
      const bar = document.querySelector('[data-total]'); // of a phone, where the summary stands below
      if (bar) bar.textContent = shown.querySelector('.svc-total dd')?.firstChild?.textContent ?? '';
      name_button();
      shown.removeAttribute('aria-busy');
    } catch (fault) {
      if (fault instanceof DOMException && fault.name === 'AbortError') return;
      last = '';
      shown.removeAttribute('aria-busy'); // what stood there is told again on the next page
    }
  };
  const changed = () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => void ask(), 250);
  };
  form.addEventListener('input', changed);
  form.addEventListener('change', changed);
  return changed;
}
