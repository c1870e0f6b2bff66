/**
 * The verdict of an exploration, its counts, coverage and violations, from its JSON document, so that the two always
 * agree.
 */
import { formatLimit } from '../../engine/describe/limit-words.js';
import { formatRun, formatUnexpected, isUnexpected } from '../../engine/describe/meant-words.js';
import { formatNumbers } from '../../engine/describe/number-words.js';
import {
    formatBytes,
    formatCount,
    formatHolds,
    formatInstances,
    formatNames,
    formatLargeCount,
    formatMembersChecked,
    formatNumberOf,
    formatPartialOrder,
    formatRunLength,
    formatSeconds,
    formatUndecided,
    formatViolation,
    formatWhere,
    isRun,
} from '../../engine/describe/words.js';
import type {
    ExploreDocument,
    LimitDocument,
    PropertyOutcome,
    RunOutcomeDocument,
    ViolationDocument,
} from '../../language-server/document-schema.js';
import { formatColumns, formatLocation, formatTable, section, type TextStyle } from './layout.js';
import { formatTitle } from './states.js';
import { describeViolation, formatReason, formatTrace, formatViolationLines } from './traces.js';

/** `run` is the name of the only run that was looked for, if one was. */
export function formatExploration(document: ExploreDocument, style: TextStyle, run?: string): string {
    const found = foundRun(document, run);
    const lines = [
        formatTitle(document.model, document.params, style),
        found === undefined ? formatVerdict(document, style) : formatFound(found, document, style),
        ...formatReason(unexpectedIn(document)[0]?.reason, style),
        '',
        ...formatTable([
            ['states', `${formatCount(document.states)}${describeStored(document)}`],
            ['transitions', `${formatCount(document.transitions)}${describeTaken(document)}`],
            [
                'depth',
                `${formatCount(document.depth)}${document.reduction.start === 'moved' ? ' up to symmetry: a run may need more steps' : ''}`,
            ],
            ...(document.deadlocks > 0 ? [describeDeadlocks(document)] : []),
            ...(document.templates === undefined ? [] : [['instances', formatInstances(document.templates)] as const]),
            ...(document.names === undefined ? [] : [['names', formatNames(document.names)] as const]),
            ...formatNumbers(document.numbers ?? []).map(line => ['numbers', line] as const),
            ['reduction', describeReduction(document.reduction)],
            ...describeAlike(document),
            ...describePartialOrder(document),
            ...describePasses(document.passes),
            [
                'time',
                `${formatSeconds(document.seconds)} · ${formatCount(Math.round(document.statesPerSecond))} states/s · ` +
                    `${formatBytes(document.peakBytes)}`,
            ],
            ...(document.interpretedBecause === undefined
                ? []
                : [['interpreted', `${document.interpretedBecause}, so this took longer`] as const]),
            ...(document.checkpoint === undefined
                ? []
                : [
                      [
                          'checkpoint',
                          document.checkpoint.problem ??
                              `${document.checkpoint.file} · ${formatBytes(document.checkpoint.bytes)} · --resume goes on from it`,
                      ] as const,
                  ]),
        ]).map(line => `  ${line}`),
        ...section('Properties', formatTable(tableOfProperties(document)), 0, style),
        ...(found === undefined ? section('Runs', formatTable(tableOfRuns(document)), 0, style) : []),
        ...section('As expected', tableOfExpected(document), 0, style),
        ...formatUnreached(document, style),
        ...formatCoverage(document, style),
    ];
    return (
        lines.join('\n') +
        '\n' +
        unexpectedIn(document)
            .map((violation, index) => `\n${formatViolationLines(violation, style, index > 0)}`)
            .join('') +
        (found?.trace === undefined ? '' : `\n${formatTrace({ trace: found.trace }, style)}`) +
        formatRunToLimit(document, style)
    );
}

function foundRun({ properties = [] }: ExploreDocument, name: string | undefined): RunOutcomeDocument | undefined {
    return properties.filter(isRun).find(run => run.name === name);
}

/** The answer to a question for a run: how long the shortest one is, or how much was looked at. */
function formatFound(
    { verdict, steps = 0, parts = [] }: RunOutcomeDocument,
    document: ExploreDocument,
    style: TextStyle,
): string {
    const { colors } = style;
    switch (verdict) {
        case 'reached':
            return (
                `${colors.bold(colors.green('found'))} ${formatRunLength(steps)}` +
                (parts.length > 1 ? `; its parts are met at ${parts.join(', ')}` : '')
            );
        case 'none':
            return `${colors.bold(colors.red('no run'))} comes there${describeWithin(document)}, in ${formatWhere(document)}`;
        case 'undecided':
            return formatVerdict(document, style);
    }
}

/** The run that needs one instance too many, or the longest one of those that are real. */
function formatRunToLimit({ limit }: ExploreDocument, style: TextStyle): string {
    const { template, trace } = limit ?? {};
    if (limit?.kind === 'notReal' && trace !== undefined) {
        return `\n${style.colors.bold('The run that goes farthest')}\n${formatTrace({ trace }, style)}`;
    }
    return template === undefined || trace === undefined
        ? ''
        : `\n${style.colors.bold(`A run that creates one more ${template}`)}\n${formatTrace({ trace }, style)}`;
}

/** The invariants that the symmetries exchange, so that one stands for the others. */
function describeAlike({ properties, reduction: { alike = [] } }: ExploreDocument): (readonly [string, string])[] {
    // The list of properties says it of each.
    return isForEach(properties)
        ? []
        : alike.map(([first = '', ...images]) => [
              'alike',
              `${images.join(', ')}: ${images.length === 1 ? 'the image' : 'images'} of ${first} by symmetry`,
          ]);
}

/** Whether each property, not only those of runs, has an exploration of its own. */
function isForEach(properties: ExploreDocument['properties']): boolean {
    return properties?.some(({ kind }) => kind === undefined) ?? false;
}

function describeTaken({ por }: ExploreDocument): string {
    return por === undefined || por.mode === 'off'
        ? ''
        : ` of ${formatCount(por.enabled)} that are possible in these states`;
}

function describePartialOrder({ por }: ExploreDocument): (readonly [string, string])[] {
    return por === undefined
        ? []
        : [
              [
                  'partial order',
                  por.because === undefined ? formatPartialOrder(por) : `all steps are taken: ${por.because}`,
              ],
          ];
}

/** One line for each property. */
function tableOfProperties({ properties = [], violations }: ExploreDocument): (readonly [string, string])[] {
    const expected = new Set(violations.filter(each => each.expected === true).map(({ name }) => name));
    return properties.flatMap(outcome =>
        isRun(outcome) ? [] : [[outcome.name, describeOutcome(outcome, expected.has(outcome.name))] as const],
    );
}

/** One line for each run that is to exist. */
function tableOfRuns({ properties = [] }: ExploreDocument): (readonly [string, string])[] {
    return properties.filter(isRun).map(run => [run.name, formatRun(run)]);
}

/** One line for each violation that the text says is meant. */
function tableOfExpected({ violations }: ExploreDocument): string[] {
    return violations
        .filter(({ expected }) => expected === true)
        .map(violation => formatViolation(violation).replaceAll('`', ''));
}

function unexpectedIn({ violations }: ExploreDocument): readonly ViolationDocument[] {
    return violations.filter(isUnexpected);
}

function describeOutcome(outcome: PropertyOutcome, isExpected: boolean): string {
    const { alikeTo, verdict, reduction, states, seconds, limit } = outcome;
    if (alikeTo !== undefined) {
        return `${verdict} · an image of ${alikeTo} by symmetry, explored with it`;
    }
    const members = verdict === 'holds' ? formatMembersChecked(outcome) : undefined;
    return [
        `${isExpected ? 'violated, as expected' : verdict}${limit === undefined ? '' : ` (${describeLimit(limit)})`}`,
        ...(members === undefined ? [] : [members]),
        formatNumberOf(states, 'state'),
        reduction.order === '1'
            ? 'no symmetry used'
            : `${reduction.group}, ${formatLargeCount(reduction.order)} symmetries`,
        ...(seconds === undefined ? [] : [formatSeconds(seconds)]),
    ].join(' · ');
}

/** Steps after these are counted, not printed. */
const MOST_STEPS_PRINTED = 12;

function formatUnreached({ unreached = [], coverage, reduction }: ExploreDocument, style: TextStyle): string[] {
    // Coverage lists them, too.
    return coverage !== undefined
        ? []
        : section(
              // A state that is stored fires images of what reachable states fire.
              reduction.start === 'moved' ? 'Never taken (may be incomplete)' : 'Never taken',
              unreached
                  .slice(0, MOST_STEPS_PRINTED)
                  .map(({ process, label, location }) => `${process} ${label}  ${formatLocation(location)}`),
              unreached.length - MOST_STEPS_PRINTED,
              style,
          );
}

function formatCoverage({ coverage }: ExploreDocument, style: TextStyle): string[] {
    if (coverage === undefined) {
        return [];
    }
    const { states, exact, bodies, steps, branches } = coverage;
    const rows = steps.map(({ process, label, location, fired, blocked }): readonly string[] => [
        `${process} ${label}`,
        `line ${location.line}`,
        fired === 0 ? 'never fires' : `fires ${formatCount(fired)}`,
        blocked === undefined ? '' : `waits ${formatCount(blocked)}`,
    ]);
    const tests = branches.map(({ process, location, whenTrue, whenFalse }): readonly string[] => [
        process,
        `line ${location.line}`,
        `true ${formatCount(whenTrue)}`,
        `false ${formatCount(whenFalse)}`,
    ]);
    const uncounted = bodies ? [] : ['Inside of braces they are not counted: there are too many states'];
    const title = `Coverage of ${formatNumberOf(states, 'state')}${exact ? '' : ' (some stand for more that are not counted)'}`;
    return [
        ...section(`${title}: steps`, formatColumns(rows), 0, style),
        ...section('Coverage: tests', [...formatColumns(tests), ...uncounted], 0, style),
    ];
}

/** States without a step are a violation only if deadlock is checked. */
function describeDeadlocks({ deadlocks, checked = [] }: ExploreDocument): readonly [string, string] {
    return checked.includes('deadlock')
        ? ['deadlocks', formatCount(deadlocks)]
        : ['end states', `${formatCount(deadlocks)} (deadlock is not checked)`];
}

function describeStored({ properties, reduction, templates, names: held, por, stepsExact }: ExploreDocument): string {
    if (isForEach(properties)) {
        return ' in all explorations';
    }
    if (por !== undefined && por.because === undefined) {
        return ` (reduced by ${reduction.order === '1' ? '' : `${reduction.group} and by `}partial order)`;
    }
    const names = (templates ?? held) === undefined ? '' : ', up to names';
    const exact = stepsExact === undefined ? '' : stepsExact ? ' · exact' : ' · some may not be real';
    return `${reduction.unique && reduction.order !== '1' ? ` (one for each orbit${names})` : ''}${exact}`;
}

/** The verdict and the counts in a line; of the run that was looked for, if one was. */
export function formatExplorationInALine(document: ExploreDocument, run?: string): string {
    const found = foundRun(document, run);
    const names = counted([...unexpectedIn(document), ...(document.unexpected ?? [])].map(({ name }) => name));
    const verdict = found === undefined ? `${document.verdict}${names === '' ? '' : `: ${names}`}` : formatRun(found);
    return (
        `${verdict} · ${formatNumberOf(document.states, 'state')} · ` +
        `${formatNumberOf(document.transitions, 'transition')} · ${formatSeconds(document.seconds)}\n`
    );
}

function formatVerdict(document: ExploreDocument, style: TextStyle): string {
    const { colors } = style;
    const limit = document.limit === undefined ? '' : `: ${describeLimit(document.limit)}`;
    switch (document.verdict) {
        case 'holds':
            return (
                colors.bold(colors.green('holds')) +
                describeWithin(document) +
                // The counts of several explorations are sums.
                (isForEach(document.properties) ? '' : `: ${formatHolds(document)}`) +
                describeOutside(document) +
                describeOmission(document)
            );
        case 'violated': {
            const surprises = (document.unexpected ?? []).map(
                each => `${formatUnexpected(each).replaceAll('`', '')} (line ${each.location.line})`,
            );
            const names = counted([...unexpectedIn(document).map(describeViolation), ...surprises]);
            // A violation is only listed with its trace, for which there may have been no time.
            const what = names === '' ? '' : `: ${names}`;
            return `${colors.bold(colors.red('violated'))}${what}${limit === '' ? '' : ` (incomplete${limit})`}`;
        }
        case 'undecided':
            return `${colors.bold(colors.yellow('undecided'))}${limit}${document.limit?.kind === 'notReal' ? '' : formatUndecided(document)}`;
    }
}

/** Within what states and runs were looked at. */
export function describeWithin({ constraint }: Pick<ExploreDocument, 'constraint'>): string {
    return constraint === undefined ? '' : ` within the constraint (line ${constraint.line})`;
}

function describeOutside({ outside }: ExploreDocument): string {
    return outside === undefined
        ? ''
        : `; ${formatNumberOf(outside, 'step')} ${outside === 1 ? 'leads' : 'lead'} outside`;
}

/** Each name once. */
function counted(names: readonly string[]): string {
    const counts = new Map<string, number>();
    names.forEach(name => counts.set(name, (counts.get(name) ?? 0) + 1));
    return [...counts]
        .map(([name, count]) => (count === 1 ? name : `${name} (${formatCount(count)} times)`))
        .join(', ');
}

function describeOmission({ omissionProbability }: ExploreDocument): string {
    return omissionProbability === undefined
        ? ''
        : `, unless a state was missed: a probability of at most ${omissionProbability.toExponential(1)}`;
}

/** The limit that ended a search early, with the option that does without it. */
export function describeLimit(limit: Omit<LimitDocument, 'trace'>): string {
    switch (limit.kind) {
        case 'work':
            return `${formatLimit(limit)}; \`--reduction auto\` goes on without it`;
        case 'thread':
            return `${formatLimit(limit)}; \`--workers 1\` does without them`;
        default:
            return formatLimit(limit);
    }
}

/** The effect of the passes on the counts above, without passes that changed nothing. */
function describePasses(passes: ExploreDocument['passes']): (readonly [string, string])[] {
    const counted = (count: number, noun: string, what: string): string[] =>
        count === 0 ? [] : [`${formatNumberOf(count, noun)} ${what}`];
    const done = passes.flatMap(pass => {
        switch (pass.name) {
            case 'cone':
                return [
                    ...counted(pass.variablesDropped, 'variable', 'left out'),
                    ...counted(pass.stepsDropped, 'step', 'left out'),
                ];
            case 'reset':
                return counted(pass.variablesReset, 'variable', 'reset');
            case 'merge':
                return counted(pass.stepsMerged, 'step', 'merged');
            case 'narrow':
                return [];
        }
    });
    return done.length === 0 ? [] : [['passes', done.join(', ')]];
}

function describeReduction(reduction: ExploreDocument['reduction']): string {
    const { order, start, startOrder, group, strategy, unique, choice, overhead } = reduction;
    if (choice?.uses === 'nothing') {
        const { statesPerOrbit, cost } = choice;
        return (
            `none: an orbit has about ${statesPerOrbit.toFixed(1)} states, and finding its representative ` +
            `costs as much as ${cost.toFixed(1)} steps`
        );
    }
    if (order === '1') {
        return strategy;
    }
    return (
        `${group}, ${formatLargeCount(order)} symmetries` +
        (start === 'moved' ? ` (the start keeps ${formatLargeCount(startOrder)})` : '') +
        `, ${strategy}` +
        (unique ? '' : ' (an orbit may be stored more than once)') +
        (choice?.uses === 'subgroup' ? ', a part of the symmetries that is cheaper to use' : '') +
        (overhead === undefined ? '' : `; representatives take ${(100 * overhead.share).toFixed(0)} % of the time`)
    );
}
