// The admin's address as a path and a query, and its links.
import { signal } from '@preact/signals';

// An address of the bar, as screens take it: without a slash at its end.
function read(url: string) {
  const { pathname, searchParams } = new URL(url, location.origin);
  return {
    url,
    path: pathname.replace(/\/+$/, '') || '/',
    query: Object.fromEntries(searchParams) as Record<string, string>,
    route,
  };
}
const here = () => location.pathname + location.search;
const place = signal(read(here()));

function route(url: string, replace = false): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', url);
  place.value = read(url);
}
// Its callers render again when the address changes.
export const useLocation = () => place.value;

// Opens the screen of a plain click on an admin link; leaves other clicks to the browser.
export function follow_links() {
  addEventListener('popstate', () => (place.value = read(here())));
  addEventListener('click', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.button)
      return;
    const link = (event.target as Element).closest?.('a[href]') as HTMLAnchorElement | null;
    if (
      !link ||
      link.origin !== location.origin ||
      link.getAttribute('href')!.startsWith('#') ||
      link.target ||
      link.hasAttribute('download')
    )
      return;
    if (!/^\/admin(\/|$)/.test(link.pathname)) return;
    event.preventDefault();
    route(link.pathname + link.search);
  });
}
