/** Creates a function that returns an unused name: the wanted one, or the next free one of `name_2`, `name_3`, … */
export function createFreeNames(taken: Iterable<string> = []): (wanted: string) => string {
  const names = new Set(taken);
  const counts = new Map<string, number>();
  return (wanted) => {
    let name = wanted;
    // Counting continues where it stopped, so that many similar names take little time.
    for (let count = counts.get(wanted) ?? 2; names.has(name); count += 1) {
      name = `${wanted}_${count}`;
      counts.set(wanted, count + 1);
    }
    names.add(name);
    return name;
  };
}
