// Tells the site that a visitor went on by a mailed link. Programs that only look at links do not press the button.
const form = document.querySelector('[data-recovery]');

if (form)
  form.addEventListener('submit', () => {
    const nonce = form.elements.namedItem('_nonce');
    navigator.sendBeacon(location.pathname, new URLSearchParams(nonce ? { _nonce: nonce.value } : {}));
  });
