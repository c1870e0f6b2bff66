/**
 * What a script asks of a walk, and written traces as scripts: as `--trace` writes them, walks as they are printed or as
 * JSON, the first run of the file. Each step is the one of this name after which these values have changed and no others.
 */
import type { TraceStep } from './verdict.js';

/** By name, with `[*]` for all indices: the wanted value, or what comes into a set and what goes; without blanks. */
export type WantedValues = ReadonlyMap<string, string>;

/** A step of a script: the one of this name that leads to these values. */
export interface ScriptStep {
    /** Counted from 1. */
    readonly line: number;
    /** As written, for messages. */
    readonly text: string;
    /** Without blanks. */
    readonly step: string;
    readonly values: WantedValues;
    /** What else may happen: nothing if the values are all that change, or the step is a fault. Absent if that is open. */
    readonly outcome?: 'these values' | 'fault';
}

/** The steps of a walk and its initial state. */
export interface Script {
    /** If absent, the first initial state is taken. */
    readonly initial?: { readonly line: number; readonly values: WantedValues };
    readonly steps: readonly ScriptStep[];
}

/** An entry of a JSON document. */
interface WrittenEntry {
    readonly step: { readonly process: string; readonly label: string; readonly choice?: string } | null;
    readonly state: Readonly<Record<string, number | boolean | string | null>>;
    readonly changed: readonly string[];
    readonly fault?: string;
}

const START = /^\s*0 {2}initial state/;
const STEP = /^\s*\d+ {2}(\S.*?) {2}line \d+/;
const FAULT = /^\s+fault: /;
const CHANGE = /^\s+(\S.*?)(?:: .* → (.+)| ([+-] .+))$/;

/** Undefined if the text has no trace. */
export function readWrittenTrace(text: string): Script | undefined {
    return text.trimStart().startsWith('{') ? readDocument(text) : readLines(text.split(/\r\n|\n|\r/));
}

/** A step as a trace and a script call it. */
export function formatStep({ process, label, choice }: Omit<TraceStep, 'range'>): string {
    return `${process} ${label}${choice === undefined ? '' : ` (${choice})`}`;
}

export function withoutBlanks(text: string): string {
    return text.replaceAll(/\s+/g, '');
}

function readLines(lines: readonly string[]): Script | undefined {
    const start = lines.findIndex(line => START.test(line));
    if (start < 0) {
        return undefined;
    }
    const initial = new Map<string, string>();
    const steps: (ScriptStep & { values: Map<string, string> })[] = [];
    for (const [index, content] of lines.entries()) {
        const step = STEP.exec(content)?.[1];
        const last = steps.at(-1);
        const [, name = '', value, change = ''] = CHANGE.exec(content) ?? [];
        if (index <= start) {
            continue;
        } else if (step !== undefined) {
            steps.push(stepOf(step, index + 1, new Map()));
        } else if (last === undefined && content.includes(' = ')) {
            content
                .trim()
                .split('  ')
                .map(cell => cell.split(' = '))
                .forEach(([cell = '', written = '']) => initial.set(withoutBlanks(cell), withoutBlanks(written)));
        } else if (last !== undefined && FAULT.test(content)) {
            steps[steps.length - 1] = { ...last, outcome: 'fault' };
        } else if (last !== undefined && name !== '') {
            last.values.set(withoutBlanks(name), withoutBlanks(value ?? change));
        } else {
            break;
        }
    }
    return { steps, ...(initial.size > 0 && { initial: { line: start + 1, values: initial } }) };
}

function readDocument(text: string): Script | undefined {
    const document = parsed(text);
    const entries = document?.trace ?? document?.violations?.[0]?.trace;
    if (!Array.isArray(entries)) {
        return undefined;
    }
    const [start, ...rest] = entries as readonly WrittenEntry[];
    const valuesOf = (names: readonly string[], { state }: WrittenEntry): Map<string, string> =>
        new Map(names.map(name => [withoutBlanks(name), withoutBlanks(String(state[name] ?? '-'))]));
    const steps = rest.flatMap(entry => {
        const { step, changed, fault } = entry;
        if (step === null) {
            return [];
        }
        const name = formatStep(step);
        const made = stepOf(name, 1, valuesOf(changed, entry));
        return [fault === undefined ? made : { ...made, outcome: 'fault' as const }];
    });
    return { steps, initial: { line: 1, values: valuesOf(Object.keys(start.state), start) } };
}

function parsed(text: string): { trace?: unknown; violations?: readonly { trace?: unknown }[] } | undefined {
    try {
        return JSON.parse(text) as ReturnType<typeof parsed>;
    } catch {
        return undefined;
    }
}

function stepOf<Values extends ScriptStep['values']>(text: string, line: number, values: Values) {
    return { line, text, step: withoutBlanks(text), values, outcome: 'these values' as const };
}
