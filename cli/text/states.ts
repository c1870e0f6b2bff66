/** States and values, as results for people show them. */
import { appendTo } from '../../engine/common/list-map.js';
import type { DocumentValue } from '../../language-server/protocol.js';
import type { TextStyle } from './layout.js';

/** The name of the model, and the values of its parameters. */
export function formatTitle(model: string, params: Readonly<Record<string, DocumentValue>>, style: TextStyle): string {
    const values = Object.entries(params).map(([name, value]) => `${name} = ${formatValueText(value)}`);
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
        const values = new Set(cells.map(([, value]) => formatValueText(value)));
        return values.size === 1 && cells.length > 1 && !withoutValue.has(pattern)
            ? `${pattern} = ${[...values].join('')}`
            : cells.map(([name, value]) => `${name} = ${formatValueText(value)}`).join('  ');
    });
}

function patternOf(name: string): string {
    return name.replaceAll(/\[[^\]]*\]/g, '[*]');
}

/** A cell without a value (a dead local, an unused slot) shows as a dash. */
export function formatValueText(value: DocumentValue): string {
    if (value === null) {
        return '-';
    }
    if (typeof value !== 'object') {
        return String(value);
    }
    return isList(value)
        ? `[${value.map(formatValueText).join(', ')}]`
        : `(${Object.entries(value)
              .map(([field, part]) => `${field}: ${formatValueText(part)}`)
              .join(', ')})`;
}

function isList(value: DocumentValue): value is readonly DocumentValue[] {
    return Array.isArray(value);
}
