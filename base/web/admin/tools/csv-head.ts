// The head of a table that somebody chose, for mapping its columns; the server reads the file itself, with its own eyes
// for encodings and separators.
const looked_at = 64 * 1024;

export function columns_of(text: string): string[] {
  const end = text.search(/\r?\n/);
  const head = end < 0 ? text : text.slice(0, end);
  const separator = [';', '\t', ',', '|'].map((one) => ({ one, times: head.split(one).length })).sort((a, b) => b.times - a.times)[0]!.one;
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < head.length; at += 1) {
    const letter = head[at]!;
    if (letter === '"') {
      if (quoted && head[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else quoted = !quoted;
    } else if (letter === separator && !quoted) {
      cells.push(cell.trim());
      cell = '';
    } else cell += letter;
  }
  return [...cells, cell.trim()].filter(Boolean);
}

export async function head_of(file: File): Promise<string[]> {
  const bytes = new Uint8Array(await file.slice(0, looked_at).arrayBuffer());
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return columns_of(new TextDecoder(encoding, { fatal: bytes.length < looked_at }).decode(bytes));
  } catch {
    return columns_of(new TextDecoder('windows-1252').decode(bytes));
  }
}

export function is_table(file: File): boolean {
  return !/\.(zip|json)$/i.test(file.name);
}
