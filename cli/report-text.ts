/**
 * Results for people: what goes to a terminal. Every function returns text that ends in a newline, or nothing; none
 * prints. Colors come as an argument, so the same text is tested without them.
 *
 * Exploration is printed from its JSON document, so that the two can never tell different stories.
 */
import type { Colors } from 'picocolors/types.js';
import type {
    AssertionReport,
    BrokenSymmetry,
    FactorReport,
    FamilyReport,
    PlaceReport,
    PropertyReport,
    ReachableEstimate,
    SymmetryReport,
} from '../engine/symmetry/report.js';
import { REFUTED } from '../language-server/lsp/wording.js';
import type {
    DocumentLocation,
    DocumentProblem,
    DocumentValue,
    ExploreDocument,
    SimulateDocument,
    TraceEntry,
    VerifyDocument,
    Violation,
} from '../language-server/protocol.js';

export interface TextStyle {
    readonly colors: Colors;
    /** Characters in a line, where the reader's terminal says. */
    readonly columns: number;
}

// ---------------------------------------------------------------------------------------------------------------------
// Problems

/** The text of a document by the name that problems give it; undefined where there is none. */
export type TextOf = (file: string) => string | undefined;

/** More problems than this are counted, not printed: after a wrong brace they are no longer about the model. */
const MOST_PROBLEMS_PRINTED = 20;

export function formatProblems(problems: readonly DocumentProblem[], textOf: TextOf, style: TextStyle): string {
    const linesOfFile = new Map<string, readonly string[]>();
    const linesOf = (file: string): readonly string[] => {
        let lines = linesOfFile.get(file);
        if (lines === undefined) {
            lines = (textOf(file) ?? '').split(/\r\n|\n|\r/);
            linesOfFile.set(file, lines);
        }
        return lines;
    };
    const printed = problems.slice(0, MOST_PROBLEMS_PRINTED);
    const left = problems.length - printed.length;
    return (
        printed.map(problem => formatProblem(problem, linesOf(problem.file), style)).join('') +
        (left > 0 ? `${style.colors.dim(`… and ${formatCount(left)} more`)}\n` : '')
    );
}

function formatProblem(problem: DocumentProblem, lines: readonly string[], style: TextStyle): string {
    const { colors } = style;
    // A problem with the call is nowhere in a text; its message names the file where there is one.
    const place = problem.code.startsWith('call/') ? 'orbit' : formatLocation(problem);
    const paint = { error: colors.red, warning: colors.yellow, information: colors.blue }[problem.severity];
    const head =
        `${colors.bold(place)}: ${paint(colors.bold(problem.severity))}: ${visible(problem.message)} ` +
        `${colors.dim(`[${problem.code}]`)}\n`;
    const related = (problem.related ?? []).map(
        other => `  ${colors.bold(formatLocation(other))}: ${visible(other.message)}\n`,
    );
    return head + formatExcerpt(problem, lines, paint, style) + related.join('');
}

/** The line a range starts in, with carets under the part that it covers. */
function formatExcerpt(
    range: DocumentLocation,
    lines: readonly string[],
    paint: (text: string) => string,
    style: TextStyle,
): string {
    const line = lines[range.line - 1];
    if (line === undefined || line.trim() === '') {
        return '';
    }
    const gutter = ' '.repeat(String(range.line).length);
    const start = Math.min(range.column - 1, line.length);
    const end = range.endLine === range.line ? Math.min(range.endColumn - 1, line.length) : line.trimEnd().length;
    // A long line is cut to a window that begins a little before the range.
    const width = Math.max(20, style.columns - gutter.length - 6);
    const from = line.length <= width ? 0 : Math.max(0, Math.min(start - 10, line.length - width));
    const shown = line.slice(from, from + width);
    const caretCount = Math.max(1, Math.min(end, from + width) - start);
    return (
        `  ${style.colors.dim(`${range.line} |`)} ${visible(shown)}\n` +
        `  ${style.colors.dim(`${gutter} |`)} ${' '.repeat(start - from)}${paint('^'.repeat(caretCount))}\n`
    );
}

export function formatLocation(location: DocumentLocation): string {
    return `${location.file}:${location.line}:${location.column}`;
}

// ---------------------------------------------------------------------------------------------------------------------
// Symmetry

export interface SymmetryTextOptions {
    readonly model: string;
    readonly params: Readonly<Record<string, DocumentValue>>;
    readonly report: SymmetryReport;
    /** The property whose group this is, and the order of the model's, where one is asked for. */
    readonly property?: { readonly name: string; readonly ofOrder: bigint };
    readonly locate: (places: readonly PlaceReport[]) => readonly (DocumentLocation & { readonly text: string })[];
    readonly seconds: number;
}

/** Generators after these are counted, not printed. */
const MOST_GENERATORS_PRINTED = 12;
const LONGEST_CYCLES_PRINTED = 300;
/** The same for direct factors, and for what one of them moves. */
const MOST_FACTORS_PRINTED = 12;
const MOST_MOVED_PRINTED = 12;
/** Places after these are counted, not printed: so many explain little. */
const MOST_PLACES_PRINTED = 6;

export function formatSymmetry(options: SymmetryTextOptions, style: TextStyle): string {
    const { report, property } = options;
    const { colors } = style;
    const lines = [
        formatTitle(options.model, options.params, style),
        report.refuted
            ? colors.red(REFUTED)
            : `${colors.bold(colors.green(report.structure))} · ${formatSymmetryCount(report.order, report.complete)}` +
              (property === undefined ? '' : ` of ${formatLargeCount(property.ofOrder)} keep ${property.name}`) +
              (report.complete ? '' : colors.yellow(' (a subgroup: the time limit ended the search)')),
        ...stateLines(report),
        ...section(
            'Structure',
            report.factors.slice(0, MOST_FACTORS_PRINTED).flatMap(formatFactor),
            report.factors.length - MOST_FACTORS_PRINTED,
            style,
        ),
        ...section(
            'Generators',
            report.generators.slice(0, MOST_GENERATORS_PRINTED).map(generator => abbreviate(generator.cycles)),
            report.generators.length - MOST_GENERATORS_PRINTED,
            style,
        ),
        ...section('Processes', report.families.map(formatFamily), 0, style),
        ...section(
            'Properties',
            withCosts(formatTable(report.properties.map(each => [each.name, keeps(each, report)])), report.properties),
            0,
            style,
        ),
        ...report.assertions.flatMap(assertion => ['', ...formatAssertion(assertion, options, style)]),
        ...report.broken.flatMap(broken => ['', ...formatBroken(broken, options, style)]),
        ...formatUnexplained(report.unexplained ?? [], style),
        ...formatWhy(options, style),
        '',
        colors.dim(
            `graph: ${formatCount(report.graph.vertices)} vertices, ${formatCount(report.graph.edges)} edges · ` +
                `${formatSeconds(options.seconds)}` +
                (report.verified && report.generators.length > 0
                    ? ' · each generator checked by running the model'
                    : ''),
        ),
    ];
    return lines.filter(line => line !== undefined).join('\n') + '\n';
}

/** `S9 362,880` for scripts and the hurried. */
export function formatSymmetryInALine({ structure, order, complete, refuted }: SymmetryReport): string {
    if (refuted) {
        return `${REFUTED}\n`;
    }
    return `${structure} · ${formatSymmetryCount(order, complete)}${complete ? '' : ' (subgroup)'}\n`;
}

function formatSymmetryCount(order: bigint, complete: boolean): string {
    if (order === 1n) {
        return complete ? 'no symmetry but the identity' : 'no symmetry found in the time given';
    }
    return `${formatLargeCount(order)} symmetries`;
}

/** How many states are distinct: of all that can be written down, and of those that are reached. */
function stateLines({
    order,
    potentialOrbits,
    potentialStates,
    potentialOrbitsMissing,
    reachable,
}: SymmetryReport): string[] {
    if (order === 1n) {
        return [];
    }
    const states = `${formatLargeCount(potentialStates)} potential states`;
    return [
        potentialOrbits === undefined
            ? `how many of ${states} are distinct was not computed: ${potentialOrbitsMissing ?? 'it would take too long'}`
            : `${formatLargeCount(potentialOrbits)} of ${states} are distinct`,
        ...(reachable === undefined ? [] : [formatEstimate(reachable)]),
    ];
}

/**
 * `about 5.1 reachable states to an orbit, an estimate from 183 states on 16 random walks`: without its standard error,
 * which would be read as what the number may be off by; that walks come by some states more often than by others is not
 * in it.
 */
function formatEstimate({ statesPerOrbit, states, walks }: ReachableEstimate): string {
    const ratio = statesPerOrbit < 10 ? statesPerOrbit.toFixed(1) : formatCount(Math.round(statesPerOrbit));
    return (
        `about ${ratio} reachable states to an orbit, ` +
        `an estimate from ${formatCount(states)} states on ${formatCount(walks)} random walks`
    );
}

/** What it permutes, and what goes along that this does not name. */
function formatFactor({ structure, permutes, moves }: FactorReport): string[] {
    const words = permutes.split(/[\s,]+/);
    const isNamed = (name: string): boolean =>
        permutes.includes(`\`${name}\``) || words.some(word => word.startsWith(`${name}[`));
    const along = moves.filter(name => !isNamed(name));
    const names = along.slice(0, MOST_MOVED_PRINTED).join(', ') + (along.length > MOST_MOVED_PRINTED ? ', …' : '');
    return [`${structure}: ${permutes}`, ...(along.length === 0 ? [] : [`  with ${names}`])];
}

function formatFamily(family: FamilyReport): string {
    const orbits = family.orbits.length;
    return (
        `${family.name}: ${formatCount(family.instances)} ${family.instances === 1 ? 'instance' : 'instances'}, ` +
        `${formatCount(orbits)} ${orbits === 1 ? 'orbit' : 'orbits'}, ${family.structure}`
    );
}

function keeps(property: PropertyReport, report: SymmetryReport): string {
    return property.order === report.order
        ? `keeps all ${formatLargeCount(report.order)}`
        : `keeps ${formatLargeCount(property.order)} of ${formatLargeCount(report.order)} (${property.structure})`;
}

/** Below the line of a property, what costs it symmetries. */
function withCosts(lines: readonly string[], properties: readonly PropertyReport[]): string[] {
    return lines.flatMap((line, index) => {
        const message = properties[index]?.cost?.message;
        return message === undefined ? [line] : [line, `  ${message}`];
    });
}

function formatBroken(broken: BrokenSymmetry, options: SymmetryTextOptions, style: TextStyle): string[] {
    return [
        `${style.colors.yellow('Broken')}  ${visible(broken.message)}`,
        ...formatPlaces(broken.locations, options, style),
    ];
}

function formatUnexplained(subjects: readonly string[], style: TextStyle): string[] {
    return subjects.flatMap(subject => ['', `${style.colors.yellow('Not explained')}  ${visible(subject)}`]);
}

function formatAssertion(assertion: AssertionReport, options: SymmetryTextOptions, style: TextStyle): string[] {
    const { text, range, verdict, message, locations } = assertion;
    const { colors } = style;
    const paint = { holds: colors.green, fails: colors.red, undecided: colors.yellow }[verdict];
    const place = options.locate([{ range, text }]).map(formatLocation).join('');
    return [
        `${paint(verdict)}  ${colors.bold(visible(text))}  ${colors.dim(place)}`,
        `  ${visible(message)}`,
        ...formatPlaces(locations, options, style),
    ];
}

function formatWhy(options: SymmetryTextOptions, style: TextStyle): string[] {
    const { why } = options.report;
    if (why === undefined) {
        return [];
    }
    return [
        '',
        style.colors.bold('Why'),
        ...(why.length === 0 && !options.report.complete ? ['  a subgroup says nothing about what is missing'] : []),
        ...why.flatMap(({ subject, suggests, found, message, locations }) => [
            `  ${visible(subject)}: ${suggests} suggested, ${found} found`,
            `    ${visible(message)}`,
            ...formatPlaces(locations, options, style).map(line => `  ${line}`),
        ]),
    ];
}

function formatPlaces(places: readonly PlaceReport[], options: SymmetryTextOptions, { colors }: TextStyle): string[] {
    const left = places.length - MOST_PLACES_PRINTED;
    return [
        ...options
            .locate(places.slice(0, MOST_PLACES_PRINTED))
            .map(place => `  ${colors.bold(formatLocation(place))}: ${visible(place.text)}`),
        ...(left > 0 ? [colors.dim(`  … and ${formatCount(left)} more (--json lists all)`)] : []),
    ];
}

function section(title: string, lines: readonly string[], left: number, style: TextStyle): string[] {
    if (lines.length === 0) {
        return [];
    }
    return [
        '',
        style.colors.bold(title),
        ...lines.map(line => `  ${visible(line)}`),
        ...(left > 0 ? [style.colors.dim(`  … and ${formatCount(left)} more (--json lists all)`)] : []),
    ];
}

function abbreviate(text: string): string {
    return text.length <= LONGEST_CYCLES_PRINTED ? text : `${text.slice(0, LONGEST_CYCLES_PRINTED)}…`;
}

// ---------------------------------------------------------------------------------------------------------------------
// Exploration

export function formatExploration(document: ExploreDocument, style: TextStyle): string {
    const { colors } = style;
    const lines = [
        formatTitle(document.model, document.params, style),
        formatVerdict(document, style),
        '',
        ...formatTable([
            ['states', `${formatCount(document.states)}${describeStored(document)}`],
            ['transitions', formatCount(document.transitions)],
            ['depth', formatCount(document.depth)],
            ...(document.deadlocks > 0 ? [['deadlocks', formatCount(document.deadlocks)] as const] : []),
            ['reduction', describeReduction(document.reduction)],
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
                          `${document.checkpoint.file} · ${formatBytes(document.checkpoint.bytes)} · --resume goes on from it`,
                      ] as const,
                  ]),
        ]).map(line => `  ${line}`),
        ...section('Properties', formatTable(tableOfProperties(document)), 0, style),
        ...formatUnreached(document, style),
        ...formatCoverage(document, style),
    ];
    return (
        lines.join('\n') +
        '\n' +
        document.violations
            .map(violation => `\n${formatViolation(violation, { colors, columns: style.columns })}`)
            .join('')
    );
}

/** One line for each property that was explored by itself. */
function tableOfProperties({ properties = [] }: ExploreDocument): (readonly [string, string])[] {
    return properties.map(({ name, verdict, reduction, states, seconds, limit }) => [
        name,
        `${verdict}${limit === undefined ? '' : ` (${describeLimit(limit)})`} · ${formatCount(states)} states · ` +
            `${reduction.order === '1' ? 'no symmetry used' : `${reduction.group}, ${formatLargeCount(BigInt(reduction.order))} symmetries`}` +
            ` · ${formatSeconds(seconds)}`,
    ]);
}

/** Steps after these are counted, not printed. */
const MOST_STEPS_PRINTED = 12;

function formatUnreached({ unreached = [], coverage }: ExploreDocument, style: TextStyle): string[] {
    // Coverage says it too.
    return coverage !== undefined
        ? []
        : section(
              'Never reached',
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
    const title = `Coverage of ${formatCount(states)} states${exact ? '' : ' (some stand for more that are not counted)'}`;
    return [
        ...section(`${title}: steps`, formatColumns(rows), 0, style),
        ...section('Coverage: tests', [...formatColumns(tests), ...uncounted], 0, style),
    ];
}

function describeStored({ properties, reduction }: ExploreDocument): string {
    if (properties !== undefined) {
        return ' in all explorations';
    }
    return reduction.unique ? ' (one for each orbit)' : '';
}

/** The verdict and the counts, for scripts and the hurried. */
export function formatExplorationInALine(document: ExploreDocument): string {
    const names = document.violations.map(violation => violation.name).join(', ');
    return (
        `${document.verdict}${names === '' ? '' : `: ${names}`} · ${formatCount(document.states)} states · ` +
        `${formatCount(document.transitions)} transitions · ${formatSeconds(document.seconds)}\n`
    );
}

function formatVerdict(document: ExploreDocument, style: TextStyle): string {
    const { colors } = style;
    const limit = document.limit === undefined ? '' : `: ${describeLimit(document.limit)}`;
    switch (document.verdict) {
        case 'holds':
            return colors.bold(colors.green('holds')) + describeOmission(document);
        case 'violated': {
            const names = document.violations.map(violation => describeViolation(violation)).join(', ');
            // Without a trace, for which there was no time, a violation is not listed.
            const what = names === '' ? '' : `: ${names}`;
            return `${colors.bold(colors.red('violated'))}${what}${limit === '' ? '' : ` (incomplete${limit})`}`;
        }
        case 'undecided':
            return `${colors.bold(colors.yellow('undecided'))}${limit}`;
    }
}

function describeOmission({ omissionProbability }: ExploreDocument): string {
    return omissionProbability === undefined
        ? ''
        : `, unless a state was missed: a probability of at most ${omissionProbability.toExponential(1)}`;
}

function describeLimit(limit: { readonly kind: string; readonly value: number }): string {
    switch (limit.kind) {
        case 'states':
            return `the limit of ${formatCount(limit.value)} states was reached`;
        case 'memory':
            return `the limit of ${formatBytes(limit.value)} of memory was reached`;
        case 'time':
            return `the time limit of ${formatSeconds(limit.value)} was reached`;
        case 'work':
            return (
                `finding the representative of one state took more than ${formatCount(limit.value)} steps; ` +
                '`--reduction auto` goes on without it'
            );
        case 'thread':
            return 'a thread of the search has ended; `--workers 1` does without them';
        case 'interrupted':
            return 'interrupted';
        default:
            return `the limit ${limit.kind} = ${formatCount(limit.value)} was reached`;
    }
}

/** What passes have done to the counts above; what they have left as it was is not worth a line. */
function describePasses(passes: ExploreDocument['passes']): (readonly [string, string])[] {
    const counted = (count: number, noun: string, what: string): string[] =>
        count === 0 ? [] : [`${formatCount(count)} ${noun}${count === 1 ? '' : 's'} ${what}`];
    const done = passes.flatMap(({ variablesDropped = 0, stepsDropped = 0, stepsMerged = 0, name }) => [
        ...counted(variablesDropped, 'variable', 'left out'),
        ...counted(name === 'cone' ? stepsDropped : 0, 'step', 'left out'),
        ...counted(stepsMerged, 'step', 'merged'),
    ]);
    return done.length === 0 ? [] : [['passes', done.join(', ')]];
}

function describeReduction({ order, group, strategy, unique, choice, overhead }: ExploreDocument['reduction']): string {
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
        `${group}, ${formatLargeCount(BigInt(order))} symmetries, ${strategy}` +
        (unique ? '' : ' (an orbit may be stored more than once)') +
        (choice?.uses === 'subgroup' ? ', a part of the symmetries that is cheaper to use' : '') +
        (overhead === undefined ? '' : `; representatives take ${(100 * overhead.share).toFixed(0)} % of the time`)
    );
}

function describeViolation(violation: Pick<Violation, 'kind' | 'name'>): string {
    return violation.kind === 'deadlock' ? 'deadlock' : `${violation.kind} ${violation.name}`;
}

function describeFault(kind: string): string {
    return FAULTS[kind] ?? kind;
}

const FAULTS: Readonly<Record<string, string>> = {
    index: 'an index is outside its type',
    range: 'a value is outside its type',
    division: 'division by zero',
    overflow: 'a number beyond 2^53',
    assert: 'an assertion does not hold',
    race: 'two joint steps access one variable',
    undefined: 'an operation has no value here, as with none or with a negative number of bits',
    endless: 'a loop of a body repeats without end',
};

/** The run that shows a violation: the first state whole, then only what each step changes. */
export function formatViolation(violation: Violation, style: TextStyle): string {
    const { colors } = style;
    const steps = violation.trace.length - 1;
    const place = violation.kind === 'deadlock' ? '' : ` ${colors.dim(formatLocation(violation.location))}`;
    const head =
        `${colors.bold(colors.red(describeViolation(violation)))} after ` +
        `${formatCount(steps)} ${steps === 1 ? 'step' : 'steps'}${formatCopies(violation)}${place}\n`;
    return head + formatTrace(violation, style);
}

function formatCopies({ copies = '1' }: Violation): string {
    return copies === '1' ? '' : `, ${formatLargeCount(BigInt(copies))} states by symmetry`;
}

/** A run, and where its loop begins if it has one. */
type Run = Pick<Violation, 'trace' | 'loopStart'>;

function formatTrace(run: Run, style: TextStyle): string {
    return run.trace.map((entry, index) => formatTraceEntry(entry, index, run, style)).join('');
}

function formatTraceEntry(entry: TraceEntry, index: number, { trace, loopStart }: Run, style: TextStyle): string {
    const { colors } = style;
    const numberWidth = String(trace.length - 1).length;
    const number = String(index).padStart(numberWidth);
    const indent = ' '.repeat(numberWidth + 4);
    const loop = loopStart === index ? colors.yellow('  (the loop begins here)') : '';
    if (entry.step === null) {
        const groups = groupCells(entry.state).map(line => `${indent}${line}\n`);
        return `  ${colors.dim(number)}  ${colors.dim('initial state')}${loop}\n${groups.join('')}`;
    }
    const before = trace[index - 1]?.state ?? {};
    const changes = entry.changed.map(
        name =>
            `${indent}${name}: ${formatValueText(before[name] ?? null)} ${colors.dim('→')} ` +
            `${colors.bold(formatValueText(entry.state[name] ?? null))}\n`,
    );
    return (
        `  ${colors.dim(number)}  ${colors.cyan(entry.step.process)} ${colors.bold(entry.step.label)}` +
        `  ${colors.dim(`line ${entry.step.location.line}`)}${loop}\n` +
        changes.join('') +
        (entry.fault === undefined ? '' : `${indent}${colors.red(`fault: ${describeFault(entry.fault)}`)}\n`)
    );
}

// ---------------------------------------------------------------------------------------------------------------------
// Simulation

export function formatSimulation(document: SimulateDocument, style: TextStyle): string {
    const place =
        document.violation === undefined || document.violation.kind === 'deadlock'
            ? ''
            : ` ${style.colors.dim(formatLocation(document.violation.location))}`;
    return (
        `${formatTitle(document.model, document.params, style)}\n` +
        `${formatSimulationEnd(document, style)}${place}${style.colors.dim(formatSeed(document))}\n\n` +
        formatTrace(document, style)
    );
}

/** How the walk ended, for scripts and the hurried. */
export function formatSimulationInALine(document: SimulateDocument, style: TextStyle): string {
    return `${formatSimulationEnd(document, style)}${formatSeed(document)}\n`;
}

/** What to give to see the walk again; a script says it itself. */
function formatSeed({ seed }: SimulateDocument): string {
    return seed === undefined ? '' : ` (seed ${seed})`;
}

function formatSimulationEnd({ trace, end, violation }: SimulateDocument, { colors }: TextStyle): string {
    const steps = trace.length - 1;
    const after = `${formatCount(steps)} ${steps === 1 ? 'step' : 'steps'}`;
    if (violation !== undefined) {
        return `${colors.bold(colors.red(`violated: ${describeViolation(violation)}`))} after ${after}`;
    }
    switch (end) {
        case 'terminated':
            return `every process has terminated after ${after}`;
        case 'deadlock':
            return `no step is possible after ${after}; the model allows it`;
        default:
            return `${after}, and nothing violated on the way`;
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Verification

export function formatVerification(document: VerifyDocument, style: TextStyle): string {
    const { colors } = style;
    const groups = document.groups.map(({ order, properties }) => [
        formatLargeCount(BigInt(order)),
        properties.length === 0 ? 'symmetries of the model' : `symmetries of the model keep ${properties.join(', ')}`,
    ]);
    const lines = [
        formatTitle(document.model, document.params, style),
        formatVerificationVerdict(document, style),
        '',
        ...formatTable(groups.map(([order = '', text = '']) => [order, text])).map(line => `  ${line}`),
        ...(document.ordersChecked || document.verdict !== 'verified'
            ? []
            : [colors.dim('  These orders were not computed again: the groups are too large for that.')]),
        ...document.refutations.flatMap(refutation => [
            '',
            `${colors.bold(colors.red('Refuted'))}  ${visible(abbreviate(refutation.cycles ?? ''))}`.trimEnd(),
            `  ${visible(refutation.message)}` +
                (refutation.step === undefined ? '' : ` (${formatLocation(refutation.step.location)})`),
            ...formatStateUnder('state', refutation.state),
            ...formatStateUnder('image', refutation.image),
        ]),
    ];
    return `${lines.join('\n')}\n`;
}

/** The verdict, for scripts and the hurried. */
export function formatVerificationInALine(document: VerifyDocument, style: TextStyle): string {
    return `${formatVerificationVerdict(document, style)}\n`;
}

function formatVerificationVerdict(document: VerifyDocument, { colors }: TextStyle): string {
    const { verdict, generators, states, exhaustive, complete } = document;
    const tried =
        `${formatCount(generators)} ${generators === 1 ? 'generator' : 'generators'} on the graph and on ` +
        (exhaustive
            ? `all ${formatCount(states)} states that can be reached`
            : `${formatCount(states)} states of random walks`);
    switch (verdict) {
        case 'verified':
            return (
                `${colors.bold(colors.green('verified'))}: ${tried}` +
                (complete === false ? colors.yellow(' (of a subgroup: the time limit ended the search)') : '')
            );
        case 'refuted':
            return `${colors.bold(colors.red('refuted'))}: ${tried}`;
        case 'undecided':
            return `${colors.bold(colors.yellow('undecided'))}: the time limit ended the check after ${formatCount(states)} states`;
    }
}

function formatStateUnder(title: string, state: Readonly<Record<string, DocumentValue>> | undefined): string[] {
    return state === undefined ? [] : [`  ${title}`, ...groupCells(state).map(line => `    ${line}`)];
}

// ---------------------------------------------------------------------------------------------------------------------
// States

/**
 * A state in few lines, one for each variable: cells that differ in their indices only stand together, and where all
 * of them hold the same value they are one: `flag[*] = 0`.
 */
function groupCells(state: Readonly<Record<string, DocumentValue>>): string[] {
    const groups = new Map<string, [string, DocumentValue][]>();
    for (const [name, value] of Object.entries(state)) {
        const pattern = name.replaceAll(/\[[^\]]*\]/g, '[*]');
        const group = groups.get(pattern);
        if (group === undefined) {
            groups.set(pattern, [[name, value]]);
        } else {
            group.push([name, value]);
        }
    }
    return [...groups].map(([pattern, cells]) => {
        const values = new Set(cells.map(([, value]) => formatValueText(value)));
        return values.size === 1 && cells.length > 1
            ? `${pattern} = ${[...values].join('')}`
            : cells.map(([name, value]) => `${name} = ${formatValueText(value)}`).join('  ');
    });
}

/** A cell without a value (a dead local, an unused slot) shows as a dash. */
function formatValueText(value: DocumentValue): string {
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

// ---------------------------------------------------------------------------------------------------------------------
// Words and numbers

function formatTitle(model: string, params: Readonly<Record<string, DocumentValue>>, style: TextStyle): string {
    const values = Object.entries(params).map(([name, value]) => `${name} = ${formatValueText(value)}`);
    return `${style.colors.bold(model)}${values.length === 0 ? '' : style.colors.dim(`  ${values.join(', ')}`)}`;
}

/** The first column padded to one width. */
function formatTable(rows: readonly (readonly [string, string])[]): string[] {
    const width = Math.max(0, ...rows.map(([name]) => name.length));
    return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}

/** All columns but the last padded to one width each. */
function formatColumns(rows: readonly (readonly string[])[]): string[] {
    const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)));
    return rows.map(row =>
        row
            .map((text, column) => text.padEnd(widths[column] ?? 0))
            .join('  ')
            .trimEnd(),
    );
}

/** `1,234,567` */
export function formatCount(count: number | bigint): string {
    return count.toString().replaceAll(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** A count that nobody reads digit by digit: `about 1.27 × 10^89` beyond 10^24. `--json` has all digits. */
export function formatLargeCount(count: bigint): string {
    const digits = count.toString();
    return digits.length <= 25
        ? formatCount(count)
        : `about ${digits.slice(0, 1)}.${digits.slice(1, 3)} × 10^${digits.length - 1}`;
}

/** `12 ms`, `3.2 s`, `2 min 5 s` */
export function formatSeconds(seconds: number): string {
    if (seconds < 1) {
        return `${Math.round(seconds * 1000)} ms`;
    }
    if (seconds < 120) {
        return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
    }
    return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** `640 KB`, `12 MB`; in powers of 1024, as `--max-memory` reads them. */
export function formatBytes(bytes: number): string {
    const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
    let value = bytes;
    let unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
        value /= 1024;
        unit++;
    }
    return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** Control characters would move the cursor or color the terminal: a model's text must not. A tab is one blank. */
export function visible(text: string): string {
    // eslint-disable-next-line no-control-regex
    return text.replaceAll('\t', ' ').replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '\ufffd');
}
