// Paying by card: the fields of Stripe and the window of Razorpay, which bring their own scripts. Card numbers go from
// their frames to them alone; the form then says which charge it was, and the server asks the provider.
interface Prepared {
  fault?: string;
  payment_id?: string;
  client_secret?: string;
  return_url?: string;
  gateway_data?: Record<string, string>;
}
interface Outcome {
  error?: { message?: string };
  paymentIntent?: { id: string };
}
interface StripeElements {
  create(kind: string, options?: object): { mount(place: HTMLElement): void; on(event: string, run: () => void): void };
  submit(): Promise<Outcome>;
}
interface StripeScript {
  elements(options: object): StripeElements;
  confirmPayment(options: object): Promise<Outcome>;
}
interface RazorpayScript {
  open(): void;
  on(event: string, run: (told: { error?: { description?: string } }) => void): void;
}
declare global {
  interface Window {
    Stripe?: (key: string, options?: object) => StripeScript;
    Razorpay?: new (options: object) => RazorpayScript;
  }
}
export {}; // a module: its names are its own

const loaded = new Map<string, Promise<void>>();
function load(address: string): Promise<void> {
  let script = loaded.get(address);
  if (!script) {
    script = new Promise((done, failed) => {
      const tag = document.createElement('script');
      tag.src = address;
      tag.onload = () => done();
      tag.onerror = () => failed(new Error(address));
      document.head.append(tag);
    });
    script.catch(() => loaded.delete(address));
    loaded.set(address, script);
  }
  return script;
}

// Rows that need a script can be chosen now that there is one.
function open_rows(form: HTMLFormElement): void {
  for (const row of form.querySelectorAll<HTMLInputElement>('input[name=payment_gateway][data-script]')) {
    if (!row.dataset.script) continue;
    row.disabled = false;
    row.closest('label')?.querySelector('[data-noscript]')?.remove();
    row.closest('label')?.querySelector('[data-withscript]')?.removeAttribute('hidden');
    if ('wanted' in row.dataset) row.checked = true;
  }
}

function pay_here(form: HTMLFormElement): void {
  const place = form.querySelector<HTMLElement>('[data-card]');
  const says = form.querySelector<HTMLElement>('[data-says]');
  const button = form.querySelector<HTMLButtonElement>('button[value=pay]');
  if (!place || !says || !button) return;
  const chosen = () => form.querySelector<HTMLInputElement>('input[name=payment_gateway]:checked');
  let stripe: StripeScript | undefined;
  let elements: StripeElements | undefined;
  let prepared: Prepared | undefined;

  const say = (text: string) => {
    says.textContent = text;
    says.hidden = !text;
  };
  const busy = (is: boolean) => {
    button.toggleAttribute('aria-busy', is);
    button.setAttribute('aria-disabled', String(is));
  };
  const prepare = async (): Promise<Prepared> => {
    const body = new URLSearchParams();
    new FormData(form).forEach((value, name) => body.set(name, String(value)));
    body.delete('_key'); // of the form itself: each charge is asked for anew
    body.set('action', 'intent');
    const answer = await fetch(form.getAttribute('action') ?? '', {
      method: 'POST',
      body,
    }); /* form.action is its button of that name */
    const told = (await answer.json()) as Prepared;
    if (told.fault) throw new Error(told.fault);
    return told;
  };
  const finish = (transaction: string, signature = '') => {
    for (const [name, value] of Object.entries({
      action: 'confirm',
      transaction_id: transaction,
      razorpay_signature: signature,
    })) {
      const field = document.createElement('input');
      field.type = 'hidden';
      field.name = name;
      field.value = value;
      form.append(field);
    }
    form.submit();
  };

  const choose = async () => {
    const row = chosen();
    say('');
    place.replaceChildren();
    place.hidden = true;
    elements = undefined;
    if (row?.value !== 'stripe') return;
    place.hidden = false;
    place.textContent = form.dataset.wait ?? '';
    busy(true);
    try {
      prepared = await prepare();
      await load(row.dataset.script ?? '');
      if (chosen() !== row || !window.Stripe) return;
      stripe = window.Stripe(prepared.gateway_data?.publishable_key ?? '');
      const dark = matchMedia('(prefers-color-scheme: dark)').matches;
      elements = stripe.elements({
        clientSecret: prepared.client_secret,
        appearance: { theme: dark ? 'night' : 'stripe' },
        locale: document.documentElement.lang,
      });
      place.replaceChildren();
      elements.create('payment', { layout: 'tabs' }).mount(place);
    } catch (fault) {
      place.hidden = true;
      say((prepared === undefined && fault instanceof Error && fault.message) || (form.dataset.failed ?? ''));
    } finally {
      busy(false);
    }
  };

  const by_stripe = async () => {
    if (!stripe || !elements) return choose();
    busy(true);
    say('');
    const given: Outcome = await elements.submit();
    const done: Outcome = given.error
      ? given
      : await stripe.confirmPayment({
          elements,
          confirmParams: { return_url: prepared?.return_url || location.href },
          redirect: 'if_required',
        });
    busy(false);
    if (done.error) return say(done.error.message ?? '');
    finish(done.paymentIntent?.id ?? prepared?.payment_id ?? '');
  };

  const by_razorpay = async (address: string) => {
    busy(true);
    say('');
    try {
      const told = await prepare();
      await load(address);
      if (!window.Razorpay) throw new Error('');
      const data = told.gateway_data ?? {};
      const box = new window.Razorpay({
        key: data.key_id,
        order_id: data.order_id,
        amount: data.amount,
        currency: data.currency,
        customer_id: data.customer_id,
        recurring: data.recurring,
        prefill: { name: data.name, email: data.email },
        handler: (paid: { razorpay_payment_id: string; razorpay_signature: string }) =>
          finish(paid.razorpay_payment_id, paid.razorpay_signature),
        modal: { ondismiss: () => busy(false) },
      });
      box.on('payment.failed', (failed) => say(failed.error?.description ?? ''));
      box.open();
    } catch (fault) {
      say(
        (fault instanceof Error && !fault.message.startsWith('http') && fault.message) || (form.dataset.failed ?? ''),
      );
    }
    busy(false);
  };

  form.addEventListener('change', (event) => {
    // Not a field of the card. Another amount, and a card that is kept, are another charge.
    if (['payment_gateway', 'pays', 'keep_card'].includes((event.target as HTMLInputElement).name)) void choose();
  });
  form.addEventListener('submit', (event) => {
    let row = chosen();
    const rows = form.querySelectorAll<HTMLInputElement>('input[name=payment_gateway]');
    if (!row && rows.length === 1 && rows[0]?.dataset.script) (row = rows[0]).checked = true; // the only way there is
    if (!row?.dataset.script) return;
    event.preventDefault();
    if (button.getAttribute('aria-disabled') === 'true') return;
    void (row.value === 'stripe' ? by_stripe() : by_razorpay(row.dataset.script)).catch(() => {
      busy(false);
      say(form.dataset.failed ?? '');
    });
  });
  if (chosen()?.value === 'stripe') void choose();
}

for (const form of document.querySelectorAll<HTMLFormElement>('form')) {
  open_rows(form);
  if ('pay' in form.dataset) pay_here(form);
}
// At the last step of a booking: the button says what the chosen row takes first.
const rows = document.querySelector<HTMLElement>('[data-rows]');
const book = document.querySelector<HTMLButtonElement>('[data-book]');
const follow = () => {
  const says = rows?.querySelector<HTMLInputElement>('input:checked')?.dataset.button;
  if (book && says) book.textContent = says;
};
rows?.addEventListener('change', follow);
follow();
