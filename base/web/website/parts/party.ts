// Buttons beside the numbers of a party, for thumbs; the number itself can still be typed.
export function add_steps(root: HTMLElement): void {
  const { fewer = '', more = '' } = root.dataset;
  const whole = () => [...root.querySelectorAll('input')].reduce((sum, one) => sum + (Number(one.value) || 0), 0);
  for (const field of root.querySelectorAll<HTMLInputElement>('input[type=number]')) {
    const label = field.labels?.[0]?.firstChild?.textContent?.trim() ?? '';
    const holder = document.createElement('span');
    holder.className = 'svc-steps-of';
    const made = ([sign, word, by]: [string, string, number]) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'svc-quiet svc-step';
      button.textContent = sign;
      button.setAttribute('aria-label', `${word}: ${label}`);
      button.addEventListener('click', () => {
        const least = Number(field.min) || 0;
        const most = Number(field.max) || Infinity;
        field.value = String(Math.min(most, Math.max(least, (Number(field.value) || 0) + by)));
        field.dispatchEvent(new Event('input', { bubbles: true }));
      });
      return button;
    };
    const less = made(['−', fewer, -1]);
    const plus = made(['+', more, 1]);
    field.before(holder);
    holder.append(less, field, plus);
    // A button that is focused is not disabled under the finger; it says that it does nothing.
    const fit = () => {
      less.setAttribute('aria-disabled', String((Number(field.value) || 0) <= (Number(field.min) || 0)));
      plus.setAttribute('aria-disabled', String(whole() >= (Number(field.max) || Infinity)));
    };
    root.addEventListener('input', fit);
    fit();
  }
}
