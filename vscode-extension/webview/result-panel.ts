/**
 * The result of an exploration: verdict, counts, and a run for each violation. The extension sends the content
 * (messages.ts), the panel sends clicks. The selected step survives an update of the same run, and hiding the panel.
 */
import { formatBytes, formatCount, formatPlainValue, formatViolation } from '../../engine/describe/words.js';
import { isProblemsDocument } from '../../language-server/protocol.js';
import type {
    ExploreDocument,
    ExploreProgress,
    ReasonLine,
    TraceEntry,
    Violation,
} from '../../language-server/protocol.js';
import { button, element, extensionHost, withCode } from './elements.js';
import type { ContentMessage, RunContent } from './messages.js';
import { headerOf, lineLink, problemList } from './shared-parts.js';
import { describeRun, explain, formatStep, NO_VALUE, notesOn, subtitleOf } from './wording.js';

/** The selected step of a violation in a run. */
interface Selection {
    readonly runId: string;
    readonly violation: number;
    readonly step: number;
}

const root = document.getElementById('root') as HTMLElement;
let content: RunContent | undefined;
let selection = extensionHost.getState() as Selection | undefined;
let showsAllVariables = true;

window.addEventListener('message', (event: MessageEvent<ContentMessage<RunContent>>) => {
    content = event.data.content;
    if (selection?.runId !== content.runId) {
        selection = undefined;
    }
    render();
});
extensionHost.postMessage({ kind: 'ready' });

/** Renders everything again, and keeps the focus and the scroll positions. */
function render(): void {
    if (content === undefined) {
        return;
    }
    if (content.run.kind === 'running' && root.dataset['running'] === content.runId) {
        renderProgress(content);
        return;
    }
    root.dataset['running'] = content.run.kind === 'running' ? content.runId : '';
    const focused = document.activeElement?.id;
    const scrolled = [...root.querySelectorAll('.steps, .state')].map(list => list.scrollTop);
    root.replaceChildren(...partsOf(content));
    root.querySelectorAll('.steps, .state').forEach((list, index) => (list.scrollTop = scrolled[index] ?? 0));
    if (focused !== undefined && focused !== '') {
        document.getElementById(focused)?.focus({ preventScroll: true });
    }
}

/** Renders the changing parts during a run. The button stays: a click is lost if its element is replaced. */
function renderProgress(shown: RunContent): void {
    partsOf(shown)
        .slice(0, RUNNING_PARTS)
        .forEach((part, index) => root.children[index]?.replaceWith(part));
}

/** The header and the counts come before the button. */
const RUNNING_PARTS = 2;

function partsOf(shown: RunContent): readonly Node[] {
    const { run } = shown;
    switch (run.kind) {
        case 'running':
            return [
                headerOf({ ...shown, mark: 'running', title: run.isCancelling ? 'Cancelling …' : 'Exploring …' }),
                progressPart(shown.reduction, run.progress),
                actions(button('Cancel', { id: 'cancel' }, () => extensionHost.postMessage({ kind: 'cancel' }))),
            ];
        case 'cancelled':
            return [
                headerOf({ ...shown, mark: 'undecided', title: 'Cancelled' }),
                progressPart(shown.reduction, run.progress),
                exploreActions(),
            ];
        case 'failed':
            return [
                headerOf({ ...shown, mark: 'violated', title: 'The exploration failed' }),
                element('p', { role: 'alert' }, run.message),
                exploreActions(),
            ];
        case 'finished':
            return isProblemsDocument(run.document)
                ? [
                      headerOf({ ...shown, mark: 'violated', title: 'The model has errors' }),
                      problemList(run.document.problems),
                      exploreActions(),
                  ]
                : finishedParts(shown, run.document);
    }
}

const VERDICT_TITLES = { holds: 'Holds', violated: 'Violated', undecided: 'Undecided' } as const;

function finishedParts(shown: RunContent, result: ExploreDocument): readonly Node[] {
    return [
        headerOf({
            ...shown,
            mark: result.verdict,
            title:
                result.violations[0] === undefined
                    ? VERDICT_TITLES[result.verdict]
                    : formatViolation(result.violations[0]),
            subtitle: subtitleOf(result, shown.property),
        }),
        ...reasonParts(result.violations[0]),
        element('p', { id: 'explanation' }, ...withCode(explain(result, shown.property))),
        figures([
            ['states', 'States', formatCount(result.states)],
            ['transitions', 'Transitions', formatCount(result.transitions)],
            ['depth', 'Depth', formatCount(result.depth)],
            ...endStates(result),
            ['seconds', 'Seconds', result.seconds.toFixed(result.seconds < 10 ? 2 : 0)],
            ['group', 'Group', result.reduction.order === '1' ? 'none' : result.reduction.group],
            ['order', 'Symmetries', formatCount(result.reduction.order)],
            ['memory', 'Memory', formatBytes(result.peakBytes, 'B')],
        ]),
        ...notesOn(result).map((note, index) => element('p', { id: `note-${index}`, class: 'muted' }, note)),
        exploreActions(),
        ...result.violations.map((violation, index) => violationPart(shown.runId, violation, index)),
    ];
}

/** States in which nothing can happen: under a verdict that holds they are meant. */
function endStates({ deadlocks, verdict }: ExploreDocument): readonly (readonly [string, string, string])[] {
    const title = verdict === 'holds' ? 'End states (allowed)' : 'Deadlocks';
    return deadlocks === 0 ? [] : [['deadlocks', title, formatCount(deadlocks)]];
}

function progressPart(reduction: string, progress: ExploreProgress | undefined): Node {
    if (progress === undefined || progress.states === 0) {
        const isAnalyzing = reduction !== 'none' && progress?.phase !== 'explore';
        const what = isAnalyzing ? 'Finding the symmetries of the model …' : 'Preparing the search …';
        return element('p', { id: 'phase' }, what);
    }
    return figures([
        ['states', 'States', formatCount(progress.states)],
        ['transitions', 'Transitions', formatCount(progress.transitions)],
        ['depth', 'Depth', formatCount(progress.depth)],
        ['frontier', 'Waiting', formatCount(progress.frontier)],
        ['rate', 'States/s', formatCount(Math.round(progress.statesPerSecond))],
        ...(progress.statesPerOrbit === undefined
            ? []
            : [['gain', 'States each', `about ${formatCount(Math.round(progress.statesPerOrbit))}`] as const]),
        ['memory', 'Memory', formatBytes(progress.memoryBytes, 'B')],
        ['seconds', 'Seconds', (progress.elapsedMilliseconds / 1000).toFixed(1)],
    ]);
}

/** Counts as a list of terms: [id, name, value]. */
function figures(entries: readonly (readonly [string, string, string])[]): Node {
    const items = entries.map(([id, name, value]) =>
        element('div', {}, element('dt', {}, name), element('dd', { id: `figure-${id}` }, value)),
    );
    return element('dl', { class: 'figures' }, ...items);
}

function actions(...buttons: readonly Node[]): Node {
    return element('div', { class: 'actions' }, ...buttons);
}

function exploreActions(): Node {
    const reduced = button('Explore reduced', { id: 'explore-reduced' }, () =>
        extensionHost.postMessage({ kind: 'explore', reduction: 'unique' }),
    );
    const all = button('Explore all', { id: 'explore-all', class: 'secondary' }, () =>
        extensionHost.postMessage({ kind: 'explore', reduction: 'none' }),
    );
    return actions(reduced, all);
}

const KIND_TITLES = {
    deadlock: 'Deadlock',
    invariant: 'Invariant violated',
    property: 'Property violated',
    fault: 'Fault',
} as const;

function violationPart(runId: string, violation: Violation, index: number): Node {
    const selectedStep =
        selection?.violation === index && selection.runId === runId ? selection.step : violation.trace.length - 1;
    const isNamed = violation.kind !== 'deadlock' && violation.name !== '';
    const title = KIND_TITLES[violation.kind] + (isNamed ? `: ${violation.name}` : '');
    const select = (step: number): void => {
        selection = { runId, violation: index, step };
        extensionHost.setState(selection);
        render();
        document.getElementById(stepId(index, step))?.scrollIntoView({ block: 'nearest' });
        reveal(violation, step);
    };
    const run = describeRun(violation.trace.length - 1, violation.copies ?? '1');
    const heading = element('h2', {}, title, ' ', element('span', { class: 'muted' }, run));
    return element(
        'section',
        { class: 'violation', 'aria-label': title },
        heading,
        ...(index > 0 ? reasonParts(violation) : []),
        element(
            'div',
            { class: 'trace' },
            stepList(violation, index, selectedStep, select),
            stateTable(violation, selectedStep),
        ),
    );
}

/** Why it is a violation, each line with its place; lines that say the same are folded. */
function reasonParts(violation: Violation | undefined): readonly Node[] {
    const lines = violation?.reason ?? [];
    return lines.length === 0 ? [] : [element('div', { class: 'reason' }, ...lines.map(reasonLine))];
}

function reasonLine({ text, location, alike }: ReasonLine): Node {
    const link = location === undefined ? [] : [' ', lineLink(location)];
    const folded =
        alike === undefined
            ? undefined
            : element(
                  'details',
                  {},
                  element('summary', { class: 'muted' }, alike.text),
                  ...alike.lines.map(reasonLine),
              );
    return element('div', {}, element('p', {}, ...withCode(text), ...link), folded);
}

function stepId(violation: number, step: number): string {
    return `step-${violation}-${step}`;
}

/** Shows the selected step in the text; for the initial state, the violated property. */
function reveal(violation: Violation, step: number): void {
    const location = violation.trace[step]?.step?.location ?? violation.location;
    extensionHost.postMessage({ kind: 'reveal', location });
}

/** The steps of a run, one of them selected. Up, Down, Home and End move; a click selects and shows the source. */
function stepList(violation: Violation, index: number, selected: number, select: (step: number) => void): Node {
    const last = violation.trace.length - 1;
    const rows = violation.trace.map((entry, step) => {
        const row = element(
            'li',
            {
                id: stepId(index, step),
                role: 'option',
                'aria-selected': String(step === selected),
                tabindex: step === selected ? '0' : '-1',
            },
            element('span', { class: 'number' }, String(step)),
            element(
                'span',
                { class: 'what', title: entry.step?.process },
                entry.step === null ? 'initial state' : formatStep(entry.step),
            ),
            element('span', { class: 'changes muted' }, changesOf(entry)),
            violation.loopStart === step ? element('span', { class: 'loop' }, 'loop starts') : undefined,
        );
        row.addEventListener('click', () => select(step));
        return row;
    });
    const list = element('ol', { class: 'steps', role: 'listbox', 'aria-label': 'Steps of the run' }, ...rows);
    list.addEventListener('keydown', event => {
        const target = { ArrowUp: selected - 1, ArrowDown: selected + 1, Home: 0, End: last, Enter: selected }[
            event.key
        ];
        if (target !== undefined) {
            event.preventDefault();
            const step = Math.max(0, Math.min(last, target));
            document.getElementById(stepId(index, step))?.focus();
            select(step);
        }
    });
    return list;
}

const SHOWN_CHANGES = 4;

/** The first few changes of a step: `token[0] := 1`. */
function changesOf(entry: TraceEntry): string {
    const changes = entry.changed
        .slice(0, SHOWN_CHANGES)
        .map(name => `${name} := ${formatPlainValue(entry.state[name], NO_VALUE)}`);
    return entry.changed.length > SHOWN_CHANGES ? `${changes.join(', ')}, …` : changes.join(', ');
}

/** The states before and after the selected step; changes are marked by more than their color. */
function stateTable(violation: Violation, selected: number): Node {
    const entry = violation.trace[selected];
    if (entry === undefined) {
        return element('p', {}, 'This run is empty.');
    }
    const before = violation.trace[selected - 1];
    const changed = new Set(entry.changed);
    const names = Object.keys(entry.state).filter(
        name => showsAllVariables || before === undefined || changed.has(name),
    );
    const rows = names.map(name =>
        element(
            'tr',
            changed.has(name) ? { class: 'changed' } : {},
            element('th', { scope: 'row' }, name),
            before === undefined
                ? undefined
                : element('td', { class: 'before' }, formatPlainValue(before.state[name], NO_VALUE)),
            element('td', { class: 'now' }, formatPlainValue(entry.state[name], NO_VALUE)),
        ),
    );
    const headings = before === undefined ? ['Variable', 'Initially'] : ['Variable', 'Before', 'After'];
    const header = element('tr', {}, ...headings.map(heading => element('th', { scope: 'col' }, heading)));
    const filter = element('input', { type: 'checkbox', id: 'only-changes' });
    filter.checked = !showsAllVariables;
    filter.addEventListener('change', () => {
        showsAllVariables = !filter.checked;
        render();
    });
    return element(
        'div',
        { class: 'state' },
        element('label', {}, filter, ' Only what changed'),
        element('table', {}, element('thead', {}, header), element('tbody', {}, ...rows)),
    );
}
