// Questions that follow an answer: shown and hidden as their visitor answers, as the server would (show_if). A hidden one
// is disabled, so that the browser neither sends nor checks it.
interface Rule {
  name: string;
  operator: string;
  values: string[];
}
type Box = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const form = document.querySelector<HTMLFormElement>('.svc-booking > form');
const followed = [...(form?.querySelectorAll<HTMLElement>('[data-follows]') ?? [])].map((element) => ({
  element,
  rule: JSON.parse(element.dataset.follows ?? '{}') as Rule,
}));

// What is answered under that name; null: the question itself is not asked.
function answers(name: string): string[] | null {
  const boxes = [...(form?.elements ?? [])].filter(
    (one): one is Box => (one as Box).name === name && !(one as Box).closest('[data-follows][hidden]'),
  );
  if (!boxes.length) return null;
  return boxes
    .filter(
      (one) =>
        !(one instanceof HTMLInputElement && /^(checkbox|radio)$/.test(one.type)) || (one as HTMLInputElement).checked,
    )
    .map((one) => one.value.trim())
    .filter(Boolean);
}

function holds({ name, operator, values }: Rule): boolean {
  const given = answers(name);
  if (!given) return false;
  if (operator === 'is_filled' || operator === 'is_checked') return given.length > 0;
  const any = given.some((one) => values.some((value) => value.toLowerCase() === one.toLowerCase()));
  return operator === 'is_not' ? !any : any;
}

// A question may follow one that follows another, in any order: until nothing changes.
function show(): void {
  for (let turn = 0, moved = true; moved && turn <= followed.length; turn++) {
    moved = false;
    for (const { element, rule } of followed) {
      const hidden = !holds(rule);
      if (element.hidden === hidden) continue;
      moved = true;
      element.hidden = hidden;
      if (element instanceof HTMLFieldSetElement) element.disabled = hidden;
    }
  }
}

if (form && followed.length) {
  form.addEventListener('input', show);
  form.addEventListener('change', show);
  show();
}
