/**
 * The symmetries of a model: the group, its factors, the places that break symmetries, and the costs of properties.
 */
import { formatForEvery } from '../../engine/describe/for-every.js';
import {
    formatFair,
    formatCount,
    formatCreation,
    formatLargeCount,
    formatMean,
    formatMembers,
    formatNumberOf,
    formatPropertyAtLength,
    formatSeconds,
    formatSteps,
    formatSymmetryInWords,
    nameImages,
    REFUTED,
} from '../../engine/describe/words.js';
import { formatPotential } from '../../engine/describe/number-words.js';
import type { ReachableEstimate } from '../../engine/explore/reachable-estimate.js';
import type { SymmetryLine } from '../../engine/pipeline.js';
import type {
    AssertionReport,
    BrokenSymmetry,
    FactorReport,
    FairnessReport,
    FamilyReport,
    HeldFixedReport,
    PlaceReport,
    PropertyReport,
    SymmetryReport,
    TemplateReport,
} from '../../engine/describe/report.js';
import type { DocumentLocation, DocumentValue, SeenDocument } from '../../language-server/document-schema.js';
import type { SymmetryOfSizes } from '../symmetry-of-sizes.js';
import { abbreviate, formatLocation, formatTable, section, type TextStyle } from './layout.js';
import { formatTitle } from './states.js';

export interface SymmetryTextOptions {
    readonly model: string;
    readonly params: Readonly<Record<string, DocumentValue>>;
    readonly report: SymmetryReport;
    /** The property whose group this is, and the order of the model's group, if one is asked for. */
    readonly property?: { readonly name: string; readonly ofOrder: string };
    readonly locate: (places: readonly PlaceReport[]) => readonly (DocumentLocation & { readonly text: string })[];
    /** What is known of all values of the parameters; absent for a model without parameters. */
    readonly allSizes?: SymmetryOfSizes;
    readonly seconds: number;
}

/** For a complete group. */
const UNDESCRIBED = 'the time limit came before everything was described: names may be missing, what is said is right';

/** Generators after these are counted, not printed. */
const MOST_GENERATORS_PRINTED = 12;
/** The same for direct factors, and for what one of them moves. */
const MOST_FACTORS_PRINTED = 12;
const MOST_MOVED_PRINTED = 12;
/** Places after these are counted, not printed. */
const MOST_PLACES_PRINTED = 6;

export function formatSymmetry(options: SymmetryTextOptions, style: TextStyle): string {
    const { report, property } = options;
    const { colors } = style;
    const lines = [
        formatTitle(options.model, options.params, style),
        ...(report.refuted || report.order === '1' || property !== undefined
            ? []
            : [colors.bold(formatSymmetryInWords(report))]),
        report.refuted
            ? colors.red(REFUTED)
            : `${colors.bold(colors.green(report.structure))} · ${formatSymmetryCount(report)}` +
              formatStaticOrder(report) +
              (property === undefined ? '' : ` of ${formatLargeCount(property.ofOrder)} keep ${property.name}`) +
              colors.yellow(formatIncomplete(report)),
        ...(report.refuted || property !== undefined ? [] : [formatSteps(report)]),
        ...stateLines(report),
        ...(report.undescribed === true && report.complete ? [colors.yellow(UNDESCRIBED)] : []),
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
        ...section('All sizes', formatAllSizes(options), 0, style),
        ...section('Processes', formatFamilies(report), 0, style),
        ...section('Properties', formatProperties(report), 0, style),
        ...(report.heldFixed ?? []).flatMap(held => ['', ...formatHeldFixed(held, options, style)]),
        ...report.assertions.flatMap(assertion => ['', ...formatAssertion(assertion, options, style)]),
        ...report.broken
            .filter(({ isIntended }) => isIntended !== true)
            .flatMap(broken => ['', ...formatBroken(broken, options, style)]),
        ...formatUnexplained(report.unexplained ?? [], style),
        ...formatWhy(options, style),
        '',
        colors.dim(
            `graph: ${formatNumberOf(report.graph.vertices, 'vertex', 'vertices')}, ` +
                `${formatNumberOf(report.graph.edges, 'edge')} · ` +
                `${formatSeconds(options.seconds)}` +
                formatCheck(report),
        ),
    ];
    return lines.filter(line => line !== undefined).join('\n') + '\n';
}

/** What is proved for all values of the parameters, what is not and why, and what was seen for some. */
function formatAllSizes({ allSizes, locate }: SymmetryTextOptions): string[] {
    if (allSizes === undefined) {
        return [];
    }
    const { uniform, seen, isRefuted } = allSizes;
    return [
        ...(isRefuted ? ['what was proved is not true of this model: a defect of Orbit, please report it'] : []),
        ...uniform.proved.map(
            ({ forAll, group, places }) =>
                `${formatForEvery(forAll)}: ${group} (proved) · ${abbreviate(places.join(', '))}`,
        ),
        ...(seen === undefined ? [] : [formatSeen(seen)]),
        ...(seen === undefined ? [] : uniform.refused).map(({ places, text, reason, range }) => {
            const [place] = locate([{ range, text }]);
            const where = place === undefined ? '' : `, line ${place.line}`;
            const what = places.length === 0 ? '' : ` of ${abbreviate(places.join(', '))}`;
            return `not proved${what}: \`${abbreviate(text)}\`${where}, ${reason}`;
        }),
    ];
}

/** `seen for N = 2 .. 6: D_N`. */
function formatSeen({ parameter, sizes, pattern }: SeenDocument): string {
    const values = sizes.map(({ value }) => value);
    const [first, last] = [values[0], values.at(-1)];
    const which = first === last ? String(first) : `${first} .. ${last}`;
    const groups = pattern ?? sizes.map(({ structure }) => structure).join(', ');
    return `seen for ${parameter} = ${which}: ${groups}`;
}

/** Exchanges of instances that are created depend on how many are considered; the others do not. */
function formatStaticOrder({ staticOrder, templates = [] }: SymmetryReport): string {
    const what = templates.every(({ named }) => named !== undefined) ? 'values without end' : 'instances';
    return staticOrder === undefined ? '' : `, ${formatLargeCount(staticOrder)} without those of ${what}`;
}

/** Whether all generators were tried by running the model; time may have ended before. */
function formatCheck({ generators, verified, refuted }: SymmetryReport): string {
    return generators.length === 0 || refuted
        ? ''
        : verified
          ? ' · checked by running the model'
          : ' · not all of it was checked by running the model';
}

/** `S9 · 362,880 symmetries`, for `--quiet`. */
export function formatSymmetryInALine(report: SymmetryLine): string {
    const { structure, order, complete, refuted, verified, heldFixed } = report;
    if (refuted) {
        return `${REFUTED}\n`;
    }
    const unchecked = verified || order === '1' ? '' : ' (not checked)';
    const part = complete ? '' : heldFixed === undefined ? ' (subgroup)' : ' (perhaps a subgroup)';
    return `${structure} · ${formatSymmetryCount(report)}${part}${unchecked}\n`;
}

function formatSymmetryCount({ order, complete, heldFixed }: SymmetryLine): string {
    if (order === '1') {
        const found = heldFixed === undefined ? 'no symmetry found in the time given' : 'no symmetry found';
        return complete ? 'no symmetry but the identity' : found;
    }
    return `${formatLargeCount(order)} symmetries`;
}

/** Why there may be more symmetries. */
function formatIncomplete({ complete, heldFixed }: SymmetryReport): string {
    const reason =
        heldFixed === undefined
            ? 'a subgroup: the time limit ended the search'
            : 'perhaps a subgroup: what is too large to compare is kept in place';
    return complete ? '' : ` (${reason})`;
}

/** How many of the potential states are distinct, and how many reachable states an orbit has. */
function stateLines(report: SymmetryReport): string[] {
    const { order, potentialOrbits, potentialOrbitsMissing, reachable, templates } = report;
    // How many states there are depends on how many instances are considered.
    if (order === '1' || templates !== undefined) {
        return [];
    }
    const states = formatPotential(report);
    return [
        potentialOrbits === undefined
            ? `how many of ${states} are distinct was not computed: ${potentialOrbitsMissing ?? 'it would take too long'}`
            : `${formatLargeCount(potentialOrbits)} of ${states} are distinct`,
        ...(reachable === undefined ? [] : [formatEstimate(reachable)]),
    ];
}

/**
 * `about 5.1 reachable states to an orbit, an estimate from 183 states on 16 random walks`. The standard error is left
 * out: it does not cover that walks reach some states more often than others.
 */
function formatEstimate({ statesPerOrbit, states, walks }: ReachableEstimate): string {
    return (
        `about ${formatMean(statesPerOrbit, 10)} reachable states to an orbit, ` +
        `an estimate from ${formatCount(states)} states on ${formatCount(walks)} random walks`
    );
}

/** What a factor permutes, and the names that move with that and are not mentioned. */
function formatFactor({ structure, permutes, moves }: FactorReport): string[] {
    const words = permutes.split(/[\s,]+/);
    const isNamed = (name: string): boolean =>
        permutes.includes(`\`${name}\``) || words.some(word => word.startsWith(`${name}[`));
    const along = moves.filter(name => !isNamed(name));
    const names = along.slice(0, MOST_MOVED_PRINTED).join(', ') + (along.length > MOST_MOVED_PRINTED ? ', …' : '');
    return [`${structure}: ${permutes}`, ...(along.length === 0 ? [] : [`  with ${names}`])];
}

function formatFamilies({ families, templates = [] }: SymmetryReport): string[] {
    const ofProcesses = families.map(family => {
        const template = templates.find(({ name }) => name === family.name);
        return template === undefined ? formatFamily(family) : formatTemplate(template);
    });
    const types = templates.filter(({ named }) => named !== undefined);
    return [...ofProcesses, ...types.map(formatTypeOfNames)];
}

function formatTypeOfNames({ name, named = 0, slots, interchangeable }: TemplateReport): string {
    const others = named === 0 ? 'its values' : 'its values without a name';
    return interchangeable
        ? `${name}: ${others} are interchangeable, however many there are`
        : `${name}: ${others} are not interchangeable, among ${formatNumberOf(slots - named, 'value')}`;
}

function formatTemplate(template: TemplateReport): string {
    const relation = template.interchangeable
        ? `the instances of ${template.name} are interchangeable, however many there are`
        : `its instances are not interchangeable, among ${formatNumberOf(template.slots, 'instance')}`;
    return `${template.name}: ${formatCreation(template)}, ${relation}`;
}

function formatFamily(family: FamilyReport): string {
    const { name, instances, orbits, structure } = family;
    return `${name}: ${formatNumberOf(instances, 'instance')}, ${formatNumberOf(orbits.length, 'orbit')}, ${structure}`;
}

/** The symmetries that each property keeps, and below them the cause of a loss. Without symmetries there is nothing to keep. */
function formatProperties(report: SymmetryReport): string[] {
    const { order, properties, fairness } = report;
    if (order === '1') {
        return [];
    }
    const rows = properties.map(property => ({ ...property, text: keeps(property, report) }));
    const all =
        fairness === undefined
            ? rows
            : [...rows, { name: 'fairness', text: formatFairness(fairness, report), cost: fairness.cost }];
    return formatTable(all.map(({ name, text }) => [name, text])).flatMap((line, index) => {
        const message = all[index]?.cost?.message;
        return message === undefined ? [line] : [line, `  ${message}`];
    });
}

/** `fair to each of 5, alike, keeps all 120`. */
function formatFairness(fairness: FairnessReport, report: SymmetryReport): string {
    const counts = formatFair(fairness);
    const { keeps: kept } = fairness;
    return kept === undefined ? `${counts}, not compared in the time given` : `${counts}, ${formatKept(kept, report)}`;
}

function keeps(property: PropertyReport, report: SymmetryReport): string {
    if (formatMembers(property.runs) !== undefined) {
        return formatPropertyAtLength(property, report);
    }
    const { alike, alikeTo } = property;
    if (alikeTo !== undefined) {
        return `an image of ${alikeTo} by symmetry`;
    }
    const kept = formatKept(alike ?? property, report);
    return alike === undefined ? kept : `with its ${nameImages(alike.names).replaceAll('`', '')} ${kept}`;
}

function formatKept(
    { order, structure }: Pick<PropertyReport, 'order' | 'structure'>,
    { order: all }: SymmetryReport,
): string {
    return order === all
        ? `keeps all ${formatLargeCount(order)}`
        : `keeps ${formatLargeCount(order)} of ${formatLargeCount(all)} (${structure})`;
}

function formatBroken(broken: BrokenSymmetry, options: SymmetryTextOptions, style: TextStyle): string[] {
    return [
        `${style.colors.yellow('Broken')}  ${broken.message}`,
        ...formatPlaces(broken.locations, options, style),
        ...formatFixes(broken),
    ];
}

/** Edits that were tried; `--json` has their text. */
function formatFixes({ repairs }: Pick<BrokenSymmetry, 'repairs'>): string[] {
    return repairs.map(({ title }) => `  Fix: ${title}`);
}

function formatHeldFixed(
    { message, range, cells }: HeldFixedReport,
    options: SymmetryTextOptions,
    style: TextStyle,
): string[] {
    const { colors } = style;
    const place = options
        .locate([{ range, text: '' }])
        .map(formatLocation)
        .join('');
    return [`${colors.yellow('Held fixed')}  ${message}`, `  ${colors.bold(place)}: ${abbreviate(cells.join(', '))}`];
}

function formatUnexplained(subjects: readonly string[], style: TextStyle): string[] {
    return subjects.flatMap(subject => ['', `${style.colors.yellow('Not explained')}  ${subject}`]);
}

function formatAssertion(assertion: AssertionReport, options: SymmetryTextOptions, style: TextStyle): string[] {
    const { text, range, verdict, message, locations } = assertion;
    const { colors } = style;
    const paint = { holds: colors.green, fails: colors.red, undecided: colors.yellow }[verdict];
    const place = options.locate([{ range, text }]).map(formatLocation).join('');
    return [
        `${paint(verdict)}  ${colors.bold(text)}  ${colors.dim(place)}`,
        `  ${message}`,
        ...formatPlaces(locations, options, style),
        ...formatFixes(assertion),
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
            `  ${subject}: ${suggests} suggested, ${found} found`,
            `    ${message}`,
            ...formatPlaces(locations, options, style).map(line => `  ${line}`),
        ]),
    ];
}

function formatPlaces(places: readonly PlaceReport[], options: SymmetryTextOptions, { colors }: TextStyle): string[] {
    const left = places.length - MOST_PLACES_PRINTED;
    return [
        ...options
            .locate(places.slice(0, MOST_PLACES_PRINTED))
            .map(place => `  ${colors.bold(formatLocation(place))}: ${place.text}`),
        ...(left > 0 ? [colors.dim(`  … and ${formatCount(left)} more (--json lists all)`)] : []),
    ];
}
