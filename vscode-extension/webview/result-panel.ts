/**
 * The result of an exploration: verdict and reason first, what can be done, the run as evidence, then figures and earlier
 * runs. The extension sends the content (messages.ts), the panel sends clicks. What is chosen survives an update of the
 * same run, and hiding the panel.
 */
import { formatForEvery, formatProof, formatValues } from '../../engine/describe/for-every.js';
import {
    formatCount,
    formatLargeCount,
    formatSeconds,
    formatViolation,
    isRun,
    propertyNamed,
} from '../../engine/describe/words.js';
import { evidenceIn, firstEvidence, type Evidence } from './evidence.js';
import { isProblemsDocument } from '../../language-server/document-schema.js';
import type {
    DocumentTitle,
    ExploreDocument,
    SimulateDocument,
    UnfairStepDocument,
    ViolationDocument,
} from '../../language-server/document-schema.js';
import type { ExploreProgress } from '../../language-server/protocol.js';
import { button, element, extensionHost, oneStop, withCode } from './elements.js';
import { keep, showContent } from './frame.js';
import { figuresOfLog, namesOfLog, placeInLog, reasonsOfLog, titleOfLog } from './log-parts.js';
import type { EarlierRun, LogRun, RunContent, StepsMessage } from './messages.js';
import { headerOf, problemList, reasonLine, reductionChoice, warningList } from './shared-parts.js';
import { TraceView, type ViewState } from './trace-view.js';
import { ask, receiveSteps } from './what-now.js';
import {
    limitWords,
    describeRetraced,
    explain,
    explainFound,
    howChecked,
    notesOn,
    otherValuesOf,
    outcomesOf,
    parametersOf,
    repairsOf,
    titleOfFound,
} from './wording.js';

/** The choices of the reader in a run. */
interface Chosen extends ViewState {
    readonly runId: string;
    /** What the panel was opened for. */
    readonly wanted: string | undefined;
    /** The number of the run that the reader has chosen among several. */
    readonly violation: number | undefined;
}

const NOTHING_CHOSEN: Omit<Chosen, 'runId' | 'wanted'> = {
    violation: undefined,
    form: undefined,
    row: undefined,
    showsAll: false,
};

const root = document.getElementById('root') as HTMLElement;
let content: RunContent | undefined;
let { chosen } = (extensionHost.getState() ?? {}) as { readonly chosen?: Chosen };
/** The evidence that is shown: it is built once for a run, so that the reader's own steps stay. */
let evidence: { readonly key: string; readonly view: TraceView } | undefined;

showContent<RunContent, StepsMessage>(received => {
    content = received;
    const wanted = content.wanted ?? content.property;
    if (chosen?.runId !== content.runId || chosen.wanted !== wanted) {
        // Another run begins at its end, in the form that was chosen before.
        const { form, showsAll = false } = chosen ?? {};
        chosen = { ...NOTHING_CHOSEN, runId: content.runId, wanted, form, showsAll };
    }
    render(content);
}, receiveSteps);

/** Renders everything again, and keeps the focus. */
function render(shown: RunContent): void {
    if (shown.run.kind === 'running' && root.dataset['running'] === shown.runId) {
        renderProgress(shown);
        return;
    }
    root.dataset['running'] = shown.run.kind === 'running' ? shown.runId : '';
    const focused = document.activeElement?.id;
    root.replaceChildren(...partsOf(shown));
    evidence?.view.attached();
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
    const aside = asideOf(shown);
    switch (run.kind) {
        case 'running':
            return [
                headerOf({
                    ...shown,
                    aside,
                    mark: 'running',
                    title: run.isCancelling ? 'Cancelling …' : 'Exploring …',
                }),
                progressPart(shown.reduction, run.progress),
                actions(button('Cancel', { id: 'cancel' }, () => extensionHost.postMessage({ kind: 'cancel' }))),
            ];
        case 'cancelled':
            return [
                headerOf({ ...shown, aside, mark: 'undecided', title: 'Cancelled' }),
                progressPart(shown.reduction, run.progress),
                ...footOf(shown),
            ];
        case 'failed':
            return [
                headerOf({ ...shown, aside, mark: 'violated', title: 'The exploration failed' }),
                element('p', { role: 'alert' }, ...withCode(run.message)),
                ...footOf(shown),
            ];
        case 'walk':
            return [
                headerOf({ ...shown, aside, mark: 'symmetries', title: 'Step by step' }),
                evidenceOf(shown, run.document, undefined),
                ...footOf(shown),
            ];
        case 'everySize':
            // The marks of the foot are answers for the present values.
            return [...everySizeParts(shown, run), ...historyParts(shown)];
        case 'log':
            return logParts(shown, run);
        case 'none':
            return [
                headerOf({ ...shown, aside, mark: 'none', title: 'Not explored yet' }),
                element('p', { class: 'what-to-do' }, exploreButton(shown, ''), ' ', stepButton(), ' ', findButton()),
                ...footOf(shown),
            ];
        case 'finished':
            return isProblemsDocument(run.document)
                ? [
                      headerOf({ ...shown, aside, mark: 'violated', title: 'The model has errors' }),
                      problemList(run.document.problems),
                      ...footOf(shown),
                  ]
                : shown.find === undefined
                  ? finishedParts(shown, run.document)
                  : foundParts(shown, shown.find, run.document);
    }
}

/** The verdict on a log, and the run that explains its lines as far as they fit. */
function logParts(shown: RunContent, run: LogRun): readonly Node[] {
    const { answer, title, logName } = run;
    const again = button('Match again', { class: 'link', id: 'match-again' }, () =>
        extensionHost.postMessage({ kind: 'matchLog', log: run.log }),
    );
    const values = title === undefined ? '' : parametersOf(title);
    const aside = element(
        'div',
        { class: 'aside' },
        values === '' ? undefined : element('span', { id: 'parameters' }, values),
        again,
    );
    const reasons = oneStop(element('div', { class: 'reason', id: 'explanation' }, ...reasonsOfLog(run)));
    const isRun = answer.kind === 'judged' && title !== undefined && answer.document.trace.length > 0;
    return [
        headerOf({ ...shown, ...titleOfLog(run), subtitle: logName, aside }),
        reasons,
        ...(answer.kind === 'model' ? [problemList(answer.problems)] : []),
        ...(answer.kind === 'judged' ? namesOfLog(answer.document) : []),
        ...(isRun ? [evidenceOf(shown, { ...title, trace: answer.document.trace }, undefined)] : []),
        ...(answer.kind === 'judged' ? [figuresOfLog(answer.document)] : []),
        ...footOf(shown),
    ];
}

/** The verdict for all values of some parameters, and how it was found; a violation with the way to its run. */
function everySizeParts(
    shown: RunContent,
    { names, document }: Extract<RunContent['run'], { readonly kind: 'everySize' }>,
): readonly Node[] {
    const every = formatForEvery(names);
    if (isProblemsDocument(document)) {
        return [
            headerOf({ ...shown, mark: 'undecided', title: `Cannot be checked ${every}` }),
            problemList(document.problems),
        ];
    }
    const { verdict, violatedFor = {}, violations } = document;
    const [violation] = violations;
    const values = formatValues(violatedFor);
    const property = violation?.invariant ?? violation?.name;
    const show = button(`Show the run for ${values}`, { id: 'check-for' }, () =>
        extensionHost.postMessage({ kind: 'checkFor', values: violatedFor, property }),
    );
    return [
        headerOf({
            ...shown,
            aside: element('div', { class: 'aside' }, parametersOf(document)),
            mark: verdict,
            title:
                violation === undefined
                    ? `${VERDICT_TITLES[verdict]} ${every}`
                    : `\`${violation.name}\` is violated for ${values}`,
        }),
        ...(violation === undefined
            ? []
            : [reasonPart(violation, formatViolation(violation)), element('p', { class: 'what-to-do' }, show)]),
        ...(verdict === 'holds' ? [element('p', { class: 'reason', id: 'explanation' }, formatProof(document))] : []),
        element(
            'details',
            { class: 'reason', id: 'how' },
            element('summary', {}, 'How'),
            ...howChecked(document).map(line => element('p', { class: 'muted' }, ...withCode(line))),
        ),
    ];
}

const VERDICT_TITLES = { holds: 'Holds', violated: 'Violated', undecided: 'Undecided' } as const;

function finishedParts(shown: RunContent, result: ExploreDocument): readonly Node[] {
    const found = evidenceIn(result);
    const first = firstEvidence(found, shown.wanted ?? shown.property);
    const number = Math.min(chosen?.violation ?? first, Math.max(0, found.length - 1));
    const evidence = found[number];
    const violation = evidence?.violation?.expected === true ? undefined : evidence?.violation;
    return [
        headerOf({
            ...shown,
            aside: asideOf(shown, result),
            mark: result.verdict,
            title: violation === undefined ? VERDICT_TITLES[result.verdict] : formatViolation(violation),
            otherValues: otherValuesOf(shown, result.params),
        }),
        ...(shown.isStale && !shown.isOfText && violation !== undefined ? [retracePart(violation, number)] : []),
        reasonPart(violation, explain(result, shown.property)),
        ...(violation === undefined || result.limit === undefined ? [] : [limitPart(result)]),
        ...(result.verdict === 'undecided' ? [limitPart(result)] : []),
        ...(violation?.kind === 'deadlock' ? [allowPart()] : []),
        ...(violation?.unfair === undefined || shown.isStale ? [] : fairnessParts(violation.unfair)),
        ...(found.length > 1 ? [evidenceChoice(shown, found, number)] : []),
        ...(evidence === undefined && result.limit?.trace === undefined
            ? [element('p', { class: 'what-to-do' }, stepButton(), ' ', findButton())]
            : [evidenceOf(shown, result, evidence)]),
        figuresPart(result, shown.property),
        ...(result.warnings === undefined ? [] : [warningList(result.warnings)]),
        ...[...outcomesOf(result, shown.property), ...notesOn(result)].map((note, index) =>
            element('p', { id: `note-${index}`, class: 'muted' }, ...withCode(note)),
        ),
        ...footOf(shown),
    ];
}

/** The answer to a question for a run, and the way to keep it in the text. */
function foundParts(shown: RunContent, question: string, result: ExploreDocument): readonly Node[] {
    const found = result.properties?.find(isRun);
    const [wrong] = result.violations;
    const [evidence] = evidenceIn(result);
    const isReached = found?.verdict === 'reached';
    const keepIt = button('Keep as run', { class: 'secondary', id: 'keep-run' }, () =>
        extensionHost.postMessage({ kind: 'keepRun' }),
    );
    return [
        headerOf({
            ...shown,
            aside: asideOf(shown, result),
            mark: isReached ? 'holds' : found?.verdict === 'none' ? 'none' : 'undecided',
            title: titleOfFound(found, wrong),
            otherValues: otherValuesOf(shown, result.params),
        }),
        element(
            'p',
            { class: 'reason', id: 'explanation' },
            element('code', {}, question),
            ...withCode(explainFound(found, result)),
        ),
        ...(result.limit === undefined || isReached ? [] : [limitPart(result)]),
        element('p', { class: 'what-to-do' }, isReached ? keepIt : undefined, ' ', findButton()),
        ...(found?.trace === undefined && wrong === undefined
            ? []
            : [evidenceOf(shown, result, evidence && { ...evidence, title: question })]),
        figuresPart(result, undefined),
        ...footOf(shown),
    ];
}

/** The parameters with their change, and the reduction: they are part of the verdict. */
function asideOf(shown: RunContent, result?: ExploreDocument): Node {
    const { reduction, parameters, run } = shown;
    const values =
        result === undefined
            ? parameters.map(({ name, value }) => `${name} = ${value}`).join(', ')
            : parametersOf(result);
    const choice = reductionChoice(reduction, chosen =>
        extensionHost.postMessage({ kind: 'explore', reduction: chosen }),
    );
    return element(
        'div',
        { class: 'aside' },
        values === '' ? undefined : element('span', { id: 'parameters' }, values),
        parameters.length === 0
            ? undefined
            : button('change', { class: 'link', id: 'change' }, () =>
                  extensionHost.postMessage({
                      kind: 'changeParameter',
                      name: parameters.length === 1 ? parameters[0]?.name : undefined,
                  }),
              ),
        run.kind === 'walk' ? undefined : choice,
        run.kind === 'running' || run.kind === 'none' ? undefined : exploreButton(shown, 'link'),
    );
}

/** Asks the same question again. */
function exploreButton({ reduction, property, find }: RunContent, look: 'link' | ''): Node {
    const word = find !== undefined ? 'Find again' : property === undefined ? 'Explore' : 'Check';
    return button(word, { class: look, id: 'explore-again' }, () =>
        extensionHost.postMessage({ kind: 'explore', reduction }),
    );
}

/** The first lines of the reason, in the order of their weight; without one what the verdict is about. */
function reasonPart(violation: ViolationDocument | undefined, otherwise: string): Node {
    const lines = violation?.reason ?? [];
    const copies = violation?.copies ?? '1';
    const part = element(
        'div',
        { class: 'reason', id: 'explanation' },
        ...(lines.length === 0 ? [element('p', {}, ...withCode(otherwise))] : lines.map(reasonLine)),
        copies === '1'
            ? undefined
            : element(
                  'p',
                  { class: 'muted' },
                  `one of ${formatLargeCount(copies)} states that are the same by symmetry`,
              ),
    );
    return oneStop(part);
}

/** Whether the run is still one of the text as it is now. The answer stays until the panel is rendered again. */
function retracePart(violation: ViolationDocument, number: number): Node {
    const answer = element('span', { id: 'retraced', role: 'status' });
    const tryIt = button('Replay on the present text', { class: 'link', id: 'retrace' }, () => {
        answer.replaceChildren(' …');
        void ask({ along: number }).then(({ retraced, problem }) => {
            const text = retraced === undefined ? (problem ?? '') : describeRetraced(retraced, violation);
            answer.replaceChildren(' ', ...withCode(text));
        });
    });
    return element('p', { class: 'what-to-do' }, tryIt, answer);
}

/** The limit that ended the search, and the way to its setting. */
function limitPart(result: ExploreDocument): Node {
    const { text, setting } = limitWords(result.limit);
    return element(
        'p',
        { class: 'notice', id: 'limit' },
        ...withCode(`${text}. `),
        setting === undefined
            ? undefined
            : button('settings', { class: 'link' }, () => extensionHost.postMessage({ kind: 'openSetting', setting })),
    );
}

function allowPart(): Node {
    return element(
        'p',
        { class: 'what-to-do' },
        button('Allow deadlock', { class: 'secondary', id: 'allow-deadlock' }, () =>
            extensionHost.postMessage({ kind: 'allowDeadlock' }),
        ),
        element('span', { class: 'muted' }, ' if it is meant: adds ', element('code', {}, 'allow deadlock')),
    );
}

/** What would make the run unfair, so that it no longer counts: a button for each place of the text. */
function fairnessParts(unfair: readonly UnfairStepDocument[]): readonly Node[] {
    return repairsOf(unfair).map(({ step, words, place }, index) => {
        const repair = button('', { class: 'secondary', id: `make-fair-${index}` }, () =>
            extensionHost.postMessage({ kind: 'makeFair', step }),
        );
        repair.append('Add ', element('code', {}, words));
        return element(
            'p',
            { class: 'what-to-do' },
            repair,
            element('span', { class: 'muted' }, ' before ', element('code', {}, place), ' excludes this run'),
        );
    });
}

function evidenceChoice(shown: RunContent, found: readonly Evidence[], number: number): Node {
    const select = element('select', { id: 'violation', 'aria-label': 'Run' });
    found.forEach(({ title }, index) => {
        const option = element('option', { value: String(index) }, title.replaceAll('`', ''));
        option.selected = index === number;
        select.append(option);
    });
    select.addEventListener('change', () => {
        store({ ...chosenIn(shown), row: undefined, violation: Number(select.value) });
        render(shown);
    });
    return element('p', { class: 'what-to-do' }, `${found.length} runs: `, select);
}

/** The run of a violation, the run to a limit on instances, or a walk from the start. */
function evidenceOf(
    shown: RunContent,
    result: ExploreDocument | (DocumentTitle & Pick<SimulateDocument, 'trace'>),
    found: Evidence | undefined,
): Node {
    const key = JSON.stringify([shown.runId, found?.title ?? 'walk']);
    if (evidence?.key !== key) {
        const violation = found?.violation;
        const limit = found === undefined && 'limit' in result ? result.limit : undefined;
        const walked = 'trace' in result ? result.trace : [];
        const { schemaVersion, model, params } = result;
        const { run } = shown;
        const title = found?.title ?? (run.kind === 'log' ? `The run behind ${run.logName}` : 'Step by step');
        const view = new TraceView({
            entries: found?.trace ?? limit?.trace ?? walked,
            ...(violation?.loopStart !== undefined && { loopStart: violation.loopStart }),
            end: violation === undefined ? undefined : violation.kind === 'deadlock' ? 'deadlock' : 'violated',
            location: violation?.location,
            title: limit?.trace === undefined ? title : `A run that creates one more ${limit.template ?? 'instance'}`,
            reason: (violation?.reason ?? []).map(({ text }) => text),
            fileName: shown.fileName,
            toJson: trace => {
                const walk = { schemaVersion, model, params, end: 'steps', trace };
                return JSON.stringify({ file: shown.uri, ...(trace === undefined ? result : walk) });
            },
            ...(run.kind === 'log' && { placeInLog: (line: number) => placeInLog(run, line) }),
            asked: shown.asked,
            view: chosen ?? { ...NOTHING_CHOSEN },
            onView: view => store({ ...chosenIn(shown), ...view }),
        });
        evidence = { key, view };
    }
    evidence.view.show(shown.asked);
    return evidence.view.element;
}

function chosenIn({ runId, wanted, property }: RunContent): Chosen {
    return { ...NOTHING_CHOSEN, ...chosen, runId, wanted: wanted ?? property };
}

function store(now: Chosen): void {
    chosen = now;
    keep({ chosen: now });
}

/** Where nothing is violated a reader may still want to see the model run. */
function stepButton(): Node {
    return button('Go step by step', { class: 'secondary', id: 'walk' }, () =>
        extensionHost.postMessage({ kind: 'walk' }),
    );
}

/** Where nothing is violated a reader may want to see how the model comes somewhere. */
function findButton(): Node {
    return button('Find a run where …', { class: 'secondary', id: 'find' }, () =>
        extensionHost.postMessage({ kind: 'find' }),
    );
}

/** `31 orbits · 73 transitions · depth 5 · 0.02 s`, each figure with an id of its own; of one property those of its search. */
function figuresPart(result: ExploreDocument, property: string | undefined): Node {
    const { depth, deadlocks, seconds, verdict } = result;
    const only = propertyNamed(result.properties, property);
    const { states, transitions, reduction } = only ?? result;
    const isReduced = reduction.order !== '1';
    const figures: readonly Figure[] = [
        ['states', formatCount(states), isReduced ? noun(states, 'orbit') : noun(states, 'state')],
        ['transitions', formatCount(transitions), noun(transitions, 'transition')],
        ...(only === undefined ? [['depth', formatCount(depth), ''] as const] : []),
        ...(deadlocks === 0
            ? []
            : [
                  [
                      'deadlocks',
                      formatCount(deadlocks),
                      verdict === 'holds' ? `end ${noun(deadlocks, 'state')} (allowed)` : noun(deadlocks, 'deadlock'),
                  ] as const,
              ]),
        ['seconds', formatSeconds(seconds), ''],
    ];
    const group = isReduced
        ? [
              ' · ',
              element('span', { id: 'figure-group' }, reduction.group),
              ', ',
              element('span', { id: 'figure-order' }, formatLargeCount(reduction.order)),
              ' symmetries',
          ]
        : [' · no symmetry used'];
    return element('p', { class: 'figures-line muted' }, ...figureItems(figures), ...group);
}

/** An id, a number as text, and what it counts. */
type Figure = readonly [string, string, string];

function figureItems(figures: readonly Figure[]): readonly (Node | string)[] {
    return figures.flatMap(([id, value, what], index) => [
        index === 0 ? '' : ' · ',
        id === 'depth' ? 'depth ' : '',
        element('b', { id: `figure-${id}` }, value),
        what === '' ? '' : ` ${what}`,
    ]);
}

function noun(count: number, singular: string): string {
    return count === 1 ? singular : `${singular}s`;
}

/** What is known of the model besides: an answer for each thing that it states, and earlier runs. */
function footOf(shown: RunContent): readonly Node[] {
    return [...(shown.stated.length === 0 ? [] : [statedPart(shown)]), ...historyParts(shown)];
}

const STATED_MARKS = { holds: '✓', violated: '✗', undecided: '?', running: '…', open: '○' } as const;

/** A mark for each property, with the way to its run, and the way to answers for the others. */
function statedPart({ stated, run }: RunContent): Node {
    const marks = stated.map(({ name, label, mark, summary, isProperty }, index) => {
        const text = [element('span', { class: mark, 'aria-hidden': 'true' }, STATED_MARKS[mark]), ` ${label}`];
        const title = summary === '' ? (mark === 'running' ? 'is checked now' : 'not checked yet') : summary;
        if (mark === 'running' || (mark === 'open' && !isProperty)) {
            return element('span', { title }, ...text);
        }
        const open = button('', { class: 'link', id: `stated-${index}`, title }, () =>
            extensionHost.postMessage({ kind: 'openAnswer', property: name }),
        );
        open.append(...text, element('span', { class: 'spoken' }, `: ${title}`));
        return open;
    });
    const left = stated.filter(({ mark, isProperty }) => mark === 'open' && isProperty).map(({ name }) => name);
    const others = left.length === 1 ? 'Check the other one' : `Check the other ${left.length}`;
    const checkLeft = button(others, { class: 'secondary', id: 'check-others' }, () =>
        extensionHost.postMessage({ kind: 'check', properties: left }),
    );
    const cancel = button('Cancel', { class: 'secondary', id: 'cancel' }, () =>
        extensionHost.postMessage({ kind: 'cancel' }),
    );
    const isRunning = stated.some(({ mark }) => mark === 'running');
    const isPartly = run.kind === 'finished' && left.length > 0 && left.length < stated.length;
    return element('div', { class: 'stated' }, ...marks, isRunning ? cancel : isPartly ? checkLeft : undefined);
}

/** Earlier runs of the document in a line, each with the way to it. */
function historyParts({ history, runId }: RunContent): readonly Node[] {
    const others = history.filter(run => run.runId !== runId).slice(0, MOST_EARLIER);
    if (others.length === 0) {
        return [];
    }
    const items = others.flatMap((run, index) => [
        index === 0 ? 'earlier: ' : ' · ',
        button(describeEarlier(run), { class: 'link', id: `earlier-${index}` }, () =>
            extensionHost.postMessage({ kind: 'openRun', runId: run.runId }),
        ),
    ]);
    return [element('p', { class: 'history muted' }, ...items)];
}

const MOST_EARLIER = 6;

/** `N = 16: all 32,768 states; 3,280 explored (10x), 12 s`. */
function describeEarlier({ parameters, reduction, property, verdict, where, seconds }: EarlierRun): string {
    const isAll = reduction === 'none';
    const what = [parameters, isAll ? 'without symmetry' : '', property ?? ''].filter(part => part !== '').join(', ');
    const counted = `${what === '' ? '' : `${what}: `}${where}, ${formatSeconds(seconds)}`;
    return `${counted}${verdict === 'holds' ? '' : `, ${verdict}`}`;
}

function progressPart(reduction: string, progress: ExploreProgress | undefined): Node {
    if (progress === undefined || progress.states === 0) {
        const isAnalyzing = reduction !== 'none' && progress?.phase !== 'explore';
        const what = isAnalyzing ? 'Finding the symmetries of the model …' : 'Preparing the search …';
        return element('p', { id: 'phase' }, what);
    }
    const each = progress.statesPerOrbit;
    const figures: readonly Figure[] = [
        ['states', formatCount(progress.states), 'states'],
        ['depth', formatCount(progress.depth), ''],
        ['frontier', formatCount(progress.frontier), 'waiting'],
        ['rate', formatCount(Math.round(progress.statesPerSecond)), 'states/s'],
        ...(each === undefined ? [] : [['gain', `about ${formatCount(Math.round(each))}`, 'states each'] as const]),
        ['seconds', (progress.elapsedMilliseconds / 1000).toFixed(1), 's'],
    ];
    return element('p', { class: 'figures-line muted' }, ...figureItems(figures));
}

function actions(...buttons: readonly Node[]): Node {
    return element('div', { class: 'actions' }, ...buttons);
}
