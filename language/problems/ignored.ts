/**
 * Warnings that the text ignores: `// orbit-ignore unused/constant` at the end of the line, or on a line of its own
 * before it. Several codes are separated by commas; text behind them is a comment. An error is never ignored.
 */
import { remembered } from '../../engine/common/list-map.js';
import type { Problem } from '../../engine/common/problem.js';

const DIRECTIVE = /^(.*?)\/\/.*?\borbit-ignore\s+([\w-]+\/[\w-]+(?:\s*,\s*[\w-]+\/[\w-]+)*)/;

/** The problems that their texts do not ignore. `textOf` gives a text by its URI. */
export function withoutIgnored(problems: readonly Problem[], textOf: (uri: string) => string | undefined): Problem[] {
    const ignored = new Map<string, ReadonlyMap<number, readonly string[]>>();
    return problems.filter(({ severity, code, range }) => {
        if (severity === 'error') {
            return true;
        }
        const lines = remembered(ignored, range.uri, () => ignoredLines(textOf(range.uri) ?? ''));
        return lines.get(range.start.line)?.includes(code) !== true;
    });
}

/** The ignored codes of each line, counted from 0. */
function ignoredLines(text: string): Map<number, string[]> {
    const result = new Map<number, string[]>();
    if (!text.includes('orbit-ignore')) {
        return result;
    }
    const lines = text.split(/\r?\n/);
    lines.forEach((line, index) => {
        const [, before, codes] = DIRECTIVE.exec(line) ?? [];
        if (before === undefined || codes === undefined) {
            return;
        }
        const target = before.trim() === '' ? nextWithText(lines, index) : index;
        result.set(target, [...(result.get(target) ?? []), ...codes.split(',').map(code => code.trim())]);
    });
    return result;
}

/** The first line behind the comment. */
function nextWithText(lines: readonly string[], index: number): number {
    let next = index + 1;
    while (/^\s*\/\//.test(lines[next] ?? '')) {
        next++;
    }
    return next;
}
