// Rich text as the server keeps it: paragraphs, headings, lists, quotes, links, bold and italic. A text with anything else
// is edited as HTML, so that nothing is lost by opening it. Its words are given (form.tsx): most of the editor is the same
// in each language, and so is this file's bundle.
import { Link } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { baseKeymap, chainCommands, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands';
import { history, redo, undo } from 'prosemirror-history';
import { DOMParser as Reader, DOMSerializer, Schema } from 'prosemirror-model';
import { splitListItem, wrapInList } from 'prosemirror-schema-list';
import { type Command, EditorState, Plugin } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import { useEffect, useRef, useState } from 'preact/hooks';

const schema = new Schema({
  nodes: {
    doc: { content: 'block+' },
    paragraph: { content: 'inline*', group: 'block', parseDOM: [{ tag: 'p' }], toDOM: () => ['p', 0] },
    heading: {
      attrs: { level: { default: 3 } },
      content: 'inline*',
      group: 'block',
      defining: true,
      parseDOM: [2, 3, 4].map((level) => ({ tag: `h${level}`, attrs: { level } })),
      toDOM: (node) => [`h${node.attrs.level}`, 0],
    },
    blockquote: {
      content: 'block+',
      group: 'block',
      parseDOM: [{ tag: 'blockquote' }],
      toDOM: () => ['blockquote', 0],
    },
    bullet_list: { content: 'list_item+', group: 'block', parseDOM: [{ tag: 'ul' }], toDOM: () => ['ul', 0] },
    ordered_list: { content: 'list_item+', group: 'block', parseDOM: [{ tag: 'ol' }], toDOM: () => ['ol', 0] },
    list_item: { content: 'paragraph block*', defining: true, parseDOM: [{ tag: 'li' }], toDOM: () => ['li', 0] },
    text: { group: 'inline' },
    hard_break: { inline: true, group: 'inline', selectable: false, parseDOM: [{ tag: 'br' }], toDOM: () => ['br'] },
  },
  marks: {
    link: {
      attrs: { href: {} },
      inclusive: false,
      parseDOM: [{ tag: 'a[href]', getAttrs: (node) => ({ href: (node as HTMLElement).getAttribute('href') }) }],
      toDOM: (mark) => ['a', { href: mark.attrs.href }, 0],
    },
    strong: { parseDOM: [{ tag: 'strong' }, { tag: 'b' }], toDOM: () => ['strong', 0] },
    em: { parseDOM: [{ tag: 'em' }, { tag: 'i' }], toDOM: () => ['em', 0] },
  },
});
const known = new Set(['P', 'H2', 'H3', 'H4', 'BLOCKQUOTE', 'UL', 'OL', 'LI', 'BR', 'A', 'STRONG', 'B', 'EM', 'I']);

// The keys that these nodes need. Letters count by their place where the keyboard writes no Latin ones.
const keys: Record<string, Command> = {
  ...baseKeymap,
  'Mod-z': undo,
  'Mod-y': redo,
  'Mod-Shift-z': redo,
  'Mod-b': toggleMark(schema.marks.strong!),
  'Mod-i': toggleMark(schema.marks.em!),
  Enter: chainCommands(splitListItem(schema.nodes.list_item!), baseKeymap.Enter!),
};
const apple = /Mac|iP(hone|[oa]d)/.test(navigator.platform);
function key_of(event: KeyboardEvent): string {
  const letter = event.key.length > 1 || /^[a-z]$/i.test(event.key) ? event.key : event.code.replace(/^Key/, '');
  const name = letter.length === 1 ? letter.toLowerCase() : letter;
  return (
    ((apple ? event.metaKey : event.ctrlKey) ? 'Mod-' : '') +
    (event.altKey ? 'Alt-' : '') +
    (event.shiftKey ? 'Shift-' : '') +
    name
  );
}
const keyboard = new Plugin({
  props: { handleKeyDown: (view, event) => !!keys[key_of(event)]?.(view.state, view.dispatch, view) },
});

// The page's policy takes HTML from here alone: it is parsed into a document that is never shown and runs nothing.
const policy = (window as any).trustedTypes?.createPolicy('svc', { createHTML: (text: string) => text });
function parsed(html: string): HTMLElement {
  return new DOMParser().parseFromString(policy ? policy.createHTML(html) : html, 'text/html').body;
}

// Whether opening and saving it loses nothing.
export function is_plain(html: string): boolean {
  return [...parsed(html).querySelectorAll('*')].every(
    (one) =>
      known.has(one.tagName) &&
      [...one.attributes].every((attribute) => one.tagName === 'A' && attribute.name === 'href'),
  );
}

function written(state: EditorState): string {
  const box = document.createElement('div');
  box.append(DOMSerializer.fromSchema(schema).serializeFragment(state.doc.content));
  return box.textContent?.trim() ? box.innerHTML : '';
}

const { nodes, marks } = schema;
const link =
  (asked: string): Command =>
  (state, dispatch, view) => {
    if (!dispatch) return !state.selection.empty;
    const has = state.doc.rangeHasMark(state.selection.from, state.selection.to, marks.link!);
    const href = has ? null : prompt(asked, 'https://');
    if (!has && !href) return false;
    return toggleMark(marks.link!, href ? { href } : undefined)(
      state,
      (view ?? { dispatch }).dispatch.bind(view ?? undefined),
    );
  };
export interface Says {
  format: string; // what the tools do
  address: string; // asked for a link
  tools: string[]; // the names of `tools`
}
const tools: { shown: ComponentChildren; run: (says: Says) => Command }[] = [
  { shown: 'B', run: () => toggleMark(marks.strong!) },
  { shown: 'I', run: () => toggleMark(marks.em!) },
  { shown: 'H', run: () => setBlockType(nodes.heading!, { level: 3 }) },
  { shown: '¶', run: () => setBlockType(nodes.paragraph!) },
  { shown: '•', run: () => wrapInList(nodes.bullet_list!) },
  { shown: '1.', run: () => wrapInList(nodes.ordered_list!) },
  { shown: '”', run: () => wrapIn(nodes.blockquote!) },
  { shown: <Link size={15} aria-hidden />, run: (says) => link(says.address) },
];

interface RichTextProps {
  value: string;
  set: (html: string) => void;
  labelledby: string;
  invalid?: boolean;
  says: Says;
}
export default function RichText({ value, set, labelledby, invalid, says }: RichTextProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const told = useRef<string[]>([]); // what was typed and did not come back as `value` yet
  const [rich] = useState(() => is_plain(value));
  const change = useRef(set);
  change.current = set;
  const state_of = (html: string) =>
    EditorState.create({
      doc: Reader.fromSchema(schema).parse(parsed(html)),
      plugins: [history(), keyboard],
    });
  useEffect(() => {
    if (!rich) return;
    const made = new EditorView(place.current, {
      state: state_of(value),
      attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-labelledby': labelledby },
      dispatchTransaction(transaction) {
        made.updateState(made.state.apply(transaction));
        if (!transaction.docChanged) return;
        const now = written(made.state);
        told.current.push(now);
        change.current(now);
      },
    });
    view.current = made;
    return () => made.destroy();
  }, []);
  // Discarded, or saved and cleaned by the server: what is stored is shown. What was typed comes back late where somebody
  // types fast, and is no change.
  useEffect(() => {
    if (!view.current) return;
    const at = told.current.indexOf(value);
    told.current = at < 0 ? [] : told.current.slice(at + 1);
    if (at < 0 && value !== written(view.current.state)) view.current.updateState(state_of(value));
  }, [value]);
  if (!rich)
    return (
      <textarea
        class="svc-code"
        rows={8}
        aria-labelledby={labelledby}
        aria-invalid={invalid}
        value={value}
        onInput={(event) => set(event.currentTarget.value)}
      />
    );
  return (
    <div class={`svc-rich ${invalid ? 'svc-invalid' : ''}`}>
      <div role="toolbar" aria-label={says.format}>
        {tools.map(({ shown, run }, at) => (
          <button
            key={at}
            type="button"
            title={says.tools[at]}
            aria-label={says.tools[at]}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => {
              run(says)(view.current!.state, view.current!.dispatch.bind(view.current), view.current!);
              view.current!.focus();
            }}
          >
            {shown}
          </button>
        ))}
      </div>
      <div ref={place} />
    </div>
  );
}
