// What the scripts of both partners share: the operator's own parameters, and the choice of date and party on its way to
// the details. It stands in front of each of them.
window.svcTracking = window.svcTracking || {
  // Their values; as pro/tracking/parameters.cpp tells them on the server.
  parameters(read, fact) {
    const day = (text) => Date.parse(text.slice(0, 10) + 'T00:00:00Z');
    const date = fact.travel_date;
    const known = {
      trip_id: fact.item.id,
      trip_name: fact.item.name && fact.item.name.slice(0, 100),
      travelers: fact.item.quantity,
      currency: fact.currency || fact.item.currency,
      language: read.language,
      travel_month: date && date.slice(0, 7),
      days_before: date && Math.max(0, Math.round((day(date) - day(new Date().toISOString())) / 864e5)),
    };
    const values = {};
    for (const [name, source] of Object.entries(read.parameters || {}))
      if (known[source] !== undefined && known[source] !== '') values[name] = known[source];
    return values;
  },

  // Calls tell(fact, id) as the form with date and party is sent. The id goes along with it, so that a report of the
  // server has the same one; both partners' scripts take the one that is there.
  on_choice(facts, tell) {
    const fact = facts.begin || facts.view;
    if (!fact) return;
    document.addEventListener('submit', ({ target: form }) => {
      const typed = new FormData(form);
      const date = typed.get('date');
      let people = 0;
      for (const [name, value] of typed) if (/^(travelers|c\d+)$/.test(name)) people += Number(value) || 0;
      if (!date || !people) return;
      let field = form.querySelector('input[name=_cart]');
      if (!field) {
        field = form.appendChild(document.createElement('input'));
        field.type = 'hidden';
        field.name = '_cart';
        const bytes = crypto.getRandomValues(new Uint8Array(16));
        field.value = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
      }
      tell({ ...fact, travel_date: date, item: { ...fact.item, quantity: people } }, field.value);
    });
  },
};
