/** Names in a sentence: `a`, `a and b`, `a, b and c`; empty if there is none. */
export function listed(names: readonly string[], word = 'and'): string {
    return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
}
