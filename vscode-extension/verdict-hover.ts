/** The hover on the name of a model or property: its last answer, how old it is, and the way to its run. */
import * as vscode from 'vscode';
import { OPEN_RUN_COMMAND } from '../language-server/protocol.js';
import type { ResultAnswer, ResultItem } from '../language-server/protocol.js';
import type { Results } from './results.js';
import { toRange } from './source-location.js';

/** Registers the hover; the result unregisters it. */
export function registerVerdictHover(results: Results): vscode.Disposable {
    return vscode.languages.registerHoverProvider(
        { language: 'orbit' },
        {
            provideHover(document, position) {
                const uri = document.uri.toString();
                const items = results
                    .of(uri)
                    ?.items.filter(({ location }) => location.file === uri && toRange(location).contains(position));
                const texts = items?.flatMap(item => (item.answer ? [describe(uri, item, item.answer)] : [])) ?? [];
                return texts.length === 0
                    ? undefined
                    : new vscode.Hover(texts, items?.[0] && toRange(items[0].location));
            },
        },
    );
}

const ICONS = { holds: '$(pass)', violated: '$(error)', undecided: '$(question)' } as const;

/** `holds in 3,280 orbits, N = 5, 2 minutes ago`, `also N = 6, 7`. */
function describe(uri: string, { name, also }: ResultItem, answer: ResultAnswer): vscode.MarkdownString {
    const { verdict, summary, parameters, finishedAt, isStale, runId } = answer;
    const age = finishedAt === undefined ? '' : formatAge(Date.now() - finishedAt);
    const said = [summary, parameters, age].filter(part => part !== '').join(', ');
    const markdown = new vscode.MarkdownString('', true);
    markdown.isTrusted = { enabledCommands: [OPEN_RUN_COMMAND] };
    markdown.appendMarkdown(`${isStale ? '$(history)' : ICONS[verdict]} `);
    markdown.appendText(isStale ? `before the edit: ${said}` : said);
    if (also !== undefined) {
        markdown.appendMarkdown('\n\n');
        markdown.appendText(`also ${also}`);
    }
    if (runId !== undefined) {
        const target = encodeURIComponent(JSON.stringify([uri, name, runId]));
        markdown.appendMarkdown(`\n\n[Open run](command:${OPEN_RUN_COMMAND}?${target})`);
    }
    return markdown;
}

/** `just now`, `2 minutes ago`, `3 days ago`. */
export function formatAge(milliseconds: number): string {
    const minutes = Math.floor(milliseconds / 60_000);
    const ago = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'} ago`;
    if (minutes < 1) {
        return 'just now';
    }
    if (minutes < 60) {
        return ago(minutes, 'minute');
    }
    const hours = Math.floor(minutes / 60);
    return hours < 24 ? ago(hours, 'hour') : ago(Math.floor(hours / 24), 'day');
}
