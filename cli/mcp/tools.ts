/** The tools of `orbit mcp`: each is a call of the command line, with its arguments checked. */
import { isRecord } from '../../engine/common/record.js';
import { EXPORT_FORMS } from '../../engine/options.js';
import { COVERS } from '../../engine/tests/cover-names.js';

/** The part of JSON Schema that arguments need. */
type Schema =
    | { readonly type: 'string'; readonly description: string; readonly enum?: readonly string[] }
    | {
          readonly type: 'integer' | 'number';
          readonly description: string;
          readonly minimum: number;
          readonly maximum: number;
      }
    | { readonly type: 'boolean'; readonly description: string }
    | {
          readonly type: readonly ['string', 'array'];
          readonly description: string;
          readonly items: { readonly type: 'string' };
      }
    | {
          readonly type: 'object';
          readonly description: string;
          readonly additionalProperties: { readonly type: readonly string[] };
      };

export interface Tool {
    readonly name: string;
    readonly description: string;
    readonly properties: Readonly<Record<string, Schema>>;
    /** The command with its options, apart from those that all have. */
    readonly words: (given: Arguments) => readonly string[];
    /** What stands behind the model. */
    readonly behind?: (given: Arguments) => readonly string[];
    /** Those that must be given, besides a model. */
    readonly required?: readonly string[];
    /** Whether the command ends itself in time. */
    readonly hasTimeout: boolean;
    /** A document with problems is an answer, if it has this field, or whatever it has. */
    readonly answersWith?: string;
    /** A part of its answer is none. */
    readonly isWhole?: true;
    /** The fields of the document that answer it; all when absent. */
    readonly fields?: readonly string[];
}

type Arguments = Readonly<Record<string, unknown>>;

const DEFAULT_SECONDS = 60;

const MODEL_PROPERTIES: Tool['properties'] = {
    path: { type: 'string', description: 'The path of a model (.orbit). Either this or `text`.' },
    text: { type: 'string', description: 'The text of a model. Imports are relative to the folder of the server.' },
    parameters: {
        type: 'object',
        description: 'Values of parameters by name, arrays and records as the language writes them: {"N": 5}',
        additionalProperties: { type: ['string', 'number', 'boolean'] },
    },
    timeoutSeconds: {
        type: 'number',
        description: `The time after which the call ends, undecided where that is an answer. Default: ${DEFAULT_SECONDS}`,
        minimum: 0.1,
        maximum: 600,
    },
};

const PROPERTY = {
    type: ['string', 'array'],
    items: { type: 'string' },
    description: 'The name of an invariant or a property, `deadlock` or `faults`; or a list of such names.',
} as const;

export const TOOLS: readonly Tool[] = [
    {
        name: 'check',
        description: 'Reads a model and lists its errors and warnings, each with its place in the text.',
        properties: MODEL_PROPERTIES,
        words: () => ['check'],
        hasTimeout: false,
        answersWith: 'problems',
    },
    {
        name: 'format',
        description: 'Lays out the text of a model in the one style there is. Nothing is written: the answer has it.',
        properties: { text: { type: 'string', description: 'The text of a model.' } },
        required: ['text'],
        words: () => ['format'],
        hasTimeout: false,
        isWhole: true,
    },
    {
        name: 'import',
        description: 'Writes a model of Murphi in this language.',
        properties: {
            path: { type: 'string', description: 'The path of a model of Murphi. Either this or `text`.' },
            text: { type: 'string', description: 'The text of a model of Murphi.' },
            lossy: {
                type: 'boolean',
                description: 'Whether what has no counterpart here is told and left out, not an error.',
            },
        },
        words: given => ['import', ...flag('--lossy', given['lossy'])],
        hasTimeout: false,
        isWhole: true,
        answersWith: 'text',
    },
    {
        name: 'symmetries',
        description:
            'Finds the symmetry group of a model: order, structure, generators, what each property keeps of it, and which `assert symmetric` hold.',
        properties: {
            ...MODEL_PROPERTIES,
            property: { ...PROPERTY, description: `The group that keeps this. ${PROPERTY.description}` },
        },
        words: given => ['symmetry', ...options('--property', given['property'])],
        hasTimeout: true,
    },
    {
        name: 'explain',
        description:
            'Explains why a model has no more symmetry: what each declaration suggests, the places in the text that break it with fixes that were tried, and what properties cost.',
        properties: MODEL_PROPERTIES,
        words: () => ['symmetry', '--why'],
        hasTimeout: true,
        fields: [
            'order',
            'structure',
            'why',
            'broken',
            'unexplained',
            'heldFixed',
            'assertions',
            'properties',
            'complete',
        ],
    },
    {
        name: 'explore',
        description:
            'Searches all states of a model, up to symmetry, for deadlocks, faults, violated invariants and violated properties of runs. A violation has its reason and a run that shows it. With `parameters` {"N": "all"} it asks for every value at once.',
        properties: {
            ...MODEL_PROPERTIES,
            property: { ...PROPERTY, description: `Check only this. ${PROPERTY.description}` },
            reduction: {
                type: 'string',
                description: 'Whether one state of each orbit is stored: `none` stores all. Default: auto',
                enum: ['auto', 'unique', 'none'],
            },
            each: {
                type: 'boolean',
                description: 'Whether each property has a search of its own, with the symmetries that it keeps.',
            },
            coverage: { type: 'boolean', description: 'Whether it is counted how often each step is taken.' },
            continueAfterViolation: { type: 'boolean', description: 'Whether to look for more violations after one.' },
            maxStates: {
                type: 'integer',
                description: 'The number of stored states after which the search ends, undecided.',
                minimum: 1,
                maximum: 1_000_000_000,
            },
            maxInstances: {
                type: 'integer',
                description:
                    'The number of instances of one template, alive or named, beyond which the search ends, undecided. Default: 64',
                minimum: 1,
                maximum: 64,
            },
            maxNames: {
                type: 'integer',
                description:
                    'The number of values without end, `enum T = { .. }`, held at once, named ones included, beyond which the search ends, undecided. Default: 64',
                minimum: 1,
                maximum: 64,
            },
        },
        // Several calls share the machine.
        words: given => [
            'explore',
            ...['--workers', '2', '--max-memory', '2G'],
            ...options('--property', given['property']),
            ...option('--reduction', given['reduction']),
            ...option('--max-states', given['maxStates']),
            ...option('--max-instances', given['maxInstances']),
            ...option('--max-names', given['maxNames']),
            ...flag('--continue', given['continueAfterViolation']),
            ...flag('--each', given['each']),
            ...flag('--coverage', given['coverage']),
        ],
        hasTimeout: true,
    },
    {
        name: 'sweep',
        description: 'Explores a model for one value of a parameter after the other, up to the first violation.',
        properties: {
            ...MODEL_PROPERTIES,
            range: { type: 'string', description: 'The parameter and its values: `N=3..8`' },
        },
        required: ['range'],
        words: given => ['explore', '--workers', '2', '--max-memory', '2G', ...option('--sweep', given['range'])],
        hasTimeout: true,
    },
    {
        name: 'find',
        description:
            'Looks for a shortest run to a state, or to one state after the other, whatever the model states: `x == 1`, `x == 1 then x == 2`.',
        properties: {
            ...MODEL_PROPERTIES,
            run: { type: 'string', description: 'A condition of the language, or several with `then` between them.' },
        },
        required: ['run'],
        words: given => ['explore', '--workers', '2', '--max-memory', '2G', ...option('--find', given['run'])],
        hasTimeout: true,
    },
    {
        name: 'verify',
        description:
            'Checks each symmetry that was found by running the model; with `parameters` {"N": "all"} proves what holds for every value.',
        properties: MODEL_PROPERTIES,
        words: () => ['verify'],
        hasTimeout: true,
    },
    {
        name: 'export',
        description:
            'Writes a form of a model for other programs or for reading: its state graph, its symmetry group, or a stage in between.',
        properties: {
            ...MODEL_PROPERTIES,
            to: {
                type: 'string',
                enum: EXPORT_FORMS,
                description: 'The form; `dot`, `aut` and `json` are state graphs.',
            },
            reduction: {
                type: 'string',
                enum: ['none', 'unique'],
                description: 'Of a state graph: `unique` has one state of each orbit. Default: none',
            },
        },
        required: ['to'],
        words: given => ['export', ...option('--to', given['to']), ...option('--reduction', given['reduction'])],
        hasTimeout: false,
    },
    {
        name: 'mutate',
        description:
            'Changes a model at one place after the other, and tells which changes nothing in it notices: what is not checked.',
        properties: MODEL_PROPERTIES,
        words: () => ['mutate'],
        hasTimeout: true,
    },
    {
        name: 'match',
        description:
            'Judges logs of a real system against a model: a run that explains each line, or the first line that fits nothing, what refuses it, and what single change would mend it. orbit://manual/logs says how lines are written.',
        properties: {
            ...MODEL_PROPERTIES,
            logs: {
                type: ['string', 'array'],
                items: { type: 'string' },
                description: 'The paths of logs, JSON lines.',
            },
            hide: {
                type: ['string', 'array'],
                items: { type: 'string' },
                description: 'Steps that a log need not show.',
            },
            map: { type: 'string', description: 'The path of a mapping, if it is not beside the model.' },
            complete: { type: 'boolean', description: 'Whether a log must end where nothing more can happen.' },
            coverage: { type: 'boolean', description: 'Whether steps are named that no log has shown.' },
        },
        required: ['logs'],
        answersWith: 'logs',
        words: given => [
            'match',
            ...option('--map', given['map']),
            ...options('--hide', given['hide']),
            ...flag('--complete', given['complete']),
            ...flag('--coverage', given['coverage']),
        ],
        behind: given => [given['logs']].flat().map(String),
        hasTimeout: true,
    },
    {
        name: 'tests',
        description:
            'Chooses runs of the model that together take one of each orbit of its transitions, as tests of a real system. orbit://manual/conformance/README says what they are.',
        properties: {
            ...MODEL_PROPERTIES,
            cover: {
                type: 'string',
                enum: COVERS,
                description: 'What tests take one of each of. Default: transitions',
            },
            members: {
                type: 'integer',
                description: 'So many images of each test under symmetries. Default: 1',
                minimum: 1,
                maximum: 100,
            },
            seed: { type: 'integer', description: 'Default: 1', minimum: 0, maximum: 2 ** 32 - 1 },
        },
        words: given => ['tests', ...['cover', 'members', 'seed'].flatMap(name => option(`--${name}`, given[name]))],
        hasTimeout: true,
    },
    {
        name: 'simulate',
        description:
            'Walks at random, or along a script, from state to state, and stops at a violation. The same seed gives the same walk.',
        properties: {
            ...MODEL_PROPERTIES,
            script: { type: 'string', description: 'The path of a file with one step per line, as a run shows them.' },
            ask: {
                type: ['string', 'array'],
                items: { type: 'string' },
                description: 'Expressions of the language whose values are shown in each state.',
            },
            runs: {
                type: 'integer',
                description: 'So many walks, which are counted and not shown.',
                minimum: 1,
                maximum: 100_000,
            },
            seed: { type: 'integer', description: 'Default: 1', minimum: 0, maximum: 2 ** 32 - 1 },
            steps: { type: 'integer', description: 'Default: 100', minimum: 1, maximum: 100_000 },
        },
        words: given => [
            'simulate',
            ...['seed', 'steps', 'script', 'runs'].flatMap(name => option(`--${name}`, given[name])),
            ...options('--ask', given['ask']),
        ],
        hasTimeout: true,
    },
];

function flag(name: string, value: unknown): string[] {
    return value === true ? [name] : [];
}

/** Of one value, or of each in a list. */
function options(name: string, values: unknown): string[] {
    return [values].flat().flatMap(value => option(name, value));
}

function option(name: string, value: unknown): string[] {
    // The schema allows nothing else.
    const text = value as string | number | undefined;
    // With `=`, so that a value cannot be taken for an option.
    return text === undefined ? [] : [`${name}=${text}`];
}

/** As the protocol lists it. */
export function describeTool({ name, description, properties, required = [] }: Tool): object {
    return {
        name,
        description,
        inputSchema: { type: 'object', properties, required, additionalProperties: false },
        // Nothing is written.
        annotations: { readOnlyHint: true, openWorldHint: false },
    };
}

/** A call of the command line. */
export interface ToolCall {
    readonly words: readonly string[];
    /** For standard input. */
    readonly input: string;
    readonly seconds: number;
    /** What places of problems are called, where the command would say `-`. */
    readonly hasText: boolean;
}

/** The call, or what is wrong with the arguments. */
export function toCall(tool: Tool, given: unknown): ToolCall | string {
    if (!isRecord(given)) {
        return 'the arguments are an object';
    }
    const wrong = Object.entries(given).flatMap(([name, value]) =>
        complaintAbout(name, value, Object.hasOwn(tool.properties, name) ? tool.properties[name] : undefined),
    );
    const [path, text] = [given['path'], given['text']];
    if (wrong[0] !== undefined) {
        return wrong[0];
    }
    const missing = tool.required?.find(name => given[name] === undefined);
    if (missing !== undefined) {
        return `\`${missing}\` is missing`;
    }
    if ((path === undefined) === (text === undefined)) {
        return 'give either `path` or `text`';
    }
    if (path === '-') {
        return '`path` is that of a file; a text without one is given as `text`';
    }
    const seconds = typeof given['timeoutSeconds'] === 'number' ? given['timeoutSeconds'] : DEFAULT_SECONDS;
    const parameters = Object.entries(isRecord(given['parameters']) ? given['parameters'] : {});
    return {
        words: [
            ...tool.words(given),
            '--json',
            ...(tool.hasTimeout ? [`--timeout=${seconds}`] : []),
            ...parameters.map(([name, value]) => `--param=${name}=${String(value)}`),
            '--',
            typeof path === 'string' ? path : '-',
            ...(tool.behind?.(given) ?? []),
        ],
        input: typeof text === 'string' ? text : '',
        seconds,
        hasText: text !== undefined,
    };
}

function complaintAbout(name: string, value: unknown, schema: Schema | undefined): string[] {
    if (schema === undefined) {
        return [`there is no argument \`${name}\``];
    }
    if (schema.type instanceof Array) {
        const names = [value].flat();
        const areNames = names.length > 0 && names.every(each => typeof each === 'string');
        return areNames ? [] : [`\`${name}\` is a string or a list of strings`];
    }
    switch (schema.type) {
        case 'string':
            if (typeof value !== 'string') {
                return [`\`${name}\` is a string`];
            }
            return schema.enum?.includes(value) === false ? [`\`${name}\` is one of ${schema.enum.join(', ')}`] : [];
        case 'boolean':
            return typeof value === 'boolean' ? [] : [`\`${name}\` is true or false`];
        case 'integer':
        case 'number': {
            const isNumber = typeof value === 'number' && (schema.type === 'number' || Number.isInteger(value));
            return isNumber && value >= schema.minimum && value <= schema.maximum
                ? []
                : [
                      `\`${name}\` is ${schema.type === 'integer' ? 'a whole' : 'a'} number from ${schema.minimum} to ${schema.maximum}`,
                  ];
        }
        case 'object':
            return isRecord(value) && Object.values(value).every(each => /^(string|number|boolean)$/.test(typeof each))
                ? []
                : [`\`${name}\` is an object with texts, numbers and truth values`];
    }
}
