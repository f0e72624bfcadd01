// What discounts do, in sentences; options of attributes and attributes themselves in their order.
import assert from 'node:assert/strict';

import { accessible, go, opened, refuses, settled, staff } from '../support.mjs';

export async function discounts() {
  const page = await opened('administrator');
  await go(page, '/admin/discounts/new');
  const says = page.locator('section', { has: page.getByRole('heading', { name: 'What it does' }) });
  await says.getByText('It has no code yet.').waitFor();
  await says.getByText('It takes nothing off yet.').waitFor();
  await page.getByRole('button', { name: 'Make up a code' }).click();
  const code = await page.getByLabel(/^Code/).inputValue();
  assert.match(code, /^[A-HJ-NP-Z2-9]{8}$/);
  await page.getByRole('button', { name: 'Make up a code' }).click();
  assert.notEqual(await page.getByLabel(/^Code/).inputValue(), code);
  await page.getByLabel(/^Code/).fill('RUSTY15');
  await page.getByLabel(/^Name/).fill('Rusty spring');
  await page.getByLabel(/^Amount/).fill('15');
  await page.getByLabel(/^Max discount amount/).fill('40');
  await page.getByLabel(/^Usage limit\*?$/).fill('20');
  await page.getByLabel(/^Valid from/).fill('2027-03-01');
  await page.getByLabel(/^Expiry date/).fill('2027-02-01');
  await says.getByText('15 % off').waitFor();
  await says.getByText('Customers enter the code RUSTY15.').waitFor();
  await says.getByText(/^At most .*40/).waitFor();
  await says.getByText('For 20 bookings in all.').waitFor();
  await says.getByText('It ends before it begins.').waitFor();
  await page.evaluate(() => scrollTo(0, 0)); // nothing is half under the bar at the top
  await accessible(page, 'a discount that is begun');
  await page.getByLabel(/^Expiry date/).fill('2027-05-31');
  await says.getByText('It ends before it begins.').waitFor({ state: 'detached' });
  // Trips are asked for where some are meant.
  assert.equal(await page.getByText('Trips', { exact: true }).locator('visible=true').filter({ has: page.locator('xpath=self::label') }).count(), 0);
  await page.getByLabel(/^Applicable to/).selectOption('specific_trips');
  await says.getByText('It holds for no trip: choose some.').waitFor();
  await page.getByLabel(/^Applicable to/).selectOption('all');
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await page.waitForURL(/discounts\/\d+$/);
  await settled(page);
  const id = page.url().split('/').pop();
  const stored = await staff('GET', `/discounts/${id}`);
  assert.deepEqual([stored.code, stored.amount, stored.max_discount_amount, stored.usage_limit, stored.applicable_to], ['RUSTY15', 15, 40, 20, 'all']);
  await says.getByText('Used 0 of 20 times.').waitFor();
  await accessible(page, 'a discount');
  await staff('DELETE', `/discounts/${id}`);
  // Groups: what each size and each traveler category gets is typed in fields, and said.
  await staff('POST', '/modules/advanced_discount/toggle', { enabled: true });
  await go(page, '/admin/discounts/new');
  await page.getByLabel(/^Name/).fill('Rusty groups');
  await page.getByLabel(/^Discount mode/).selectOption('group');
  await says.getByText('It says nothing of groups yet.').waitFor();
  const fill = async (group, values) => {
    await group.getByRole('button', { name: 'Add', exact: true }).click();
    for (const [label, value] of Object.entries(values)) {
      const field = group.getByLabel(new RegExp(`^${label}`)).last();
      await (value === 'percentage' || value === 'fixed' ? field.selectOption(value) : field.fill(value));
    }
  };
  await fill(page.getByRole('group', { name: /^Group discount ranges/ }), { 'Min size': '4', 'Max size': '9', 'Discount type': 'percentage', 'Discount amount': '5' });
  await says.getByText('Groups, 4 to 9 travelers: 5 % off.').waitFor();
  assert.equal(await page.getByRole('group', { name: /^Category discounts/ }).count(), 0);
  await page.getByLabel(/^Group discount mode/).selectOption('category_based');
  const [category] = await staff('GET', '/traveler-categories?per_page=100');
  const named = category.label || category.name;
  await fill(page.getByRole('group', { name: /^Category discounts/ }).getByRole('group', { name: named }), { 'Min size': '2', 'Discount type': 'percentage', 'Discount amount': '12' });
  await says.getByText(`${named}, from 2 travelers: 12 % off.`).waitFor();
  await accessible(page, 'a discount of groups', { contrast: false });
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await page.waitForURL(/discounts\/\d+$/);
  await settled(page);
  const groups = await staff('GET', `/discounts/${page.url().split('/').pop()}`);
  assert.deepEqual(groups.category_discounts[category.id].map((one) => [one.min_size, one.type, one.amount]), [[2, 'percentage', 12]]);
  // A stored range says both forms of its amount: what is typed counts.
  await page.getByRole('group', { name: /^Group discount ranges/ }).getByLabel(/^Discount amount/).fill('7');
  await says.getByText('Groups, 4 to 9 travelers: 7 % off.').waitFor();
  await page.locator('.svc-savebar').getByRole('button', { name: 'Save' }).click();
  await page.locator('.svc-savebar').waitFor({ state: 'detached' });
  const again = await staff('GET', `/discounts/${groups.id}`);
  assert.deepEqual([again.group_discount_ranges[0].amount, again.category_discounts[category.id][0].amount], [7, 12]);
  await staff('DELETE', `/discounts/${groups.id}`);
  await staff('POST', '/modules/advanced_discount/toggle', { enabled: false });
  refuses(page);
  await page.done();
}

export async function attributes() {
  const page = await opened('administrator');
  await go(page, '/admin/attributes/new');
  await page.getByLabel(/^Name/).first().fill('Rusty season');
  assert.equal(await page.getByRole('group', { name: 'Options' }).count(), 0);
  await page.getByLabel(/^Field type/).selectOption('select');
  const options = page.getByRole('group', { name: 'Options' });
  await options.getByText('No options yet: nobody can choose anything.').waitFor();
  await options.getByRole('button', { name: 'Add an option' }).click();
  await page.keyboard.type('Früh im Jahr');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Late');
  const read = () => options.locator('input[data-label]').evaluateAll((all) => all.map((one) => one.value));
  assert.deepEqual(await read(), ['Früh im Jahr', 'Late']);
  assert.equal(await options.getByLabel('Option 1, as it is stored').inputValue(), 'fruh-im-jahr');
  await accessible(page, 'options of an attribute');
  // By keyboard: the row moves, the focus with it, and it is read out.
  await page.keyboard.press('Alt+ArrowUp');
  assert.deepEqual(await read(), ['Late', 'Früh im Jahr']);
  assert.equal(await page.evaluate(() => document.activeElement.value), 'Late');
  await page.locator('[aria-live]').getByText('Late is number 1 of 2 now.').waitFor();
  // By its buttons, by dragging, and a list that is pasted.
  await options.getByRole('button', { name: 'Late later' }).click();
  assert.deepEqual(await read(), ['Früh im Jahr', 'Late']);
  await options.locator('.svc-grip').nth(1).dragTo(options.locator('li').nth(0));
  assert.deepEqual(await read(), ['Late', 'Früh im Jahr']);
  await options.locator('input[data-label]').nth(1).evaluate((one) => {
    const data = new DataTransfer();
    data.setData('text', 'Midsummer\nMidwinter\n');
    one.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  assert.deepEqual(await read(), ['Late', 'Früh im Jahr', 'Midsummer', 'Midwinter']);
  await options.getByLabel('Option 3, as it is stored').fill('late');
  await options.getByText('“late” is stored for two options: they cannot be told apart.').waitFor();
  await options.getByLabel('Option 3, as it is stored').fill('midsummer');
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await page.waitForURL(/attributes\/\d+$/);
  const id = Number(page.url().split('/').pop());
  assert.deepEqual((await staff('GET', `/attributes/${id}`)).field_options.map((one) => one.value), ['late', 'fruh-im-jahr', 'midsummer', 'midwinter']);
  // The attributes themselves: the new one first.
  await staff('POST', '/attributes', { name: 'Rusty second', field_type: 'number' });
  await go(page, '/admin/attributes');
  await page.getByRole('button', { name: 'Order', exact: true }).click();
  await page.getByRole('button', { name: 'Rusty season later' }).waitFor();
  await accessible(page, 'attributes in their order');
  const names = () => page.locator('.svc-order b').allInnerTexts();
  await page.getByRole('button', { name: 'Rusty season earlier' }).focus();
  for (let turns = 0; (await names())[0] !== 'Rusty season' && turns < 60; turns += 1) await page.keyboard.press('Alt+ArrowUp');
  const wanted = await names();
  await page.locator('.svc-savebar').getByRole('button', { name: 'Save' }).click();
  await page.getByText('The order is saved.').waitFor();
  await page.locator('.svc-savebar').waitFor({ state: 'detached' });
  assert.deepEqual(await names(), wanted);
  assert.equal((await staff('GET', '/attributes?per_page=1'))[0].name, 'Rusty season');
  for (const one of await staff('GET', '/attributes?search=Rusty')) await staff('DELETE', `/attributes/${one.id}`);
  refuses(page);
  await page.done();
}
