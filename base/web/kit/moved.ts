// A list with one of its entries at another place.
export function moved<T>(list: T[], from: number, to: number): T[] {
  const next = [...list];
  const [one] = next.splice(from, 1);
  next.splice(Math.max(0, Math.min(next.length, to)), 0, one!);
  return next;
}
