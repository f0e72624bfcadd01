// Google Analytics on the pages of visitors who allowed it: the base puts this script there, with its data block.
(function () {
  const read = JSON.parse(document.getElementById('svc-tag-google_analytics').textContent);
  const { events, facts, allowed } = read;
  const granted = (may) => (may ? 'granted' : 'denied');
  window.dataLayer = window.dataLayer || [];
  const gtag = (window.gtag = function () {
    window.dataLayer.push(arguments);
  });

  // Addresses of ours may name a visitor's booking, so Google is told the path and what campaigns added to it. Visitors
  // decide after they arrived: the campaign then stands in the address of the page before.
  const campaign = /^(utm_[a-z_]+|gclid|gbraid|wbraid|dclid)$/;
  const campaign_of = (address) => [...new URL(address).searchParams].filter(([name]) => campaign.test(name));
  let added = campaign_of(location.href);
  const is_ours = document.referrer.startsWith(location.origin + '/');
  if (!added.length && is_ours && !/(^|; )_ga=/.test(document.cookie)) added = campaign_of(document.referrer);
  const path = location.pathname.replace(/(\/confirmation)\/.*/, '$1');
  const query = new URLSearchParams(added).toString();

  gtag('consent', 'default', {
    analytics_storage: granted(allowed.analytics),
    ad_storage: granted(allowed.marketing && !navigator.globalPrivacyControl),
    ad_user_data: granted(allowed.marketing && !navigator.globalPrivacyControl),
    ad_personalization: 'denied',
  });
  gtag('js', new Date());
  const options = {
    send_page_view: Boolean(events.page_view),
    page_location: location.origin + path + (query && '?' + query),
    page_title: path === location.pathname ? document.title : 'Booking', // its title names the booking
  };
  if (is_ours) options.page_referrer = document.referrer.split('?')[0].replace(/(\/confirmation)\/.*/, '$1');
  if (read.is_debug) options.debug_mode = true;
  gtag('config', read.measurement_id, options);

  const item = (fact) => ({
    item_id: fact.item.id,
    item_name: fact.item.name,
    ...(fact.item.price === undefined ? {} : { price: Number(fact.item.price) }),
    quantity: fact.item.quantity || 1,
  });
  const send = (key, fact, more) => {
    if (!fact || !events[key]) return;
    const told = { ...window.svcTracking.parameters(read, fact), items: [item(fact)], ...more };
    const currency = fact.currency || fact.item.currency;
    const value = fact.value === undefined ? fact.item.price : fact.value;
    if (currency && value !== undefined) Object.assign(told, { currency, value: Number(value) });
    gtag('event', events[key], told);
  };
  send('view_item', facts.view);
  send('begin_checkout', facts.begin);
  window.svcTracking.on_choice(facts, (fact, id) => send('add_to_cart', fact, { event_id: id }));
  if (facts.purchase)
    send('purchase', facts.purchase, {
      transaction_id: facts.purchase.reference,
      ...(facts.purchase.tax ? { tax: Number(facts.purchase.tax) } : {}),
      ...(facts.purchase.coupon ? { coupon: facts.purchase.coupon } : {}),
    });

  const script = document.createElement('script');
  script.async = true;
  script.src = 'https://www.googletagmanager.com/gtag/js?id=' + encodeURIComponent(read.measurement_id);
  document.head.appendChild(script);
})();
