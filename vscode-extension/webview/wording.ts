/** Results in words for the panels. */
import { formatLimit } from '../../engine/describe/limit-words.js';
import { formatForEvery, formatSizes } from '../../engine/describe/for-every.js';
import { formatRun, formatUnexpected, isUnexpected } from '../../engine/describe/meant-words.js';
import { formatNumbers, formatPotential } from '../../engine/describe/number-words.js';
import {
    formatFair,
    formatCount,
    formatHolds,
    formatInstances,
    formatNames,
    formatLargeCount,
    formatMean,
    formatMembers,
    formatMembersChecked,
    formatNumberOf,
    formatPartialOrder,
    formatPlainValue,
    formatRoundedCount,
    formatRunLength,
    formatUndecided,
    formatViolation,
    formatWhere,
    nameImages,
    isRun,
    propertyNamed,
} from '../../engine/describe/words.js';
import type {
    EverySizeDocument,
    ExploreDocument,
    LimitDocument,
    RunOutcomeDocument,
    SymmetryDocument,
    UnfairStepDocument,
    ViolationDocument,
} from '../../language-server/document-schema.js';
import { SETTINGS_OF_LIMITS, type Retraced } from '../../language-server/protocol.js';
import type { RunContent } from './messages.js';

/** The text for a cell without a value. */
export const NO_VALUE_MARK = '–';

/** The verdict in a sentence: about everything the model states, or about one property. */
export function explain(result: ExploreDocument, property: string | undefined): string {
    // A temporal property has a search of its own, with the symmetries that keep it.
    const outcome = propertyNamed(result.properties, property);
    const searched =
        outcome === undefined
            ? result
            : { states: outcome.states, reduction: outcome.reduction, checked: [outcome.name] };
    const where = whereOf(result.verdict, searched);
    switch (result.verdict) {
        case 'holds':
            return `${capital(formatHolds(searched))}.`;
        case 'violated':
            return explainViolated(result, where);
        case 'undecided':
            return `No violation was found in ${where}${formatUndecided(result)}.`;
    }
}

/** `Found after 6 steps`, `No run comes there`. */
export function titleOfFound(found: RunOutcomeDocument | undefined, fault: ViolationDocument | undefined): string {
    switch (found?.verdict) {
        case 'reached':
            return `Found ${formatRunLength(found.steps ?? 0)}`;
        case 'none':
            return 'No run comes there';
        default:
            return fault === undefined ? 'Undecided' : `Undecided: ${formatViolation(fault)}`;
    }
}

/** What follows a question: `: its parts are met at 4, 6`, `: none of 288 states`. */
export function explainFound(found: RunOutcomeDocument | undefined, result: ExploreDocument): string {
    const { verdict, parts = [] } = found ?? {};
    return verdict === 'reached'
        ? parts.length > 1
            ? `: the parts are met at ${parts.join(', ')}`
            : ''
        : `: not found in ${formatWhere(result)}`;
}

function explainViolated({ violations, unexpected = [] }: ExploreDocument, where: string): string {
    const count = violations.filter(isUnexpected).length;
    const parts = [
        ...(count === 0 ? [] : [`${formatNumberOf(count, 'violation')} among ${where}`]),
        ...unexpected.map(each => `${formatUnexpected(each)} (line ${each.location.line})`),
    ];
    return `${capital(parts.join('; '))}.`;
}

/** `all 32,768 states; 3,280 explored (10x)`; of a search that ended before it had seen all, how many it has stored. */
export function whereOf(
    verdict: ExploreDocument['verdict'],
    searched: Pick<ExploreDocument, 'states' | 'allStates' | 'reduction' | 'templates' | 'names'>,
): string {
    return verdict === 'holds'
        ? formatWhere(searched)
        : formatNumberOf(searched.states, searched.reduction.order === '1' ? 'state' : 'orbit');
}

/** With a capital, unless a name of the text comes first. */
function capital(text: string): string {
    return /^no /.test(text) ? `N${text.slice(1)}` : text;
}

/** What a document is about: the model, its parameters and, if there is only one, the property. */
export function subtitleOf(
    { model, params }: Pick<ExploreDocument, 'model' | 'params'>,
    property: string | undefined,
): string {
    const parameters = parametersOf({ params });
    const parts = [model, parameters, property === undefined ? '' : `only ${property}`];
    return parts.filter(part => part !== '').join(' · ');
}

/** `N = 5, K = 2`; empty without parameters. */
export function parametersOf({ params }: Pick<ExploreDocument, 'params'>): string {
    return Object.entries(params)
        .map(([name, value]) => `${name} = ${formatPlainValue(value, NO_VALUE_MARK)}`)
        .join(', ');
}

/** `this is N = 5; now N = 8`, if nothing but values of parameters has changed since. */
export function otherValuesOf(
    { isStale, isOfText, parameters }: Pick<RunContent, 'isStale' | 'isOfText' | 'parameters'>,
    params: ExploreDocument['params'] | undefined,
): string | undefined {
    if (!isStale || !isOfText) {
        return undefined;
    }
    const changed = parameters.flatMap(({ name, value }) => {
        const was = formatPlainValue(params?.[name], NO_VALUE_MARK);
        return was === value ? [] : [{ was: `${name} = ${was}`, now: `${name} = ${value}` }];
    });
    const list = (side: 'was' | 'now'): string => changed.map(each => each[side]).join(', ');
    return params === undefined
        ? 'the values of parameters are other ones now'
        : `this is ${list('was')}; now ${list('now')}`;
}

/** How a verdict for all values of parameters was found, or why it was not. */
export function howChecked(document: EverySizeDocument): readonly string[] {
    const {
        forAll,
        invariants,
        views,
        viewSize = 0,
        configurations = 0,
        rechecked,
        exact,
        suspicion,
        limit,
    } = document;
    const checked = [...invariants.map(name => `\`${name}\``), 'faults of steps'].join(', ');
    const again =
        rechecked === undefined ? '' : rechecked ? ', and were checked again' : ', and were not checked again';
    return [
        `Checked ${formatForEvery(forAll)}: ${checked}.`,
        ...(views === undefined
            ? []
            : [
                  `${formatNumberOf(views, 'view')} of ${formatNumberOf(viewSize, 'member')} prove it, from ${formatNumberOf(configurations, 'configuration')}${again}.`,
              ]),
        ...(exact.length === 0 ? [] : [`Explored as they are: ${formatSizes(exact.map(({ params }) => params))}.`]),
        ...(suspicion === undefined
            ? []
            : [
                  `Views of ${formatNumberOf(suspicion.viewSize, 'member')} do not exclude a violation of \`${suspicion.name}\`.`,
              ]),
        ...(limit === undefined ? [] : [`${limitWords(limit).text}.`]),
    ];
}

/** A line for each temporal property, of one that was explored alone only what its members have in common. */
export function outcomesOf(
    { properties = [] }: Pick<ExploreDocument, 'properties'>,
    property: string | undefined,
): readonly string[] {
    return properties.flatMap(outcome => {
        if (isRun(outcome)) {
            return [`\`${outcome.name}\`: ${formatRun(outcome)}`];
        }
        const { name, verdict, states, reduction } = outcome;
        const members = verdict === 'holds' ? formatMembersChecked(outcome) : undefined;
        const parts = [
            ...(property === undefined
                ? [
                      `\`${name}\`: ${verdict}`,
                      formatNumberOf(states, reduction.order === '1' ? 'state' : 'orbit'),
                      ...(reduction.order === '1' ? [] : [`${reduction.group}, ${countSymmetries(reduction.order)}`]),
                  ]
                : []),
            ...(members === undefined ? [] : [members]),
        ];
        return parts.length === 0 ? [] : [parts.join(' · ')];
    });
}

/** A word that would exclude a run, for a step that it never takes, and what it stands before in the text. */
export interface RepairWords {
    readonly step: UnfairStepDocument;
    readonly words: 'fair' | 'strong fair';
    /** `enter:`, `process P`. */
    readonly place: string;
}

const MOST_REPAIRS = 4;

/** The different repairs, at most a few: instances of one family have the same text. */
export function repairsOf(unfair: readonly UnfairStepDocument[]): readonly RepairWords[] {
    const repairs = unfair.map((step): RepairWords => {
        const family = step.process.replace(/[[#].*$/, '');
        return {
            step,
            words: step.kind === 'weak' ? 'fair' : 'strong fair',
            place: step.label === undefined ? `process ${family}` : `${step.label}:`,
        };
    });
    const byText = new Map<string, RepairWords>();
    for (const repair of repairs) {
        const key = JSON.stringify([repair.words, repair.place, repair.step.location ?? null]);
        byText.set(key, byText.get(key) ?? repair);
    }
    return [...byText.values()].slice(0, MOST_REPAIRS);
}

const MOST_STEPS_NAMED = 8;

/** Notes besides the verdict. */
export function notesOn({
    interpretedBecause,
    unreached = [],
    templates,
    names: held,
    numbers = [],
    por,
}: ExploreDocument): readonly string[] {
    const names = unreached.slice(0, MOST_STEPS_NAMED).map(({ process, label }) => `${process} ${label}`);
    const left = unreached.length - names.length;
    return [
        ...(templates === undefined ? [] : [`Instances: ${formatInstances(templates)}.`]),
        ...(held === undefined ? [] : [`Values without end: ${formatNames(held)}.`]),
        ...formatNumbers(numbers).map(line => `Numbers without end: ${line}.`),
        ...(por === undefined
            ? []
            : [
                  por.because === undefined
                      ? `Partial order: ${formatPartialOrder(por)}.`
                      : `Partial order: all steps are taken, since ${por.because}.`,
              ]),
        ...(interpretedBecause === undefined ? [] : [`The model was interpreted: ${interpretedBecause}.`]),
        ...(names.length === 0 ? [] : [`Never taken: ${names.join(', ')}${left > 0 ? `, and ${left} more` : ''}.`]),
    ];
}

/** `C10 · 10 symmetries`. */
export function nameGroup({
    order,
    structure,
    complete,
    refuted,
}: Pick<SymmetryDocument, 'order' | 'structure' | 'complete' | 'refuted'>): string {
    if (refuted === true) {
        return 'Symmetry is not used';
    }
    return order !== '1'
        ? `${structure} · ${complete ? '' : 'at least '}${countSymmetries(order)}`
        : complete
          ? 'No symmetry'
          : 'No symmetry found';
}

/** A warning above the result; undefined if the group is complete and described. */
export function caveatOf({
    order,
    complete,
    refuted,
    heldFixed,
    undescribed,
}: Pick<SymmetryDocument, 'order' | 'complete' | 'refuted' | 'heldFixed' | 'undescribed'>): string | undefined {
    if (refuted === true) {
        return (
            'Symmetries were found that this model does not have, as running it shows. This is a defect of Orbit and ' +
            'not of the model; please report it together with the model.'
        );
    }
    if (complete) {
        return undescribed === true
            ? 'The time limit (`orbit.symmetry.timeLimit`) came before everything was described: names may be missing, ' +
                  'what is said is right.'
            : undefined;
    }
    const reason =
        heldFixed === undefined
            ? 'The search was ended by its time limit (`orbit.symmetry.timeLimit`)'
            : 'What is too large to compare is kept in place';
    const left = order === '1' ? 'there may be symmetries all the same' : 'there may be more symmetries than these';
    return `${reason}: ${left}.`;
}

/** `1 symmetry`, `40,320 symmetries`. */
function countSymmetries(order: string): string {
    return order === '1' ? '1 symmetry' : `${formatLargeCount(order)} symmetries`;
}

/** What a property leaves of the group: `` `mutex` keeps 16 of 48 symmetries, D4 x C2 ``; of alike ones, the set. */
export function describeKept(
    property: SymmetryDocument['properties'][number],
    group: Pick<SymmetryDocument, 'order'>,
): string {
    const { name, alike, alikeTo } = property;
    if (alikeTo !== undefined) {
        return `\`${name}\` is an image of \`${alikeTo}\` by symmetry`;
    }
    const { members, orbits } = property;
    const checked =
        members === undefined ? undefined : formatMembers({ members, ...(orbits !== undefined && { orbits }) });
    if (checked !== undefined) {
        return `\`${name}\`: ${checked}`;
    }
    const { order, structure } = alike ?? property;
    const kept =
        order === group.order
            ? `all ${countSymmetries(order)}`
            : `${formatLargeCount(order)} of ${countSymmetries(group.order)}, ${structure}`;
    return `\`${name}\`${alike === undefined ? '' : ` with its ${nameImages(alike.names)}`} keeps ${kept}`;
}

/** Undefined without fairness: `Fair to each of 5, alike, which keeps all 120 symmetries`. */
export function describeFairness({
    fairness,
    order,
}: Pick<SymmetryDocument, 'fairness' | 'order'>): string | undefined {
    if (fairness?.keeps === undefined) {
        return fairness && `F${formatFair(fairness).slice(1)}`;
    }
    const { keeps } = fairness;
    const kept =
        keeps.order === order
            ? `all ${countSymmetries(order)}`
            : `${formatLargeCount(keeps.order)} of ${countSymmetries(order)}, ${keeps.structure}`;
    return `F${formatFair(fairness).slice(1)}, which keeps ${kept}`;
}

/** The size of the searched graph, and whether the generators were checked. */
export function describeSearch({
    generators,
    graph,
    verified,
}: Pick<SymmetryDocument, 'generators' | 'graph' | 'verified'>): string {
    const where = `in a colored graph of ${formatNumberOf(graph.vertices, 'vertex', 'vertices')} and ${formatNumberOf(graph.edges, 'edge')}`;
    if (generators.length === 0) {
        return `Searched ${where}.`;
    }
    const check = verified ? 'each generator was checked against the model' : 'the generators were not checked';
    return `Found ${where}; ${check}.`;
}

const MOST_NAMES_LISTED = 12;

/** The first few names, and the number of the others. */
export function listSome(names: readonly string[]): string {
    const left = names.length - MOST_NAMES_LISTED;
    return names.slice(0, MOST_NAMES_LISTED).join(', ') + (left > 0 ? ` and ${formatCount(left)} more` : '');
}

/** How many potential states are distinct, and an estimate of the reachable states to an orbit. */
export function describeStates(
    document: Pick<
        SymmetryDocument,
        'potentialStates' | 'potentialOrbits' | 'potentialOrbitsMissing' | 'numbersUpTo' | 'reachableEstimate'
    >,
): readonly string[] {
    const { potentialOrbits, potentialOrbitsMissing, reachableEstimate } = document;
    const states = formatPotential(document);
    const { statesPerOrbit, walks } = reachableEstimate ?? {};
    return [
        potentialOrbits === undefined
            ? `How many of ${states} are distinct was not computed: ${potentialOrbitsMissing ?? ''}.`
            : `${formatLargeCount(potentialOrbits)} of ${states} are distinct.`,
        ...(statesPerOrbit === undefined
            ? []
            : [
                  `About ${formatMean(statesPerOrbit)} reachable states to an orbit, an estimate from ${walks} random ` +
                      'walks.',
              ]),
    ];
}

/** The limit that ended the exploration, and the setting that lets it go on. */
export function limitWords(limit: LimitDocument | undefined): { readonly text: string; readonly setting?: string } {
    if (limit === undefined) {
        return { text: 'A limit was reached' };
    }
    const setting = SETTINGS_OF_LIMITS.get(limit.kind);
    const instead =
        limit.kind === 'work'
            ? ', which exploring all states does without'
            : limit.kind === 'thread'
              ? '; one thread alone does without them'
              : '';
    const text = formatLimit(limit);
    return { text: text.charAt(0).toUpperCase() + text.slice(1) + instead, ...(setting !== undefined && { setting }) };
}

/** What has become of a run by an edit: `Still a run, and still violates …`, `Stops before step 7: …`. */
export function describeRetraced({ steps, violation, stop }: Retraced, earlier: ViolationDocument): string {
    const length = earlier.trace.length - 1;
    if (stop !== undefined) {
        return `It stops before step ${steps + 1}: ${stop}.`;
    }
    if (violation === undefined && earlier.kind === 'property') {
        return `It is still a run; whether \`${earlier.name}\` allows it now, an exploration says.`;
    }
    if (violation === undefined) {
        return 'It is still a run, and nothing is violated in it any more.';
    }
    const found = formatViolation({ ...earlier, ...violation, trace: { length: steps + 1 } });
    const isSame = violation.kind === earlier.kind && violation.name === earlier.name && steps === length;
    return isSame ? `It is still a run: ${found}, as before.` : `It is a run up to step ${steps}: ${found}.`;
}

/** The title of the symmetries of a model: what they are good for. */
export function nameGain(document: SymmetryDocument): string {
    const { steps, reachableEstimate, complete, refuted } = document;
    const order = steps?.explored.order ?? document.order;
    if (refuted === true || order === '1') {
        return nameGroup({ ...document, ...(refuted === true && { refuted }) });
    }
    if (reachableEstimate !== undefined) {
        return `About ${formatMean(reachableEstimate.statesPerOrbit, 10)}x fewer states`;
    }
    return complete ? `Up to ${formatRoundedCount(order)}x fewer states` : nameGroup(document);
}

/** `6 ways`: how many permutations a factor has. */
export function describeWays(order: string): string {
    return `${formatRoundedCount(order)} ways`;
}
