// Improves the page of a consent form: asks about a guardian only where one signs, and offers to draw the signature.
// Without it the page works too, with a typed signature.
const form = document.querySelector('[data-consent]');

if (form) {
  const began = Date.now();
  const field = (name) => form.elements.namedItem(name);

  // ---- Who signs.
  const guardian = form.querySelector('[data-guardian]');
  const asks_who = form.querySelectorAll('input[type=radio][name=signing_as]');
  const show_guardian = () => {
    const is_guardian = form.querySelector('input[name=signing_as]:checked')?.value === 'guardian';
    guardian.hidden = !is_guardian;
    for (const each of guardian.querySelectorAll('input')) each.disabled = !is_guardian;
  };
  if (guardian && asks_who.length > 0) {
    for (const note of form.querySelectorAll('[data-only-without-script]')) note.hidden = true;
    for (const each of asks_who) each.addEventListener('change', show_guardian);
    show_guardian();
  }

  // ---- The signature.
  const ways = form.querySelector('[data-ways]');
  const typed = form.querySelector('[data-typed]');
  const drawn = form.querySelector('[data-drawn]');
  const canvas = drawn && drawn.querySelector('canvas');
  const error = document.getElementById('e-drawn');
  const strokes = []; // lists of points, in pixels of the page as wide as the canvas was then
  const height = 180;
  const ink = 2.2;

  const context = canvas && canvas.getContext('2d');
  const trace = (on, list) => {
    on.lineWidth = ink;
    on.lineCap = 'round';
    on.lineJoin = 'round';
    on.strokeStyle = '#101828';
    on.fillStyle = '#101828';
    for (const points of list) {
      on.beginPath();
      on.moveTo(points[0].x, points[0].y);
      if (points.length === 1) {
        on.arc(points[0].x, points[0].y, ink / 2, 0, 2 * Math.PI);
        on.fill();
        continue;
      }
      // Curves between the middles of neighbours: what a finger leaves looks like ink, not like corners.
      for (let i = 1; i < points.length - 1; i += 1)
        on.quadraticCurveTo(points[i].x, points[i].y, (points[i].x + points[i + 1].x) / 2, (points[i].y + points[i + 1].y) / 2);
      on.lineTo(points[points.length - 1].x, points[points.length - 1].y);
      on.stroke();
    }
  };
  // A drawing that came back with the form, because something else in it was wrong.
  let returned = null;
  const repaint = () => {
    const width = canvas.clientWidth;
    const scale = window.devicePixelRatio || 1;
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.round(height * scale);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    if (returned) context.drawImage(returned, 8, 8, returned.naturalWidth / 2, returned.naturalHeight / 2);
    trace(context, strokes);
  };
  const tell = (sentence) => {
    error.textContent = sentence;
    error.hidden = !sentence;
    if (sentence) canvas.setAttribute('aria-invalid', 'true');
    else canvas.removeAttribute('aria-invalid');
  };
  const is_drawn = () => ways && field('way').value === 'drawn';
  const show_way = () => {
    typed.hidden = is_drawn();
    drawn.hidden = !is_drawn();
    for (const each of typed.querySelectorAll('input')) each.disabled = is_drawn();
    if (is_drawn()) repaint();
  };
  // The strokes alone, on a picture of their own size: small enough for a form, sharp enough for paper.
  const picture = () => {
    const points = strokes.flat();
    const left = Math.min(...points.map((each) => each.x)) - 8;
    const top = Math.min(...points.map((each) => each.y)) - 8;
    const wide = Math.max(...points.map((each) => each.x)) + 8 - left;
    const high = Math.max(...points.map((each) => each.y)) + 8 - top;
    for (const scale of [2, 1.5, 1, 0.75]) {
      const sheet = document.createElement('canvas');
      sheet.width = Math.ceil(wide * scale);
      sheet.height = Math.ceil(high * scale);
      const on = sheet.getContext('2d');
      on.setTransform(scale, 0, 0, scale, -left * scale, -top * scale);
      trace(on, strokes);
      const data = sheet.toDataURL('image/png');
      if (data.length < 150000) return data;
    }
    return '';
  };

  if (ways && context) {
    ways.hidden = false;
    Object.assign(canvas.style, {
      display: 'block',
      inlineSize: '100%',
      blockSize: `${height}px`,
      background: '#fff',
      border: '1px solid var(--line-strong)',
      borderRadius: 'var(--radius)',
      touchAction: 'none',
      cursor: 'crosshair',
    });
    let pointer = null;
    const at = (event) => {
      const box = canvas.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    canvas.addEventListener('pointerdown', (event) => {
      if (pointer !== null || (event.pointerType === 'mouse' && event.button !== 0)) return;
      event.preventDefault();
      pointer = event.pointerId;
      canvas.setPointerCapture(pointer);
      returned = null;
      strokes.push([at(event)]);
      tell('');
      repaint();
    });
    canvas.addEventListener('pointermove', (event) => {
      if (event.pointerId !== pointer) return;
      const events = event.getCoalescedEvents ? event.getCoalescedEvents() : [];
      for (const each of events.length > 0 ? events : [event]) strokes[strokes.length - 1].push(at(each));
      repaint();
    });
    const end = (event) => {
      if (event.pointerId === pointer) pointer = null;
    };
    canvas.addEventListener('pointerup', end);
    canvas.addEventListener('pointercancel', end);
    drawn.querySelector('[data-clear]').addEventListener('click', () => {
      strokes.length = 0;
      returned = null;
      tell('');
      repaint();
    });
    if (field('signature_data').value.startsWith('data:image/png;')) {
      const image = new Image();
      image.addEventListener('load', () => {
        if (strokes.length === 0) returned = image;
        if (is_drawn()) repaint();
      });
      image.src = field('signature_data').value;
    }
    for (const each of form.querySelectorAll('input[name=way]')) each.addEventListener('change', show_way);
    window.addEventListener('resize', () => {
      if (is_drawn()) repaint();
    });
    show_way();
  }

  form.addEventListener('submit', (event) => {
    field('shown_seconds').value = String(Math.round((Date.now() - began) / 1000));
    try {
      field('time_zone').value = Intl.DateTimeFormat().resolvedOptions().timeZone || '';
    } catch {
      field('time_zone').value = '';
    }
    const before = returned ? returned.src : '';
    field('signature_data').value = '';
    if (!is_drawn()) return;
    const data = strokes.length > 0 ? picture() : before;
    if (!data) {
      event.preventDefault();
      tell(drawn.dataset.empty);
      field('way').item?.(1)?.focus();
      drawn.scrollIntoView({ block: 'center' });
      return;
    }
    field('signature_data').value = data;
  });
}
