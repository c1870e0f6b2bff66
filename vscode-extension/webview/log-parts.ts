/** What came of a log: its verdict, what stands against the line that fits nothing, and what would mend it. */
import { formatCount, formatLargeCount } from '../../engine/describe/words.js';
import type { DocumentLocation, LogDocument, MisfitDocument } from '../../language-server/document-schema.js';
import {
    formatInstead,
    formatLogResult,
    formatPossible,
    formatRefusals,
    formatRepair,
    REPAIRS_LEFT,
} from '../../language-server/log-words.js';
import { element, withCode } from './elements.js';
import type { LogRun } from './messages.js';
import { lineLink, type Header } from './shared-parts.js';

/** The title of the panel with its mark. */
export function titleOfLog({ answer }: LogRun): Pick<Header, 'mark' | 'title'> {
    switch (answer.kind) {
        case 'judged': {
            const { verdict } = answer.document;
            const mark = verdict === 'fits' ? 'holds' : verdict === 'undecided' ? 'undecided' : 'violated';
            return { mark, title: capitalized(formatLogResult(answer.document)) };
        }
        case 'model':
            return { mark: 'violated', title: 'The model has errors' };
        case 'mapping':
            return { mark: 'violated', title: 'The mapping cannot be read' };
        case 'log':
            return { mark: 'violated', title: `Line ${answer.line} of the log cannot be read` };
    }
}

/** A place in the log; undefined for a document of spans, which has no line for each. */
export function placeInLog({ log, answer }: LogRun, line: number): DocumentLocation | undefined {
    return answer.kind === 'judged' && answer.isOfSpans
        ? undefined
        : { file: log, line, column: 1, endLine: line, endColumn: 1 };
}

/** The lines below the title. */
export function reasonsOfLog(run: LogRun): readonly Node[] {
    const { answer, mappingName } = run;
    switch (answer.kind) {
        case 'model':
            return [];
        case 'mapping':
            return [element('p', {}, ...withCode(`${mappingName}: ${answer.message}`))];
        case 'log':
            return [lineOf(run, answer.message, answer.line)];
        case 'judged': {
            const { document, ended } = answer;
            return [
                ...(ended === undefined
                    ? []
                    : [lineOf(run, `the time was over before line ${ended}: the lines up to there fit`, ended)]),
                ...(document.misfit === undefined ? [] : misfitLines(run, document.misfit)),
                ...formatPossible(document).map(text => element('p', {}, text)),
            ];
        }
    }
}

function misfitLines(run: LogRun, misfit: MisfitDocument): readonly Node[] {
    const [first, ...others] = formatRefusals(misfit);
    return [
        lineOf(run, first ?? 'no step of the model is what the line says', misfit.line),
        ...others.map(text => element('p', {}, ...withCode(text))),
        element('p', { class: 'muted' }, formatInstead(misfit)),
        ...misfit.repairs.map(repair => lineOf(run, formatRepair(repair, misfit), repair.line)),
        ...(misfit.areOthersLeft === true ? [element('p', { class: 'muted' }, REPAIRS_LEFT)] : []),
        ...misfit.hide.map(step =>
            element('p', {}, ...withCode(`\`${step}\` never occurs: name it in \`hide\` of ${run.mappingName}?`)),
        ),
    ];
}

/** A sentence with the way to a line of the log. */
function lineOf(run: LogRun, text: string, line: number): Node {
    const place = placeInLog(run, line);
    return element(
        'div',
        { class: 'reason-line' },
        element('p', {}, ...withCode(text)),
        place && lineLink(place, `log ${line}`),
    );
}

/** `alpha = 1, beta = 2`: the names of the log, and what they stand for in the run. */
export function namesOfLog({ names, ignoredKeys }: LogDocument): readonly Node[] {
    const meanings = names.map(({ name, value }) => `${name} = ${value}`).join(', ');
    return [
        ...(meanings === '' ? [] : [element('p', { id: 'names', class: 'muted about-log' }, `names: ${meanings}`)]),
        ...(ignoredKeys.length === 0
            ? []
            : [
                  element(
                      'p',
                      { class: 'muted about-log' },
                      `keys that say nothing of the model: ${ignoredKeys.join(', ')}`,
                  ),
              ]),
    ];
}

/** `5 lines fit · at most 15 states before a line · 6 symmetries` */
export function figuresOfLog({ lines, mostCandidates, symmetries }: LogDocument): Node {
    const parts = [
        `${formatCount(lines)} ${lines === 1 ? 'line fits' : 'lines fit'}`,
        `at most ${formatCount(mostCandidates)} ${mostCandidates === 1 ? 'state' : 'states'} before a line`,
        symmetries === '1' ? 'no symmetry used' : `${formatLargeCount(symmetries)} symmetries`,
    ];
    return element('p', { class: 'figures-line muted' }, parts.join(' · '));
}

function capitalized(text: string): string {
    return text.slice(0, 1).toUpperCase() + text.slice(1);
}
