// English in other letters, for tests: en-XA is accented and a third longer, as German would be; ar-XB is written from
// right to left in Arabic letters. What stays in plain letters was not translated.
const accented = 'àƀçđéƒğĥïĵķļɱñöþǫŕšţüṽŵẋýžÀƁÇÐÉƑĞĤÏĴĶĻṀÑÖÞǪŔŠŢÜṼŴẊÝŽ';
const arabic = 'ابتدهفغحيجكلمنوپقرسطعڤشخثز';
const latin = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

// Everything but what stands in braces as an argument's name or a plural's keyword.
function letters(text: string, of: (letter: string) => string): string {
  let depth = 0;
  let out = '';
  for (const one of text) {
    if (one === '{') depth += 1;
    else if (one === '}') depth -= 1;
    out += depth % 2 === 0 ? of(one) : one;
  }
  return out;
}

export function pseudo(locale: string): (text: string) => string {
  const alphabet = locale === 'ar-XB' ? arabic + arabic : accented;
  const at = (one: string) => {
    const index = latin.indexOf(one);
    return index < 0 ? one : [...alphabet][index]!;
  };
  return (text) => {
    const written = letters(text, at);
    return locale === 'ar-XB' ? written : `[${written}${'~'.repeat(Math.ceil(text.length / 3))}]`;
  };
}
