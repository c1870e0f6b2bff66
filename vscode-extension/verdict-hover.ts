/** The hover on the name of a model or property: its last answer, how old it is, and what else can be done with it. */
import * as vscode from 'vscode';
import {
    CHECK_PROPERTY_COMMAND,
    EXPLORE_ALL_COMMAND,
    OPEN_RUN_COMMAND,
    SHOW_SYMMETRIES_COMMAND,
    STEP_COMMAND,
} from '../language-server/protocol.js';
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
                const texts =
                    items?.flatMap(item => [
                        ...(item.answer ? [describe(uri, item, item.answer)] : []),
                        ...(item.kind === 'model' ? [commandsOf(uri, item)] : []),
                    ]) ?? [];
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
    markdown.appendText(isStale ? `${said}, before the edit` : said);
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

/** `Explore without symmetry · Step through · Show symmetries · Check deadlock`: what the lens has no room for. */
function commandsOf(uri: string, { name, isProperty }: ResultItem): vscode.MarkdownString {
    const commands: readonly (readonly [title: string, command: string, ...others: string[]])[] = [
        ['Explore without symmetry', EXPLORE_ALL_COMMAND],
        ['Step through', STEP_COMMAND],
        ['Show symmetries', SHOW_SYMMETRIES_COMMAND],
        ...(isProperty ? [['Check deadlock', CHECK_PROPERTY_COMMAND, name] as const] : []),
    ];
    const links = commands.map(
        ([title, command, ...others]) =>
            `[${title}](command:${command}?${encodeURIComponent(JSON.stringify([uri, ...others]))})`,
    );
    const markdown = new vscode.MarkdownString(links.join(' · '));
    markdown.isTrusted = { enabledCommands: commands.map(([, command]) => command) };
    return markdown;
}

/** `just now`, `2 minutes ago`, `3 days ago`. */
function formatAge(milliseconds: number): string {
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
