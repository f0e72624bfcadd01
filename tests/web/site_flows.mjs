// The life of a booking and of an account, in Chromium: the waitlist's offer, the rest, what has expired, the links
// that are mailed, the pictures of a trip, and paying by card with the keyboard alone.
import assert from 'node:assert/strict';
import { BASE, STAFF, api, at_pay, book_and_pay_later, days, details, fill_details, given_trip, narrow, opened, sign_in, slugs, sound, staff, tab_to, told, use_card_stub, wide } from './visitor.mjs';

const [kayaks, walk] = slugs;

async function uploaded(bytes, name) {
  const form = new FormData();
  form.append('file', new Blob([bytes], { type: 'image/png' }), name);
  const answer = await fetch(`${api}/media`, { method: 'POST', headers: { Authorization: STAFF }, body: form });
  assert.equal(answer.status, 201, await answer.clone().text());
  return (await answer.json()).data.id;
}

async function pay_by_card(page, button) {
  await page.locator('#pay input[value=stripe]').check();
  await page.locator('#pay .svc-card-field').waitFor();
  await page.locator('#pay .svc-card-field').fill('4242');
  await page.getByRole('button', { name: button }).click();
}

// An offer of a released seat: one visitor took the last, the other waits for it.
async function offered(title, email) {
  const trip = await given_trip(title, days[1], 1);
  const [first, late] = [await opened({ javaScriptEnabled: false }), await opened()];
  await at_pay(late, trip.slug, days[1], true, { contact_email: email });
  await at_pay(first, trip.slug, days[1], false, { contact_email: `first-${email}` });
  const reference = await book_and_pay_later(first);
  await late.locator('input[value=pay_later]').check();
  await late.getByRole('button', { name: /^Book for/ }).click();
  await late.getByRole('button', { name: 'Join the waitlist instead' }).click();
  await late.getByRole('heading', { name: 'You are on the waitlist' }).waitFor();
  const [{ id }] = await staff('GET', `/bookings?search=${reference}`);
  await staff('PUT', `/bookings/${id}/status`, { status: 'cancelled' });
  await late.context().close();
  await first.context().close();
  const page = await opened();
  await page.goto(await told(`mail/waitlist_offer/${email}`));
  await page.getByRole('heading', { name: 'A seat is free for you' }).waitFor();
  return page;
}

export function add_flows(part) {
  part('waitlist offer', async () => {
    const page = await offered('The lighthouse boat', 'nora@example.org');
    await use_card_stub(page);
    await page.reload();
    await page.getByText(/We keep your place until .*20\d\d.*: pay by then to take it, or decline/).waitFor();
    await sound(page, 'waitlist offer');
    await pay_by_card(page, /^Pay USD/);
    await page.getByRole('heading', { name: 'Your trip is booked' }).waitFor();
    assert.equal(await page.locator('#pay').count(), 0);
    await sound(page, 'waitlist offer paid');
    await page.context().close();
    const other = await offered('The evening boat', 'olaf@example.org');
    await other.locator('summary', { hasText: 'Decline' }).click();
    await sound(other, 'waitlist offer, declining');
    await other.getByRole('button', { name: 'I do not take it' }).click();
    await other.getByRole('heading', { name: 'This booking is cancelled' }).waitFor();
    await sound(other, 'waitlist offer declined');
    await other.context().close();
  });

  part('waitlist of a sold-out date', async () => {
    const trip = await given_trip('The harbour boat', days[1], 1);
    const first = await opened();
    await at_pay(first, trip.slug, days[1], true, { contact_email: 'first-harbour@example.org' });
    await book_and_pay_later(first);
    await first.context().close();
    for (const size of [wide, narrow]) {
      const page = await opened(size);
      await page.goto(`${BASE}/trip/${trip.slug}`);
      while (!(await page.locator(`.svc-grid [data-date="${days[1]}"]`).count())) await page.getByRole('button', { name: 'Later month' }).click();
      await page.locator(`.svc-grid [data-date="${days[1]}"]`).click();
      await page.getByText('You can join the waitlist: nobody is charged').waitFor();
      await sound(page, 'sold-out date');
      await page.locator('#book').getByRole('button', { name: 'Join the waitlist' }).click();
      await page.getByRole('heading', { name: 'Join the waitlist' }).waitFor();
      await sound(page, 'waitlist form');
      await page.getByLabel('First name').fill('Wanda');
      await page.getByLabel('Last name').fill('Water');
      await page.getByLabel('E-mail').fill(`wanda${size.viewport.width}@example.org`);
      await page.getByLabel('Phone').fill('+44 20 7946 0004');
      await page.getByRole('button', { name: 'Join the waitlist' }).click();
      await page.getByRole('heading', { name: 'You are on the waitlist' }).waitFor();
      assert.equal(await page.locator('#pay').count(), 0);
      await sound(page, 'on the waitlist');
      await page.context().close();
    }
  });

  part('a mailed link in another browser', async () => {
    const maker = await opened();
    await at_pay(maker, kayaks, days[1], true, { contact_email: 'moira@example.org' });
    const reference = await book_and_pay_later(maker);
    await maker.context().close();
    const page = await opened();
    await page.goto(`${BASE}/book/confirmation/${reference}`);
    await page.getByRole('heading', { name: 'Please show that this is your booking' }).waitFor();
    await sound(page, 'locked booking');
    await page.getByLabel('E-mail').fill('moira@example.org');
    await page.getByRole('button', { name: 'Mail me a new link' }).click();
    await page.getByRole('heading', { name: 'Look into your mailbox' }).waitFor();
    await sound(page, 'link mailed again');
    await page.goto(await told('mail/booking_link/moira@example.org'));
    await page.getByRole('heading', { name: 'Thank you, we have your booking' }).waitFor();
    assert(!page.url().includes('booking_token'));
    await page.locator('summary', { hasText: 'Cancel this booking' }).click();
    await page.getByLabel('I want to cancel').check();
    await page.getByRole('button', { name: 'Cancel the booking' }).click();
    await page.getByRole('heading', { name: 'This booking is cancelled' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'This booking is cancelled' }).waitFor();
    await sound(page, 'cancelled by its link');
    await page.goto(`${BASE}/account/find-booking`);
    await page.getByRole('heading', { name: 'Find my booking' }).waitFor();
    await sound(page, 'find my booking');
    await page.context().close();
  });

  part('pay the rest', async () => {
    const page = await opened();
    await use_card_stub(page);
    await sign_in(page);
    await at_pay(page, kayaks, days[3 - 2], true);
    const reference = await book_and_pay_later(page);
    const [{ id }] = await staff('GET', `/bookings?search=${reference}`);
    await staff('POST', `/bookings/${id}/payments`, { amount: 50, method: 'pay_later', status: 'completed' });
    await page.goto(`${BASE}/account/bookings/${id}`);
    await page.getByRole('heading', { name: 'USD 70.00 to pay' }).waitFor();
    await sound(page, 'the rest to pay');
    await pay_by_card(page, 'Pay USD 70.00');
    await page.locator('.svc-badge', { hasText: 'Confirmed' }).waitFor();
    assert.equal(await page.locator('#pay').count(), 0);
    const paid = await staff('GET', `/bookings/${id}`);
    assert.equal(Number(paid.amount_paid), 120);
    assert.equal(Number(paid.amount_due), 0);
    await sound(page, 'the rest is paid');
    await page.context().close();
  });

  part('planned payments', async () => {
    const page = await opened();
    await sign_in(page);
    assert.equal((await page.goto(`${BASE}/account/payments`)).status(), 404); // without the module
    for (const module of ['flexible_payments', 'scheduled_payments']) await staff('POST', `/modules/${module}/toggle`, { enabled: true });
    try {
      await page.goto(`${BASE}/account`);
      const menu = page.getByRole('navigation', { name: 'Account' });
      await menu.getByRole('link', { name: 'Payments' }).click();
      await page.getByRole('heading', { name: 'No payment is planned' }).waitFor();
      await sound(page, 'no planned payments');
      await at_pay(page, kayaks, days[1], true);
      const reference = await book_and_pay_later(page);
      await told(`plan/${reference}`);
      await page.goto(`${BASE}/account/payments`);
      assert.equal(await menu.getByRole('link', { name: 'Payments' }).getAttribute('aria-current'), 'page');
      assert.deepEqual(await page.locator('tbody tr td:last-child').allTextContents(), ['USD 10.01', 'USD 10.02', 'USD 10.03']);
      assert.equal(await page.locator('tbody .svc-badge', { hasText: /^Planned$/ }).count(), 2);
      await sound(page, 'planned payments');
      await page.setViewportSize(narrow.viewport);
      await sound(page, 'planned payments, narrow');
      await page.getByRole('link', { name: reference }).first().click();
      await page.getByText(reference).first().waitFor();
      const other = await opened(); // nobody else sees them
      await sign_in(other, 'vera', process.env.NEWCOMER);
      await other.goto(`${BASE}/account/payments`);
      await other.getByRole('heading', { name: 'No payment is planned' }).waitFor();
      await other.context().close();
    } finally {
      for (const module of ['scheduled_payments', 'flexible_payments']) await staff('POST', `/modules/${module}/toggle`, { enabled: false });
      await page.context().close();
    }
  });

  part('installments before paying', async () => {
    const turn = async (modules, enabled) => {
      for (const module of modules) await staff('POST', `/modules/${module}/toggle`, { enabled });
    };
    await turn(['flexible_payments', 'scheduled_payments'], true);
    await staff('PUT', '/settings', {
      enable_deposit: true, deposit_percentage: 25, enable_scheduled_payments: true, balance_anchor: 'booking',
      scheduled_payment_type: 'installments', scheduled_payment_installments: 3, scheduled_payment_days: 7, scheduled_payment_interval: 7,
    });
    const page = await opened();
    const lines = (place) => place.locator('.svc-money > div').evaluateAll((all) => all.map((one) => [...one.children].map((each) => each.textContent).join(': ')));
    try {
      await use_card_stub(page);
      await at_pay(page, kayaks, days[2], true, { contact_email: 'plan@example.org' });
      const row = page.locator('.svc-choice', { has: page.locator('input[value="deposit:pay_later"]') });
      await row.locator('input').check();
      const seen = await lines(row);
      assert.equal(seen.filter((line) => /^Installment [123] of 3: USD 30\.00, by .*20\d\d$/.test(line)).length, 3, seen.join('\n'));
      assert(seen.includes('Due now: USD 30.00'), seen.join('\n'));
      await sound(page, 'installments before paying');
      await page.setViewportSize(narrow.viewport);
      await sound(page, 'installments before paying, narrow');
      await page.setViewportSize(wide.viewport);
      // The same plan in the visitor's language.
      await staff('PUT', '/settings', { site_language: 'de' });
      await page.reload();
      await row.locator('input').check();
      const german = await lines(row);
      assert.equal(german.filter((line) => /^Rate [123] von 3: USD 30\.00, bis .*20\d\d$/.test(line)).length, 3, german.join('\n'));
      await sound(page, 'Raten vor der Zahlung');
      await staff('PUT', '/settings', { site_language: 'en' });
      await page.reload();
      await row.locator('input').check();
      await page.getByRole('button', { name: /^Book for USD 30\.00/ }).click();
      await page.getByRole('heading', { name: 'Thank you, we have your booking' }).waitFor();
      // Before the booking the deadline counts from now, afterwards from when it was made: a minute may lie between.
      const without_minute = (list) => list.map((line) => line.replace(/\d\d:\d\d/, ''));
      assert.deepEqual(without_minute(await lines(page)), without_minute(seen));
      // The first payment has come: one installment is paid before its day.
      const [{ id }] = await staff('GET', `/bookings?search=${/SVC-[0-9A-Z]{8}/.exec(page.url())[0]}`);
      await staff('POST', `/bookings/${id}/payments`, { amount: 30, method: 'pay_later', status: 'completed' });
      await page.reload();
      await page.getByRole('heading', { name: 'USD 90.00 to pay' }).waitFor();
      assert(await page.getByLabel('The next installment').isChecked());
      await sound(page, 'an installment to pay');
      await pay_by_card(page, /^Pay$/);
      await page.getByRole('heading', { name: 'USD 60.00 to pay' }).waitFor();
      const left = await lines(page);
      assert.deepEqual(left.filter((line) => /^Installment/.test(line)).map((line) => line.slice(0, 18)), ['Installment 2 of 3', 'Installment 3 of 3']);
      assert.equal(Number((await staff('GET', `/bookings/${id}`)).amount_paid), 60);
      await sound(page, 'an installment is paid');
    } finally {
      await staff('PUT', '/settings', { site_language: 'en', enable_deposit: false, enable_scheduled_payments: false, scheduled_payment_type: 'single' });
      await turn(['scheduled_payments', 'flexible_payments'], false);
      await page.context().close();
    }
  });

  part('saved trips', async () => {
    await staff('POST', '/modules/saved_trips/toggle', { enabled: true });
    const heart = (page, title) => page.getByRole('button', { name: `Save this trip: ${title}` });
    const pressed = (button) => button.and(button.page().locator('[aria-pressed=true]')).waitFor();
    for (const look of [narrow, wide]) {
      // Before a sign-in the browser remembers.
      const page = await opened(look);
      await page.goto(`${BASE}/saved-trips`);
      await page.getByRole('heading', { name: 'Nothing is saved yet' }).waitFor();
      await sound(page, 'no saved trips');
      await page.goto(`${BASE}/trip`);
      const title = await page.locator('.svc-card h3').first().textContent();
      await heart(page, title).click();
      await pressed(heart(page, title));
      await sound(page, 'listing with hearts');
      await page.locator('.svc-card h3 a').nth(1).click();
      await page.locator('.svc-trip .svc-heart').click();
      await pressed(page.locator('.svc-trip .svc-heart'));
      await sound(page, 'trip with a heart');
      await page.getByRole('link', { name: 'Saved trips' }).click();
      await page.getByText('This browser remembers them.').waitFor();
      assert.equal(await page.locator('.svc-card').count(), 2);
      await pressed(heart(page, title));
      await sound(page, 'saved trips of a browser');
      // They move into the account, and are found there by another browser.
      await sign_in(page);
      await page.goto(`${BASE}/saved-trips`);
      await pressed(heart(page, title));
      await page.waitForFunction(() => localStorage.getItem('svc_saved_trips').includes('account'));
      const other = await opened(look);
      await sign_in(other);
      await other.goto(`${BASE}/account/saved`);
      await pressed(heart(other, title));
      await sound(other, 'saved trips of an account');
      await heart(other, title).click();
      await other.waitForFunction(() => document.querySelectorAll('.svc-heart[aria-pressed=true]').length === 1);
      await other.waitForLoadState('networkidle');
      await other.reload();
      await other.locator('.svc-card').first().waitFor();
      assert.equal(await other.locator('.svc-card').count(), 1);
      await other.locator('.svc-heart').click();
      await other.waitForLoadState('networkidle');
      await other.context().close();
      // Who signs out leaves nothing in the browser.
      await page.context().clearCookies();
      await page.goto(`${BASE}/trip`);
      await page.waitForFunction(() => !JSON.parse(localStorage.getItem('svc_saved_trips')).ids.length);
      await page.context().close();
    }
    // Without JavaScript there are no hearts, and the account's are removed by a form.
    const again = await opened();
    await sign_in(again);
    await again.goto(`${BASE}/trip`);
    await again.locator('.svc-heart').first().click();
    await again.waitForFunction(() => JSON.parse(localStorage.getItem('svc_saved_trips')).ids.length === 1);
    await again.waitForLoadState('networkidle');
    await again.context().close();
    const plain = await opened({ javaScriptEnabled: false });
    await plain.goto(`${BASE}/trip`);
    assert.equal(await plain.locator('.svc-heart').count(), 0);
    await sign_in(plain);
    await plain.getByRole('link', { name: 'Saved trips' }).last().click();
    await plain.getByRole('button', { name: 'Remove' }).click();
    await plain.getByRole('heading', { name: 'Nothing is saved yet' }).waitFor();
    await plain.context().close();
    await staff('POST', '/modules/saved_trips/toggle', { enabled: false });
    const off = await opened();
    await off.goto(`${BASE}/trip`);
    assert.equal(await off.locator('.svc-heart, .svc-saved').count(), 0);
    await off.context().close();
  });

  part('session expired', async () => {
    const page = await opened();
    // The cookie's session no longer exists: the form continues with its own data.
    const forget = async () => {
      const cookie = (await page.context().cookies()).find((one) => one.name.endsWith('svc_checkout'));
      await page.context().addCookies([{ ...cookie, value: 'x'.repeat(43) }]);
    };
    await at_pay(page, walk, days[0], true);
    await page.goBack();
    await page.getByRole('heading', { name: 'Your details' }).waitFor();
    await fill_details(page, { contact_first_name: 'Augusta' });
    await forget();
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.getByRole('heading', { name: 'Check and pay' }).waitFor();
    await forget();
    await page.locator('input[value=pay_later]').check();
    await page.getByRole('button', { name: /^Book for/ }).click();
    await page.getByRole('heading', { name: 'Thank you, we have your booking' }).waitFor();
    const [booking] = await staff('GET', `/bookings?search=${/SVC-[0-9A-Z]{8}/.exec(page.url())[0]}`);
    assert.match(booking.customer_name, /^Augusta/);
    // Opened anew, such a step says so and leads to the first one.
    await forget();
    const gone = await page.goto(`${BASE}/book/${walk}/pay`);
    assert.equal(gone.status(), 410);
    await sound(page, 'session expired');
    await page.locator(`main a[href$="/book/${walk}"]`).first().click();
    await page.getByRole('button', { name: 'Continue to your details' }).waitFor();
    await page.context().close();
  });

  part('booking expired', async () => {
    const page = await opened(narrow);
    await at_pay(page, walk, days[0], true, { contact_email: 'paula@example.org', contact_first_name: 'Paula' });
    const reference = await book_and_pay_later(page);
    await page.getByText('to keep your seats').waitFor();
    await told(`expire/${reference}`);
    await page.reload();
    await page.getByRole('heading', { name: 'This booking has expired' }).waitFor();
    assert.equal(await page.locator('#pay').count(), 0);
    await sound(page, 'booking expired');
    await page.getByRole('button', { name: 'Book again' }).click();
    await page.getByRole('heading', { name: 'Your details' }).waitFor();
    assert.equal(await page.locator('[name=contact_email]').inputValue(), 'paula@example.org');
    assert.equal(await page.locator('[name=emergency_name]').inputValue(), details.emergency_name);
    await page.context().close();
  });

  part('register, verify, reset', async () => {
    const page = await opened();
    const [first, second] = ['a long password', 'another long one'];
    await page.goto(`${BASE}/account/register`);
    for (const [label, value] of [['First name', 'Rosa'], ['Last name', 'Bonheur'], ['E-mail', 'rosa@example.org']]) await page.getByLabel(label).fill(value);
    await page.getByLabel('First name').fill('Win at evil.example');
    await page.getByRole('button', { name: 'Create the account' }).click();
    await page.getByRole('alert').waitFor();
    await sound(page, 'register, refused');
    assert.equal(await page.getByLabel('E-mail').inputValue(), 'rosa@example.org');
    await page.getByLabel('First name').fill('Rosa');
    await page.getByRole('button', { name: 'Create the account' }).click();
    await page.getByRole('heading', { name: 'Look into your mailbox' }).waitFor();
    await sound(page, 'registered');
    await page.goto(await told('mail/customer_email_verification/rosa@example.org'));
    await sound(page, 'verify');
    for (const name of ['password', 'confirm_password']) if (await page.locator(`[name=${name}]`).count()) await page.locator(`[name=${name}]`).fill(first);
    await page.locator('main button[type=submit]').click();
    await page.waitForLoadState();
    await sound(page, 'verified');
    // The browser that chose the password is signed in.
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'My bookings' }).waitFor();
    await page.context().clearCookies();
    const enter = async (word) => {
      await page.goto(`${BASE}/account/login`);
      await page.getByLabel('E-mail or login').fill('rosa@example.org');
      await page.getByLabel('Password').fill(word);
      await page.getByRole('button', { name: 'Sign in' }).click();
    };
    await enter(first);
    await page.getByRole('heading', { name: 'My bookings' }).waitFor();
    await page.goto(`${BASE}/account/forgot`);
    await page.getByLabel('E-mail').fill('rosa@example.org');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByRole('heading', { name: 'Look into your mailbox' }).waitFor();
    await page.goto(await told('mail/account_password_reset/rosa@example.org'));
    await sound(page, 'reset');
    await page.locator('[name=password]').fill(second);
    await page.locator('[name=confirm_password]').fill(second);
    await page.locator('main button[type=submit]').click();
    await page.waitForLoadState();
    await sound(page, 'reset done');
    await enter(first);
    await page.getByRole('alert').waitFor();
    await enter(second);
    await page.getByRole('heading', { name: 'My bookings' }).waitFor();
    // Another address: somebody else's browser must know the password, this one is signed in to the account.
    await page.goto(`${BASE}/account/profile`);
    await page.getByText('Application passwords that you gave to programs stay valid until you revoke them.').waitFor();
    await page.getByLabel('New address').fill('rosa.new@example.org');
    await page.locator('#e-password').fill(second);
    await page.getByRole('button', { name: 'Change the address' }).click();
    await page.getByRole('status').waitFor();
    const link = await told('mail/account_email_change_request/rosa.new@example.org');
    const other = await opened(narrow);
    await other.goto(link);
    await other.getByText('r***@example.org').waitFor();
    await sound(other, 'new address, not signed in');
    await other.getByLabel('Password of this account').fill('a guess');
    await other.getByRole('button', { name: 'Use this address' }).click();
    await other.getByRole('alert').waitFor();
    await sound(other, 'new address, wrong password');
    await other.context().close();
    await page.goto(link);
    assert.equal(await page.locator('[name=current_password]').count(), 0);
    await sound(page, 'new address');
    await page.getByRole('button', { name: 'Use this address' }).click();
    await page.getByRole('heading', { name: 'The e-mail address is changed' }).waitFor();
    await page.goto(`${BASE}/account/profile`);
    await page.getByText('rosa.new@example.org').first().waitFor();
    await page.context().close();
  });

  for (const [width, look] of [['wide', wide], ['narrow', { ...narrow, isMobile: false, hasTouch: false }]])
    part(`card by keyboard ${width}`, async () => {
      const page = await opened(look);
      await use_card_stub(page);
      await at_pay(page, kayaks, days[0], true);
      await tab_to(page, 'input[name=payment_gateway]');
      while ((await page.evaluate(() => document.activeElement.value)) !== 'stripe') await page.keyboard.press('ArrowDown');
      await tab_to(page, 'button[value=book]');
      await page.keyboard.press('Enter');
      await page.locator('#pay .svc-card-field').waitFor();
      await tab_to(page, '.svc-card-field');
      await page.keyboard.type('4000');
      await tab_to(page, 'button[value=pay]');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('Your card was declined.').waitFor();
      assert(await page.evaluate(() => document.activeElement.matches('button[value=pay]'))); // the focus stays
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Control+A');
      await page.keyboard.type('4242');
      await tab_to(page, 'button[value=pay]');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Your trip is booked' }).waitFor();
      await page.context().close();
    });

  part('gallery', async () => {
    const trip = await given_trip('Three pictures', days[0], 5);
    const page = await opened();
    const images = [];
    for (const colour of ['#8a2', '#28a', '#a28']) {
      await page.setContent(`<body style="background:${colour}">`);
      images.push({ id: await uploaded(await page.screenshot(), `${colour.slice(1)}.png`), alt: `Colour ${colour}` });
    }
    await staff('PUT', `/trips/${trip.id}`, { gallery_images: images });
    await page.goto(`${BASE}/trip/${trip.slug}`);
    await tab_to(page, '.svc-gallery a');
    const opener = await page.evaluate(() => document.activeElement.href);
    await page.keyboard.press('Enter');
    const large = page.locator('dialog.svc-large');
    await large.locator('img').waitFor();
    await sound(page, 'gallery');
    const count = () => large.locator('span').textContent();
    assert.equal(await count(), '1 / 3');
    for (const [key, says] of [['ArrowRight', '2 / 3'], ['ArrowRight', '3 / 3'], ['ArrowRight', '1 / 3'], ['ArrowLeft', '3 / 3'], ['Home', '1 / 3'], ['End', '3 / 3']]) {
      await page.keyboard.press(key);
      assert.equal(await count(), says, key);
    }
    // The focus goes round within the window, in both directions.
    const inside = () => page.evaluate(() => document.activeElement.closest('dialog') !== null);
    for (const key of ['Tab', 'Shift+Tab'])
      for (let i = 0; i < 7; ++i) {
        await page.keyboard.press(key);
        assert(await inside(), `${key} ${i}`);
      }
    await page.keyboard.press('ArrowRight');
    assert.equal(await count(), '1 / 3');
    await page.keyboard.press('Escape');
    assert.equal(await large.isVisible(), false);
    assert.equal(await page.evaluate(() => document.activeElement.href), opener); // where it came from
    await page.context().close();
  });
}
