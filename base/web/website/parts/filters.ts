// Follows the links and forms of a list in place: the server makes the list, the page around it stays, and so does the
// focus. The address is always that of the list, so reload, back and sharing work.
export function filter_in_place(results: HTMLElement): void {
  let asking: AbortController | undefined;

  async function show(address: URL, keep: boolean): Promise<void> {
    asking?.abort();
    asking = new AbortController();
    const part = new URL(address);
    part.searchParams.set('svc_fragment', 'page-content');
    results.setAttribute('aria-busy', 'true');
    let text = '';
    try {
      const answer = await fetch(part, { signal: asking.signal });
      if (!answer.ok) throw new Error(String(answer.status));
      text = await answer.text();
    } catch (fault) {
      if (!(fault instanceof DOMException && fault.name === 'AbortError')) location.assign(address);
      return;
    }
    const fresh = new DOMParser().parseFromString(text, 'text/html').querySelector('#results');
    if (!fresh) return location.assign(address);
    const held = results.contains(document.activeElement) ? document.activeElement : null;
    const [id, words] = [held?.id, held?.getAttribute('data-key') ?? ''];
    const opened = results.querySelector('.svc-filters > details')?.hasAttribute('open');
    results.replaceChildren(...fresh.childNodes);
    results.querySelector('.svc-filters > details')?.toggleAttribute('open', opened ?? true);
    results.removeAttribute('aria-busy');
    if (keep) history.pushState(null, '', address);
    if (held) {
      const again =
        (id && document.getElementById(id)) ||
        (words && [...results.querySelectorAll<HTMLElement>('[data-key]')].find((one) => one.dataset.key === words)) ||
        results.querySelector<HTMLElement>('[data-count]');
      if (again instanceof HTMLElement) again.focus({ preventScroll: true });
    }
  }

  const is_here = (address: URL) => address.origin === location.origin && address.pathname === location.pathname;
  results.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>(
      '.svc-filters a, .svc-chips a, .svc-sort a, .svc-pages a, .svc-empty a',
    );
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey || !is_here(new URL(link.href))) return;
    event.preventDefault();
    const turns = link.closest('.svc-pages');
    void show(new URL(link.href), true).then(() => turns && results.scrollIntoView({ block: 'start' }));
  });
  const send = (form: HTMLFormElement) => {
    const address = new URL(form.action || location.href);
    address.search = '';
    for (const [name, value] of new FormData(form))
      if (typeof value === 'string' && value) address.searchParams.append(name, value);
    void show(address, true);
  };
  results.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (!is_here(new URL(form.action || location.href))) return;
    event.preventDefault();
    send(form);
  });
  results.addEventListener('change', (event) => {
    const form = (event.target as HTMLInputElement).form;
    if (form?.matches('.svc-filters form') && form.checkValidity()) send(form);
  });
  addEventListener('popstate', () => void show(new URL(location.href), false));
}
