/** States and values, as results for people show them. */
import { appendTo } from '../../engine/common/list-map.js';
import type { DocumentValue } from '../../language-server/protocol.js';
import { formatPlainValue } from '../../engine/describe/words.js';
import type { TextStyle } from './layout.js';

/** What stands for a cell without a value. */
export const NO_VALUE = '-';

/** The name of the model, and the values of its parameters. */
export function formatTitle(model: string, params: Readonly<Record<string, DocumentValue>>, style: TextStyle): string {
    const values = Object.entries(params).map(([name, value]) => `${name} = ${formatPlainValue(value, NO_VALUE)}`);
    return `${style.colors.bold(model)}${values.length === 0 ? '' : style.colors.dim(`  ${values.join(', ')}`)}`;
}

/**
 * A state in few lines, one for each variable: cells that differ in their indices only stand together, and where all
 * of them hold the same value they are one: `flag[*] = 0`. `names` are those of all cells that are known, for a state
 * leaves out the ones that hold no value.
 */
export function groupCells(state: Readonly<Record<string, DocumentValue>>, names: Iterable<string>): string[] {
    const groups = new Map<string, [string, DocumentValue][]>();
    for (const [name, value] of Object.entries(state)) {
        appendTo(groups, patternOf(name), [name, value]);
    }
    const withoutValue = new Set([...names].filter(name => !Object.hasOwn(state, name)).map(patternOf));
    return [...groups].map(([pattern, cells]) => {
        const values = new Set(cells.map(([, value]) => formatPlainValue(value, NO_VALUE)));
        return values.size === 1 && cells.length > 1 && !withoutValue.has(pattern)
            ? `${pattern} = ${[...values].join('')}`
            : cells.map(([name, value]) => `${name} = ${formatPlainValue(value, NO_VALUE)}`).join('  ');
    });
}

function patternOf(name: string): string {
    return name.replaceAll(/\[[^\]]*\]/g, '[*]');
}
