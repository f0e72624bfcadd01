// The page of one trip: its pictures, and date, party and total in the box beside.
import { show_months } from './parts/dates';
import { show_large } from './parts/gallery';
import { add_steps } from './parts/party';
import { keep_price } from './parts/price';

const form = document.querySelector<HTMLFormElement>('form#book');
if (form) {
  for (const party of form.querySelectorAll<HTMLElement>('.svc-counts')) add_steps(party);
  const changed = keep_price(form);
  for (const dates of form.querySelectorAll<HTMLElement>('[data-dates]')) show_months(dates, changed);
}
// The bar at the bottom of a phone leads to the box, and steps aside while the box is there.
const bar = document.querySelector<HTMLElement>('.svc-mobile-bar');
if (bar && form && 'IntersectionObserver' in window)
  new IntersectionObserver(([seen]) => bar.classList.toggle('svc-aside', seen?.isIntersecting ?? false), {
    rootMargin: '0px 0px -30% 0px',
  }).observe(form);
for (const pictures of document.querySelectorAll<HTMLElement>('.svc-gallery')) show_large(pictures);
