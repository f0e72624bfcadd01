// Faults that must not break the site in Chromium: a page that was kept from before an update, styles and themes of
// others, and files that no browser could keep.
import assert from 'node:assert/strict';
import { BASE, browser, narrow, opened, slugs, sound, wide } from './visitor.mjs';

const [kayaks, walk] = slugs;

const files_of = (page) => page.evaluate(() => [...document.querySelectorAll('script[src], link[rel=stylesheet], link[rel=preload]')].map((one) => one.src ?? one.href));

export function add_hostile(part) {
  // A proxy or a browser shows HTML of an earlier release, which names files that are no longer there.
  part('page from before an update', async () => {
    for (const [path, works] of [
      [`/trip/${kayaks}`, (page) => page.locator('.svc-grid [data-date]').first().waitFor()],
      [`/book/${walk}`, (page) => page.locator('.svc-grid [data-date]').first().waitFor()],
      ['/trip', (page) => page.getByRole('combobox', { name: 'Search' }).waitFor()],
    ]) {
      const page = await opened();
      const asked = [];
      page.on('response', (answer) => asked.push(answer));
      await page.route(BASE + path, async (route) => {
        const answer = await route.fetch();
        const html = await answer.text();
        const older = html.replace(/(\/svc-(?:theme|assets)\/[\w/-]+)([.-])([0-9a-zA-Z]{8,12})(\.\w+)/g, (_, name, sign, hash, end) => `${name}${sign}${hash.replace(/./g, /[A-Z]/.test(hash) ? 'A' : '0')}${end}`);
        assert.notEqual(older, html);
        await route.fulfill({ response: answer, body: older });
      });
      await page.goto(BASE + path);
      await works(page);
      const files = await files_of(page);
      assert(files.length > 1);
      for (const file of files) {
        const answer = asked.find((one) => one.url() === file);
        assert.equal(answer?.status(), 200, file);
        // Today's content under a name of yesterday is not for keeping.
        assert.doesNotMatch(answer.headers()['cache-control'], /immutable/, file);
      }
      assert(await page.evaluate(() => document.styleSheets.length > 0 && getComputedStyle(document.body).getPropertyValue('--brand') !== ''));
      await sound(page, `${path} from before an update`);
      await page.context().close();
    }
  });

  // Styles of a host's page or of another plugin name things as everybody does; none of ours is named so, and what we
  // style is ours alone.
  part("other people's styles", async () => {
    const foreign = `${['card', 'cards', 'btn', 'button', 'price', 'grid', 'row', 'col', 'container', 'hidden', 'active', 'box', 'summary', 'form', 'field', 'note', 'badge', 'nav', 'header', 'footer', 'modal', 'gallery', 'calendar', 'price-box', 'wrapper', 'content', 'main', 'alert', 'error', 'tabs', 'steps', 'total', 'lines', 'label', 'small', 'wide', 'narrow', 'stack'].map((one) => `.${one}`).join(', ')} { display: none !important; position: absolute !important; width: 3px !important; }`;
    for (const [path, look] of [['/', wide], ['/trip', wide], [`/trip/${kayaks}`, narrow], [`/book/${walk}`, wide], ['/account/login', narrow]]) {
      const page = await opened(look);
      await page.goto(BASE + path);
      await page.waitForLoadState('networkidle');
      const places = () => page.evaluate(() => [...document.querySelectorAll('body *')].map((one) => one.getBoundingClientRect()).map(({ x, y, width, height }) => [x, y, width, height].map(Math.round).join()));
      const before = await places();
      const [names, loose] = await page.evaluate(() => [
        [...new Set([...document.querySelectorAll('[class]')].flatMap((one) => [...one.classList]))].filter((one) => !one.startsWith('svc-')),
        [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).filter((rule) => !(rule instanceof CSSLayerBlockRule || rule instanceof CSSLayerStatementRule || rule instanceof CSSFontFaceRule)).map((rule) => rule.cssText.slice(0, 80)),
      ]);
      assert.deepEqual(names, [], path);
      assert.deepEqual(loose, [], path); // a host that takes the part of a page overrides any of our rules
      await page.evaluate((text) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(text);
        document.adoptedStyleSheets = [sheet];
      }, foreign);
      assert.deepEqual(await places(), before, path);
      await page.context().close();
    }
  });

  // A file of the theme's folder that somebody copied from elsewhere: its scripts, styles and pictures do not run.
  part('hostile theme', async () => {
    const context = await browser.newContext(wide);
    const page = await context.newPage();
    const [asked, said] = [[], []];
    page.on('response', (response) => asked.push(response.url()));
    page.on('console', (message) => said.push(message.text()));
    const answer = await page.goto(`${BASE}/trip-category`);
    assert.equal(answer.status(), 200);
    await page.getByText('Taken over').waitFor();
    await page.waitForTimeout(300);
    assert.equal(await page.evaluate(() => window.evil ?? null), null);
    assert.notEqual(await page.evaluate(() => getComputedStyle(document.querySelector('main')).display), 'none'); // its style is not applied
    assert.deepEqual(asked.filter((one) => !one.startsWith(BASE)), []);
    assert(said.some((one) => /Content Security Policy/.test(one)));
    // Every other page is as it was.
    const other = await opened();
    await other.goto(`${BASE}/trip`);
    await sound(other, 'listing beside a hostile theme');
    await other.context().close();
    await context.close();
  });

  part('kept files', async () => {
    const page = await opened();
    const seen = new Map();
    for (const path of ['/', '/trip', `/trip/${kayaks}`, `/book/${walk}`]) {
      await page.goto(BASE + path);
      for (const file of await files_of(page)) seen.set(file, path);
      const fonts = await page.evaluate(() => performance.getEntriesByType('resource').map((one) => one.name).filter((one) => one.endsWith('.woff2')));
      for (const file of fonts) seen.set(file, path);
    }
    assert(seen.size > 4);
    for (const file of seen.keys()) {
      const first = await fetch(file);
      assert.equal(first.status, 200, file);
      assert.match(first.headers.get('cache-control'), /max-age=31536000, immutable/, file);
      assert.match(file, /[.-][0-9A-Za-z]{8,12}\.(js|css|woff2)$/); // named by its content
      const tag = first.headers.get('etag');
      assert.match(tag, /^(W\/)?".+"$/, file);
      const again = await fetch(file, { headers: { 'If-None-Match': tag } });
      assert.equal(again.status, 304, file);
      assert.equal((await again.text()).length, 0);
      // The same file under a name of another release is asked for each time.
      const other = await fetch(file.replace(/[0-9A-Za-z]{8,12}(\.\w+)$/, (name) => name.replace(/^[^.]+/, (hash) => (/[A-Z]/.test(hash) ? 'A' : '0').repeat(hash.length))));
      assert.equal(other.status, 200, file);
      assert.doesNotMatch(other.headers.get('cache-control'), /immutable/, file);
    }
    // A second visit to a page takes none of them from the server.
    await page.goto(`${BASE}/trip`);
    const sizes = await page.evaluate(() => performance.getEntriesByType('resource').filter((one) => /svc-(theme|assets)/.test(one.name)).map((one) => [one.name, one.transferSize]));
    assert(sizes.length > 1);
    for (const [name, size] of sizes) assert.equal(size, 0, `${name} was loaded again`);
    await page.context().close();
  });
}
