/** A run as a text for other programs and for readers: CSV as RFC 4180 has it, and Markdown. */
import { instanceAt } from '../../engine/describe/shown-state.js';
import { formatPlainValue } from '../../engine/describe/words.js';
import type { TraceEntryDocument } from '../../language-server/document-schema.js';
import { labelOf, rowsOf } from './trace-rows.js';
import { NO_VALUE_MARK } from './wording.js';

/** A line for each state, a column for each name. */
export function toCsv(entries: readonly TraceEntryDocument[]): string {
    const names = [...new Set(entries.flatMap(({ state }) => Object.keys(state)))];
    const lines = entries.map(({ step, state }, index) => [
        String(index),
        step?.process ?? '',
        step === null ? '' : labelOf(step),
        ...names.map(name => (name in state ? formatPlainValue(state[name], '') : '')),
    ]);
    return [['step', 'process', 'label', ...names], ...lines]
        .map(line => `${line.map(quoteField).join(',')}\r\n`)
        .join('');
}

export function quoteField(field: string): string {
    return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

/** A heading, the reason, a table with a line for each step, and how the run goes on. */
export function toMarkdown(
    title: string,
    reason: readonly string[],
    entries: readonly TraceEntryDocument[],
    end?: string,
): string {
    const lines = rowsOf(entries).map(({ movers, label, note, location }, index) => {
        const changed = entries[index]?.changed.filter(name => instanceAt(name) !== undefined) ?? [];
        const control = changed.map(
            name => `${name} = ${formatPlainValue(entries[index]?.state[name], NO_VALUE_MARK)}`,
        );
        const cells = [
            String(index),
            movers.length === 0 ? 'start' : code(movers.join(' · ')),
            label === '' ? '' : code(label),
            [note, ...control]
                .filter(part => part !== '')
                .map(code)
                .join(' '),
            location === undefined ? '' : `line ${location.line}`,
        ];
        return `| ${cells.join(' | ')} |`;
    });
    const table = ['| | who | step | what changes | |', '|---|---|---|---|---|', ...lines];
    return [
        `## ${title}`,
        '',
        ...reason.map(line => `- ${line}`),
        ...(reason.length > 0 ? [''] : []),
        ...table,
        '',
        ...(end === undefined ? [] : [end, '']),
    ].join('\n');
}

function code(text: string): string {
    return `\`${text.replaceAll('|', '\\|')}\``;
}
