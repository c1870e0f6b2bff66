/**
 * Scripts for a walk: one step in each line, in the words of a trace. `//` begins a comment; blanks do not matter.
 * A file with traces is a script, too (written-trace.ts).
 *
 *     Phil[0] & Fork[1] get[0, 1]        a step, as a trace calls it; one of its processes is enough
 *     enter                              no process, if only one step has that name
 *     enter (k = 2)                      the one that chooses this value
 *     draw -> x = 3, P[1].k = none       the one that leads to these values; `-` is no value
 */
import type { Standing } from './instance-names.js';
import { describeStep } from './trace.js';
import { changedNames, changeOfCollection, formatState, namePattern } from '../describe/shown-state.js';
import {
    formatStep,
    readWrittenTrace,
    withoutBlanks,
    type Script,
    type ScriptStep,
    type WantedValues,
} from './written-trace.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { shownName, splitAtCommas } from '../sequential/split-values.js';

export interface ScriptProblem {
    readonly code: 'script/syntax' | 'script/not-enabled' | 'script/ambiguous' | 'script/no-initial-state';
    readonly line: number;
    readonly message: string;
}

/** The script of a text, or its first wrong line. */
export function parseScript(text: string): Script | ScriptProblem {
    const written = readWrittenTrace(text);
    if (written !== undefined) {
        return written;
    }
    const steps: ScriptStep[] = [];
    let initial: Script['initial'];
    for (const [index, written] of text.split(/\r\n|\n|\r/).entries()) {
        const line = index + 1;
        const content = written.replace(/\/\/.*$/, '').trim();
        if (content === '') {
            continue;
        }
        const isInitial = /^initial\b/.test(content) && !/^initial\s*(->|$)/.test(content);
        const [step = '', wanted = '', ...more] = isInitial
            ? ['initial', content.replace(/^initial/, '')]
            : content.split('->');
        const values = parseValues(wanted);
        if (
            values === undefined ||
            more.length > 0 ||
            step.trim() === '' ||
            (content.includes('->') && values.size === 0)
        ) {
            return {
                code: 'script/syntax',
                line,
                message:
                    `\`${content}\` is no step: write it as in a trace, \`P[0] enter\`, and where several have this name ` +
                    'behind `->` what it leads to, `P[0] enter -> x = 1`',
            };
        }
        if (isInitial && (initial !== undefined || steps.length > 0)) {
            return { code: 'script/syntax', line, message: 'the initial state is chosen once, before the first step' };
        }
        if (isInitial) {
            initial = { line, values };
        } else {
            steps.push({ line, text: step.trim(), step: withoutBlanks(step), values });
        }
    }
    return { steps, ...(initial !== undefined && { initial }) };
}

/** A firing; a fault has no successor. */
interface ScriptChoice {
    readonly summand: number;
    readonly successor?: Readonly<Int32Array>;
}

/** The most steps that a message lists. */
const MOST_LISTED = 12;

/** The index of the choice that a script step means, or the reason why there is none. */
export function chooseByScript(
    { line, text, step, values, outcome }: ScriptStep,
    model: SequentialModel,
    at: Standing,
    choices: readonly ScriptChoice[],
): number | ScriptProblem {
    const named = choices.filter(({ summand }) => namesOf(model, summand, at.names).has(step));
    const before = outcome === 'these values' ? formatState(model, at.state, at.names) : undefined;
    const fitting = named.filter(({ successor }) => {
        if (successor === undefined) {
            return values.size === 0 && outcome !== 'these values';
        }
        const next = after(at, successor);
        return (
            outcome !== 'fault' &&
            hasValues(model, next, values, before) &&
            (before === undefined ||
                changedNames(model, before, formatState(model, successor, next.names)).length === values.size)
        );
    });
    const [first] = fitting;
    const describe = (listed: readonly ScriptChoice[]): string => describeChoices(listed, model, at);
    if (first === undefined) {
        const why =
            named.length === 0
                ? `\`${text}\` is not enabled here; ${choices.length === 0 ? 'nothing is' : `enabled are: ${describe(choices)}`}`
                : `no step \`${text}\` leads to these values; there are: ${describe(named)}`;
        return { code: 'script/not-enabled', line, message: why };
    }
    const outcomes = new Set(fitting.map(({ summand, successor }) => successor?.join() ?? `fault of ${summand}`));
    return outcomes.size > 1
        ? {
              code: 'script/ambiguous',
              line,
              message: `several steps are \`${text}\` here; say who, or add \`->\` and what it leads to: ${describe(fitting)}`,
          }
        : choices.indexOf(first);
}

/** Whether the names have these values in a state, or the sets among them have changed so since `before`. */
export function hasValues(
    model: SequentialModel,
    { state, names }: Standing,
    wanted: WantedValues,
    before: ReturnType<typeof formatState> = {},
): boolean {
    const formatted = formatState(model, state, names);
    const known = names === undefined ? model.cells.map(shownName) : Object.keys(formatted);
    const values = new Map(known.map(name => [withoutBlanks(name), withoutBlanks(String(formatted[name] ?? '-'))]));
    const changes = new Map(
        Object.entries(before).map(([name, value]) => [
            withoutBlanks(name),
            withoutBlanks(changeOfCollection(value, formatted[name]) ?? '-'),
        ]),
    );
    // What an instance that does not live would hold is not there.
    const missing = names === undefined ? undefined : '-';
    return [...wanted].every(([name, value]) =>
        name.includes('[*]')
            ? [...values].every(([known, has]) => namePattern(known) !== name || has === value)
            : (values.get(name) ?? missing) === value || changes.get(name) === value,
    );
}

function after({ state, names }: Standing, successor: Readonly<Int32Array>): Standing {
    return { state: successor, names: names?.next(state, successor) };
}

/**
 * The names of a step in scripts: with all participants, one of them or none; with its label or its line; with what it
 * chooses or without that.
 */
function namesOf(model: SequentialModel, summand: number, names: Standing['names']): ReadonlySet<string> {
    const { process, label, choice, range } = describeStep(model, summand, names);
    const labels = [label, `line ${range.start.line + 1}`].flatMap(name =>
        choice === undefined ? [name] : [name, `${name}(${choice})`],
    );
    return new Set(
        labels.flatMap(name => ['', process, ...process.split(' & ')].map(who => withoutBlanks(`${who}${name}`))),
    );
}

/** The choices in words, as a script would name them. */
function describeChoices(choices: readonly ScriptChoice[], model: SequentialModel, at: Standing): string {
    const before = formatState(model, at.state, at.names);
    const texts = choices.map(({ summand, successor }) => {
        const step = formatStep(describeStep(model, summand, at.names));
        if (successor === undefined) {
            return `${step}, a fault`;
        }
        const next = after(at, successor);
        const formatted = formatState(model, successor, next.names);
        const values = changedNames(model, before, formatted).flatMap(name => {
            const value = formatted[name];
            return value === undefined ? [] : [`${name} = ${value}`];
        });
        return `${step}${values.length === 0 ? '' : ` -> ${values.join(', ')}`}`;
    });
    const left = texts.length - MOST_LISTED;
    return `${texts.slice(0, MOST_LISTED).join('; ')}${left > 0 ? `; and ${left} more` : ''}`;
}

/** Undefined if a part is no equation. */
function parseValues(text: string): WantedValues | undefined {
    const values = new Map<string, string>();
    const parts = text.trim() === '' ? [] : splitAtCommas(text);
    for (const part of parts) {
        const [name = '', value = '', ...more] = part.split('=').map(withoutBlanks);
        if (name === '' || value === '' || more.length > 0) {
            return undefined;
        }
        values.set(name, value);
    }
    return values;
}
