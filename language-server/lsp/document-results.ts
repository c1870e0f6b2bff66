/**
 * The answers about each thing that a document states, at the places of its present text: from the results of
 * explorations and, for stated symmetries, from the last analysis. Of several answers the most telling one about the
 * present model counts, else the newest one.
 */
import { AstUtils, type LangiumDocument } from 'langium';
import type { Range } from 'vscode-languageserver';
import { formatLimit } from '../../engine/describe/limit-words.js';
import { formatRun, formatUnexpected, isUnexpected } from '../../engine/describe/meant-words.js';
import {
    formatEnd,
    formatHolds,
    formatMembersChecked,
    formatNumberOf,
    formatRunLength,
    formatUndecided,
    formatWhere,
    isRun,
    propertyNamed,
} from '../../engine/describe/words.js';
import { formatForEvery, formatProved } from '../../engine/describe/for-every.js';
import type { DocumentFindings } from '../analysis/analysis-service.js';
import { formatParameters, type KnownExploration } from '../analysis/explorations.js';
import {
    isAssumption,
    isDeadlockAllowance,
    isInvariant,
    isProcess,
    isExpectation,
    isProperty,
    isStatedRun,
    isSymmetryAssertion,
} from '../generated/ast.js';
import type { DocumentLocation, EverySizeDocument, PropertyOutcome, UnexpectedDocument } from '../document-schema.js';
import {
    SETTINGS_OF_LIMITS,
    type DocumentResults,
    type KeptDocument,
    type KeptViolation,
    type ResultAnswer,
    type ResultItem,
} from '../protocol.js';
import { declarationsOf } from '../../language/references/imports.js';
import { modelOf } from '../references/imports.js';
import { isAboutStates } from '../../language/references/temporal.js';
import { parametersOf } from './parameters.js';
import { headerRange, nameNodeOf, textOf } from './providers/declarations.js';

/** The name under which the model itself is checked. */
export const MODEL_PROPERTY = 'deadlock';

const EVERY_STEP = 'every step';

/** The kinds of items that explorations answer. */
type ExploredKind = Exclude<ResultItem['kind'], 'symmetry' | 'every'>;

/** `sizes`: the parameters for all of whose values the invariants can be checked. */
export function resultsOf(
    document: LangiumDocument,
    findings: DocumentFindings,
    sizes: readonly string[],
): DocumentResults {
    const { modelKey, sourceKey } = findings;
    return {
        uri: document.uri.toString(),
        version: document.textDocument.version,
        ...(modelKey !== undefined && { modelKey }),
        ...(sourceKey !== undefined && { sourceKey }),
        items: itemsOf(document, findings, sizes),
        parameters: parametersOf(document),
    };
}

/** A file without a process only declares, and states nothing. */
function itemsOf(document: LangiumDocument, findings: DocumentFindings, sizes: readonly string[]): ResultItem[] {
    const model = modelOf(document);
    const declarations = model === undefined ? [] : declarationsOf(model);
    if (model === undefined || !declarations.some(isProcess)) {
        return [];
    }
    const place = toLocation(document, headerRange(model));
    const checksDeadlock = !declarations.some(isDeadlockAllowance);
    // An assumption may exclude runs, and states with them.
    const areStates = !declarations.some(isAssumption);
    const items: ResultItem[] = [
        { ...exploredItem('model', MODEL_PROPERTY, place, findings), isProperty: checksDeadlock },
    ];
    for (const declaration of declarations) {
        const file = AstUtils.getDocument(declaration);
        const name = nameNodeOf(declaration);
        if (isInvariant(declaration) && name !== undefined) {
            const location = toLocation(file, name.range);
            items.push(exploredItem('invariant', declaration.name, location, findings));
            if (sizes.length > 0) {
                items.push(everyItem(declaration.name, location, findings, sizes));
            }
        } else if (isProperty(declaration) && name !== undefined) {
            const location = toLocation(file, name.range);
            items.push(exploredItem('property', declaration.name, location, findings));
            if (sizes.length > 0 && areStates && isAboutStates(declaration.expression)) {
                items.push(everyItem(declaration.name, location, findings, sizes));
            }
        } else if (isStatedRun(declaration) && name !== undefined) {
            items.push(exploredItem('run', declaration.name, toLocation(file, name.range), findings));
        } else if (isExpectation(declaration) && declaration.everyStep && declaration.$cstNode !== undefined) {
            const location = toLocation(file, declaration.$cstNode.range);
            items.push({ ...exploredItem('steps', EVERY_STEP, location, findings), isProperty: false });
        } else if (isSymmetryAssertion(declaration) && declaration.$cstNode !== undefined) {
            const text = textOf(declaration.$cstNode);
            const answer = symmetryAnswer(text, findings);
            const location = toLocation(file, declaration.$cstNode.range);
            items.push({ kind: 'symmetry', name: text, isProperty: false, location, ...(answer && { answer }) });
        }
    }
    return items;
}

/** That an invariant holds for all values of some parameters. */
function everyItem(
    name: string,
    location: DocumentLocation,
    { everySize }: DocumentFindings,
    forAll: readonly string[],
): ResultItem {
    const answers = everySize
        .filter(each => each.forAll.join() === forAll.join())
        .flatMap(each => everyAnswer(name, each) ?? []);
    const answer = ORDER.flatMap(verdict => answers.find(each => each.verdict === verdict) ?? []).at(0);
    return { kind: 'every', name, isProperty: false, location, forAll, ...(answer && { answer }) };
}

/** Undefined if the verdict is about another invariant. */
function everyAnswer(name: string, document: EverySizeDocument): ResultAnswer | undefined {
    const { verdict, forAll, invariants, violations, violatedFor, suspicion, limit, seconds } = document;
    if (!invariants.includes(name)) {
        return undefined;
    }
    const common = { isStale: false, reason: [], parameters: formatForEvery(forAll), seconds };
    const violation = violations.find(other => other.name === name || other.invariant === name);
    if (violation !== undefined) {
        const parameters = formatParameters({ params: violatedFor ?? {} });
        return {
            ...common,
            verdict: 'violated',
            summary: describeViolation(violation),
            reason: reasonLines(violation),
            parameters,
        };
    }
    if (verdict === 'holds') {
        return { ...common, verdict, summary: `holds, ${formatProved(document)}` };
    }
    const [first] = violations;
    const why =
        first !== undefined
            ? `${first.name} is violated`
            : limit !== undefined
              ? formatReached(limit)
              : `views of ${formatNumberOf(suspicion?.viewSize ?? 0, 'member')} do not exclude a violation`;
    return { ...common, verdict: 'undecided', summary: `undecided: ${why}` };
}

/** The knowledge about something that a document states. */
export function exploredItem(
    kind: ExploredKind,
    name: string,
    location: DocumentLocation,
    { allExplorations, sourceKey, parameters }: DocumentFindings,
): ResultItem {
    const answers = allExplorations.flatMap(run => answerOf(kind, name, run) ?? []);
    const current = answers.filter(({ answer }) => !answer.isStale);
    const best =
        ORDER.flatMap(verdict => current.find(({ answer }) => answer.verdict === verdict) ?? []).at(0) ??
        // An answer for other values of the parameters is none for these.
        answers.find(({ answer }) => answer.parameters === parameters);
    // Other values of the parameters, for the same text.
    const others = answers.filter(
        ({ run, answer }) =>
            run.sourceKey === sourceKey &&
            answer.parameters !== best?.answer.parameters &&
            answer.verdict === best?.answer.verdict,
    );
    const also = [...new Set(others.map(({ answer }) => answer.parameters))].reverse();
    return {
        kind,
        name,
        isProperty: true,
        location,
        ...(best !== undefined && { answer: best.answer }),
        ...(best?.answer.isStale === false && also.length > 0 && { also: joinParameters(also) }),
    };
}

/** The most telling one first: a violation is an answer whatever limit another exploration has reached. */
const ORDER = ['violated', 'holds', 'undecided'] as const;

/** The answer of the last exploration of everything, or of deadlock alone: `alone violated after 4 steps`. */
export function modelAnswer({
    explorations,
}: DocumentFindings): { readonly summary: string; readonly runId: string } | undefined {
    const runs = ['unique', 'none', `unique ${MODEL_PROPERTY}`].flatMap(name => explorations.get(name) ?? []);
    const run = runs.find(({ isStale }) => !isStale) ?? runs.at(0);
    if (run === undefined) {
        return undefined;
    }
    const { document, isStale, runId } = run;
    const { verdict, limit, unexpected = [] } = document;
    const violations = document.violations.filter(isUnexpected);
    const said = [...violations.map(nameViolation), ...unexpected.map(formatUnexpected)];
    const [first] = said;
    const more = said.length > 1 ? ` and ${said.length - 1} more` : '';
    const summary =
        verdict === 'holds'
            ? formatHolds(document)
            : first !== undefined
              ? first.replaceAll('`', '') + more
              : `undecided: ${limit === undefined ? 'interrupted' : formatLimit(limit).replaceAll('`', '')}${formatUndecided(document)}`;
    return { summary: summary + (isStale ? BEFORE_THE_EDIT : ''), runId };
}

/** At the end, so that nothing moves at the first key. */
export const BEFORE_THE_EDIT = ', before the edit';

/** `deadlock after 5 steps`, `alone violated after 4 steps`. */
function nameViolation(violation: KeptViolation): string {
    const { kind, name, invariant } = violation;
    const said = describeViolation(violation);
    return kind === 'deadlock' || (kind === 'fault' && invariant === undefined) ? said : `${invariant ?? name} ${said}`;
}

interface FoundAnswer {
    readonly run: KnownExploration;
    readonly answer: ResultAnswer;
}

/** Undefined if the exploration says nothing about the item: it may have ended at the violation of another one. */
function answerOf(kind: ExploredKind, name: string, run: KnownExploration): FoundAnswer | undefined {
    const { document, isStale, runId, finishedAt, property } = run;
    const isOwn = (violation: KeptViolation): boolean => isViolationOf(kind, name, violation);
    const violation =
        document.violations.find(each => isOwn(each) && each.expected !== true) ?? document.violations.find(isOwn);
    const isAsked = property === undefined || property === name;
    const surprise = document.unexpected?.find(each => isSurpriseOf(kind, name, each));
    const found =
        violation !== undefined
            ? violation.expected === true
                ? EXPECTED
                : VIOLATED
            : surprise !== undefined
              ? VIOLATED
              : isAsked
                ? outcomeOf(kind, name, document)
                : undefined;
    if (found === undefined) {
        return undefined;
    }
    const limit = found.verdict === 'violated' ? document.limit : found.limit;
    const reached = limit && formatReached(limit);
    const summary =
        violation !== undefined
            ? describeViolation(violation) +
              (violation.expected === true ? ', as expected' : reached === undefined ? '' : `; ${reached}`)
            : surprise !== undefined
              ? formatUnexpected(surprise).replaceAll('`', '')
              : found.verdict === 'holds'
                ? (found.said ?? `holds in ${found.states}`)
                : `undecided: ${reached}`;
    const answer: ResultAnswer = {
        verdict: found.verdict,
        isStale,
        summary,
        reason: violation === undefined || violation.expected === true ? [] : reasonLines(violation),
        parameters: formatParameters(document),
        runId,
        seconds: document.seconds,
        finishedAt,
        ...(violation?.kind === 'fault' && { place: violation.location }),
    };
    return { run, answer };
}

/** What an exploration says of an item that is not violated in it. */
interface FoundOutcome {
    readonly verdict: ResultAnswer['verdict'];
    /** In how many states or orbits it holds. */
    readonly states?: string;
    /** In place of that. */
    readonly said?: string;
    readonly limit?: KeptDocument['limit'];
}

const VIOLATED: FoundOutcome = { verdict: 'violated' };
const EXPECTED: FoundOutcome = { verdict: 'holds' };

/** Whether it is about the item that something is not as it is stated. */
function isSurpriseOf(kind: ExploredKind, name: string, surprise: UnexpectedDocument): boolean {
    switch (surprise.kind) {
        case 'dead':
            return kind === 'steps';
        case 'none':
            return kind === 'run' && surprise.name === name;
        case 'missing':
            return surprise.name === 'deadlock' || surprise.name === 'faults'
                ? kind === 'model'
                : surprise.name === name;
    }
}

function outcomeOf(kind: ExploredKind, name: string, document: KeptDocument): FoundOutcome | undefined {
    const { limit, verdict, unreached, properties } = document;
    if (kind === 'run') {
        const run = properties?.filter(isRun).find(other => other.name === name);
        return run === undefined
            ? undefined
            : run.verdict === 'reached'
              ? { verdict: 'holds', said: formatRun(run) }
              : { verdict: 'undecided', ...(limit !== undefined && { limit }) };
    }
    if (kind === 'property') {
        const outcome = propertyNamed(properties, name);
        if (outcome !== undefined) {
            const members = formatMembersChecked(outcome);
            const states = formatSearched(outcome) + (members === undefined ? '' : `, ${members}`);
            return { verdict: outcome.verdict, states, ...(outcome.limit !== undefined && { limit: outcome.limit }) };
        }
        // One with nothing but `always` before a state is checked as an invariant; others come after everything else.
        return limit !== undefined
            ? { verdict: 'undecided', limit }
            : verdict === 'holds'
              ? { verdict: 'holds', states: formatWhere(document) }
              : undefined;
    }
    // The limit may be one of the search for a temporal property: those come when all states are known.
    if (unreached !== undefined || (limit === undefined && verdict === 'holds')) {
        return { verdict: 'holds', states: formatWhere(document) };
    }
    return limit === undefined ? undefined : { verdict: 'undecided', limit };
}

/** A fault is one of the model, or of the invariant or property that it is in. */
function isViolationOf(kind: ExploredKind, name: string, violation: KeptViolation): boolean {
    if (kind === 'run' || kind === 'steps') {
        return false;
    }
    const isOfModel = violation.kind === 'deadlock' || violation.kind === 'fault';
    const invariant = isOfModel ? violation.invariant : violation.name;
    return kind === 'model' ? invariant === undefined : invariant === name;
}

/**
 * `deadlock after 5 steps`, `violated after 4 steps`, `fault in step 2`; in an invariant `fault after 2 steps`; of a
 * temporal property `violated by a run that repeats 3 steps for ever`.
 */
function describeViolation(violation: KeptViolation): string {
    const { kind, invariant, trace } = violation;
    const steps = trace.length - 1;
    if (invariant !== undefined) {
        return `fault ${formatRunLength(steps)}`;
    }
    if (kind === 'fault') {
        return steps === 0 ? 'fault in an initial state' : `fault in step ${steps}`;
    }
    return `${kind === 'deadlock' ? 'deadlock' : 'violated'} ${formatEnd(violation)}`;
}

function reasonLines({ reason = [] }: KeptViolation): string[] {
    return reason.map(({ text, alike }) =>
        (alike === undefined ? text : `${text} (${alike.text})`).replaceAll('`', ''),
    );
}

/** `3,280 orbits`, of the searches for a property of runs. */
function formatSearched({ states, reduction }: PropertyOutcome): string {
    return formatNumberOf(states, reduction.unique && reduction.strategy !== 'none' ? 'orbit' : 'state');
}

/** The limit that ended a search early, with the setting that would let it go on. */
function formatReached(limit: NonNullable<KeptDocument['limit']>): string {
    const setting = SETTINGS_OF_LIMITS.get(limit.kind);
    return formatLimit(limit).replaceAll('`', '') + (setting === undefined ? '' : ` (${setting})`);
}

/** `N = 6, 7` for `N = 6` and `N = 7`; of several parameters each with all its values. */
function joinParameters(values: readonly string[]): string {
    const [first = '', ...others] = values;
    const name = first.split(' = ')[0] ?? '';
    const isOne = values.every(value => value.startsWith(`${name} = `) && value.split(' = ').length === 2);
    return isOne ? [first, ...others.map(value => value.slice(`${name} = `.length))].join(', ') : values.join('; ');
}

function symmetryAnswer(text: string, { explained, modelKey }: DocumentFindings): ResultAnswer | undefined {
    const assertion = explained?.outcome.report?.assertions.find(other => other.text === text);
    if (explained === undefined || assertion === undefined) {
        return undefined;
    }
    const message = assertion.message.replaceAll('`', '');
    return {
        verdict: assertion.verdict === 'fails' ? 'violated' : assertion.verdict,
        isStale: explained.keyed.key !== modelKey,
        summary: message,
        reason: [],
        parameters: formatParameters({
            params: Object.fromEntries(
                explained.keyed.model.parameters.map(parameter => [parameter.name, parameter.text]),
            ),
        }),
    };
}

function toLocation(document: LangiumDocument, { start, end }: Range): DocumentLocation {
    return {
        file: document.uri.toString(),
        line: start.line + 1,
        column: start.character + 1,
        endLine: end.line + 1,
        endColumn: end.character + 1,
    };
}
