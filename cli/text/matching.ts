/** What came of a log: the run behind it, or the first line that fits nothing with what stands against it. */
import { listed } from '../../engine/common/listed.js';
import type { LogDocument } from '../../language-server/document-schema.js';
import { formatLogResult, formatMisfit, formatPossible } from '../../language-server/log-words.js';
import type { TextStyle } from './layout.js';
import { formatTrace } from './traces.js';

export function formatLog(document: LogDocument, isShort: boolean, style: TextStyle): string {
    const { colors } = style;
    const lines = [`${document.file}: ${colored(document, style)}`];
    if (!isShort) {
        lines.push(...formatPossible(document).map(line => `  ${line}`));
        if (document.misfit !== undefined) {
            lines.push(...formatMisfit(document.misfit, step => `--hide ${step}`).map(({ text }) => `  ${text}`));
        }
        if (document.names.length > 0) {
            lines.push(`  ${document.names.map(({ name, value }) => `${name} = ${value}`).join(', ')}`);
        }
        if (document.ignoredKeys.length > 0) {
            lines.push(colors.dim(`  keys that say nothing of the model: ${document.ignoredKeys.join(', ')}`));
        }
    }
    const run = isShort || document.trace.length === 0 ? '' : `\n${formatTrace(document, style)}`;
    return `${lines.join('\n')}\n${run}`;
}

function colored(document: LogDocument, { colors }: TextStyle): string {
    const result = formatLogResult(document);
    switch (document.verdict) {
        case 'fits':
            return colors.green(result);
        case 'undecided':
            return colors.yellow(result);
        case 'misfit':
        case 'violated':
            return colors.bold(colors.red(result));
    }
}

export function formatUnshown(steps: readonly string[]): string {
    return steps.length === 0 ? 'every step was shown\n' : `no log has shown ${listed([...steps])}\n`;
}
