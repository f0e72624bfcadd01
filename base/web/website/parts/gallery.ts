// The pictures of a trip, large, one after the other. Without it each picture is a link to itself.
export function show_large(root: HTMLElement): void {
  const links = [...root.querySelectorAll<HTMLAnchorElement>('a')];
  if (!links.length || !('showModal' in HTMLDialogElement.prototype)) return;
  const { earlier = '', later = '', close = '' } = root.dataset;
  const dialog = document.createElement('dialog');
  dialog.className = 'svc-large';
  const picture = document.createElement('img');
  const count = document.createElement('span');
  let at = 0;
  const show = (to: number) => {
    at = (to + links.length) % links.length;
    const link = links[at]!;
    picture.src = link.href;
    picture.alt = link.querySelector('img')?.alt ?? '';
    count.textContent = `${at + 1} / ${links.length}`;
  };
  const button = (sign: string, label: string, run: () => void) => {
    const made = document.createElement('button');
    made.type = 'button';
    made.textContent = sign;
    made.setAttribute('aria-label', label);
    made.addEventListener('click', run);
    return made;
  };
  const bar = document.createElement('div');
  bar.append(
    button('‹', earlier, () => show(at - 1)),
    count,
    button('›', later, () => show(at + 1)),
    button('×', close, () => dialog.close()),
  );
  if (links.length < 2) bar.replaceChildren(bar.lastElementChild!);
  dialog.append(picture, bar);
  dialog.setAttribute('aria-label', root.getAttribute('aria-label') ?? '');
  dialog.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) show(at + (getComputedStyle(dialog).direction === 'rtl' ? -step : step));
    else if (event.key === 'Home' || event.key === 'End') show(event.key === 'Home' ? 0 : -1);
    else if (event.key === 'Tab') {
      // Round within the window: the browser's own bar is one step too far for who looks at pictures.
      const stops = [...bar.querySelectorAll('button')];
      const now = stops.indexOf(document.activeElement as HTMLButtonElement);
      stops[(now + (event.shiftKey ? -1 : 1) + stops.length) % stops.length]?.focus();
      event.preventDefault();
    }
  });
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  links.forEach((link, index) =>
    link.addEventListener('click', (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      show(index);
      dialog.showModal();
      dialog.addEventListener('close', () => links[at]?.focus(), { once: true });
    }),
  );
}
