// The first step of a booking: date, party, extras, with the summary beside; and the form of a waitlist.
import { show_months } from './parts/dates';
import { add_steps } from './parts/party';
import { keep_price } from './parts/price';

const form = document.querySelector<HTMLFormElement>('.svc-booking > form, form[data-waitlist]');
if (form) {
  for (const party of form.querySelectorAll<HTMLElement>('.svc-counts')) add_steps(party);
  const changed = keep_price(form);
  for (const dates of form.querySelectorAll<HTMLElement>('[data-dates]')) show_months(dates, changed);
}
