/** States and values as text. */
import { appendTo } from '../../engine/common/list-map.js';
import { namePattern } from '../../engine/describe/shown-state.js';
import type { DocumentValue } from '../../language-server/document-schema.js';
import { formatPlainValue } from '../../engine/describe/words.js';
import type { TextStyle } from './layout.js';

/** The text for a cell without a value. */
export const ABSENT = '-';

/** The name of the model, and the values of its parameters. */
export function formatTitle(model: string, params: Readonly<Record<string, DocumentValue>>, style: TextStyle): string {
    const values = Object.entries(params).map(([name, value]) => `${name} = ${formatPlainValue(value, ABSENT)}`);
    return `${style.colors.bold(model)}${values.length === 0 ? '' : style.colors.dim(`  ${values.join(', ')}`)}`;
}

/**
 * A state in a few lines: cells that differ only in their indices stand together, and as one if all have the same
 * value: `flag[*] = 0`. `names` are the names of all known cells, because a state leaves out cells without a value.
 */
export function groupCells(state: Readonly<Record<string, DocumentValue>>, names: Iterable<string>): string[] {
    const groups = new Map<string, [string, DocumentValue][]>();
    for (const [name, value] of Object.entries(state)) {
        appendTo(groups, namePattern(name), [name, value]);
    }
    const withoutValue = new Set([...names].filter(name => !Object.hasOwn(state, name)).map(namePattern));
    return [...groups].map(([pattern, cells]) => {
        const values = new Set(cells.map(([, value]) => formatPlainValue(value, ABSENT)));
        return values.size === 1 && cells.length > 1 && !withoutValue.has(pattern)
            ? `${pattern} = ${[...values].join('')}`
            : cells.map(([name, value]) => `${name} = ${formatPlainValue(value, ABSENT)}`).join('  ');
    });
}
