// The notice in the form of a booking: reports what is typed as far as consent goes, and lets go of it on "No thanks".
const part = document.querySelector('[data-reminders]');
const form = part && part.closest('form');

if (part && form) {
  const rules = JSON.parse(part.dataset.rules);
  const field = (name) => form.elements.namedItem(name);
  const typed = (name) => (field(name) && field(name).value ? field(name).value.trim() : '');
  const box = part.querySelector('input[type=checkbox]');
  const fault = document.querySelector('#faults a[href^="#f-"]');
  let has_declined = false;
  let timer = 0;

  const rule = () => rules[typed('contact_country')] || rules[''];
  // Only what the rule of the visitor's country needs is shown.
  const show = () => {
    for (const each of part.querySelectorAll('[data-rule]')) each.hidden = !each.dataset.rule.split(' ').includes(rule());
    part.hidden = false;
  };
  const post = (body) =>
    fetch(part.dataset.trackUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ booking_token: part.dataset.reminders, ...body }),
      keepalive: true,
    }).catch(() => undefined); // the booking goes on without it
  const report = () => {
    window.clearTimeout(timer);
    const email = typed('contact_email');
    const may = box.checked || rule() !== 'opt_in';
    if (has_declined || !may || !email || !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email)) return;
    void post({
      customer_email: email,
      customer_name: [typed('contact_first_name'), typed('contact_last_name')].filter(Boolean).join(' '),
      customer_phone: typed('contact_phone'),
      customer_country: typed('contact_country'),
      step: part.dataset.step,
      error: fault ? fault.hash.slice(3) : '',
      locale: document.documentElement.lang,
      consent: box.checked,
    });
  };

  // The notice is read before anything is kept: beside the address, where the page asks for it.
  const address = field('contact_email');
  if (address && address.type !== 'hidden' && address.parentElement) address.parentElement.after(part);
  show();
  form.addEventListener('change', (event) => {
    if (event.target === box && !box.checked && rule() === 'opt_in') {
      window.clearTimeout(timer);
      if (typed('contact_email')) void post({ customer_email: typed('contact_email'), step: part.dataset.step, consent: false });
      return;
    }
    show();
    window.clearTimeout(timer);
    timer = window.setTimeout(report, 500);
  });
  form.addEventListener('submit', report);
  part.querySelector('[data-no-thanks]').addEventListener('click', () => {
    has_declined = true;
    void post({ declined: true });
    for (const each of part.children) each.hidden = !each.hasAttribute('data-declined');
  });
  // On a later page the notice was read before: it tells how far the visitor came, and what was refused.
  if (part.dataset.step === 'pay' || fault) report();
}
