// The Facebook pixel on the pages of visitors who allowed it: the base puts this script there, with its data block.
(function () {
  if (navigator.globalPrivacyControl) return;
  const read = JSON.parse(document.getElementById('svc-tag-facebook_pixel').textContent);
  const { events, facts } = read;
  const fbq = (window.fbq = function () {
    if (fbq.callMethod) fbq.callMethod.apply(fbq, arguments);
    else fbq.queue.push(arguments);
  });
  window._fbq = fbq.push = fbq;
  fbq.loaded = true;
  fbq.version = '2.0';
  fbq.queue = [];

  // Visitors decide after they arrived: the click on an advertisement then stands in the address of the page before.
  if (document.referrer.startsWith(location.origin + '/') && !/(^|; )_fbc=/.test(document.cookie)) {
    const click = new URL(document.referrer).searchParams.get('fbclid');
    if (click && /^[\w-]{1,400}$/.test(click))
      document.cookie = `_fbc=fb.1.${Date.now()}.${click}; Path=/; Max-Age=${90 * 24 * 3600}; SameSite=Lax`;
  }

  fbq('set', 'autoConfig', false, read.pixel_id); // buttons and fields of our forms are nobody else's
  fbq('consent', 'grant');
  fbq('init', read.pixel_id);
  if (events.page_view) fbq('track', events.page_view);
  const send = (key, fact, event_id) => {
    if (!fact || !events[key]) return;
    const told = {
      ...window.svcTracking.parameters(read, fact),
      content_ids: [fact.item.id],
      content_type: 'product',
      content_name: fact.item.name,
    };
    if (fact.item.quantity) told.num_items = fact.item.quantity;
    const currency = fact.currency || fact.item.currency;
    const value = fact.value === undefined ? fact.item.price : fact.value;
    if (currency && value !== undefined) Object.assign(told, { currency, value: Number(value) });
    if (event_id) fbq('track', events[key], told, { eventID: event_id });
    else fbq('track', events[key], told);
  };
  send('view_item', facts.view);
  send('begin_checkout', facts.begin);
  window.svcTracking.on_choice(facts, (fact, id) => send('add_to_cart', fact, id));
  if (facts.purchase) send('purchase', facts.purchase, facts.purchase.reference);

  const script = document.createElement('script');
  script.async = true;
  script.src = 'https://connect.facebook.net/en_US/fbevents.js';
  document.head.appendChild(script);
})();
