/** The options of each command, and the settings `orbit.…` of an editor, which a test compares with package.json. */
import { PASSES } from './passes/pass-names.js';
import { COVERS } from './tests/cover-names.js';

/** How the text of an option becomes a value; a `flag` has no text. */
export type OptionKind =
    | 'flag'
    | 'text'
    | 'parameter'
    | 'instancesOf'
    | 'range'
    | 'count'
    | 'seconds'
    | 'bytes'
    | 'threads'
    | 'instances'
    | 'distances'
    | 'seed'
    | 'steps'
    | 'passes'
    | 'names';

export interface CommandOption {
    /** The name as typed, with a word for its value: `--max-states <count>`. */
    readonly flags: string;
    readonly kind: OptionKind;
    readonly meaning: string;
    /** The name in the command, if that is not the name in camel case. */
    readonly field?: string;
    /** The only values of a text. */
    readonly choices?: readonly string[];
    readonly default?: string | number;
    readonly isRequired?: true;
    /** Names in camel case of options that contradict it. */
    readonly conflicts?: readonly string[];
}

/** The most states that a line of a log may mean. */
export const DEFAULT_MOST_CANDIDATES = 100_000;

/** Forms of the state graph, which alone may be reduced. */
export const STATE_GRAPH_FORMS = ['dot', 'aut', 'json'] as const;
export const EXPORT_FORMS = [
    'graph-dimacs',
    'graph-dot',
    'gap',
    ...STATE_GRAPH_FORMS,
    'sequential',
    'ssa',
    'constraints',
] as const;

/** Which of the possible steps of a state are taken. */
const CERTAIN_ORDERS = ['off', 'shortest', 'fewest'] as const;
export const PARTIAL_ORDERS = [...CERTAIN_ORDERS, 'auto'] as const;
const OF_PARTIAL_ORDERS =
    'partial order: take only the steps that matter; shortest: with shortest traces; fewest: with fewer states';

/** `json` is that of `--json`. */
export const REPORT_FORMATS = ['text', 'json', 'sarif', 'junit'] as const;

type More = Omit<CommandOption, 'flags' | 'kind' | 'meaning'>;

function option(flags: string, kind: OptionKind, meaning: string, more: More = {}): CommandOption {
    return { flags, kind, meaning, ...more };
}

function choice(flags: string, [first, ...others]: readonly string[], meaning: string): CommandOption {
    return option(flags, 'text', meaning, { choices: [first ?? '', ...others], default: first ?? '' });
}

const timeout = (meaning: string): CommandOption =>
    option('--timeout <seconds>', 'seconds', meaning, { field: 'timeoutSeconds' });

const propertyOption = (meaning: string): CommandOption =>
    option('--property <name>', 'names', `${meaning}, \`deadlock\` or \`faults\`; may be repeated`, {
        field: 'properties',
    });

const OUTPUT_OPTIONS: readonly CommandOption[] = [
    option('--json', 'flag', 'print a single JSON document'),
    option('--quiet', 'flag', 'print only a one-line result, without progress'),
    choice('--color <when>', ['auto', 'always', 'never'], 'when to color the output'),
];
const withParameters = (meaning: string): readonly CommandOption[] => [
    option('--param <NAME=VALUE>', 'parameter', meaning, { field: 'parameters' }),
    ...OUTPUT_OPTIONS,
];
const COMMON_OPTIONS = withParameters('set a parameter; may be repeated');
/** Of the commands that have an answer for all values. */
const COMMON_OPTIONS_OF_VERDICTS = withParameters(
    'set a parameter; may be repeated; NAME=all asks for every value that its type allows',
);

const INSTANCES_OPTION = option(
    '--instances <NAME=COUNT>',
    'instancesOf',
    'how many instances of a template are considered; may be repeated; default: 3 of each',
);

const REPORT_OPTIONS: readonly CommandOption[] = [
    choice(
        '--format <form>',
        REPORT_FORMATS,
        'form of the report; sarif: for code scanning services; junit: for build servers',
    ),
];

/** By command, in the order of its help. */
export const COMMAND_OPTIONS = {
    check: [
        ...REPORT_OPTIONS,
        option('--symmetry-baseline <file>', 'text', 'end with 1 if a symmetry group is smaller than in this file', {
            field: 'baselineFile',
        }),
        option('--update-baseline', 'flag', 'write the symmetry groups to the baseline instead of comparing them', {
            field: 'updatesBaseline',
        }),
        ...COMMON_OPTIONS,
    ],
    symmetry: [
        ...REPORT_OPTIONS,
        propertyOption('report the subgroup that preserves this invariant'),
        option('--why', 'flag', 'explain what each declaration suggests, what was found, and why there is not more'),
        INSTANCES_OPTION,
        timeout('stop the search after this time and report the subgroup found so far'),
        ...COMMON_OPTIONS,
    ],
    explore: [
        ...REPORT_OPTIONS,
        choice(
            '--reduction <kind>',
            ['auto', 'unique', 'local', 'none'],
            'unique: store exactly one state per orbit, or end undecided; local: cheaper, perhaps several per orbit',
        ),
        choice('--por <kind>', PARTIAL_ORDERS, `${OF_PARTIAL_ORDERS}; auto: as shortest, while it gains much`),
        option(
            '--passes <list>',
            'passes',
            'transformations of the model before the search: default, all, none, or a list of ' +
                `${PASSES.join(',')}; cone, reset and merge reduce the number of states`,
            { conflicts: ['coverage'] },
        ),
        propertyOption('check only this invariant or property of runs'),
        option('--find <run>', 'text', 'look only for a run to a state, such as "x == 1", or "x == 1 then x == 2"', {
            conflicts: ['property', 'each', 'sweep', 'coverage'],
        }),
        choice('--search <order>', ['bfs'], 'search order'),
        option('--continue', 'flag', 'keep exploring after a violation', { field: 'continueAfterViolation' }),
        option(
            '--sweep <range>',
            'range',
            'explore for each value of a parameter, such as N=3..20, one after the other',
            {
                conflicts: ['checkpoint', 'resume'],
            },
        ),
        option(
            '--each',
            'flag',
            'check each property in an exploration of its own, with the symmetries that it preserves',
            { field: 'isEach', conflicts: ['property', 'coverage'] },
        ),
        option(
            '--view-size <count>',
            'count',
            'with --param NAME=all, for all values: the number of processes in a view; default: 1 to 4 in turn',
        ),
        option('--coverage', 'flag', 'count how often each step is taken (slower)', { field: 'countsCoverage' }),
        option(
            '--max-violations <count>',
            'count',
            'stop after this many violations, no two of them symmetric; a property may be violated several times',
        ),
        option('--max-states <count>', 'count', 'stop, undecided, after storing this many states'),
        option(
            '--max-memory <size>',
            'bytes',
            'stop, undecided, when the states take this many bytes (or 512M, 2G); default: half of the memory',
            { field: 'maxMemoryBytes' },
        ),
        option(
            '--max-instances <count>',
            'instances',
            'stop, undecided, when more instances of one template than this live or are named at once, up to 64; default: 64',
        ),
        option(
            '--max-names <count>',
            'instances',
            'stop, undecided, when more values of one type without end than this are held at once, up to 64; default: 64',
        ),
        option(
            '--distances <distance>',
            'distances',
            'keep distances of numbers without end at least up to this one, up to 200; default: what the text asks for',
            { field: 'leastDistances' },
        ),
        timeout('stop, undecided, after this time'),
        option(
            '--workers <count>',
            'threads',
            'most threads that a large search may use, up to 64; default: one per processor, at most 8',
        ),
        choice(
            '--states <kind>',
            ['exact', 'fingerprint'],
            'fingerprint: store a 64-bit hash of each long state; states may be missed, with a probability that is reported',
        ),
        option('--checkpoint <file>', 'text', 'if a limit or Ctrl+C ends the search, save it here for --resume', {
            field: 'checkpointFile',
            conflicts: ['each', 'coverage'],
        }),
        option('--checkpoint-interval <seconds>', 'seconds', 'also write the checkpoint at this interval'),
        option('--resume <file>', 'text', 'continue from a checkpoint of the same exploration', {
            field: 'resumeFile',
            conflicts: ['each', 'coverage'],
        }),
        option(
            '--trace <file>',
            'text',
            'write the traces of violations to a file, as JSON if its name ends in .json',
            { field: 'traceFile' },
        ),
        ...COMMON_OPTIONS_OF_VERDICTS,
    ],
    simulate: [
        option('--seed <number>', 'seed', 'the same seed gives the same walk', { default: 1 }),
        option('--steps <count>', 'steps', 'stop after this many steps', { default: 100 }),
        option('--runs <count>', 'count', 'so many walks, and how much of what further ones meet would be new', {
            conflicts: ['script', 'ask'],
        }),
        option('--script <file>', 'text', 'take the steps listed in this file, written as in a trace', {
            field: 'scriptFile',
            conflicts: ['seed', 'steps'],
        }),
        option('--ask <expression>', 'names', 'show the value of this expression in each state; may be repeated'),
        timeout('stop, undecided, after this time'),
        ...COMMON_OPTIONS,
    ],
    mutate: [
        option('--baseline <file>', 'text', 'end with 1 only for survivors that are not in this file', {
            field: 'baselineFile',
        }),
        option('--update-baseline', 'flag', 'write the survivors to the baseline instead of comparing them', {
            field: 'updatesBaseline',
        }),
        option('--timeout <seconds>', 'seconds', 'leave what is not judged by then undecided', {
            field: 'timeoutSeconds',
            default: 300,
        }),
        ...COMMON_OPTIONS,
    ],
    match: [
        option('--map <file>', 'text', 'how lines of the logs are read; default: MODEL.log.json beside the model', {
            field: 'mapFile',
        }),
        option('--hide <names>', 'names', 'steps that a log need not show; may be repeated', { field: 'hidden' }),
        option('--complete', 'flag', 'a log must end where nothing more can happen', { field: 'isComplete' }),
        option('--coverage', 'flag', 'name the steps that no log has shown', { field: 'countsCoverage' }),
        option('--max-candidates <count>', 'count', 'stop where more states may be what a line says', {
            default: DEFAULT_MOST_CANDIDATES,
        }),
        timeout('judge no more logs after so many seconds; what was judged before is told'),
        ...COMMON_OPTIONS,
    ],
    tests: [
        option(
            '--cover <what>',
            'text',
            'steps: each step of the text; transitions, pairs: one of each orbit of them',
            {
                choices: COVERS,
                default: 'transitions',
            },
        ),
        option('--as <form>', 'text', 'json: data for programs; scripts: for `orbit simulate --script`', {
            field: 'form',
            choices: ['json', 'scripts'],
        }),
        option('--output <folder>', 'text', 'write each script to a file in this folder', { field: 'outputFolder' }),
        option('--members <count>', 'count', 'so many images of each test under symmetries', { default: 1 }),
        option('--seed <number>', 'seed', 'the same seed gives the same images', { default: 1 }),
        option('--max-states <count>', 'count', 'stop, undecided, after this many orbits of states', {
            default: 200_000,
        }),
        option('--with <command>', 'text', 'execute the tests: an adapter of a system, which speaks JSON lines', {
            field: 'adapter',
            conflicts: ['output'],
        }),
        option('--map <file>', 'text', 'how its lines are read; default: MODEL.log.json beside the model', {
            field: 'mapFile',
        }),
        option('--hide <names>', 'names', 'steps that its lines need not show; may be repeated', { field: 'hidden' }),
        option('--forbidden', 'flag', 'also ask the system for steps that the model forbids: it must refuse them', {
            field: 'asksForbidden',
        }),
        option('--answer-timeout <seconds>', 'seconds', 'the time for one answer of the adapter', {
            field: 'answerSeconds',
            default: 10,
        }),
        option('--max-candidates <count>', 'count', 'stop, undecided, where the system may be in more states', {
            default: DEFAULT_MOST_CANDIDATES,
        }),
        timeout('stop, undecided, after this time; what was found before is told'),
        ...COMMON_OPTIONS,
    ],
    verify: [
        option('--certificate <file>', 'text', 'check the claims of this certificate instead of searching', {
            field: 'certificateFile',
        }),
        option('--output <file>', 'text', 'write a certificate of what was verified', {
            field: 'outputFile',
            conflicts: ['certificate'],
        }),
        option('--property <name>', 'names', 'with `--param NAME=all`: prove only this invariant; may be repeated', {
            field: 'properties',
            conflicts: ['certificate'],
        }),
        INSTANCES_OPTION,
        timeout('stop, undecided, after this time; default: 60'),
        ...COMMON_OPTIONS_OF_VERDICTS,
    ],
    export: [
        option(
            '--to <form>',
            'text',
            'graph-dimacs: the colored graph, as bliss reads it; graph-dot: the same with names, for Graphviz; ' +
                'gap: the group; ' +
                'dot, aut, json: the state graph; sequential, ssa, constraints: the stages in between, for reading',
            { field: 'form', choices: EXPORT_FORMS, isRequired: true },
        ),
        choice(
            '--reduction <kind>',
            ['none', 'unique'],
            'for state graphs; unique: one state per orbit, with the size of the orbit',
        ),
        option('--output <file>', 'text', 'write to this file instead of standard output', { field: 'outputFile' }),
        INSTANCES_OPTION,
        ...COMMON_OPTIONS,
    ],
    expand: [
        option('--initial', 'flag', 'write the initial states, and read nothing', {
            field: 'isInitial',
            conflicts: ['identity', 'run', 'towards', 'tag'],
        }),
        option('--identity', 'flag', 'print what states of this call belong to: model, parameters, group, version', {
            field: 'isIdentity',
            conflicts: ['run', 'towards', 'tag', 'binary', 'verdicts'],
        }),
        option('--expect <identity>', 'text', 'end with 2 unless this is what --identity prints', {
            field: 'expectedIdentity',
        }),
        option('--tag', 'flag', 'write the state that was expanded behind each successor, after a tab', {
            field: 'isTagged',
            conflicts: ['run', 'towards'],
        }),
        option('--towards <state>', 'text', 'write only the states read that this one is a successor of', {
            conflicts: ['run'],
        }),
        option('--run', 'flag', 'read a path of states, and print a run of the model through them', {
            field: 'isRun',
            conflicts: ['binary', 'verdicts'],
        }),
        option('--binary', 'flag', 'read and write records of a fixed number of bytes; needs --verdicts', {
            field: 'isBinary',
        }),
        option('--verdicts <file>', 'text', 'write verdicts and the end mark to this file, not between the states', {
            field: 'verdictsFile',
        }),
        option('--certificate <file>', 'text', 'use the symmetries of this certificate instead of searching', {
            field: 'certificateFile',
        }),
        choice(
            '--reduction <kind>',
            ['unique', 'none'],
            'unique: each state is replaced by the representative of its orbit; none: by itself',
        ),
        choice('--por <kind>', CERTAIN_ORDERS, OF_PARTIAL_ORDERS),
        option(
            '--passes <list>',
            'passes',
            'transformations of the model before: default, all, none, or a list of ' + PASSES.join(','),
        ),
        propertyOption('check only this invariant'),
        option(
            '--instances <NAME=COUNT>',
            'instancesOf',
            'how many instances of a template there may be; needed for each template; may be repeated',
        ),
        ...COMMON_OPTIONS,
    ],
    import: [
        option('--lossy', 'flag', 'also where something has no counterpart here: it is told, and left out', {
            field: 'isLossy',
        }),
        option('--output <file>', 'text', 'write to this file instead of standard output', { field: 'outputFile' }),
        ...OUTPUT_OPTIONS,
    ],
    format: [
        option('--check', 'flag', 'change nothing; exit with 1 if a file is not formatted', { field: 'isCheck' }),
        ...OUTPUT_OPTIONS,
    ],
} as const satisfies Readonly<Record<string, readonly CommandOption[]>>;

export type CommandName = keyof typeof COMMAND_OPTIONS;

/** `off` shows nothing. */
export type DiagnosticLevel = 'off' | 'hint' | 'information' | 'warning' | 'error';

/** The values of settings, by kind. Numbers are positive, and those of a `count` are whole. */
export interface SettingValues {
    readonly switch: boolean;
    readonly level: DiagnosticLevel;
    /** When something is done by itself. */
    readonly when: 'off' | 'small' | 'always';
    /** How many of the possible steps are taken. */
    readonly steps: (typeof PARTIAL_ORDERS)[number];
    readonly texts: readonly string[];
    readonly seconds: number;
    readonly count: number;
    /** By file, then by the name of a parameter: the value as the text would write it. */
    readonly parameters: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface Setting<Kind extends keyof SettingValues = keyof SettingValues> {
    /** Below `orbit.`. */
    readonly path: string;
    readonly kind: Kind;
    readonly default: SettingValues[Kind];
    readonly meaning: string;
}

function setting<Kind extends keyof SettingValues>(
    path: string,
    kind: Kind,
    fallback: SettingValues[Kind],
    meaning: string,
): Setting<Kind> {
    return { path, kind, default: fallback, meaning };
}

function toggle(path: string, fallback: boolean, meaning: string): Setting<'switch'> {
    return setting(path, 'switch', fallback, meaning);
}

export const SETTINGS = {
    warnings: setting(
        'diagnostics.warnings',
        'level',
        'warning',
        'How to report what is probably not meant, for example names that nothing uses. Errors are always ' +
            'reported.',
    ),
    hiddenCodes: setting(
        'diagnostics.hide',
        'texts',
        [],
        'Codes of warnings and information that are not shown, for example `name/shadowed`. In a model, `// ' +
            'orbit-ignore CODE` hides a warning in the next line.',
    ),
    possibleFaults: toggle(
        'diagnostics.possibleFaults',
        true,
        'Show a hint at a step that is a fault in some run, where a short search after a save finds one.',
    ),
    brokenSymmetry: setting(
        'symmetry.diagnostics.severity',
        'level',
        'hint',
        'How to report what breaks a symmetry that the declarations suggest. A hint becomes information if an edit since the file was opened has broken it.',
    ),
    reducingProperty: setting(
        'symmetry.properties.severity',
        'level',
        'information',
        'How to report a property that keeps fewer symmetries than the model has.',
    ),
    analysisSeconds: setting(
        'symmetry.timeLimit',
        'seconds',
        10,
        'Seconds that the search for symmetries may take after a save. A search that is stopped reports the ' +
            'symmetries found so far.',
    ),
    codeLensModel: toggle(
        'codeLens.model',
        true,
        'Show the symmetry group above the model, with the commands that explore it.',
    ),
    codeLensProcesses: toggle(
        'codeLens.processes',
        true,
        'Show above each process family how its instances are related.',
    ),
    codeLensTypes: toggle(
        'codeLens.types',
        true,
        'Show above each type whose values are interchangeable how they are.',
    ),
    codeLensParameters: toggle(
        'codeLens.parameters',
        true,
        'Show above each parameter its value, with the commands that choose another one without changing the text.',
    ),
    codeLensProperties: toggle(
        'codeLens.properties',
        true,
        'Show above each invariant how many symmetries it keeps, and above properties of runs and fairness what symmetry does to them.',
    ),
    codeLensMutants: toggle(
        'codeLens.mutants',
        true,
        'Show changes of the model that nothing in it notices where they are, after the command that looks for them.',
    ),
    hoverSymmetry: toggle(
        'hover.symmetry',
        true,
        'Show in hovers what symmetry does to a variable, process, type or property.',
    ),
    inlayParameterValues: toggle(
        'inlayHints.parameterValues',
        false,
        'Show beside each use of a parameter the value that it has by default.',
    ),
    inlayConstants: toggle(
        'inlayHints.constants',
        false,
        'Show beside each constant that is computed what its value is.',
    ),
    inlayDomainSizes: toggle(
        'inlayHints.domainSizes',
        false,
        'Show beside types how many values, or cells, they have.',
    ),
    parameters: setting(
        'parameters',
        'parameters',
        {},
        'Values of parameters by file, in place of those in its text: `{ "models/ring.orbit": { "N": "8" } }`. A value that is chosen in the editor comes first.',
    ),
    maximumStates: setting(
        'explore.maximumStates',
        'count',
        50_000_000,
        'States that one exploration may store. Beyond it the verdict is undecided.',
    ),
    maximumMegabytes: setting(
        'explore.maximumMemory',
        'count',
        2048,
        'Megabytes that one exploration may take for states. Beyond it the verdict is undecided.',
    ),
    maximumThreads: setting(
        'explore.maximumThreads',
        'count',
        4,
        'Threads that search together where there is enough to do, but no more than the machine has processors.',
    ),
    maximumSeconds: setting(
        'explore.timeLimit',
        'seconds',
        600,
        'Seconds that one exploration may take. Beyond it the verdict is undecided.',
    ),
    exploreOnSave: setting(
        'explore.onSave',
        'when',
        'off',
        'When to explore a model by itself after a save. `small`: if that takes less than a second, by the last exploration or the number of states; the answer comes into the lens, the marks beside the text and the problems.',
    ),
    partialOrder: setting(
        'explore.partialOrder',
        'steps',
        'off',
        'Whether to take only some of the steps that are possible in a state, since the order of independent steps does not matter. `shortest`: with traces that are as short as without; `fewest`: with fewer states and perhaps longer traces; `auto`: like `shortest`, while it gains much.',
    ),
    continueAfterViolation: toggle(
        'explore.continueAfterViolation',
        false,
        'Explore the whole state space even after a violation was found.',
    ),
};

export type OrbitSettings = { readonly [Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name]['default'] };
